"""Focus of a clue, save clues on chop, and clues too poor to be saves.

H-Group: https://hanabi.github.io/level-1 and https://hanabi.github.io/level-20 (suboptimal clues).
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.state import ConventionState, is_number
from hanalyze.conventions.steps import late_cards
from hanalyze.conventions.turn_view import newest, oldest
from hanalyze.engine.game import Game
from hanalyze.engine.rules import clue_touch
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, lowest, members

kernel_module(__name__)

_FIVE: Final = 5


def _first_of_ones(game: Game, state: ConventionState, ones: int) -> int:
    """Return the 1 to play first: the chop, else the newest drawn after the deal, else the oldest."""
    seat = state.clue.receiver
    chop = state.turn_view.chop[seat]
    if chop >= 0 and ones >> chop & 1:
        return chop
    fresh = newest(game, seat, ones & ~state.common.starting_cards)
    return fresh if fresh >= 0 else oldest(game, seat, ones)


def stale_one(game: Game, state: ConventionState) -> int:
    """Return the first of several new 1s if the clue shows that it is bad, otherwise -1.

    From level 12 on, this is shown by the first clue after the discard that ended the early game, if it is
    given within a round, and the discarding player could have clued these 1s instead.
    """
    clue, common = state.clue, state.common
    if common.early_options == 0 or common.level < 12 or not is_number(clue, 1):
        return -1
    if clue.touched != clue.newly or is_one(clue.touched) or clue.touched & ~common.early_options:
        return -1
    return _first_of_ones(game, state, clue.touched) if game.turn - common.early_turn < game.seats else -1


def find_focus(game: Game, state: ConventionState) -> int:
    """Return the focus: the chop, or else the newest touched card; new cards first, then chop-moved ones.

    Of several 1s without colour clues, all or none of them new, it is the 1 to play first. From level 6 on, a
    focus that plays anyway is replaced by the newest touched card that does not. A card whose blind play was
    missed counts as new and as not playing anyway, because its holder may not know of the call.
    """
    clue, view, common = state.clue, state.turn_view, state.common
    seat, touched = clue.receiver, clue.touched
    if is_one(touched):
        return lowest(touched)
    fresh = touched & ~(view.gotten | common.chop_moved)
    late = touched & common.blind & ~game.clued
    if late:
        late &= late_cards(state.calls)
        fresh |= late
    if is_number(clue, 1) and fresh in (touched, 0):
        ones = 0
        for order in members(touched):
            ones |= (game.colour_clues[order] == 0) << order
        if ones == touched:
            stale = stale_one(game, state)
            return _first_of_ones(game, state, ones & ~(1 << stale) if stale >= 0 else ones)
    chop = view.chop[seat]
    chop_moved = touched & common.chop_moved & ~view.gotten
    if chop >= 0 and touched >> chop & 1:
        focus = chop
    elif fresh:
        focus = newest(game, seat, fresh)
    elif chop_moved:
        focus = newest(game, seat, chop_moved)
    else:
        focus = newest(game, seat, touched)
    others = touched & ~view.playable_now
    if common.level >= 6 and (view.playable_now & ~late) >> focus & 1 and others:
        focus = newest(game, seat, others)
    return focus


def may_be(game: Game, state: ConventionState) -> int:
    """Return the identities of the focus that the receiver allows for, by good touch."""
    clue, view, focus = state.clue, state.turn_view, state.verdict.focus
    bit = 1 << focus
    could_be = view.belief[focus] & clue.identities & view.needed
    if could_be == 0:
        # The clue contradicts earlier messages.
        could_be = game.possible[focus] & clue.identities & view.needed
    if not view.future_plays & bit:
        # Future plays rule out identities if the receiver sees or knows the played cards.
        could_be &= ~(view.hypo_played & view.elsewhere_ids[clue.receiver])
    if not view.gotten & bit:
        could_be &= ~(view.elsewhere_ids[clue.receiver] | _cards_named_by(state))
    return could_be


def _cards_named_by(state: ConventionState) -> int:
    """Return the identities that the receiver's other gotten cards are known to have after the clue."""
    clue, view = state.clue, state.turn_view
    named_ids = 0
    for order in members(
        view.cards[clue.receiver] & view.gotten & ~view.known_trash & ~(1 << state.verdict.focus)
    ):
        means = view.belief[order] & (clue.identities if clue.touched >> order & 1 else ~clue.identities)
        if is_one(means):
            named_ids |= means
    return named_ids


