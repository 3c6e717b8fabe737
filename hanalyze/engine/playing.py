"""Deal a recorded game, and load and check its next action."""

from __future__ import annotations

from typing import Final

from hanalyze.engine.batch import GameBatch
from hanalyze.engine.game import Game
from hanalyze.engine.rules import deal, find_defect
from hanalyze.game.defects import STOPPING
from hanalyze.game.editions import EndCondition
from hanalyze.kernels.compiling import kernel_module

kernel_module(__name__)

_LAST_STOPPING: Final = int(max(STOPPING))
"""Highest number of the defects that end a replay; all other defects have higher numbers."""


def start_game(game: Game, batch: GameBatch, number: int) -> None:
    """Deal game `number` of the batch."""
    game.variant = batch.variants[batch.variant[number]]
    game.rules = batch.rules[batch.rules_row[number]]
    game.seats = batch.seats[number]
    game.cards = batch.cards[number]
    deal(game, batch.deck[number], batch.hand_size[number], batch.first_seat[number])


def _can_continue(game: Game) -> bool:
    """Return whether only `stuck_rule`, which hanab.live introduced in April 2020, has ended the game."""
    return (
        game.end_condition == EndCondition.NORMAL
        and game.stuck_rule == 1
        and game.turn != game.end_turn
        and game.raw_score < game.full_score
    )


def next_action(game: Game, batch: GameBatch, index: int) -> bool:
    """Load action `index` of the batch, and return whether it can be carried out.

    An action can be carried out unless it breaks a rule in `STOPPING` or the game is over. A game that only
    `stuck_rule` has ended continues without that rule.
    """
    action = game.action
    action.seat = game.seat
    action.kind = batch.kind[index]
    action.target = batch.target[index]
    action.value = batch.value[index]
    action.defect = 0
    action.after_end = 0
    if game.end_condition:
        action.after_end = 1
        if not _can_continue(game):
            return False
        game.stuck_rule = 0
        game.end_condition = EndCondition.UNFINISHED
    action.defect = find_defect(game, action.kind, action.target, action.value)
    return action.defect == 0 or action.defect > _LAST_STOPPING
