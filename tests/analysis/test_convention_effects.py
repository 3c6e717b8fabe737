"""Scores after conventions and other clues: by hand, against a slow twin, and where the effect is known."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from msgspec.structs import replace

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.analysis import convention_effects, experiment_effects
from hanalyze.analysis.columns import OUTCOMES
from hanalyze.analysis.convention_effects import VARIABLES, OfferedTurns, effects_of, estimates, offered_turns
from hanalyze.analysis.statistics.doubly_robust import FOLDS, MOST_LIKELY, RIDGE, Rows, effect
from hanalyze.analysis.statistics.intervals import benjamini_hochberg
from hanalyze.conventions.classes import OFFERED
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.meanings import Convention
from tests.analysis.muddler import Muddler


def alone(rows: int) -> np.ndarray[Any, Any]:
    return np.zeros(rows, np.int64)


def test_a_small_case_by_hand() -> None:
    """Two positions: 2 of 5 take the act in the first, 1 of 3 in the second.

    First: taken 3, 5; declined 1, 1, 4: on average 4 against 2. Second: taken 10; declined 6, 8: 10, 7. Of
    three that took it two were in the first: (2 * 2 + 3) / 3. Residuals of the taken from 2 and 7: 1, 3, 3;
    of the declined: -1, -1, 2, -1, 1, with odds 2/3 and 1/2. Influences: (-4, 2, 2) / 9, (2, 2, -4) / 9,
    (1, -1) / 6, whose squares add up to 35 / 54. Copies in each fold, each row a game of its own, so many
    that the penalty of the coefficients does not matter.
    """
    copies = 2000 * FOLDS
    position = [0.0] * 5 + [1.0] * 3
    taken = [True, True, False, False, False, True, False, False]
    outcome = [3.0, 5.0, 1.0, 1.0, 4.0, 10.0, 6.0, 8.0]
    x, t, y = (np.repeat(values, copies) for values in (position, taken, outcome))
    found = effect(Rows(x[:, None], y[:, None], np.arange(8 * copies), alone(8 * copies)), t)
    assert found.value[0] == pytest.approx(7 / 3, abs=1e-3)
    assert found.error[0] == pytest.approx(math.sqrt(35 / 54 / copies), rel=1e-3)
    assert found.chance[:5] == pytest.approx([0.4] * 5, abs=1e-4)
    assert found.effective == pytest.approx(3**2 / (3 * 4 / 9 + 2 / 4) * copies, rel=1e-3)
    assert (found.overlap, found.games) == (1, 8 * copies)
    assert found.balance == pytest.approx(0, abs=1e-3)
    # The same rows as games of one copy of each: what their influences add up to is 0 in each.
    together = effect(Rows(x[:, None], y[:, None], np.tile(np.arange(copies), 8), alone(8 * copies)), t)
    assert together.value[0] == pytest.approx(7 / 3, abs=1e-3)
    assert together.error[0] == pytest.approx(0, abs=1e-3)


def slow_effect(rows: Rows, taken: list[bool]) -> tuple[list[float], list[float], float, float]:
    """Estimate in plain steps: effects, errors, overlap, effective number of declined rows."""
    x, y = rows.covariates, rows.outcomes
    number = {game: place for place, game in enumerate(sorted(set(rows.game.tolist())))}
    fold = [number[game] % FOLDS for game in rows.game.tolist()]
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    several = max(rows.player.tolist()) > 0
    odds, residuals = [0.0] * len(x), np.zeros(y.shape)
    for part in range(FOLDS):
        train = [i for i in range(len(x)) if fold[i] != part]
        share = (sum(taken[i] for i in train) + 1) / (len(train) + 2)
        habit = {}
        for player in set(rows.player.tolist()):
            mine = [taken[i] for i in train if rows.player[i] == player]
            rate = (sum(mine) + 2 * share) / (len(mine) + 2)
            habit[player] = math.log(rate / (1 - rate))
        z = np.array(
            [
                [1.0, *x[i], *([habit[player]] if several else [])]
                for i, player in enumerate(rows.player.tolist())
            ]
        )
        b = np.zeros(z.shape[1])
        for _ in range(50):
            p = 1 / (1 + np.exp(-(z[train] @ b)))
            slope = z[train].T @ (p - np.array(taken)[train]) + RIDGE * b
            b -= np.linalg.solve(z[train].T @ np.diag(p * (1 - p)) @ z[train] + RIDGE * np.eye(len(b)), slope)
        declined = [i for i in train if not taken[i]]
        means = {
            player: [v[[i for i in declined if rows.player[i] == player]].mean(axis=0) for v in (x, y)]
            for player in set(rows.player.tolist())
        }
        inside = np.array([x[i] - means[rows.player[i]][0] for i in declined])
        outside = np.array([y[i] - means[rows.player[i]][1] for i in declined])
        slopes = np.linalg.solve(inside.T @ inside + RIDGE * np.eye(x.shape[1]), inside.T @ outside)
        for i in range(len(x)):
            if fold[i] == part:
                odds[i] = math.exp(float(z[i] @ b)) * rows.declined_share
                mx, my = means[rows.player[i]]
                residuals[i] = y[i] - my - (x[i] - mx) @ slopes
    kept = [one <= MOST_LIKELY / (1 - MOST_LIKELY) for one in odds]
    a = [i for i in range(len(x)) if taken[i] and kept[i]]
    c = [i for i in range(len(x)) if not taken[i] and kept[i]]
    whole = sum(odds[i] for i in c)
    value, error = [], []
    for k in range(y.shape[1]):
        first = sum(residuals[i, k] for i in a) / len(a)
        second = sum(odds[i] * residuals[i, k] for i in c) / whole
        by_game: dict[int, float] = defaultdict(float)
        for i in a:
            by_game[int(rows.game[i])] += (residuals[i, k] - first) / len(a)
        for i in c:
            by_game[int(rows.game[i])] -= odds[i] * (residuals[i, k] - second) / whole
        n = len(by_game)
        value.append(first - second)
        error.append(math.sqrt(sum(one**2 for one in by_game.values()) * n / (n - 1)))
    return value, error, len(a) / sum(taken), whole**2 / sum(odds[i] ** 2 for i in c)


@pytest.mark.parametrize("players", [1, 3])
def test_the_estimator_is_that_of_a_slow_twin(players: int) -> None:
    random = np.random.default_rng(4)
    n = 400
    x = random.normal(size=(n, 3))
    game = random.integers(0, 60, n)
    player = game % players
    chance = 1 / (1 + np.exp(-(2.5 * x[:, 0] - x[:, 1] + player)))
    taken = random.random(n) < chance
    y = np.stack([x[:, 0] ** 2 + taken, x[:, 1] + player + random.normal(size=n)], axis=1)
    rows = Rows(x, y, game * 7, player, 0.8)
    found = effect(rows, taken)
    value, error, overlap, effective = slow_effect(rows, taken.tolist())
    assert found.value == pytest.approx(value, abs=1e-5)
    assert found.error == pytest.approx(error, abs=1e-5)
    assert (found.overlap, found.effective) == (pytest.approx(overlap), pytest.approx(effective, rel=1e-4))
    assert overlap < 1


def confounded(seed: int, n: int = 4000) -> tuple[Rows, np.ndarray[Any, Any], float]:
    """Return games in which good positions and good players invite an act that adds 0.3 in truth."""
    random = np.random.default_rng(seed)
    game = np.repeat(np.arange(n // 20), 20)
    player = game % 4
    luck = random.normal(size=n // 20)[game]
    x = random.normal(size=(n, 3))
    taken = random.random(n) < 1 / (1 + np.exp(1 - x[:, 0] - 0.8 * (player > 1)))
    y = 2 * x[:, 0] + x[:, 1] + 3.0 * (player > 1) + luck + random.normal(size=n) + 0.3 * taken
    return Rows(x, y[:, None], game, player), taken, float(y[taken].mean() - y[~taken].mean())


def test_a_known_effect_is_found_where_the_plain_difference_misleads() -> None:
    covered, plain_errors, errors = 0, [], []
    for seed in range(100, 140):
        rows, taken, plain = confounded(seed)
        found = effect(rows, taken)
        covered += bool(abs(found.value[0] - 0.3) < 1.96 * found.error[0])
        plain_errors.append(plain - 0.3)
        errors.append(float(found.value[0]) - 0.3)
    assert min(plain_errors) > 1.5
    assert abs(np.mean(errors)) < 0.03  # three times its standard error
    assert covered >= 35  # of 40 intervals of 95 %; fewer in one of 100 such runs
    # Without the players' intercepts, their skill is taken for the effect.
    rows, taken, _ = confounded(0)
    assert effect(Rows(rows.covariates, rows.outcomes, rows.game, alone(4000)), taken).value[0] > 0.6


def test_turns_that_nobody_declines_are_left_out() -> None:
    x = np.repeat([0.0, 1.0], 100)
    taken = (np.arange(200) % 2 == 0) | (x == 1)
    y = 5 * x + taken
    found = effect(Rows(x[:, None], y[:, None], np.arange(200), alone(200)), taken)
    assert found.overlap == pytest.approx(1 / 3)
    assert found.value[0] == pytest.approx(1)


@cache
def played() -> hz.Database:
    """Games of two agents, and of two teams, read for conventions."""
    db = hz.connect()
    for number, (agent, names) in enumerate(
        (("conventional", ("Ann", "Ben", "Cy")), ("cautious", ("Dee", "Eve", "Fay")))
    ):
        records = simulate(agent, players=3, games=40, seed=50 + number, fast=False)
        db.add([replace(record, players=names) for record in records])
    db.read_conventions()
    return db


@pytest.mark.heavy
def test_turns_are_those_that_offered() -> None:
    db = played()
    turns = offered_turns(db, "convention_games", 1000)
    assert (turns.games, turns.all_games) == (80, 80)
    used = defaultdict(set)
    for row in db.findings().iter_rows(named=True):
        used[row["game_id"], row["turn"]].add(row["convention"])
    scores = dict(db.games().select("game_id", "score").iter_rows())
    by_game = defaultdict(list)
    for row in db.turns().sort("game_id", "turn").collect().iter_rows(named=True):
        by_game[row["game_id"]].append(row)
    clues = "SELECT game_id, turn FROM turns WHERE action IN ('colour_clue', 'rank_clue')"
    offers = db.sql(
        f"SELECT * FROM convention_opportunities JOIN ({clues}) USING (game_id, turn) ORDER BY game_id, turn"
    ).to_dicts()
    assert len(offers) == len(turns.game)
    place = {name: number for number, name in enumerate(VARIABLES)}
    for number, offer in enumerate(offers):
        game, turn = offer["game_id"], offer["turn"]
        rows = by_game[game]
        here, window = rows[turn], rows[turn : turn + 7]
        assert turns.game[number] == game
        # Python has masks of any length.
        both = int(turns.used[number, 0]) | int(turns.used[number, 1]) << OFFERED
        assert {one.label for one in Convention if both >> one & 1} == used[game, turn]
        after = window[-1]["score_after"] if turn + 6 < len(rows) else scores[game]
        expected = [
            after - here["score_before"],
            sum(one["result"] == "played" for one in window),
            scores[game],
        ]
        assert turns.outcomes[number].tolist() == expected
        covariates = turns.covariates[number]
        assert covariates[place["turn"]] == turn
        assert covariates[place["clue_tokens"]] == here["clue_tokens_before"]
        assert covariates[place["pace"]] == (here["pace_before"] or 0)
        assert covariates[place["known_playable"]] == offer["known_playable"]
        last = rows[turn - 1]["action"] if turn else ""
        assert covariates[place["after_a_clue"]] == last.endswith("_clue")
    rows, taken = turns.of(Convention.PLAY_CLUE, 10)
    offered = [(o["game_id"], o["turn"]) for o in offers if o["available"] >> Convention.PLAY_CLUE & 1]
    assert (len(taken), taken.sum()) == (len(offered), sum("play_clue" in used[one] for one in offered))
    assert set(rows.player.tolist()) == {1, 2, 3, 4, 5, 6}
    few = offered_turns(db, "convention_games", 10)
    assert (len(set(few.game.tolist())), few.games, few.all_games) == (10, 10, 80)
    assert (offered_turns(db, "convention_games", 10).game == few.game).all()


SAVES = "five_save", "two_save", "critical_save"


@pytest.mark.heavy
def test_the_frame() -> None:
    frame = convention_effects(played())
    assert frame["outcome"].to_list() == list(OUTCOMES) * (frame.height // 3)
    for row in frame.iter_rows(named=True):
        if row["effect"] is None:
            assert row["why"] is not None
            assert row["verdict"] is row["q_value"] is None
            enough = min(row["taken"], row["declined"]) >= 30 and row["games"] >= 20
            assert (row["why"] in ("few_taken", "few_declined", "few_games")) == (not enough), row
        else:
            assert row["effect_low"] < row["effect"] < row["effect_high"]
            assert 0 < row["overlap"] <= 1
            assert row["effective"] <= row["declined"]
            is_final, is_save = row["outcome"] == "final_score", row["convention"] in SAVES
            why = "unbalanced" if row["balance"] > 0.1 else "replaces_discards" if is_save else None
            assert row["why"] == (why if is_final else None)
            tested = is_final and why is None
            if not tested:
                assert row["p_value"] is row["q_value"] is row["verdict"] is None
                continue
            assert row["p_value"] <= row["q_value"] <= 1
            side = "more" if row["effect"] > 0 else "less"
            assert row["verdict"] == (side if row["q_value"] < 0.005 else "undecided")
    p_values = frame["p_value"].fill_null(math.nan).to_list()
    assert frame["q_value"].fill_null(-1).to_list() == [
        -1 if math.isnan(q) else pytest.approx(q) for q in benjamini_hochberg(p_values)
    ]
    play = frame.filter(convention="play_clue", outcome="points").row(0, named=True)
    [one] = estimates(offered_turns(played(), "convention_games", 1000), [Convention.PLAY_CLUE], 30)
    assert one.effect is not None
    assert (play["effect"], play["taken"]) == (pytest.approx(float(one.effect.value[0])), one.taken)
    assert play["within"] == 1
    half = played().games()["game_id"].head(40)
    ours = convention_effects(played(), "play_clue", games=half, most_games=30)
    assert ours["sampled"].to_list() == [0.75] * 3
    assert ours["taken"][0] < play["taken"]


def test_what_cannot_be_asked() -> None:
    with hz.connect() as db:
        with pytest.raises(HanalyzeError, match="no games"):
            convention_effects(db)
        db.add(simulate("cautious", players=3, games=2, seed=50, fast=False))
        db.read_conventions()
        with pytest.raises(UnknownName, match=r"did you mean .finesse."):
            convention_effects(db, "finese")
        with pytest.raises(UnknownName, match="grouping"):
            convention_effects(db, by="player")
        with pytest.raises(HanalyzeError, match="a minimum of 1"):
            convention_effects(db, minimum=1)
        with pytest.raises(HanalyzeError, match="a sample of 0 games"):
            convention_effects(db, most_games=0)
        # What no clue gives is not known to be offered.
        assert convention_effects(db, "sarcastic_discard").height == 0


def finesses(
    covariates: np.ndarray[Any, Any], used: np.ndarray[Any, Any], outcome: np.ndarray[Any, Any]
) -> OfferedTurns:
    """Return turns that offered a finesse, four in each game, with one outcome for all."""
    n = len(used)
    available, taken = np.zeros((n, 2), np.int64), np.zeros((n, 2), np.int64)
    available[:, 0] = 1 << int(Convention.FINESSE)
    taken[:, 0] = used * available[:, 0]
    return OfferedTurns(
        covariates,
        np.repeat(outcome[:, None], len(OUTCOMES), axis=1).astype(np.float32),
        np.arange(n) // 4,
        turn=np.arange(n),
        player=alone(n),
        available=available,
        used=taken,
        games=n // 4,
        all_games=n // 4,
    )


def test_a_score_that_is_not_linear_in_a_position_is_no_effect() -> None:
    """At a middling pace scores are higher and the convention is more often used; it adds nothing."""
    random = np.random.default_rng(1)
    n = 8000
    pace = random.integers(-2, 13, n)
    middling = np.abs(pace - 5) < 3
    used = random.random(n) < np.where(middling, 0.6, 0.2)
    covariates = np.zeros((n, len(VARIABLES)), np.float32)
    covariates[:, list(VARIABLES).index("pace")] = pace
    turns = finesses(covariates, used, 4.0 * middling + random.normal(size=n))
    [one] = estimates(turns, [Convention.FINESSE], 30)
    assert one.effect is not None
    assert one.unadjusted is not None
    assert one.unadjusted[0] > 1
    assert abs(one.effect.value[0]) < 3 * one.effect.error[0] < 0.15


@pytest.mark.parametrize(
    ("difference", "variables", "verdict"),
    [
        (0.1, 24, "undecided"),
        (-0.1, 24, "undecided"),
        (0.3, 24, "more"),
        (-0.3, 24, "less"),
        (0.1, 0, "more"),
    ],
)
def test_a_verdict_needs_more_than_a_hidden_variable_can_cause(
    difference: float, variables: int, verdict: str
) -> None:
    """With its standard error of about 0.01, 0.1 is clear, but less than 0.2. A coin has no such bound."""
    random = np.random.default_rng(4)
    n = 40_000
    used = random.random(n) < 0.5
    turns = finesses(np.zeros((n, variables), np.float32), used, difference * used + random.normal(size=n))
    [row] = effects_of(turns, [Convention.FINESSE]).filter(outcome="final_score").to_dicts()
    assert row["effect_low"] < difference < row["effect_high"]
    assert row["effect_low"] * row["effect_high"] > 0
    assert row["verdict"] == verdict


@pytest.mark.heavy
@pytest.mark.parametrize(("agent", "games"), [("cheating", 1500), ("cautious", 1500), (Muddler, 400)])
def test_no_convention_pays_where_nobody_knows_any(agent: Any, games: int) -> None:
    with hz.connect() as db:
        db.add(simulate(agent, players=3, games=games, seed=1_010_001))
        db.read_conventions()
        frame = convention_effects(db).filter(pl.col("effect").is_not_null(), outcome="final_score")
    assert frame.height >= 10
    assert frame["verdict"].is_in(["more", "less"]).sum() <= 0.05 * frame.height, frame


@pytest.mark.heavy
def test_the_estimate_agrees_with_an_experiment() -> None:
    with hz.connect() as db:
        db.add(simulate("conventional", players=3, games=1500, seed=1, overrides={"play_clue": 0.5}))
        db.read_conventions()
        only = {"convention": "play_clue", "outcome": "final_score"}
        [truth] = experiment_effects(db).filter(**only).to_dicts()
        [row] = convention_effects(db, "play_clue").filter(**only).to_dicts()
    assert truth["verdict"] == "more"
    assert 0.2 < truth["effect_low"] < truth["effect_high"] < 0.8
    assert row["effect_low"] < truth["effect"] < row["effect_high"]
    # It does not know the coins, but it sees what else was offered.
    assert row["balance"] < 0.15
