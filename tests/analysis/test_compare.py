"""Comparisons: tables worked by hand, SciPy's tests as authority, and what holds where nothing differs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from polars.testing import assert_frame_equal

from hanalyze.agents import simulate
from hanalyze.analysis import Comparison, Measure, compare, measures, rates, scores
from hanalyze.analysis.filters import condition
from hanalyze.analysis.statistics.differences import Design, differences
from hanalyze.analysis.statistics.intervals import Interval, Shares, benjamini_hochberg
from hanalyze.analysis.statistics.multiplicity import adjusted_intervals
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.logs import write
from hanalyze.store import Database, connect
from hanalyze.store.definitions import FAMILIES, definitions
from tests.analysis import tables
from tests.analysis.played import STRANGE, played

Games = Iterable[tuple[int, int]]

UNEXCEPTIONAL = Measure(
    "plain", "score", "points", "SELECT game_id, score AS found, 1 AS opportunities FROM games", per_game=True
)
"""The score as a mean of which games lost by strikes are no exceptions."""


def games_of(db: str, games: Games, first: int = 1, **facts: Any) -> list[dict[str, Any]]:
    """Return games of a source: players and score each."""
    return [
        {"game_id": first + i, "players": players, "score": score, "source": db, **facts}
        for i, (players, score) in enumerate(games)
    ]


def two(a: Games, b: Games) -> list[dict[str, Any]]:
    return [*games_of("a", a), *games_of("b", b, 1001)]


def cards_of(game: int, deal: int) -> list[dict[str, Any]]:
    """Return a deck of five cards, another one for each number of a deal below 120."""
    ranks, left = [], [1, 2, 3, 4, 5]
    for size in range(5, 0, -1):
        ranks.append(left.pop(deal % size))
        deal //= size
    return [{"game_id": game, "order": order, "rank": rank} for order, rank in enumerate(ranks)]


Rows = Sequence[Mapping[str, Any]]


def compared(rows: Rows, cards: Rows = (), **how: Any) -> Comparison:
    with tables.database(games=rows, cards=cards) as db:
        return compare(db, a="source=a", b="source=b", **{"measure": ["score"], **how})


def test_strata_by_hand() -> None:
    rows = two([(2, 20), (2, 22), (3, 15)], [(2, 18), (2, 20), (3, 10), (3, 12), (5, 7)])
    found = compared(rows, match=["players"])
    # Weights: 2 2 / 4 = 1 with two players, 1 2 / 3 = 2/3 with three; five have nobody to be compared with.
    [row] = found.frame.to_dicts()
    assert row["a"] == pytest.approx((21 + 2 / 3 * 15) / (5 / 3))
    assert row["b"] == pytest.approx((19 + 2 / 3 * 11) / (5 / 3))
    assert row["difference"] == pytest.approx(18.6 - 15.8)
    assert row["unmatched"] == pytest.approx(57 / 3 - 67 / 5)
    assert (row["found_a"], row["opportunities_a"], row["games_a"]) == (57, 3, 3)
    assert (row["found_b"], row["opportunities_b"], row["games_b"]) == (60, 4, 4)
    note = found.note
    assert (note.games, note.matched, note.left_out) == ((3, 5), (3, 4), (0, 1))
    assert (note.strata, note.lone_strata, note.deals, note.common) == (2, 1, 0, 0)
    assert "4 of 5 of source=b" in str(note)
    assert "1 with games of only one group left out" in str(note)


def test_by_default_properties_without_a_common_value_are_not_matched() -> None:
    plain, rules = {"variant": "No Variant", "edition": "hanab-live"}, {"variant": "6 Suits"}
    for a, b, by in (
        ({"players": 2, **plain}, {"players": 2, **plain}, ("players", "variant", "difficulty")),
        ({"players": 2, **plain}, {"players": 3, **plain}, ("variant", "difficulty")),
        ({"players": 2, **plain}, {"players": 2, **plain, **rules}, ("players", "difficulty")),
        ({"players": 2, **plain}, {"players": 3, **plain, **rules}, ("difficulty",)),
    ):
        rows = [
            {"game_id": 1, "score": 20, "source": "a", **a},
            {"game_id": 2, "score": 25, "source": "b", **b},
        ]
        note = compared(rows).note
        assert (note.match, note.matched) == (by, (1, 1))
        if len(by) < 3:
            with pytest.raises(HanalyzeError, match="no game has a match"):
                compared(rows, match=["players", "variant", "difficulty"])


def test_a_rate_is_of_the_weighted_sums() -> None:
    facts = [{"misplays": m, "plays": p} for m, p in ((1, 9), (2, 2), (0, 5), (3, 3), (1, 1))]
    rows = two([(2, 1), (2, 1)], [(2, 1), (2, 1), (2, 1)])
    rows = [{**row, **fact} for row, fact in zip(rows, facts, strict=True)]
    [row] = compared(rows, match=[], measure=["misplays"], minimum=1).frame.to_dicts()
    assert (row["a"], row["b"]) == pytest.approx((3 / 14, 4 / 13))
    assert (row["unit"], row["unmatched"]) == ("", pytest.approx(3 / 14 - 4 / 13))
    [few] = compared(rows, match=[], measure=["misplays"], minimum=14).frame.to_dicts()
    assert few["opportunities_a"] == 14
    assert few["a"] is few["difference"] is few["p_value"] is few["unmatched"] is None


def test_without_strata_it_is_welchs_test() -> None:
    from scipy.stats import ttest_ind

    random = np.random.default_rng(4)
    a, b = random.integers(10, 26, 220).tolist(), random.integers(9, 26, 240).tolist()
    rows = two([(2, x) for x in a], [(2, x) for x in b])
    [row] = compared(rows, match=[], measure=[UNEXCEPTIONAL]).frame.to_dicts()
    theirs = ttest_ind(a, b, equal_var=False)
    assert row["p_value"] == pytest.approx(theirs.pvalue)
    interval = theirs.confidence_interval()
    width = interval.high - interval.low
    assert row["low"] == pytest.approx(interval.low, abs=0.1 * width)
    assert row["high"] == pytest.approx(interval.high, abs=0.1 * width)


def test_identical_deals_are_pairs() -> None:
    a, b = [5, 16, 25, 11, 20], [4, 14, 22, 11, 18]
    rows = two([(2, x) for x in a], [(2, x) for x in b])
    cards = [card for row in rows for card in cards_of(row["game_id"], row["game_id"] % 1000)]
    for match in (("players", "variant", "difficulty"), ("players", "deal")):
        found = compared(rows, cards, match=match)
        [row] = found.frame.to_dicts()
        assert (found.note.deals, found.note.on_deals, found.note.strata) == (5, (5, 5), 5)
        assert row["difference"] == pytest.approx(1.6)
        # Of the 2^4 ways to exchange the games of four deals that differ, these and their reverse.
        assert row["p_value"] == pytest.approx(2 / 16, abs=0.015)
        assert row["low"] is row["high"] is None
    # Paired, the deals make no difference; as two samples they hide it.
    apart = compared(rows, cards, match=["players"]).frame["p_value"].item()
    assert row["p_value"] < 0.2
    assert apart > 0.6


def test_the_interval_of_many_identical_deals_is_that_of_pairs() -> None:
    from scipy.stats import ttest_rel

    a, b = [5, 16, 25, 11, 20] * 5, [4, 14, 22, 11, 18] * 5
    rows = two([(2, x) for x in a], [(2, x) for x in b])
    cards = [card for row in rows for card in cards_of(row["game_id"], row["game_id"] % 1000)]
    theirs = ttest_rel([*a], [*b]).confidence_interval()
    plain = compared(rows, cards, measure=[UNEXCEPTIONAL]).frame.row(0, named=True)
    assert (plain["low"], plain["high"]) == pytest.approx((theirs.low, theirs.high), abs=0.1)
    # Nothing struck out, which leaves open how much strikeouts matter.
    assert compared(rows, cards, measure=["score"]).frame["low"].item() is None


def test_games_without_the_deal_come_into_bands_or_are_left_out() -> None:
    rows = two([(2, 20), (2, 10), (2, 12)], [(2, 18), (2, 9)])
    deals = {1: 0, 2: 1, 3: 2, 1001: 0, 1002: 3}
    cards = [card for game, deal in deals.items() for card in cards_of(game, deal)]
    found = compared(rows, cards, bands=1)
    assert (found.note.deals, found.note.strata, found.note.matched) == (1, 2, (3, 2))
    # 1/2 for the deal, 2 1 / 3 for the others.
    assert found.frame["difference"].item() == pytest.approx((2 * 1 / 2 + (11 - 9) * 2 / 3) / (1 / 2 + 2 / 3))
    found = compared(rows, cards, match=["deal"])
    assert (found.note.matched, found.note.left_out, found.note.lone_strata) == ((1, 1), (2, 1), 3)
    assert found.frame["difference"].item() == 2
    # The same cards under another variant or with another first player are another deal.
    other = [{**row, **({"starting_player": 1} if row["game_id"] == 1001 else {})} for row in rows]
    assert compared(other, cards, bands=1).note.deals == 0


def test_bands_are_of_how_late_the_deal_is() -> None:
    # Five cards each: the ranks in order open at once, in the other order at the very last card.
    ranks = {0: [(1, 2, 3, 4, 5), (5, 4, 3, 2, 1)], 1000: [(1, 2, 3, 5, 4), (5, 4, 3, 1, 2)]}
    rows = two([(2, 20)] * 5 + [(2, 10)] * 5, [(2, 19)] * 5 + [(2, 8)] * 5)
    cards = [
        {"game_id": row["game_id"], "order": order, "rank": rank}
        for row in rows
        for order, rank in enumerate(ranks[row["game_id"] // 1000 * 1000][row["score"] < 15])
    ]
    found = compared(rows, cards, bands=2)
    assert (found.note.strata, found.note.deals) == (2, 0)
    assert found.frame["difference"].item() == pytest.approx(((20 - 19) + (10 - 8)) / 2)
    # Bands of less than ten games are none.
    assert compared(rows, cards, bands=3).note.strata == 2
    assert compared(rows[:-1], cards, bands=2).note.strata == 1


def test_games_of_both_groups_are_left_out() -> None:
    rows = games_of("x", [(2, 10 + i) for i in range(10)])
    with tables.database(games=rows) as db:
        found = compare(db, a="score<=14", b="score>=13", match=[], measure=["score"])
        assert (found.note.common, found.note.games) == (2, (3, 5))
        assert found.frame["difference"].item() == pytest.approx(11 - 17)
        # One filter: against all other games.
        found = compare(db, a="score<=14", match=[], measure=["score"])
        assert (found.note.names, found.note.games, found.note.common) == (
            ("score<=14", "the others"),
            (5, 5),
            0,
        )
        with pytest.raises(HanalyzeError, match="all games are in both groups") as caught:
            compare(db, measure=["score"])
        assert caught.value.rule == "no_overlap"
        with pytest.raises(HanalyzeError, match="no games in group players=5") as caught:
            compare(db, a="players=5", measure=["score"])
        assert caught.value.rule == "no_games"


def test_two_databases_and_keys() -> None:
    with (
        tables.database(games=games_of("x", [(2, 10), (2, 14)])) as one,
        tables.database(games=games_of("y", [(2, 20), (2, 21), (3, 1)], 50)) as other,
    ):
        found = compare(one, other, measure=["score"])
        assert (found.note.names, found.note.matched, found.note.left_out) == (("a", "b"), (2, 2), (0, 1))
        assert found.frame["difference"].item() == pytest.approx(12 - 20.5)
        keys = other.sql("SELECT game_id FROM games WHERE score = 21")["game_id"]
        found = compare(one, other, b=keys, measure=["score"], names=("ours", "theirs"))
        assert found.frame["difference"].item() == pytest.approx(12 - 21)
        assert found.note.names == ("ours", "theirs")
        with pytest.raises(HanalyzeError, match="no game has a match"):
            compare(one, other, b="players=3", match=["players"])


@pytest.mark.heavy
def test_a_confounder_is_matched_away() -> None:
    # Games of two score some 20, games of five 12; a plays four of five games at tables of two, b one.
    random = np.random.default_rng(9)

    def played_by(many: int) -> list[tuple[int, int]]:
        sizes = [many] * 120 + [7 - many] * 30
        return [(size, int(random.normal(20 if size == 2 else 12, 2))) for size in sizes]

    rows = two(played_by(2), played_by(5))
    [matched] = compared(rows, match=["players"], measure=[UNEXCEPTIONAL]).frame.to_dicts()
    [plain] = compared(rows, match=[], measure=[UNEXCEPTIONAL]).frame.to_dicts()
    assert matched["low"] < 0 < matched["high"]
    assert abs(matched["difference"]) < 0.8
    assert matched["p_value"] > 0.05
    assert plain["low"] > 3.5
    assert plain["difference"] == matched["unmatched"] == pytest.approx(plain["unmatched"])
    assert plain["p_value"] < 1e-6


@pytest.fixture(scope="module")
def null(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Return games of one agent on different seeds."""
    path = tmp_path_factory.mktemp("null") / "games.jsonl"
    write(simulate("cautious", players=2, games=60, seed=500, fast=False), path)
    db = connect()
    db.ingest(path, jobs=1)
    return db


