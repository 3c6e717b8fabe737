"""Intervals hold what they are about as often as they say: a small version of `tests.benchmarks.coverage`."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from hanalyze.store import Database, connect
from tests.benchmarks.coverage import (
    COMPARED,
    MEASURES,
    SCORES,
    VARIANTS,
    Cell,
    compare_cells,
    games_to_compare,
    pool,
    ratio_cells,
)

pytestmark = pytest.mark.heavy

GAMES = 40, 160
RARE = 15
"""Expected losses below which a mean of rare losses is known to be held too seldom: points come several at a
time, so that there are only a few games with any."""
ERRORS = 2.6
"""Standard errors of a coverage that chance is granted: of some forty cells hardly one is beyond."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with connect(pool("cautious", 900, tmp_path_factory.mktemp("pool")), read_only=True) as db:
        yield db


def checked(cells: list[Cell]) -> None:
    missed = [
        (one.measure, one.games, part)
        for one in cells
        for part in (one.stats, one.page)
        if one.missed(part, ERRORS)
    ]
    assert missed == []


def test_shares_and_means_hold_as_often_as_they_say(games: Database) -> None:
    cells = list(ratio_cells("cautious", games, MEASURES, GAMES, 300))
    kept = [one for one in cells if one.measure != "mistake_points" or one.expected >= RARE]
    assert {(one.kind, one.games) for one in kept} == {(kind, n) for kind in ("share", "mean") for n in GAMES}
    checked(kept)
    # All cells of a kind together are nearer to what they say than each.
    for kind, widest in (("share", 0.99), ("mean", 0.97)):
        of_kind = [one for one in kept if one.kind == kind]
        # The page has no intervals of strikeouts apart.
        shown = [part for one in of_kind for part in (one.stats, one.page) if not math.isnan(part)]
        assert 0.93 <= sum(shown) / len(shown) <= widest, kind


def test_mean_scores_of_several_full_scores_hold_as_often_as_they_say(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = pool("cautious", 900, tmp_path_factory.mktemp("mixed"), VARIANTS)
    with connect(path, read_only=True) as db:
        cells = list(ratio_cells("mixed", db, SCORES, (40, 240), 300))
    assert [(one.measure, one.games) for one in cells if one.databases] == [
        *(("score", 240), ("finished", 40), ("finished", 240), ("score_share", 240)),
    ]
    checked(cells)


def test_differences_hold_as_often_as_they_say(games: Database) -> None:
    """Of games of which none is lost by strikes."""
    pool_of_games = games_to_compare(games)
    cells = list(compare_cells("cautious", (pool_of_games, pool_of_games), [10, *GAMES], 120))
    # Below 20 games means have no interval.
    assert [one.databases for one in cells if one.games == 10] == [0] * len(COMPARED)
    # No game struck out, so that the mean score of all games has none either.
    several = [one for one in cells if one.games > 10]
    assert [one.databases for one in several] == [120 * (one.measure != "score") for one in several]
    assert len(several) == 2 * len(COMPARED)
    checked(cells)


def test_what_is_missed_is_seen() -> None:
    cell = Cell("pool", "score", "mean", 40, 1.0, 40.0, 500, 0.80, 0.95)
    assert cell.missed(cell.stats)
    assert not cell.missed(cell.page)
    assert not cell.missed(math.nan)
    assert cell.missed(1.0)
    # Of very rare things no interval can be that exact.
    assert not cell._replace(kind="share", expected=1.0).missed(1.0)
