"""The endgame search: its upper bound on points changes no result; tokens are gained as by the rules."""

from __future__ import annotations

import numpy as np
import pytest

from hanalyze.agents import simulate
from hanalyze.conventions import ending
from hanalyze.conventions.run import read_records
from hanalyze.conventions.state import ConventionState
from hanalyze.engine.batch import variant_lookup
from hanalyze.engine.game import Game
from hanalyze.game.cards import MAX_CARDS
from hanalyze.game.variants import variant


def test_the_bound_on_points_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        game for seats in (2, 3, 5) for game in simulate("cautious", players=seats, games=2, fast=False)
    ]
    tried = 0
    next_move = ending._next_move

    def counted(game: Game, state: ConventionState, first: int, level: int) -> bool:
        nonlocal tried
        tried += 1
        return next_move(game, state, first, level)

    monkeypatch.setattr(ending, "_next_move", counted)
    bounded, bounded_moves = read_records(records, fast=False), tried
    monkeypatch.setattr(ending, "_point_limit", lambda game, state: MAX_CARDS)
    whole = read_records(records, fast=False)
    for table in ("opportunities", "outcomes"):
        for column, values in getattr(whole, table).items():
            assert np.array_equal(values, getattr(bounded, table)[column]), column
    assert 0 < bounded_moves < tried - bounded_moves


@pytest.mark.parametrize(
    ("name", "suit", "start", "ranks"),
    [
        ("No Variant", 0, 0, {5}),
        ("Clue Starved (5 Suits)", 0, 0, {5}),  # half a token, which is one unit
        ("Reversed (5 Suits)", 4, 0, {1}),
        ("Sudoku (4 Suits)", 0, 3, {2}),  # 3, 4, 1, 2
        ("Sudoku (4 Suits)", 0, 0, set()),
    ],
)
def test_only_the_last_card_of_a_stack_gains_a_unit(
    name: str, suit: int, start: int, ranks: set[int]
) -> None:
    game = Game.new(fast=False)
    game.variant = variant_lookup(variant(name))
    game.start_rank[suit] = start
    size = game.variant.stack_size
    gained = {rank: ending._gained(game, 8 * suit + rank) for rank in range(1, size + 1)}
    assert gained == {rank: int(rank in ranks) for rank in gained}


def test_a_discard_gains_a_unit_and_a_clue_takes_a_token() -> None:
    game, state = Game.new(fast=False), ConventionState.new(fast=False)
    game.variant = variant_lookup(variant("Clue Starved (5 Suits)"))
    game.seats = 2
    ending._push(state.ending, 0, game.playable, 0, -1, 2, 0)
    # Without cards in hand, a clue is tried first, then a discard.
    assert [ending._next_move(game, state, 0, 0) and state.ending.tokens[1] for _ in range(2)] == [0, 3]
