"""Elimination notes: the copy of a discarded card must be in a certain hand; clues that single it out.

H-Group: https://hanabi.github.io/level-18.
"""

from __future__ import annotations

from hanalyze.conventions.bad_touch import implied_copy, misses_copy
from hanalyze.conventions.common_knowledge import note_source
from hanalyze.conventions.state import ConventionState, is_undefined
from hanalyze.conventions.verdict import refuse
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one, lowest, members


@kernel
def note_passing(game: Game, state: ConventionState) -> None:
    """Remember whether the player to move declined a possible clue."""
    answers = state.verdict.name == Convention.BLIND_PLAY
    state.common.declined_clue = 1 if game.tokens >= game.variant.token_unit and not answers else 0


@kernel
def note_copy(game: Game, state: ConventionState, order: int) -> None:
    """Note where the copy of the discarded card is, if its player learns it from the discard."""
    view, common, verdict = state.turn_view, state.common, state.verdict
    number = game.identity[order]
    if common.level < 18 or not common.declined_clue or common.early or view.end_phase or not verdict.legal:
        return
    if verdict.name != Convention.PLAIN_DISCARD or order != view.chop[game.seat] or is_undefined(game):
        return
    two = number & 7 == 2 and not game.variant.reversed >> (number >> 3) & 1
    worth = game.playable | (1 << number if two else 0)
    if not (view.needed & ~view.critical & worth) >> number & 1 or _is_in_sight(game, number):
        return
    common.elimination_identity[game.seat] = number
    common.elimination_cards[game.seat] = _where(game, state, game.seat, number, order)


@kernel
def note_implied(game: Game, state: ConventionState) -> None:
    """Note what the bad card of a clue, just judged, tells a third player to hold (`bad_touch`)."""
    common = state.common
    number = implied_copy(game, state)
    if number < 0:
        return
    for seat in range(game.seats):
        if common.elimination_cards[seat] == 0 and misses_copy(game, state, seat, number):
            common.elimination_identity[seat] = number
            common.elimination_cards[seat] = _where(game, state, seat, number, -1)


@kernel
def _is_in_sight(game: Game, number: int) -> bool:
    """Return whether another hand shows a copy, or a card that is unknown to us."""
    for seat in range(game.seats):
        if seat != game.seat:
            for i in range(game.hand_len[seat]):
                if game.identity[game.hands[seat][i]] in (number, -1):
                    return True
    return False


@kernel
def _where(game: Game, state: ConventionState, seat: int, number: int, leaves: int) -> int:
    """Return the cards of a hand that may be `number`, except one that leaves it."""
    cards = 0
    for order in game.hands[seat][: game.hand_len[seat]]:
        if order != leaves and state.turn_view.belief[order] >> number & 1:
            cards |= 1 << order
    return cards


@kernel
def shrink_by_leaving(game: Game, state: ConventionState, order: int) -> None:
    """Remove a card that leaves a hand from the notes, and the note if it was the copy."""
    common = state.common
    for seat in range(game.seats):
        if common.elimination_cards[seat] == 0:
            continue
        if common.elimination_identity[seat] == game.identity[order]:
            common.elimination_cards[seat] = 0
        common.elimination_cards[seat] &= ~(1 << order)


@kernel
def _noted_after_clue(game: Game, state: ConventionState) -> int:
    """Return the noted cards of the clue's receiver that remain after it."""
    clue, common = state.clue, state.common
    number = common.elimination_identity[clue.receiver]
    left = 0
    rest = common.elimination_cards[clue.receiver]
    is_named = clue.identities >> number & 1
    for order in members(rest):
        if state.turn_view.belief[order] >> number & 1 and clue.touched >> order & 1 == is_named:
            left |= 1 << order
    return left


@kernel
def shrink_by_clue(game: Game, state: ConventionState) -> None:
    """Remove noted cards that the clue shows to be something else; a touched last one is known."""
    clue, common = state.clue, state.common
    if common.elimination_cards[clue.receiver] == 0:
        return
    left = _noted_after_clue(game, state)
    common.elimination_cards[clue.receiver] = left
    if is_one(left) and clue.touched & left:
        card, ids = lowest(left), 1 << common.elimination_identity[clue.receiver]
        common.elimination_cards[clue.receiver] = 0
        common.inferred[card] = ids
        note_source(common, card, game.turn, game.seat, ids, 0)


@kernel
def singled_out(game: Game, state: ConventionState) -> int:
    """Return the noted playable card that the clue singles out, or -1."""
    clue, common = state.clue, state.common
    if (
        common.elimination_cards[clue.receiver] == 0
        or not game.playable >> common.elimination_identity[clue.receiver] & 1
    ):
        return -1
    left = _noted_after_clue(game, state)
    return lowest(left) if is_one(left) and clue.touched & left else -1


@kernel
def judge_elimination(game: Game, state: ConventionState) -> None:
    """Judge a clue that singles out its focus by an elimination note."""
    verdict, number = state.verdict, state.common.elimination_identity[state.clue.receiver]
    verdict.readings = 1 << number
    if game.identity[verdict.focus] not in (number, -1):
        refuse(verdict, Reason.UNREADABLE)
        return
    verdict.name = Convention.PLAY_CLUE
    verdict.second = Convention.ELIMINATION