@pytest.mark.heavy
def test_the_same_agent_does_not_differ(null: Database) -> None:
    from scipy.stats import kstest

    keys = np.sort(null.games()["game_id"].to_numpy())
    random = np.random.default_rng(3)
    wanted = ["finished", "turns", "clue_value", "discard_unsaved"]
    p_values, inside = [], []
    for _ in range(60):
        mixed = random.permutation(keys)
        halves = {"a": mixed[:25].tolist(), "b": mixed[25:].tolist()}
        # One by one: the ends are adjusted for the number of measures.
        rows = [compare(null, **halves, measure=[one]).frame.row(0, named=True) for one in wanted]
        p_values.append([row["p_value"] for row in rows])
        inside.append([row["low"] <= 0 <= row["high"] for row in rows])
    for measure, values in enumerate(np.array(p_values).T):
        assert kstest(values, "uniform").pvalue > 0.005, wanted[measure]
    assert 0.9 <= np.mean(inside) <= 0.99


@pytest.mark.heavy
@pytest.mark.parametrize("deals", [21, 24, 40])
def test_intervals_hold_the_difference(deals: int) -> None:
    # Three strata of other means and sizes; two games of a deal are alike; the true difference is 0.05.
    random = np.random.default_rng(deals)
    sizes = np.array([deals // 2, deals // 3, deals // 6 + 1])
    held = []
    for _ in range(300):
        columns: list[np.ndarray] = []
        for side in (0, 1):
            stratum = np.repeat(np.repeat(np.arange(3), sizes), 2)
            deal = np.repeat(np.arange(sizes.sum()), 2) + 1000 * side
            luck = np.repeat(random.normal(0, 0.1, sizes.sum()), 2)
            rate = 0.3 + 0.1 * stratum + luck + (0.05 if side == 0 else 0)
            of = random.integers(10, 30, len(deal))
            found = of * rate + random.normal(0, 1, len(deal))
            # Each deal has two games, and each side as many: all weigh the same.
            columns.append(np.stack([np.full(len(deal), side), stratum, deal, found, of]))
        group, stratum, deal, found, of = np.concatenate(columns, axis=1)
        as_int = [values.astype(np.int64) for values in (group, stratum, deal)]
        design = Design(*as_int, np.full(len(group), 0.5), np.zeros(3, np.bool_))
        [one] = differences(design, [found], [of], shares=[False], minimum=[0])
        held.append(one.low <= 0.05 <= one.high)
    assert 0.92 <= np.mean(held) <= 0.985


def test_means_have_no_interval_below_20_deals() -> None:
    """Shares have one; what differs may be claimed all the same, and the sentence says both."""
    for games in (19, 20):
        rows = two([(2, 20 + i % 3) for i in range(games)], [(2, 10 + i % 3) for i in range(40)])
        found = compared(rows, match=[], measure=[UNEXCEPTIONAL, "perfect", "strikeout"])
        score, perfect, _ = found.frame.to_dicts()
        assert score["q_value"] < 0.01
        assert perfect["low"] is not None
        ends = [score["low"], score["high"]]
        if games == 19:
            assert ends == [None] * 2
            assert "for source=b, a difference of " in found.headline
            assert found.headline.endswith("; too little data for an interval")
        else:
            assert min(ends) > 0
    # Two games of each deal are not two deals.
    design, values = _twice(19)
    [one] = differences(design, [values], [np.ones(len(values))], shares=[False], minimum=[0])
    assert np.isnan(one.low)
    design, values = _twice(20)
    [one] = differences(design, [values], [np.ones(len(values))], shares=[False], minimum=[0])
    assert one.low < one.effect < one.high


def test_means_have_no_interval_beyond_what_is_possible() -> None:
    """Of 0.9 of the full score by hand: 0.95 - 0.05, and each mean may be off by some 0.1."""
    rows = two([(2, 25)] * 19 + [(2, 0)], [(2, 0)] * 19 + [(2, 25)])
    [row] = compared(rows, match=[], measure=["score_share"]).frame.to_dicts()
    assert row["difference"] == pytest.approx(0.9)
    assert (row["low"], row["high"]) == (None, None)
    free = Measure(
        "share",
        "score",
        "",
        "SELECT game_id, score / 25 AS found, 1 AS opportunities FROM games",
        False,
        True,
    )
    [row] = compared(rows, match=[], measure=[free]).frame.to_dicts()
    assert row["high"] > 1


def _twice(deals: int) -> tuple[Design, np.ndarray]:
    """Return two groups of so many deals, with two games of each."""
    deal = np.repeat(np.arange(2 * deals), 2)
    group = (deal >= deals).astype(np.int64)
    values = np.random.default_rng(deals).normal(20, 3, len(deal))
    return Design(group, group * 0, deal, np.ones(len(deal)), np.zeros(1, np.bool_)), values


def test_copies_of_a_game_are_not_more_games() -> None:
    random = np.random.default_rng(1)
    a, b = random.normal(20, 3, 8), random.normal(17, 3, 8)

    def p_value(copies: int) -> float:
        values = np.concatenate([np.repeat(a, copies), np.repeat(b, copies)])
        deal = np.repeat(np.arange(16), copies)
        group = (deal >= 8).astype(np.int64)
        design = Design(group, np.zeros_like(group), deal, np.ones(len(deal)) / copies, np.zeros(1, np.bool_))
        [one] = differences(design, [values], [np.ones(len(deal))], shares=[False], minimum=[0])
        return one.p_value

    assert p_value(10) == pytest.approx(p_value(1))


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        # Newcombe (1998), table II, method 10.
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0000),
    ],
)
def test_newcombe_is_as_published(one: Any, other: Any, low: float, high: float) -> None:
    shares = (one[0] / one[1], other[0] / other[1])
    assert Shares(shares, (one[1], other[1])).difference() == pytest.approx((low, high), abs=6e-5)


