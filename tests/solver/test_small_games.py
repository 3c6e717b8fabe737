"""The solver against an independent search of everything, on small games: the same best score, every time.

Each answer is a certificate: a line that the engine carries out, checked here against the slow rules, or an
exhausted search. So nothing may stay open, and no goal may be called reachable that is not.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hanalyze.solver.exact import LOST, WON
from hanalyze.solver.search_plan import Budget, Games, ScoreRange, Seeker
from tests.solver.small import SmallGame, Table, small_game

BUDGET = Budget(nodes=300_000)


def line_score(game: SmallGame, table: Table, found: ScoreRange) -> int:
    """Return the points that a line reaches by the slow rules, every action of it being legal."""
    for kind, target, _ in found.actions:
        assert not table.over()
        what = (kind, target) if kind < 2 else (2, 0)
        assert what in table.legal(), (game, found)
        assert kind < 2 or (table.hands[target] and target != table.seat)
        table.act(*what)
    assert table.strikes < game.strikes
    return sum(table.stacks)


def compare(count: int, seed: int, *, largest: bool, most_positions: int) -> Counter[str]:
    """Compare so many games that need no more positions than that, and return what they were."""
    random_ = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen["games"] < count:
        game, table = small_game(random_, largest=largest)
        best = table.best(most_positions)
        if best is None:
            continue
        full = game.suits * game.ranks
        seeker = Seeker(Games.of(game.batch(), fast=False), 0, BUDGET)
        turn = len(game.actions)
        found = seeker.best(turn, 0, full)
        assert (found.low, found.high) == (best, best), game
        assert bool(found.why) == (best < full)
        if found.actions:
            assert line_score(game, table, found) == best
            seen["lines"] += 1
        # The same goal again, and its neighbours, whatever the table of positions holds by now.
        known = seeker.look(turn, full)
        if not known.over:
            for goal in range(max(best - 1, known.score + 1), min(best + 1, full) + 1):
                assert seeker.reach(turn, goal).verdict == (WON if goal <= best else LOST), (game, goal)
        seen["games"] += 1
        seen["imperfect"] += best < full
        seen["by search"] += found.why == "order"
        seen[f"seats {game.seats}"] += 1
        seen[f"hand {game.hand}"] += 1
        seen[f"strikes left {game.strikes - table.strikes}"] += 1
    return seen


def test_small_games() -> None:
    seen = compare(800, 1, largest=False, most_positions=2_000)
    assert seen["lines"] > 400
    assert seen["imperfect"] > 200
    assert seen["by search"] > 20
    assert min(seen[f"seats {seats}"] for seats in (2, 3, 4)) > 100
    assert min(seen[f"hand {hand}"] for hand in (1, 2, 3, 4)) > 50
    assert min(seen[f"strikes left {left}"] for left in (1, 2, 3)) > 50


@pytest.mark.heavy
@pytest.mark.parametrize("seed", [2, 3, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (4, 5, 6))])
def test_many_small_games(seed: int) -> None:
    compare(1000, seed, largest=False, most_positions=20_000)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", [7, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_games_with_up_to_ten_draws_left(seed: int) -> None:
    compare(250, seed, largest=True, most_positions=100_000)
