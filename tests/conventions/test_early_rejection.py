"""Clues rejected before they are judged change no offer; the reach of chains is that of each identity."""

from __future__ import annotations

import pytest

from hanalyze.agents import simulate
from hanalyze.conventions.early_rejection import cannot_be_explained
from hanalyze.conventions.opportunities import find_opportunities
from hanalyze.conventions.reader import read_action
from hanalyze.conventions.rows import room_for
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.playing import next_action, start_game
from hanalyze.engine.rules import apply_action
from tests.conventions.test_properties import real, samples

JUDGES = "hanalyze.conventions.clues.cannot_be_explained"
WHOLE = ("available", "available_more", "best", "stalls", "legal_clues", "better", "savable", "fixable")
BEST = ("clue_rank", "clue_name", "clue_receiver", "clue_kind", "clue_value", "clue_focus", "clue_stalls")


def offers_of(game: Game, state: ConventionState) -> list[object]:
    """Return the offers of a turn, computed anew."""
    begin_turn(game, state)
    find_opportunities(game, state)
    offers = state.offers
    best = [getattr(offers, name) for name in BEST] if offers.clue_rank >= 0 else []
    return [*(getattr(offers, name) for name in WHOLE), list(offers.best_for), *best]


@pytest.mark.parametrize("level", [4, 13, 25])
@pytest.mark.parametrize("source", ["samples", "real", "2", "4", "5"])
def test_rejected_clues_change_no_offer(source: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if source == "samples":
        records = samples()
    elif source == "real":
        records = real()[:5]
    else:
        records = list(simulate("conventional", players=int(source), games=2, seed=9, fast=False))
    batch = make_batch(deal_records(records)).laid_out(fast=False)
    game, state = Game.new(fast=False), ConventionState.new(fast=False)
    rejected = 0

    def counted(game: Game, state: ConventionState) -> bool:
        nonlocal rejected
        result = cannot_be_explained(game, state)
        rejected += result
        return result

    for number in range(len(records)):
        start_game(game, batch, number)
        begin(game, state, level)
        for index in range(batch.first_action[number], batch.first_action[number] + batch.actions[number]):
            if not next_action(game, batch, index):
                break
            with monkeypatch.context() as patch:
                patch.setattr(JUDGES, lambda game, state: False)
                patch.setattr("hanalyze.conventions.reach._lists_reach", lambda game, state: False)
                expected = offers_of(game, state)
            with monkeypatch.context() as patch:
                patch.setattr(JUDGES, counted)
                assert offers_of(game, state) == expected
            action = game.action.kind, game.action.target, game.action.value
            state.row = 0
            read_action(game, state, room_for(4), *action)
            apply_action(game, *action)
    assert rejected > 50
