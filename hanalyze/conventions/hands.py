"""Positions in a hand: newest, oldest, finesse position, cards behind another.

H-Group: https://hanabi.github.io/level-1 (chop, finesse position).
"""

from __future__ import annotations

from hanalyze.conventions.turn_view import TurnView
from hanalyze.engine.game import Game
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import members


@kernel
def newest(game: Game, seat: int, orders: int) -> int:
    """Return the newest card of a hand that is in `orders`, -1 if none is."""
    for i in range(game.hand_len[seat] - 1, -1, -1):
        order = game.hands[seat][i]
        if orders >> order & 1:
            return order
    return -1


@kernel
def oldest(game: Game, seat: int, orders: int) -> int:
    """Return the oldest card of a hand that is in `orders`, -1 if none is."""
    for order in game.hands[seat][: game.hand_len[seat]]:
        if orders >> order & 1:
            return order
    return -1


@kernel
def finesse_position(game: Game, view: TurnView, seat: int, skip: int) -> int:
    """Return the newest card of a hand that is neither gotten nor in `skip`, -1 if there is none."""
    return newest(game, seat, view.cards[seat] & ~view.gotten & ~skip)


@kernel
def elsewhere(game: Game, view: TurnView, viewer: int) -> int:
    """Return the identities of the gotten cards that `viewer` knows: those of other hands, and sure ones."""
    gotten_ids = 0
    for seat in range(game.seats):
        gotten_ids |= view.sure_ids[seat] if seat == viewer else view.hand_ids[seat]
    return gotten_ids


@kernel
def free_behind(game: Game, view: TurnView, seat: int, order: int, chop_moved: int) -> int:
    """Return the cards of a hand that are older than `order` and would be discarded."""
    behind = 0
    for card in game.hands[seat][: game.hand_len[seat]]:
        if card == order:
            break
        behind |= 1 << card
    return behind & ~view.gotten & ~chop_moved


@kernel
def useful_cards(game: Game, view: TurnView, giver: int, cards: int) -> int:
    """Count which of some cards a stack still needs, and no gotten card that `giver` knows is."""
    gotten_ids = elsewhere(game, view, giver)
    count = 0
    for order in members(cards):
        number = game.identity[order]
        if number < 0:
            count += 1
        elif view.needed & ~gotten_ids & 1 << number:
            gotten_ids |= 1 << number
            count += 1
    return count
