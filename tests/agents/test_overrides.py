"""Coins that decide whether the conventional agent gives a convention."""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hanalyze as hz
from hanalyze.agents import simulate, simulate_with_meanings
from hanalyze.agents.conventional import GIVEN
from hanalyze.analysis import experiment_effects
from hanalyze.analysis.statistics.doubly_robust import FOLDS
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import can_compile
from hanalyze.logs import read
from tests.cli.running import hanalyze

pytestmark = pytest.mark.compiled

Toss = tuple[int, str, str, str]


def played(games: int, fast: bool = can_compile(), **overrides: float) -> list[tuple[Any, Any]]:
    return list(simulate_with_meanings(games=games, overrides=overrides, fast=fast))


def tosses(record: hz.GameRecord) -> list[Toss]:
    parts = [tag.split(":") for tag in record.tags]
    assert all(part[0] == "toss" for part in parts)
    return [(int(turn), name, side, other) for _, turn, name, side, other in parts]


def test_a_coin_that_always_takes_changes_nothing() -> None:
    plain = [record.actions for record in simulate("conventional", games=6, fast=can_compile())]
    with_coins = played(6, **{one.label: 1 for one in GIVEN})
    assert [record.actions for record, _ in with_coins] == plain
    for record, meanings in with_coins:
        clues = {turn for turn, action in enumerate(record.actions) if action.kind >= 2}
        tossed = {turn for turn, *_ in tosses(record)}
        assert tossed <= clues
        for turn, name, side, _ in tosses(record):
            assert (meanings[turn].convention.label, side) == (name, "taken")
        # No other action was legal, or the clue was forced.
        for turn in clues - tossed:
            assert meanings[turn].convention not in GIVEN


def test_a_coin_that_never_takes_gives_no_such_clue() -> None:
    kinds = {0: "play", 1: "discard", 2: "clue", 3: "clue"}
    seen = set()
    for record, meanings in played(6, play_clue=0):
        assert Convention.PLAY_CLUE not in [one.convention for one in meanings]
        for turn, name, side, other in tosses(record):
            assert (name, side, kinds[record.actions[turn].kind]) == ("play_clue", "declined", other)
            seen.add(other)
    assert seen >= {"discard", "clue"}


@pytest.mark.heavy
def test_a_fair_coin_is_fair_and_its_games_begin_alike() -> None:
    plain = list(simulate("conventional", games=12, fast=can_compile()))
    sides = []
    for (record, meanings), other in zip(played(12, play_clue=0.5), plain, strict=True):
        for turn, name, side, _ in tosses(record):
            assert (meanings[turn].convention.label == name) == (side == "taken")
            sides.append(side)
        declined = [turn for turn, _, side, _ in tosses(record) if side == "declined"]
        first = declined[0] if declined else len(record.actions)
        assert record.actions[:first] == other.actions[:first]
    # 0.5 within four standard errors.
    assert len(sides) > 100
    assert abs(sides.count("taken") / len(sides) - 0.5) < 2 / len(sides) ** 0.5


@pytest.mark.heavy
def test_compiled_games_have_the_same_tosses() -> None:
    overrides = {"play_clue": 0.5, "five_save": 0.3, "finesse": 0.9}
    assert played(20, fast=True, **overrides) == played(20, fast=False, **overrides)


def test_tosses_survive_files_and_databases(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    words = ("simulate", "--agent", "conventional", "--games", "3", "--override", "play-clue=0.5")
    assert hanalyze(*words, "--override", "finesse=0.5", "-o", path).code == 0
    expected = [record for record, _ in played(3, play_clue=0.5, finesse=0.5)]
    assert [record.tags for record in read(path)] == [record.tags for record in expected]
    with hz.connect() as db:
        db.add(read(path))
        assert db.games()["tags"].to_list() == [", ".join(record.tags) for record in expected]


def by_folds(sides: dict[str, list[tuple[int, int]]]) -> float:
    """Return the difference of means, each fold less the mean and by the odds of the other folds.

    `sides` has the game and score of each toss. The logit of the share taken is shrunk towards 0: with n
    tosses, of which k were taken, it is the x with k - n / (1 + exp(-x)) = x.
    """
    sums = {side: [0.0, 0.0] for side in sides}
    for fold in range(FOLDS):
        outside = {side: [one for game, one in some if game % FOLDS != fold] for side, some in sides.items()}
        taken, both = len(outside["taken"]), sum(map(len, outside.values()))
        low, high = -50.0, 50.0
        for _ in range(100):
            logit = (low + high) / 2
            low, high = (logit, high) if taken - both / (1 + exp(-logit)) > logit else (low, logit)
        mean = sum(outside["declined"]) / len(outside["declined"])
        for side, some in sides.items():
            weight = exp(logit) if side == "declined" else 1.0
            inside = [one - mean for game, one in some if game % FOLDS == fold]
            sums[side][0] += weight * sum(inside)
            sums[side][1] += weight * len(inside)
    return sums["taken"][0] / sums["taken"][1] - sums["declined"][0] / sums["declined"][1]


def test_the_effect_is_a_difference_of_means() -> None:
    """Effect and error from the tags alone; an error of games, whose influences are added up."""
    records = [record for record, _ in played(40, play_clue=0.5)]
    with hz.connect() as db:
        db.add(records)
        db.read_conventions()
        row = experiment_effects(db, minimum=20).row(
            by_predicate=pl.col("outcome") == "final_score", named=True
        )
        keys = db.games()["game_id"]
    sides: dict[str, list[tuple[int, int]]] = {"taken": [], "declined": []}
    for number, record in zip(keys.rank("ordinal") - 1, records, strict=True):
        for _, _, side, other in tosses(record):
            if other == "clue":
                sides[side].append((number, record.score or 0))
    assert (row["taken"], row["declined"]) == (len(sides["taken"]), len(sides["declined"]))
    means = {side: sum(score for _, score in some) / len(some) for side, some in sides.items()}
    assert row["unadjusted"] == pytest.approx(means["taken"] - means["declined"], abs=1e-5)
    influence = dict.fromkeys(range(40), 0.0)
    for side, some in sides.items():
        for number, score in some:
            sign = 1 if side == "taken" else -1
            influence[number] += sign * (score - means[side]) / len(some)
    error = sum(one**2 for one in influence.values()) ** 0.5
    # Newton's method stops short of the exact odds.
    assert row["effect"] == pytest.approx(by_folds(sides), abs=1e-3)
    assert row["effect_high"] - row["effect_low"] == pytest.approx(2 * 2.03 * error, rel=0.1)
    assert row["balance"] == 0


def test_what_cannot_be_overridden(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"did you mean .finesse."):
        simulate("conventional", overrides={"finese": 0.5})
    with pytest.raises(HanalyzeError, match="gives no reverse_finesse at level 1") as caught:
        simulate("conventional", overrides={"reverse_finesse": 0.5}, level=1)
    assert caught.value.rule == "bad_override"
    for bad in (-0.1, 1.5, float("nan")):
        with pytest.raises(HanalyzeError, match=f"override finesse={bad:g}"):
            simulate("conventional", overrides={"finesse": bad})
    for agent in ("cautious", ["conventional", "conventional"]):
        with pytest.raises(HanalyzeError, match="need the agent conventional at all seats"):
            simulate(agent, overrides={"finesse": 0.5})
    for text in ("finesse", "finesse=", "finesse=x", "=0.5", "finesse=2"):
        ran = hanalyze("simulate", "--agent", "conventional", "--override", text)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), text
    ran = hanalyze("simulate", "--override", "finesse=0.5")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
