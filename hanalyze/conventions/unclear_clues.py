"""Clues against convention that only seem to call a card, and saves that may be misread as finesses."""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import SAVES, is_any
from hanalyze.conventions.common_knowledge import note_source
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.turn_view import finesse_position
from hanalyze.engine.game import Game, next_seats
from hanalyze.engine.knowledge import copies_unseen
from hanalyze.engine.stacks import fits_after, missing_ids, next_missing, plays_until
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members

kernel_module(__name__)

_UNCLEAR: Final = (
    1 << Reason.NO_CHAIN
    | 1 << Reason.WRONG_PROMPT
    | 1 << Reason.UNREADABLE
    | 1 << Reason.SIMPLER_READING
    | 1 << Reason.STALL_NOT_ALLOWED
    | 1 << Reason.NO_VALUE
)
"""Reasons against a clue that leave its meaning open."""
_EJECTIONS: Final = 16
"""Lowest level at which a clue can call the second or third finesse position of the next player."""
_IGNITIONS: Final = 21  # lowest level at which a useless clue calls cards
_DEPTH: Final = 3  # number of the next player's finesse positions that can be called from `_EJECTIONS` on
_CHAIN: Final = 2  # maximum number of cards that an unclear clue to an unknown card may seem to call


def note_refused(game: Game, state: ConventionState) -> None:
    """Record for each player the cards that the clue just judged may wrongly seem to call.

    A clue that touches the focus of an earlier unclear clue shows the card, and ends that clue's effect.
    """
    verdict, common = state.verdict, state.common
    for seat in range(game.seats):
        if common.supposed_focus[seat] >= 0 and state.clue.touched >> common.supposed_focus[seat] & 1:
            common.supposed_until[seat] = game.turn
    if verdict.focus < 0:
        return
    open_to_guess = verdict.name == Convention.UNEXPLAINED or verdict.reasons & _UNCLEAR != 0
    saves = verdict.legal and is_any(verdict.name, SAVES)
    useless = _is_useless(state)
    is_next = True
    for seat in next_seats(game.seat, game.seats):
        if saves:
            _note_save(game, state, seat)
        elif verdict.legal == 0 and open_to_guess:
            _note_supposed(game, state, seat, is_next, useless)
        # A useless clue calls the first player who has nothing to play.
        is_next = is_next and useless and state.turn_view.playable_now & state.turn_view.cards[seat] != 0


def _is_useless(state: ConventionState) -> bool:
    """Return whether the clue is unexplained, touches no new card, and has a focus that plays anyway."""
    clue, verdict = state.clue, state.verdict
    repeats = clue.newly == 0 and state.turn_view.future_plays >> verdict.focus & 1 != 0
    return repeats and verdict.name == Convention.UNEXPLAINED and state.common.level >= _IGNITIONS


def _missing_before(game: Game, state: ConventionState) -> int:
    """Return how many cards must be played before the focus, -1 if it is unknown or never playable."""
    number = game.identity[state.verdict.focus]
    return plays_until(game, state.turn_view.hypo_playable, number) if number >= 0 else -1


def _note_save(game: Game, state: ConventionState, seat: int) -> None:
    """Record a save that a player other than its receiver may mistake for a finesse."""
    common = state.common
    if seat == state.clue.receiver or _missing_before(game, state) < 1:
        return
    first = finesse_position(game, state.turn_view, seat, 0)
    number = game.identity[state.verdict.focus]
    missing = next_missing(game, state.turn_view.hypo_playable, number)
    if first >= 0 and missing >= 0 and game.possible[first] >> missing & 1:
        common.save_asks[seat] = first
        common.save_turn[seat] = game.turn


def _note_supposed(game: Game, state: ConventionState, seat: int, is_next: bool, useless: bool) -> None:
    """Record the cards of a player that a clue against convention may seem to call.

    `is_next` is set for the player after the giver and, if the clue is `useless`, for further players up to
    the first with nothing to play.
    """
    view, common, clue = state.turn_view, state.common, state.clue
    own = seat == clue.receiver
    before = _missing_before(game, state)
    any_of = is_next and common.level >= _EJECTIONS
    if not own and (before == 0 or (before < 0 and not any_of)) and not (useless and is_next):
        # The player sees that the focus plays by itself or can never be played.
        return
    first = finesse_position(game, view, seat, clue.touched)
    if own and (_plays_by_itself(state) or _leaves_out(game, state, first)):
        first = -1
    sure = _is_sure(game, state, seat, is_next, first, before)
    if common.supposed_until[seat] > game.turn and common.supposed_card[seat] >= 0 and not sure:
        return
    common.supposed_cards[seat] = 0
    card = first
    for _ in range(_DEPTH if any_of else 2):
        if card >= 0:
            common.supposed_cards[seat] |= 1 << card
            card = finesse_position(game, view, seat, clue.touched | common.supposed_cards[seat])
    common.supposed_any[seat] = 1 if any_of and not own else 0
    common.supposed_card[seat] = first if sure else -1
    common.supposed_focus[seat] = state.verdict.focus
    common.supposed_turn[seat] = game.turn
    common.supposed_until[seat] = game.turn + game.seats
    common.supposed_giver[seat] = game.seat