def test_newcombe_of_pairs_is_as_published() -> None:
    """Newcombe (1998), paired data, method 10: 36 pairs had both, 12 the first alone, 2 the second alone."""
    correlation = -12 * 2 / (48 * 2 * 38 * 12) ** 0.5
    ends = Shares((48 / 50, 38 / 50), (50, 50), correlation).difference()
    assert ends == pytest.approx((0.0569, 0.3404), abs=6e-5)


def test_identical_deals_are_pairs_of_shares() -> None:
    """The same table as games on fifty deals that both groups played."""
    one, other = np.repeat([1, 1, 0], [36, 12, 2]), np.repeat([1, 0, 1], [36, 12, 2])
    deal = np.tile(np.arange(50), 2)
    design = Design(np.repeat([0, 1], 50), deal, deal, np.full(100, 0.5), np.ones(50, np.bool_))
    found = np.concatenate([one, other]).astype(float)
    [row] = differences(design, [found], [np.ones(100)], shares=[True], minimum=[0])
    assert (row.low, row.high) == pytest.approx((0.0569, 0.3404), abs=6e-5)


@pytest.mark.parametrize("games", [2, 3, 5, 10])
def test_intervals_of_shares_stay_within_what_is_possible(games: int) -> None:
    """However few the games, however many measures the interval minds, whatever the p-value says."""
    random = np.random.default_rng(games)
    group = np.repeat([0, 1], games)
    design = Design(group, group * 0, np.arange(2 * games), np.ones(2 * games), np.zeros(1, np.bool_))
    of = [random.integers(1, 12, 2 * games).astype(float) for _ in range(100)]
    found = [random.binomial(one.astype(int), random.uniform(0, 1, 2 * games)).astype(float) for one in of]
    results = differences(design, found, of, shares=[True] * 100, minimum=[0] * 100)
    p_values = [one.p_value for one in results]
    plain = [Interval(one.low, one.high) for one in results]
    shares = [one.shares for one in results]
    wider = adjusted_intervals(
        [one.effect for one in results], plain, p_values, benjamini_hochberg(p_values), shares=shares
    )
    known = 0
    for one, ends in zip(results, wider, strict=True):
        if np.isnan(one.low):
            assert min(one.shares.effective) < 1
            continue
        known += 1
        own, p_value = Interval(one.low, one.high), [one.p_value]
        [alone] = adjusted_intervals([one.effect], [own], p_value, p_value, shares=[one.shares])
        assert -1 <= ends.low <= alone.low + 1e-9 <= one.effect + 2e-9
        assert one.effect <= alone.high + 1e-9 <= ends.high + 2e-9 <= 1 + 2e-9
    assert known == 100 or games < 5


