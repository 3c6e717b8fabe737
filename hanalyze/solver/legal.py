"""Legal actions of a turn, and which of them are equivalent with open cards."""

from __future__ import annotations

from hanalyze.engine.game import ALTERNATING, Game
from hanalyze.engine.step import find_defect
from hanalyze.game.actions import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, Action
from hanalyze.game.cards import RANK_SLOTS


def legal_actions(game: Game) -> list[Action]:
    """Return the actions that break no rule, in the order of `all_actions`."""
    return [action for action in all_actions(game) if find_defect(game, *action) == 0]


def all_actions(game: Game) -> list[Action]:
    """Return the actions of a turn, legal or not: plays, the newest card first, then discards, then clues."""
    hand = [int(game.hands[game.seat][i]) for i in range(game.hand_len[game.seat])]
    wanted = [Action(kind, order, 0) for kind in (PLAY, DISCARD) for order in reversed(hand)]
    for seat in range(game.seats):
        wanted += [Action(COLOUR_CLUE, seat, colour) for colour in range(game.variant.colours)]
        wanted += [Action(RANK_CLUE, seat, rank) for rank in range(1, RANK_SLOTS)]
    return wanted


def likeness(game: Game, action: Action, identity: int) -> tuple[int, int]:
    """Return what tells an action from those that leave the same; `identity` is that of the card it moves."""
    if action.kind in (PLAY, DISCARD):
        return action.kind, identity
    return (action.kind if game.variant.flags & ALTERNATING else COLOUR_CLUE), -1