def may_pass(state: ConventionState) -> bool:
    """Return whether a 5 may be clued to pass the turn: on turns that allow stalls, and in the end game."""
    return state.turn_view.stall_severity > 0 or state.turn_view.end_phase != 0


def stalls_with_five(game: Game, state: ConventionState) -> bool:
    """Return whether the clue is a 5 stall: its focus is a new 5 off chop, and it may pass the turn."""
    clue, focus = state.clue, state.verdict.focus
    if not is_number(clue, game.variant.stack_size) or state.verdict.on_chop or state.common.level < 2:
        return False
    if not clue.newly >> focus & 1 or not may_pass(state):
        return False
    number = game.identity[focus]
    return number < 0 or game.variant.last_ranks >> number & 1 != 0


def seen_copies(game: Game, state: ConventionState, giver: int, viewer: int, focus: int) -> int:
    """Return the identities with a copy off chop, other than `focus`, that `giver` and `viewer` see."""
    seen_ids = 0
    for seat in range(game.seats):
        if seat not in (giver, viewer):
            for order in game.hands[seat][: game.hand_len[seat]]:
                number = game.identity[order]
                if order != focus and order != state.turn_view.chop[seat] and number >= 0:
                    seen_ids |= 1 << number
    return seen_ids


def copies_in_sight(game: Game, state: ConventionState, viewer: int) -> int:
    """Return the identities that a rank-2 clue must not save: giver and `viewer` see another copy off chop.

    The result is 0 for other clues.
    """
    if not is_number(state.clue, 2):
        return 0
    return seen_copies(game, state, state.clue.giver, viewer, state.verdict.focus)


def save_set(game: Game, state: ConventionState, could_be: int, seen_ids: int) -> int:
    """Return the identities of `could_be` that the clue to a chop saves, except 2s in `seen_ids`."""
    last = game.variant.last_ranks
    saves = state.turn_view.critical & ~last
    if state.clue.kind == RANK_CLUE:
        if state.clue.value == _FIVE or game.variant.reversed:
            saves |= last
        if state.clue.value == 2:
            twos = 0
            for suit in range(game.variant.suits):
                if not game.variant.reversed >> suit & 1:
                    twos |= 1 << (suit * RANK_SLOTS + 2)
            saves |= twos & ~seen_ids
    return could_be & saves & state.turn_view.needed


def is_suboptimal(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether a clue that saves the last copy `number` on chop is worse than a clue of the other kind.

    The other clue touches more good cards and no more bad ones. The result is False below level 20, for 5s,
    and for cards that are playable or soon will be.
    """
    clue, view = state.clue, state.turn_view
    saved = view.critical & ~game.variant.last_ranks & ~view.hypo_playable
    if state.common.level < 20 or not saved >> number & 1 or game.playable >> number & 1:
        return False
    good, bad = _touch(game, state, clue.identities)
    if clue.kind == COLOUR_CLUE:
        more, worse = _touch(game, state, clue_touch(game, RANK_CLUE, number & 7))
        return more > good and worse <= bad
    for colour in range(game.variant.colours):
        identities = clue_touch(game, COLOUR_CLUE, colour)
        if identities >= 0 and identities >> number & 1:
            more, worse = _touch(game, state, identities)
            if more > good and worse <= bad:
                return True
    return False


def _touch(game: Game, state: ConventionState, identities: int) -> tuple[int, int]:
    """Return the numbers of good and bad new cards that a clue to the receiver would touch."""
    clue, view = state.clue, state.turn_view
    gotten_ids = view.elsewhere_ids[clue.giver]
    good = 0
    bad = 0
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        number = game.identity[order]
        if view.gotten >> order & 1 or number < 0 or not identities >> number & 1:
            continue
        if (view.needed & ~gotten_ids) >> number & 1:
            gotten_ids |= 1 << number
            good += 1
        else:
            bad += 1
    return good, bad