def test_all_or_nothing_has_an_interval() -> None:
    rows = two([(2, 25)] * 8, [(2, 20)] * 9)
    [row] = compared(rows, match=[], measure=["perfect"]).frame.to_dicts()
    assert (row["difference"], row["high"]) == (1, 1)
    assert 0.5 < row["low"] < 0.7
    assert row["p_value"] < 0.001
    [row] = compared(rows, match=[], measure=["strikeout"]).frame.to_dicts()
    assert (row["difference"], row["p_value"]) == (0, 1)
    assert row["low"] < 0 < row["high"]
    # Of what is no share nothing is known where nothing varies.
    [row] = compared(rows, match=[], measure=["score"]).frame.to_dicts()
    assert (row["difference"], row["low"], row["p_value"], row["q_value"]) == (5, None, None, None)
    lone = compared(two([(2, 3)], [(2, 5)]))
    assert lone.frame["low"].item() is None
    assert lone.headline.startswith("score: 3.00 points for ")
    assert lone.headline.endswith("; too little data for an interval")


def test_a_measure_does_not_depend_on_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    where = {"a": "players=3 and score=0", "b": "players=3 and score>0"}
    every = compare(played(), match=["players"], **where).frame
    columns = ["measure", "a", "b", "difference", "p_value"]
    for name in ("turns", "misplay"):
        alone = compare(played(), match=["players"], measure=[name], **where).frame
        assert_frame_equal(alone.select(columns), every.filter(every["measure"] == name).select(columns))
    monkeypatch.setattr(sys.modules["hanalyze.analysis.compare"], "_AT_ONCE", 100)
    assert_frame_equal(compare(played(), match=["players"], **where).frame, every)


