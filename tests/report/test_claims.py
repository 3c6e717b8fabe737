"""What a page may claim: hand-worked cases, and how players and trends are judged, the slow way."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
import polars as pl
import pytest

from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.store import Database
from tests.report.board import judged_page, make_database
from tests.report.figure_scripts import TREND, Claims, Row, Z, above, judged, rows_of, run, strengths, weigh


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with make_database(tmp_path_factory.mktemp("board")) as made:
        yield made


@pytest.fixture(scope="module")
def cube(db: Database) -> Iterator[Cube]:
    with Cube(db) as made:
        yield made


WEIGHED = [
    # strengths, how many are made, what all of them reach (two-sided normal quantiles of 5% * k / m), comment
    ([4.0, 2.3, 1.0], 2, 2.128, "1 < 1.960 (of three), 2.3 > 2.128 (of two of three)"),
    ([2.3, 2.3, 2.3], 3, 1.960, "three of three need 1.960"),
    ([2.1, 1.0, 0.5], 0, 2.394, "0.5 < 1.960, 1 < 2.128, 2.1 < 2.394 (of one of three)"),
    ([2.2, 4.0, 2.3], 3, 1.960, "the order does not matter"),
    ([2.0], 1, 1.960, "one claim alone needs 1.960"),
    ([Z], 1, 1.960, "exactly as much is enough"),
    ([], 0, 1.960, "nothing to claim"),
]


@pytest.mark.parametrize(("found", "made", "level", "comment"), WEIGHED)
def test_weighed_by_hand(found: list[float], made: int, level: float, comment: str) -> None:
    claims = weigh(found)
    assert (claims.weighed, claims.made) == (len(found), made), comment
    assert claims.level == pytest.approx(level, abs=0.001), comment


@pytest.mark.parametrize("freedom", [8, 24, 100])
def test_student_as_a_normal_distribution(freedom: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    for t in (0.5, 1.5, 2.5, 4.0, 6.0):
        exact = stats.norm.isf(stats.t.sf(t, freedom))
        normal = run("normalOf", t, freedom)
        assert normal == pytest.approx(exact, abs=0.015)
        assert run("studentOf", normal, freedom) == pytest.approx(t)
    assert run("normalOf", 2.0, 0) == run("studentOf", 2.0, 0) == 2.0


def test_how_far_one_lies_above_another() -> None:
    one, other = Row("", "a", 10.0, 8.0, 13.0, 9, 9, 9), Row("", "b", 5.0, 4.0, 8.0, 9, 9, 9)
    # 10 - 8 + 8 - 5: at 1.96 standard errors they touch.
    assert above(one, other) == pytest.approx(1.96, abs=0.001)
    assert above(other, one) == 0
    assert above(one, Row("", "c", 5.0, None, None, 9, 9, 9)) == pytest.approx(2.5 * 1.96, abs=0.001)


def test_intervals_exclude_0_where_there_is_a_claim() -> None:
    values = [0.1 * number for number in range(-60, 61)]
    rows = [Row("", str(value), value, None, None, 9, 9, 9, error=1.0, freedom=30.0) for value in values]
    claims = weigh(strengths(QUESTIONS["players"], rows))
    assert claims.weighed == 121
    assert 0 < claims.made < claims.weighed
    some = judged(rows, claims)
    assert sum(row.clear for row in some) == claims.made
    for row in some:
        assert row.low is not None
        assert row.high is not None
        assert row.clear == (not row.low <= 0 <= row.high)


def test_more_questions_ask_for_more() -> None:
    rows = [
        Row("", "Ann", 2.5, None, None, 9, 9, 9, error=1.0),
        Row("", "Bob", 0.0, None, None, 9, 9, 9, error=1.0),
    ]
    [ann, _] = judged(rows, weigh(strengths(QUESTIONS["players"], rows)))
    assert ann.clear
    [ann, _] = judged(rows, weigh([2.5, *[0.0] * 20]))
    assert not ann.clear


@pytest.mark.heavy
def test_the_whole_page_is_weighed(cube: Cube) -> None:
    claims, rows = judged_page(cube)
    alone = [len(strengths(QUESTIONS[name], some)) for name, some in rows.items()]
    assert claims.weighed == sum(alone) > 50
    assert {"players", "points_short", "efficiency", "clue_value"} <= rows.keys()
    assert isinstance(claims, Claims)


@pytest.mark.parametrize("filters", [{}, {"players": 3}, {"player": "Ada"}])
def test_trends_are_within_games(db: Database, cube: Cube, filters: dict[str, object]) -> None:
    """The slow way: the slope over turns after the mean of its game is taken from each value.

    Of a player, the means and slopes are those of the player's own clues in a game.
    """
    games = db.games()
    if "players" in filters:
        games = games.filter(pl.col("players") == filters["players"])
    own = db.seats().filter(pl.col("player") == filters.get("player", "")).select("game_id", "seat")
    chosen, own_seats = set(games["game_id"]), set(own.rows())
    by_game: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for game, giver, turn, gotten in (
        db.clues().collect().select("game_id", "giver", "turn", "cards_gotten").rows()
    ):
        if game in chosen and ("player" not in filters or (game, giver) in own_seats):
            by_game[game].append((turn, gotten))
    parts = []
    for some in by_game.values():
        turns, values = np.array(some, float).T
        turns = (turns - turns.mean()) / 10
        if (turns**2).sum() > 0:
            parts.append(((turns**2).sum(), (turns * (values - values.mean())).sum()))
    squares, products = np.array(parts).T
    slope = products.sum() / squares.sum()
    spread = ((products - slope * squares) ** 2).sum() * len(parts) / (len(parts) - 1)
    [trend] = [row for row in rows_of(cube, QUESTIONS["clue_value"], filters) if row.panel == TREND]
    assert trend.value == pytest.approx(slope)
    assert trend.error == pytest.approx(math.sqrt(spread) / squares.sum())
    assert trend.n == len(parts)


def test_players_are_drawn_towards_the_group(cube: Cube) -> None:
    rows = rows_of(cube, QUESTIONS["players"], {})
    values, errors, drawn = (
        np.array(some, float)
        for some in zip(*((row.value, row.error, row.shrunk) for row in rows), strict=True)
    )
    mean = (values / errors**2).sum() / (1 / errors**2).sum()
    # None is drawn away from the mean or past it, and who is known less loses more of the way.
    assert (np.abs(drawn - mean) <= np.abs(values - mean)).all()
    assert ((drawn - mean) * (values - mean) >= 0).all()
    kept = (drawn - mean) / (values - mean)
    assert (np.diff(kept[np.argsort(errors)]) <= 1e-12).all()
    for row in rows_of(cube, QUESTIONS["player_rates"], {}):
        assert row.shrunk is not None


def test_few_games_vary_as_all_do(db: Database, cube: Cube) -> None:
    """A player whose games came out alike is not taken for steady: the standard error minds all games."""
    rows = {row.label: row for row in rows_of(cube, QUESTIONS["players"], {})}
    games, seats = db.games(), db.seats()
    ada = seats.filter(pl.col("player") == "Ada")["game_id"]
    spread = weight = 0.0
    for _, some in games.group_by("players", "variant"):
        is_mine = pl.col("game_id").is_in(ada.implode())
        mine, others = (some.filter(one)["score"].cast(float) for one in (is_mine, ~is_mine))
        if len(mine) > 1 and len(others) > 1:
            pooled = sum(one.var() * (len(one) - 1) for one in (mine, others)) / some.height
            spread += len(mine) ** 2 * sum(max(one.var(), pooled) / len(one) for one in (mine, others))
            weight += len(mine)
    assert rows["Ada"].error == pytest.approx(math.sqrt(spread) / weight)


@pytest.mark.parametrize("p", [0.95, 0.975, 0.99, 0.9999, 1 - 1e-7, 1 - 1e-10])
def test_quantiles_of_the_normal_distribution_are_exact(p: float) -> None:
    assert run("normalAt", p) == pytest.approx(NormalDist().inv_cdf(p), rel=1e-14)
