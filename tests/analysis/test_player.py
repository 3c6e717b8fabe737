"""One player beside peers: by hand, by a slow twin, and in worlds where nothing differs."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import datetime
from typing import Any

import numpy as np
import polars as pl
import pytest

import hanalyze as hz
from hanalyze.analysis import example, rates
from hanalyze.analysis.columns import schema
from hanalyze.analysis.peers import ENOUGH, Compared, compare_with_peers, trend_of
from hanalyze.analysis.player import Profile, form_of, me, role_of, verdict, with_verdicts
from hanalyze.errors import UnknownName
from hanalyze.store.definitions import FAMILIES, definitions
from hanalyze.store.levels import player_level
from hanalyze.store.mistakes import BLAMELESS
from tests.analysis.played import STRANGE, games, played, rows
from tests.analysis.test_rates import opportunities

NAME = STRANGE[0]
MISTAKES = "SELECT game_id, turn, seat, kind, severity FROM mistakes"


@pytest.fixture(scope="module")
def profile() -> Profile:
    return me(played(), NAME)


def test_the_columns_are_as_declared(profile: Profile) -> None:
    for name in ("rates", "form", "positions"):
        assert list(getattr(profile, name).schema.items()) == list(schema(f"player_{name}").items())


@pytest.mark.heavy
def test_the_level_is_that_of_all_games() -> None:
    with hz.connect() as db:
        db.add(hz.simulate("conventional", players=3, games=8, seed=3), jobs=1)
        db.read_conventions(jobs=1)
        level = player_level(db.connection, "Bob")
        assert level is not None
        assert sum(one.given for one in level.signals) > 3
        assert me(db, "Bob").level == level


def compared(*of_games: tuple[int, int, int, int, int]) -> Compared:
    """Compare rows of games: the cell, then f, o of the player and a, b of the others."""
    cells: dict[int, np.ndarray[Any, Any]] = defaultdict(lambda: np.zeros(18))
    for cell, f, o, a, b in of_games:
        cells[cell] += [
            *(f, o, a, b, o > 0, b > 0, o > 0 and b > 0, o > 0 or b > 0),
            *(f * f, f * o, o * o, a * a, a * b, b * b, f * a, f * b, o * a, o * b),
        ]
    return compare_with_peers(np.array(list(cells.values())))


def test_peers_by_hand() -> None:
    # The player has 1 of 4 and 3 of 6, and peers 10 of 100 and 30 of 60 in the same kinds of games: weighted
    # like the player's opportunities that is 0.4 * 0.1 + 0.6 * 0.5. Cells 2 and 3 lack one side.
    found = compared(
        *((0, 1, 2, 4, 50), (0, 0, 2, 6, 50), (1, 2, 4, 10, 30), (1, 1, 2, 20, 30)),
        *((2, 5, 5, 0, 0), (3, 0, 0, 9, 9)),
    )
    assert (found.own, found.peers) == pytest.approx((0.4, 0.34))
    assert found.ends.low < 0.34 < found.ends.high
    assert 0 < found.p_value <= 1


def test_without_peers_nothing_is_compared() -> None:
    assert all(math.isnan(value) for value in (*compared((0, 1, 2, 0, 0))[:2], compared((0, 1, 2, 0, 0))[3]))


@pytest.mark.heavy
def test_all_decisions_weigh_the_same_in_one_kind_of_games() -> None:
    """With one cell the peers are all other players, as in `rates`."""
    with example(24) as db:
        mine = me(db, "Alice").rates
        usual = rates(db, by="player", minimum=1).filter(pl.col("player") == "Alice")
    both = mine.join(usual, on="kind", suffix="_usual")
    assert both.height == usual.height == mine.height - len(FAMILIES)
    for name in ("found", "opportunities", "games", "points", "rate", "low", "high"):
        assert both[name].to_list() == pytest.approx(both[f"{name}_usual"].to_list(), nan_ok=True)
    tested = both.drop_nulls("p_value")
    assert tested["opportunities"].min() >= ENOUGH
    assert tested["p_value"].to_list() == pytest.approx(tested["p_value_usual"].to_list())
    assert both["verdict"].is_null().equals(both["p_value"].is_null())


@pytest.mark.parametrize("kind", ["misplay", "clue_no_news", "discard_last_copy"])
def test_the_slow_twin(kind: str, profile: Profile) -> None:
    judged_rows = [row for row in rows(MISTAKES) if row["kind"] == kind]
    blamed = {(row["game_id"], row["turn"]) for row in judged_rows if row["severity"] not in BLAMELESS}
    idle = {(row["game_id"], row["turn"]) for row in judged_rows if row["severity"] == "nothing_to_lose"}
    decisions = rows("SELECT game_id, turn, seat, one_choice FROM decisions")
    forced = {(row["game_id"], row["turn"]) for row in decisions if row["one_choice"] is not None}
    found = blamed - forced if definitions()[kind].weighs_forced else blamed
    possible = (opportunities(kind) - idle) | found
    sums: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row in decisions:
        game, place = games()[row["game_id"]], (row["game_id"], row["turn"])
        own = game["names"][row["seat"]] == NAME
        # No Variant and 6 Suits are one family.
        cell = sums[game["players"], "No Variant"]
        if place in possible:
            cell[1 if own else 3] += 1
            cell[0 if own else 2] += place in found
    [row] = profile.rates.filter(pl.col("kind") == kind).to_dicts()
    assert row["found"] == sum(f for f, *_ in sums.values())
    assert row["opportunities"] == sum(o for _, o, *_ in sums.values())
    comparable = [one for one in sums.values() if one[1] and one[3]]
    assert row["peers_found"] == sum(a for _, o, a, _ in sums.values())
    peers = sum(o * a / b for _, o, a, b in comparable) / sum(o for _, o, _, _ in comparable)
    own = sum(f for f, *_ in comparable) / sum(o for _, o, _, _ in comparable)
    assert row["peers"] == pytest.approx(peers)
    assert row["grade"] == pytest.approx((peers - own) / 0.25)


def test_equal_players_seldom_differ() -> None:
    random = np.random.default_rng(5)
    small = 0
    for _ in range(300):
        mood = random.beta(2, 18, 90)  # players of one game depend on each other
        of = random.integers(1, 8, (90, 3))
        found = random.binomial(of, mood[:, None])
        cell = np.arange(90) % 3
        plays = random.random(90) < 0.5
        some = [
            (
                int(cell[n]),
                *((f[0], o[0], f[1:].sum(), o[1:].sum()) if plays[n] else (0, 0, f.sum(), o.sum())),
            )
            for n, (f, o) in enumerate(zip(found, of, strict=True))
        ]
        small += compared(*some).p_value < 0.05
    assert small <= 25  # 15 are expected


def test_grades_in_words() -> None:
    assert [verdict(grade) for grade in (0.4, 0.39, 0.2, 0.19, 0.07, 0.069, -0.069)] == [
        *("much better", "better", "better", "slightly better", "slightly better", "similar", "similar"),
    ]
    assert [verdict(-grade) for grade in (0.07, 0.2, 0.4)] == ["slightly worse", "worse", "much worse"]
    assert [role_of(kind) for kind in ("discard_unsaved", "tokens_wasted", *FAMILIES)] == [
        *("giver", "holder", "holder", "holder", "giver"),
    ]


def judged(*of_kinds: tuple[str, float, int, float, int]) -> pl.DataFrame:
    """Return rates of kinds with a grade, opportunities, p-value and points."""
    numbers = ("rate", "low", "high", "peers", "peers_low", "peers_high")
    frame = pl.DataFrame(
        [
            {
                **{"kind": kind, "role": role_of(kind), "found": 9, "opportunities": of, "games": 9},
                **dict.fromkeys(numbers, 0.1),
                **{
                    "peers_found": 9,
                    "peers_opportunities": 99,
                    "p_value": p,
                    "grade": grade,
                    "points": points,
                },
            }
            for kind, grade, of, p, points in of_kinds
        ]
    )
    return with_verdicts(frame, None, 0.95)[0]


def test_what_is_chosen() -> None:
    # By grade times the square root of the count: 0.1 * 30 before 0.2 * 10 and 0.25 * 7.1; 0.5 is not clear.
    frame = judged(
        ("misplay", 0.2, 100, 1e-9, 0),
        ("clue_no_news", 0.1, 900, 1e-9, 0),
        ("discard_five", 0.25, 50, 1e-9, 0),
        ("discard_kept", 0.08, 60, 1e-9, 0),
        ("clue", 0.9, 5000, 1e-9, 0),
        ("discard_clued", 0.5, 400, 0.3, 7),
        ("call_missed", -0.3, 100, 1e-9, 1),
        ("play_missed", -0.06, 900, 1e-9, 3),
        ("tokens_wasted", -0.5, 900, 0.2, 0),
    )
    chosen = dict(frame.select("kind", "chosen").drop_nulls().iter_rows())
    assert chosen == {
        **dict.fromkeys(("misplay", "clue_no_news", "discard_five"), "strength"),
        "call_missed": "work on",
        **dict.fromkeys(("discard_clued", "play_missed"), "costly"),
    }
    words = dict(frame.select("kind", "verdict").iter_rows())
    assert words["discard_clued"] == "unclear"
    assert words["play_missed"] == "similar"
    assert words["call_missed"] == "worse"
    importance = dict(frame.select("kind", "importance").iter_rows())
    assert importance["clue_no_news"] == pytest.approx(3.0)


def test_no_claim_where_many_are_tested() -> None:
    kinds = [kind for kind in definitions() if kind != "misplay"]
    alone = judged(("misplay", 0.3, 100, 0.04, 0))
    among = judged(("misplay", 0.3, 100, 0.04, 0), *((kind, 0.3, 100, 0.9, 0) for kind in kinds))
    assert alone["chosen"].to_list() == ["strength"]
    assert among["chosen"].null_count() == among.height


def dated(count: int, dates: int) -> pl.DataFrame:
    """Return games, the last `dates` of which have a date, in reverse order."""
    known = [datetime(2024, 1, 1 + n % 28) for n in range(dates)][::-1]
    return pl.DataFrame(
        {
            "game_id": range(count),
            "rules": [0] * count,
            "played": pl.Series([None] * (count - dates) + known, dtype=pl.Datetime),
            "f": [float(n % 3) for n in range(count)],
            "o": [4.0] * count,
        }
    )


def test_form_by_hand() -> None:
    frame, _, undated = form_of(dated(25, 0), 0.95)
    assert undated == 0
    assert frame["number"].to_list() == [20, 21, 22, 23, 24, 25]
    assert frame["date"].null_count() == 6
    # Games 0 to 19 have 0, 1, 2, 0, 1, 2 ... finds of 4; games 1 to 20 lose a 0 and gain a 2.
    assert frame["found"].to_list()[:2] == [19, 21]
    assert frame["opportunities"].to_list() == [80] * 6
    assert frame["rate"][0] == pytest.approx(19 / 80)
    assert (frame["low"] < frame["rate"]).all()
    assert (frame["rate"] < frame["high"]).all()


def test_form_by_date() -> None:
    frame, _, undated = form_of(dated(30, 24), 0.95)
    assert undated == 6
    assert frame["date"].to_list() == [f"2024-01-{day}" for day in range(20, 25)]
    frame, _, undated = form_of(dated(30, 14), 0.95)
    assert (undated, frame["date"].null_count()) == (0, frame.height)
    assert form_of(dated(19, 0), 0.95)[0].is_empty()


def test_the_trend_compares_games_of_a_kind() -> None:
    f, o = np.repeat([3.0, 1.0], 40), np.full(80, 10.0)
    f[::7] += 1
    found = trend_of(np.zeros(80, np.int64), f, o)
    assert found is not None
    assert (found.first, found.second) == pytest.approx((f[:40].sum() / 400, f[40:].sum() / 400))
    assert found.similar == pytest.approx((found.first, found.second))
    assert found.p_value < 0.001
    # More mistakes in the second half of each kind of games, but fewer over all games.
    cells = np.repeat([0, 1, 0, 1], [60, 20, 20, 60])
    f = np.repeat([4.0, 1.0, 5.0, 2.0], [60, 20, 20, 60]) + np.tile([1.0, -1.0], 80)
    found = trend_of(cells, f, np.full(160, 10.0))
    assert found is not None
    assert (found.first, found.second) == pytest.approx((0.325, 0.275))
    assert found.similar == pytest.approx((0.25, 0.35))
    # Each half has games of its own kind.
    assert trend_of(np.repeat([0, 1], 40), f[:80], o) is None
    assert trend_of(np.zeros(0, np.int64), f[:0], o[:0]) is None


def test_positions_are_the_players_own(profile: Profile) -> None:
    assert profile.positions.height
    for row in profile.positions.to_dicts():
        assert games()[row["game_id"]]["names"][row["seat"]] == NAME
        keys = ("game_id", "turn", "kind")
        found = [one for one in rows(MISTAKES) if all(one[key] == row[key] for key in keys)]
        assert [one["seat"] for one in found] in ([], [row["seat"]])
        [what] = profile.rates.filter(pl.col("kind") == row["kind"])["chosen"]
        assert bool(found) == (what != "strength")
        assert row["text"]
    assert profile.positions.group_by("kind").len()["len"].max() <= 3


@pytest.mark.heavy
def test_stored_sums_change_nothing() -> None:
    with example(20) as db:
        plain = hz.me(db, "Bob")
        hz.sum_up(db)
        summed = hz.me(db, "Bob")
    for name in ("rates", "form", "positions"):
        assert getattr(plain, name).equals(getattr(summed, name))
    assert (plain.games, plain.peers, plain.peers_games) == (20, 2, 20)


def test_unknown_players() -> None:
    with example() as db, pytest.raises(UnknownName, match="Alice"):
        me(db, "Alcie")