def test_sums_are_those_of_the_other_tables() -> None:
    found = compare(played(), a="players=3", b="players=5", match=[], minimum=1).frame
    by_size = {
        (row["players"], row["kind"]): (row["found"], row["opportunities"], row["games"])
        for row in rates(played(), by="players", minimum=1).to_dicts()
    }
    for row in found.to_dicts():
        for size, letter in ((3, "a"), (5, "b")):
            if (size, row["measure"]) in by_size:
                sums = tuple(row[f"{name}_{letter}"] for name in ("found", "opportunities", "games"))
                assert sums == by_size[size, row["measure"]], row["measure"]
    means = {row["players"]: row["mean"] for row in scores(played()).to_dicts()}
    first = found.row(0, named=True)
    assert (first["measure"], first["a"], first["b"]) == ("score", pytest.approx(means[3]), means[5])
    assert set(found["measure"]) >= {*FAMILIES, *definitions(), "mistake_points", "efficiency"}


def test_a_known_effect_is_found() -> None:
    db = played()
    rows = db.sql("SELECT game_id, source FROM games WHERE players = 3").rows()
    keys = {
        agent: [key for key, source in rows if source.endswith(agent)] for agent in ("cautious", "random")
    }
    found = compare(db, a=keys["cautious"], b=keys["random"])
    # Both played the same seeds, random fewer of them.
    assert (found.note.deals, found.note.on_deals) == (14, (14, 14))
    frame = {row["measure"]: row for row in found.frame.to_dicts()}
    assert frame["score"]["difference"] > 10
    # Of 14 deals a mean has no interval.
    assert frame["score"]["low"] is None
    assert frame["misplays"]["high"] < 0
    # Of 2^14 exchanges within deals two come as far: 0.00012, of 5,000 drawn ones few or none besides.
    assert max(frame[name]["p_value"] for name in ("score", "misplays", "turns")) < 0.001
    assert max(frame[name]["q_value"] for name in ("score", "misplays", "turns")) < 0.005
    assert found.headline.startswith("score: ")
    assert "a difference of" in found.headline


