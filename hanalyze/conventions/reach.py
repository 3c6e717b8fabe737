"""Identities that chains of connecting cards can reach, so that searches that must fail are skipped.

H-Group: https://hanabi.github.io/level-1#the-prompt and https://hanabi.github.io/level-1#the-finesse.
"""

from __future__ import annotations

from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.turn_view import newest
from hanalyze.engine.game import PLAIN, Game, next_seats
from hanalyze.engine.stacks import fits_after_any, missing_ids
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members

kernel_module(__name__)


def ids_in_hands(state: ConventionState, own: bool) -> int:
    """Return the identities that a search may find in other hands and, if `own`, in the receiver's hand.

    While legal clues are judged, a search that must fail can be skipped, because its reasons for failing do
    not matter. Otherwise, or if a hand is hidden, the result is -1 (all identities), so that none is skipped.
    """
    offers = state.offers
    if not offers.searching or state.turn_view.hidden:
        return -1
    return offers.others_ids | offers.in_hand_ids[state.clue.receiver] if own else offers.others_ids


def gotten_for_chains(game: Game, state: ConventionState) -> int:
    """Return the identities of the gotten cards that chains can use if the player to move gives a clue.

    A card of that player counts as its true identity and, if the player is sure of an identity, also as that.
    """
    view, ids = state.turn_view, 0
    for seat in next_seats(game.seat, game.seats):
        ids |= view.hand_ids[seat]
    for order in members(view.cards[game.seat] & view.gotten & ~view.known_trash):
        ids |= 1 << max(game.identity[order], 0) | (view.belief[order] if is_one(view.belief[order]) else 0)
    return ids


def ids_in_reach(game: Game, state: ConventionState, receiver: int, gotten_ids: int) -> int:
    """Return the identities that chains of clues to `receiver` can make playable; -1 if unknown.

    The cards of a chain are gotten (see `gotten_for_chains`), in the receiver's hand, or on third players'
    finesse positions.
    """
    if not _lists_reach(game, state):
        return -1
    ids = state.turn_view.hypo_playable
    found_ids = gotten_ids | state.offers.in_hand_ids[receiver] | _ids_to_finesse(game, state, receiver, ids)
    growing = -1
    while growing:
        growing = fits_after_any(game, ids & found_ids) & ~ids
        ids |= growing
        if growing == 0:
            growing = _ids_to_finesse(game, state, receiver, ids) & ~found_ids
            found_ids |= growing
    return ids


def _ids_to_finesse(game: Game, state: ConventionState, receiver: int, playable: int) -> int:
    """Return the identities on third players' finesse positions, also behind cards that are `playable`."""
    ids = 0
    for seat in next_seats(game.seat, game.seats):
        free = state.turn_view.cards[seat] & ~state.turn_view.gotten if seat != receiver else 0
        while free:
            order = newest(game, seat, free)
            ids |= 1 << game.identity[order]
            free = free ^ 1 << order if playable >> game.identity[order] & 1 else 0
    return ids


def _lists_reach(game: Game, state: ConventionState) -> bool:
    """Return whether the cards that may be part of a chain are known beforehand."""
    return game.variant.stack_kind == PLAIN and not state.turn_view.hidden | state.common.tentative_calls


def is_out_of_reach(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether it is certain that no chain makes the focus playable as `number`."""
    view = state.turn_view
    if state.offers.searching and state.offers.in_reach >= 0:
        return not state.offers.in_reach >> number & 1
    missing = missing_ids(game, view.hypo_playable, number)
    if missing < 0:
        return True
    if state.common.tentative_calls:
        return False
    return missing & ~(ids_in_hands(state, True) | view.gotten_ids) != 0
