"""Rates: tables worked by hand, a slow twin on simulated games, and what must hold for any."""

from __future__ import annotations

import functools
from collections import defaultdict
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
import pytest

from hanalyze.analysis import benjamini_hochberg, family_rates, rates, wilson
from hanalyze.analysis.grouping import BY_GAME
from hanalyze.analysis.rates import BY
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES, definitions
from hanalyze.store.mistakes import BLAMELESS
from tests.analysis import tables
from tests.analysis.played import STRANGE, groups_of, played, rows
from tests.analysis.sums import group_ratios

COLUMNS = [
    *("kind", "found", "opportunities", "games", "rate", "low", "high", "p_value", "q_value"),
    *("shrunk", "points"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tables.definitions(tmp_path)


def two_games() -> Database:
    """Return a database in which Alice is in seat 0 of both games, and Bob in seat 1 of the first."""
    return tables.database(
        games=[tables.game(1, "Alice", "Bob"), tables.game(2, "Alice", "Cathy", score=25, variant="6 Suits")],
        seats=[*tables.seats(1, "Alice", "Bob"), *tables.seats(2, "Alice", "Cathy")],
        # Even turns are Alice's.
        turns=[*tables.turns(1, "mpmpfpcdonxp"), *tables.turns(2, "ppmpo", first=8)],
    )


@functools.cache
def all_rates(by: str | None) -> pl.DataFrame:
    """Return the rates of all kinds in simulated games."""
    return rates(played(), by=by, minimum=10)


AGAINST_ONE_CHOICE = ("misplay", "discard_last_copy", "tokens_wasted")
"""Kinds that also say who did something else than the one sensible choice: such rows are in no rate."""


QUICK = (None, "partner", "turn", "phase")
SOME = [pytest.param(by, marks=() if by in QUICK else pytest.mark.heavy) for by in (None, *BY)]
"""The groupings; those that differ in how they are made are always tried."""


@functools.cache
def opportunities(kind: str) -> set[tuple[int, int]]:
    """Return game and turn of the decisions that the definition of a kind calls its opportunities."""
    found = rows(f"SELECT game_id, turn, one_choice FROM decisions WHERE {definitions()[kind].where}")
    return {(row["game_id"], row["turn"]) for row in found if row["one_choice"] is None}


def counted(frame: pl.DataFrame, *columns: str) -> dict[Any, tuple[int, ...]]:
    """Return found, opportunities, games and points by these columns."""
    keys = columns or ("kind",)
    found = frame.select(*keys, "found", "opportunities", "games", "points").rows()
    return {row[0] if len(keys) == 1 else row[: len(keys)]: row[-4:] for row in found}


def test_counts_by_hand(folder: Path) -> None:
    # Game 1, m p m p f p c d o n x p: plays but x are 0-5, 9 and 11; found are m at 0 and 2, a point each;
    # f and n are nobody's fault. Game 2, p p m p o: four plays, a slip.
    with two_games() as db:
        assert counted(rates(db, "slip", by=None, folder=folder)) == {"slip": (3, 12, 2, 3)}
        by_player = counted(rates(db, "slip", by="player", folder=folder), "player")
        # Alice: 0, 2, 4 of game 1 (10 is x) and 8, 10 of game 2.
        assert by_player == {"Alice": (3, 5, 2, 3), "Bob": (0, 5, 1, 0), "Cathy": (0, 2, 1, 0)}
        by_turn = counted(rates(db, "slip", by="turn", folder=folder), "turn")
        assert by_turn == {"0-9": (2, 9, 2, 2), "10-19": (1, 3, 2, 1)}
        assert counted(rates(db, "slip", by="score", folder=folder), "score") == {
            "perfect": (1, 4, 1, 1),
            "75-90%": (2, 8, 1, 2),
        }
        assert counted(rates(db, "slip", by="variant", folder=folder), "variant") == {
            "6 Suits": (1, 4, 1, 1),
            "No Variant": (2, 8, 1, 2),
        }
        assert counted(rates(db, "slip", by="partner", folder=folder), "player", "partner") == {
            ("Alice", "Bob"): (2, 3, 1, 2),
            ("Alice", "Cathy"): (1, 2, 1, 1),
            ("Bob", "Alice"): (0, 5, 1, 0),
            ("Cathy", "Alice"): (0, 2, 1, 0),
        }


def test_several_rows_about_a_decision_count_once_and_their_points_all(folder: Path) -> None:
    # The two rows for each one that was discarded have 0 and 1 points; three discards were made.
    with two_games() as db:
        assert counted(rates(db, "drop", by=None, folder=folder)) == {"drop": (2, 3, 2, 2)}
        assert counted(rates(db, "drop", by="rank", folder=folder), "rank") == {
            1: (2, 2, 2, 2),
            3: (0, 1, 1, 0),
        }


def test_what_is_found_is_an_opportunity_whatever_the_condition_says(folder: Path) -> None:
    (folder / "drop.sql").write_text(tables.DROP.replace("deck_before > $cards", "deck_before > 99"))
    with two_games() as db:
        assert counted(rates(db, "drop", by=None, folder=folder)) == {"drop": (2, 2, 2, 2)}


def test_severities_share_the_rows(folder: Path) -> None:
    with two_games() as db:
        frame = rates(db, "slip", by="severity", folder=folder, minimum=1)
        assert counted(frame, "severity") == {
            "knew": (3, 5, 2, 3),
            "could_not_know": (1, 5, 2, 2),
            "forced": (1, 5, 2, 0),
        }
        assert frame["rate"].sum() == pytest.approx(1)
        assert frame["p_value"].null_count() == 3


def test_few_opportunities_have_no_rate(folder: Path) -> None:
    with two_games() as db:
        frame = rates(db, "slip", folder=folder, minimum=5).sort("player")
        assert frame["rate"].to_list() == [0.6, 0.0, None]
        for column in ("low", "high", "p_value", "q_value"):
            assert frame[column][2] is None
        assert frame.select("found", "opportunities", "games", "points").row(2) == (0, 2, 1, 0)


def test_a_single_game_has_no_interval(folder: Path) -> None:
    with two_games() as db:
        frame = rates(db, "slip", folder=folder, minimum=1).sort("player")
        # Bob has one game: who knows how games differ?
        assert frame.select("low", "high").row(1) == (None, None)
        # Found is 2 of 3 and 1 of 2: no more variation than by chance, but only one degree of freedom.
        worth = (2.7764451 / 12.7062047) ** 2
        # Of effectively 0.14 finds and 0.10 others, each end is that of half as many.
        expected = wilson(1.5 * worth, 5 * worth).low, wilson(4 * worth, 5 * worth).high
        assert frame.select("low", "high").row(0) == pytest.approx(expected)
        assert frame["p_value"].to_list() == [frame["p_value"][0], None, None]


def test_one_group_is_compared_with_nothing(folder: Path) -> None:
    with two_games() as db:
        assert rates(db, "slip", by="players", folder=folder, minimum=1)["p_value"].to_list() == [None]
        assert rates(db, "slip", by=None, folder=folder, minimum=1)["q_value"].to_list() == [None]


@pytest.mark.parametrize("by", SOME)
def test_columns(by: str | None) -> None:
    frame = all_rates(by)
    groups = {None: [], "partner": ["player", "partner"]}.get(by, [by])
    assert frame.columns == [*groups, *COLUMNS]
    keys = frame.select(*groups, "kind")
    assert keys.is_duplicated().sum() == 0


def test_order() -> None:
    kinds = rates(played(), "misplay", "discard_last_copy", by=None)["kind"].to_list()
    assert kinds == ["misplay", "discard_last_copy"]
    every = all_rates(None)["kind"].to_list()
    assert every == [kind for kind in definitions() if kind in every]
    bands = all_rates("turn")["turn"].unique(maintain_order=True).to_list()
    assert bands == [f"{first}-{first + 9}" for first in range(0, 10 * len(bands), 10)]
    assert all_rates("phase")["phase"].unique(maintain_order=True).to_list() == ["early", "middle", "late"]


def test_families_are_their_kinds() -> None:
    for family in FAMILIES:
        kinds = [kind for kind, one in definitions().items() if one.family == family]
        assert rates(played(), family, by="players").equals(rates(played(), *kinds, by="players"))


@pytest.mark.parametrize("by", [one for one in SOME if one.values != ("severity",)])
def test_the_slow_twin(by: str | None) -> None:
    """Count by plain loops over the rows of decisions and mistakes."""
    chances: dict[Any, set[Any]] = defaultdict(set)
    found: dict[Any, set[Any]] = defaultdict(set)
    points: dict[Any, int] = defaultdict(int)
    decisions = {(row["game_id"], row["turn"]): row for row in rows("SELECT * FROM decisions")}
    for kind in definitions():
        for key in opportunities(kind):
            for group in groups_of(decisions[key], by):
                chances[group, kind].add(key)
    for row in rows("SELECT * FROM mistakes"):
        key = row["game_id"], row["turn"]
        for group in groups_of(decisions[key], by):
            if row["severity"] == "nothing_to_lose":
                chances[group, row["kind"]].discard(key)
            if row["severity"] in BLAMELESS:
                continue
            points[group, row["kind"]] += row["points"]
            # A misplay, a lost card or token where something else was the one sensible choice is in no rate.
            if decisions[key]["one_choice"] and row["kind"] in (
                "misplay",
                "discard_last_copy",
                "tokens_wasted",
            ):
                continue
            chances[group, row["kind"]].add(key)
            found[group, row["kind"]].add(key)
    expected = {
        (*group, kind): (
            len(found[group, kind]),
            len(those),
            len({game for game, _ in those}),
            points[group, kind],
        )
        for (group, kind), those in chances.items()
        if those
    }
    frame = all_rates(by)
    assert frame.height > 10
    groups = frame.columns[: frame.columns.index("kind")]
    got = frame.select(*groups, "kind", "found", "opportunities", "games", "points").rows()
    assert {row[:-4]: row[-4:] for row in got} == expected


def test_the_slow_twin_of_severities() -> None:
    found: dict[Any, int] = defaultdict(int)
    kinds: dict[str, int] = defaultdict(int)
    for row in rows("SELECT * FROM mistakes"):
        found[row["severity"], row["kind"]] += 1
        kinds[row["kind"]] += 1
    frame = all_rates("severity")
    got = frame.filter(pl.col("found") > 0).select("severity", "kind", "found", "opportunities").rows()
    assert {row[:2]: row[2:] for row in got} == {key: (count, kinds[key[1]]) for key, count in found.items()}


def test_our_definitions_find_only_what_their_conditions_allow() -> None:
    """Say that a rate is of what its definition says: but for saves, which a card of its own makes due."""
    for row in rows("SELECT m.*, one_choice FROM mistakes m JOIN decisions USING (game_id, turn)"):
        if row["one_choice"] and row["kind"] in AGAINST_ONE_CHOICE:
            continue  # something else was the one sensible choice
        if row["severity"] not in BLAMELESS and row["kind"] != "discard_unsaved":
            assert (row["game_id"], row["turn"]) in opportunities(row["kind"]), row


@pytest.mark.parametrize("by", [None, *BY])
def test_what_must_hold(by: str | None) -> None:
    frame = all_rates(by)
    assert (frame["found"] <= frame["opportunities"]).all()
    assert (frame["games"] <= frame["opportunities"]).all()
    shown = frame.filter(pl.col("opportunities") >= 10)
    assert shown.height
    assert (shown["rate"] == shown["found"] / shown["opportunities"]).all()
    assert (shown["low"] <= shown["rate"]).all()
    assert (shown["rate"] <= shown["high"]).all()
    assert shown["low"].min() >= 0
    assert shown["high"].max() <= 1
    hidden = frame.filter(pl.col("opportunities") < 10)
    assert hidden.select("rate", "low", "high", "p_value", "q_value").null_count().row(0) == (
        (hidden.height,) * 5
    )
    compared = frame.filter(pl.col("p_value").is_not_null())
    assert compared["p_value"].is_between(0, 1).all()
    assert (compared["q_value"] >= compared["p_value"]).all()
    assert compared["q_value"].to_list() == pytest.approx(benjamini_hochberg(compared["p_value"].to_numpy()))


@pytest.mark.parametrize(
    "by", [*(name for name in BY_GAME if name != "team"), "player", "seat", "turn", "phase", "score"]
)
def test_groups_add_up_to_all(by: str) -> None:
    total = all_rates(None)
    parts = all_rates(by).group_by("kind").agg(pl.col("found", "opportunities", "points").sum())
    both = total.join(parts, on="kind", suffix="_sum")
    assert both.height == total.height
    for column in ("found", "opportunities", "points"):
        assert (both[column] == both[f"{column}_sum"]).all()


def test_a_kind_alone_is_what_it_is_among_others() -> None:
    alone = rates(played(), "misplay", by="player", minimum=10)
    among = all_rates("player").filter(pl.col("kind") == "misplay")
    assert alone.drop("q_value").equals(among.drop("q_value"))


def test_families_count_a_decision_once() -> None:
    frame = family_rates(played(), by=None)
    assert frame["kind"].to_list() == ["discard", "play", "clue"]
    for family, found, of in frame.select("kind", "found", "opportunities").iter_rows():
        kinds = [kind for kind, one in definitions().items() if one.family == family]
        # Whoever errs against the one sensible choice is to blame, but in no rate of such a kind.
        idle = {kind for kind in kinds if definitions()[kind].weighs_forced}
        blamed = {
            (row["game_id"], row["turn"])
            for row in rows("SELECT m.*, one_choice FROM mistakes m JOIN decisions USING (game_id, turn)")
            if row["kind"] in kinds and row["severity"] not in BLAMELESS
            if row["one_choice"] is None or row["kind"] not in idle
        }
        chances = blamed.union(*(opportunities(kind) for kind in kinds))
        assert (found, of) == (len(blamed), len(chances))


def test_names_are_only_names() -> None:
    players = set(rates(played(), "misplay", by="player")["player"])
    assert players == set(STRANGE)
    pairs = rates(played(), "misplay", by="partner")
    assert set(pairs["partner"]) == set(STRANGE)
    assert played().sql("SELECT count(*) FROM games").item() == 62


def test_the_p_value_is_that_of_drawing_games() -> None:
    """Compare the closed form with what it stands for: the difference in many resamples of whole games."""
    random = np.random.default_rng(7)
    games = 300
    of = random.integers(1, 8, (games, 3))
    mood = random.beta(2, 8, games)
    found = random.binomial(of, np.clip(mood[:, None] * [1.0, 1.0, 1.3], 0, 1))
    group = np.tile(np.arange(3), games)
    got = group_ratios(group, 3, np.repeat(np.arange(games), 3), found.ravel(), of.ravel())
    weights = random.multinomial(games, np.full(games, 1 / games), size=20_000)
    f, o = weights @ found, weights @ of
    for number in range(3):
        others = [other for other in range(3) if other != number]
        differences = f[:, number] / o[:, number] - f[:, others].sum(1) / o[:, others].sum(1)
        rest = found[:, others].sum() / of[:, others].sum()
        rate = found[:, number].sum() / of[:, number].sum()
        expected = 2 * NormalDist().cdf(-abs(rate - rest) / differences.std())
        # The standard errors agree within a few per cent, unless the floor of independent draws holds.
        z = NormalDist().inv_cdf(got.p_value[number] / 2)
        assert z == pytest.approx(NormalDist().inv_cdf(expected / 2), rel=0.12)


def test_p_values_of_equal_groups_are_spread_evenly() -> None:
    random = np.random.default_rng(11)
    small = 0
    for _ in range(400):
        of = random.integers(1, 6, 60)
        found = random.binomial(of, random.beta(2, 8, 60))
        group, game = np.arange(60) % 2, np.arange(60)
        assert np.isnan(group_ratios(group, 2, game, found, of, minimum=10_000).p_value).all()
        small += group_ratios(group, 2, game, found, of).p_value[0] < 0.05
    assert 0.02 < small / 400 < 0.09


def test_nothing_found_is_no_proof() -> None:
    # None of 30 where others have 5 %: so many are free of it in one of five such groups.
    group = np.repeat([0, 1], [10, 1000])
    of = np.full(1010, 3.0)
    found = np.concatenate([np.zeros(10), np.tile([1.0, 0, 0, 0, 0, 0, 0], 143)[:1000]])
    got = group_ratios(group, 2, np.arange(1010), found, of)
    assert got.p_value[0] > 0.15


@pytest.mark.parametrize("by", ["nothing", "Player", "kind", "players; DROP TABLE games", ""])
def test_unknown_groupings(by: str) -> None:
    with pytest.raises(UnknownName, match="there is no grouping") as caught:
        rates(played(), by=by)
    assert caught.value.rule == "unknown_grouping"
    with pytest.raises(UnknownName):
        family_rates(played(), by="severity")


def test_unknown_kinds() -> None:
    with pytest.raises(UnknownName, match='did you mean "misplay"'):
        rates(played(), "misplays")


def test_an_empty_database() -> None:
    with tables.database() as db:
        for by in (None, "player", "turn", "severity"):
            assert rates(db, by=by).height == 0
        assert family_rates(db, by="player").height == 0


def test_confidence_must_be_one() -> None:
    with pytest.raises(HanalyzeError, match="confidence 95"):
        rates(played(), "misplay", by=None, confidence=95)