def test_measures_of_ones_own() -> None:
    query = "SELECT game_id, max(clue_tokens_after) AS found, 1 AS opportunities FROM turns GROUP BY ALL"
    own = Measure("most_tokens", "the most tokens that there were", "tokens", query, per_game=True)
    found = compare(played(), a="players=2", b="players=4", match=[], measure=[own, "score"])
    assert found.frame["measure"].to_list() == ["most_tokens", "score"]
    assert found.frame["a"][0] == pytest.approx(
        played().sql(f"SELECT avg(found) FROM ({query}) JOIN games USING (game_id) WHERE players = 2").item()
    )
    assert [one.name for one in measures(["mistakes"])] == list(definitions())
    with pytest.raises(UnknownName, match='there is no measure "scoer"; did you mean "score"'):
        measures(["scoer"])
    with pytest.raises(UnknownName, match='there is no matching "player"; did you mean "players"'):
        compare(played(), a="players=2", match=["player"])
    for bad in ({"bands": 0}, {"confidence": 1.0}):
        with pytest.raises(HanalyzeError) as caught:
            compare(played(), a="players=2", b="players=4", **bad)
        assert caught.value.rule == "bad_number"


def chosen(where: Any) -> int:
    asked = condition(where)
    return int(played().sql(f"SELECT count(*) FROM games g WHERE {asked.sql}", asked.values or None).item())


