"""Where nothing differs, pages and reports claim nothing: a small run of the benchmark, seeds fixed."""

from __future__ import annotations

from itertools import chain

import pytest

from tests.benchmarks.false_alarms import compare_alarms, page_alarms, pool, shares, stats_alarms

pytestmark = pytest.mark.heavy


def test_pages_claim_nothing_where_names_say_nothing() -> None:
    with pool("conventional", 200, 0) as db:
        found = {one.kind: one for one in shares(page_alarms(db, 30))}
    whole = found["page: any"]
    # 5% at most, and two standard errors of what 30 pages can tell.
    assert whole.false / whole.of <= 0.05 + 2 * whole.error
    # Of six players, every other page, pairs have games enough.
    pairs = found["page: partners"]
    assert pairs.of >= 15
    assert pairs.false / pairs.of <= 0.05 + 2 * pairs.error
    # By 95% intervals the same pages would be full of claims: the experiment can fail.
    assert whole.plain / whole.of > 0.2


def test_reports_claim_nothing_where_games_are_split_at_random() -> None:
    with pool("cautious", 200, 0) as db:
        found = {one.kind: one for one in shares(chain(compare_alarms(db, 15, []), stats_alarms(db, 15)))}
    for kind in ("compare: halves, q", "compare: halves, intervals", "scores: five labels"):
        one = found[kind]
        assert one.false / one.of <= 0.05 + 2 * one.error, kind
    assert found["compare: halves, intervals"].plain / 15 > 0.2


@pytest.mark.parametrize("games", [pytest.param(5, marks=pytest.mark.exhaustive), 10])
def test_few_games_are_no_surer_than_many(games: int) -> None:
    """Conventional games, of which one in 37 is lost by strikes: ten of them mostly lack that."""
    with pool("conventional", 200, 0) as db:
        found = {one.kind: one for one in shares(compare_alarms(db, 60, [games]))}
    for claim in ("q", "intervals"):
        one = found[f"compare: {games} games and the others, {claim}"]
        assert one.of == 60
        assert one.false / one.of <= 0.05 + 2 * one.error, claim
        assert one.plain / one.of > 0.2