def _leaves_out(game: Game, state: ConventionState, card: int) -> bool:
    """Return whether the clue would have touched `card` if it were the card to be played before the focus.

    For example, a red clue to r5 does not call an untouched card as r1.
    """
    view, clue, focus = state.turn_view, state.clue, state.verdict.focus
    leading = 0
    for number in members(view.belief[focus] & clue.identities):
        missing = next_missing(game, view.hypo_playable, number)
        leading |= 1 << missing if missing >= 0 else 0
    return card >= 0 and leading != 0 and game.possible[card] & leading & ~clue.identities == 0


def _plays_by_itself(state: ConventionState) -> bool:
    """Return whether the receiver can take the focus for a card that future plays make playable."""
    view, clue, focus = state.turn_view, state.clue, state.verdict.focus
    belief = state.common.inferred[focus] & view.belief[focus] & clue.identities
    return belief & view.hypo_playable != 0


def _is_sure(game: Game, state: ConventionState, seat: int, is_next: bool, first: int, before: int) -> bool:
    """Return whether an unexplained clue can only be about the finesse position of a player."""
    view, clue, verdict = state.turn_view, state.clue, state.verdict
    focus = verdict.focus
    if verdict.name != Convention.UNEXPLAINED or verdict.chain.length or before < 1 or first < 0:
        return False
    if seat == clue.receiver:
        return is_next and view.belief[focus] & clue.identities & view.hypo_playable == 0
    if is_next:
        return _may_be_supplied(game, state, seat, clue.giver, game.identity[focus])
    missing = next_missing(game, view.hypo_playable, game.identity[focus])
    return missing >= 0 and game.possible[first] >> missing & 1 != 0


def _may_be_supplied(game: Game, state: ConventionState, seat: int, giver: int, number: int) -> bool:
    """Return whether a player may hold the cards missing before `number`, or sees them in other hands.

    The giver's hand does not count. If only one card is missing, or `number` is a 3, the result is True,
    because the player may be bluffed.
    """
    missing = missing_ids(game, state.turn_view.hypo_playable, number)
    if missing < 0 or is_one(missing) or number & 7 == 3:
        return True
    for other in next_seats(giver, game.seats):
        for order in game.hands[other][: game.hand_len[other] if other != seat else 0]:
            if game.identity[order] >= 0:
                missing &= ~(1 << game.identity[order])
    for identity in members(missing):
        if copies_unseen(game, seat, 1 << identity) == 0:
            return False
    return True


def note_answer(game: Game, state: ConventionState) -> None:
    """Extend the time to answer unclear clues by a round, because the player to move answers another call."""
    common = state.common
    if common.supposed_until[game.seat] > game.turn:
        common.supposed_until[game.seat] += game.seats


def is_supposed_call(game: Game, state: ConventionState, order: int) -> bool:
    """Return whether an unclear clue may seem to call a card of the player to move."""
    common, seat = state.common, game.seat
    if common.supposed_until[seat] <= game.turn:
        return False
    if common.supposed_focus[seat] == order:
        return True
    if not common.supposed_cards[seat] >> order & 1:
        return False
    rest = state.turn_view.cards[seat] & ~state.turn_view.gotten & common.supposed_cards[seat]
    return common.supposed_any[seat] != 0 or rest >> order == 1


def is_impossible_call(game: Game, state: ConventionState, order: int) -> bool:
    """Return whether the player to move knows that a card is not the missing card of the unclear clue.

    The missing card must be playable now; if the focus has several possible identities, at most `_CHAIN`
    cards may be missing before it. The player after the giver may be called to play any card, but the card
    on finesse position only if that player is the receiver or `_may_be_supplied`. The result is False if the
    focus has left its hand, or is hidden in another player's hand.
    """
    common, view, seat = state.common, state.turn_view, game.seat
    focus, giver = common.supposed_focus[seat], common.supposed_giver[seat]
    if game.place[focus] < 0 or (game.place[focus] != seat and game.identity[focus] < 0):
        return False
    if seat == (giver + 1) % game.seats:
        is_first = order == finesse_position(game, view, seat, 0) and game.place[focus] != seat
        return is_first and not _may_be_supplied(game, state, seat, giver, game.identity[focus])
    ids = view.belief[focus] if game.place[focus] == seat else 1 << game.identity[focus]
    for number in members(ids):
        missing = next_missing(game, view.hypo_playable, number)
        fits = missing >= 0 and (game.possible[order] & game.playable) >> missing & 1
        if fits and (is_one(ids) or plays_until(game, view.hypo_playable, number) <= _CHAIN):
            return False
    return True


def tell_focus(game: Game, state: ConventionState, order: int, number: int) -> None:
    """Record what the play of `order`, the answer to an unclear clue, tells the holder of the clue's focus.

    As after a finesse, the focus is the card that follows, if it may be that card.
    """
    common, view, seat = state.common, state.turn_view, game.seat
    focus = common.supposed_focus[seat]
    follows = fits_after(game, number) & view.needed & game.possible[focus]
    if view.cards[seat] >> focus & 1 or not view.gotten >> focus & 1 or follows == 0:
        return
    if common.supposed_cards[seat] >> order != 1:
        # The second or third card that the clue may call does not answer it as in a finesse.
        return
    common.inferred[focus] = follows
    giver, turn = common.supposed_giver[seat], common.supposed_turn[seat]
    note_source(common, focus, turn, giver, follows, common.source_flags[focus])


def is_save_misread(game: Game, state: ConventionState, order: int) -> bool:
    """Return whether the player to move may have taken a save for a finesse of a card."""
    common, seat = state.common, game.seat
    return common.save_asks[seat] == order and game.turn - common.save_turn[seat] < game.seats