def test_filters_choose_what_they_say() -> None:
    games = played().games().to_dicts()

    def count(test: Any) -> int:
        return sum(map(test, games))

    assert chosen(None) == 62
    assert chosen("players=3") == count(lambda game: game["players"] == 3) == 34
    assert chosen("players = 2|5 AND edition!=abacus") == 10
    assert chosen('variant="6 Suits", score>=1') == count(
        lambda game: game["variant"] == "6 Suits" and game["score"] >= 1
    )
    assert chosen("variant=6 Suits and players=2") == 10
    assert chosen("efficiency>1.2") == count(lambda game: (game["efficiency"] or 0) > 1.2)
    assert chosen("end_condition=strikeout|normal") == count(
        lambda game: game["end_condition"] in ("strikeout", "normal")
    )
    assert chosen("timed=no") == 62
    # Without a value a game is none that has it, and one that has not.
    assert chosen("source_id=3") == 0
    assert chosen("source_id!=3") == 62
    for name in STRANGE:
        quoted = '"' + name.replace('"', '""') + '"'
        mine = played().sql("SELECT count(DISTINCT game_id) FROM seats WHERE player = ?", [name]).item()
        assert chosen(f"player={quoted}") == mine > 0
        assert chosen(f"player!={quoted}") == 62 - mine
    assert chosen("player=O'Brien") == chosen("player='O''Brien'") > 0
    assert chosen("player=\"1' OR '1'='1\"") == 0
    assert chosen([game["game_id"] for game in games[:7]]) == 7


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "not a filter"),
        ("players", "not a filter"),
        ("players=", "not a filter"),
        ("players==3", "not a filter"),
        ("players=3,", "not a filter"),
        ("players=3 or players=2", "players must be a number"),
        ("players=three", "players must be a number"),
        ("players=3; DROP TABLE games", "players must be a number"),
        ("players=99999999999999999999", "players must be a number"),
        ("player=Alice and Bob", "not a filter"),
        ('player="Alice', "not a filter"),
        ("player>3", "player has no order"),
        ("end_condition<normal", "end_condition has no order"),
        ("score>1|2", "> takes one value"),
        ("timed=often", "timed must be true or false"),
        ("plyer=Alice", 'there is no column of games "plyer"; did you mean "player"'),
        ("end_condition=strikout", 'there is no end_condition "strikout"; did you mean "strikeout"?'),
        ("a\nb\x1b[31m", "not a filter"),
    ],
)
def test_broken_filters_are_one_line(where: str, said: str) -> None:
    with pytest.raises(HanalyzeError) as caught:
        compare(played(), a=where)
    text = str(caught.value)
    assert text.startswith(said)
    assert "\n" not in text
    assert "\x1b" not in text
    assert caught.value.rule == "bad_filter" or isinstance(caught.value, UnknownName)


