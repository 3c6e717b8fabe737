"""The upper bound on points shortens the endgame search and changes no result."""

from __future__ import annotations

import numpy as np
import pytest

from hanalyze.agents import simulate
from hanalyze.conventions import ending
from hanalyze.conventions.run import read_records
from hanalyze.conventions.state import ConventionState
from hanalyze.engine.game import Game
from hanalyze.game.cards import MAX_CARDS


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