def test_filters_are_called_as_on_the_command_line() -> None:
    """`a` and `b` are the filters of `--a` and `--b`; the databases have no name."""
    db = played()
    one = compare(db, a="players=3", match=[], minimum=1, measure=["score"])
    assert one.note.names == ("players=3", "the others")
    both = compare(db, db, a="players=3", b="players=2", match=[], minimum=1, measure=["score"])
    assert both.note.names == ("players=3", "players=2")


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("player=OBrien", """player "OBrien"; did you mean "O'Brien"?"""),
        ("player=🎆 FIRES", 'player "🎆 FIRES"; did you mean "🎆 fire"?'),
        ("player=Zzyzx", f'player "Zzyzx"; one of: {", ".join(sorted(STRANGE))}'),
        ("variant=NoVariant", 'variant "NoVariant"; did you mean "No Variant"?'),
        ("edition=hanab-life", 'edition "hanab-life"; did you mean "hanab-live"?'),
        # There are games of the other, which is not all that was asked for.
        ("player=花火|OBrien", """player "OBrien"; did you mean "O'Brien"?"""),
        ("player!=OBrien", """player "OBrien"; did you mean "O'Brien"?"""),
    ],
)
def test_a_name_that_is_none_has_a_suggestion(where: str, said: str) -> None:
    with pytest.raises(HanalyzeError) as raised:
        compare(played(), a=where, measure=["score"])
    some = "|" in where or "!" in where
    none = "" if some else f"there are no games in group {where}; "
    assert str(raised.value) == f"{none}there is no {said}"
