"""Clues that seem to make no sense, and therefore call a certain card, mostly of the next player.

The clues are 5 colour ejection, trash finesse and bluff, discharge, 5 pull, and 4 charm. Until the card is
played, the receiver trusts good touch. H-Group: https://hanabi.github.io/level-14,
https://hanabi.github.io/level-16, https://hanabi.github.io/level-19 and https://hanabi.github.io/level-23.
"""

from __future__ import annotations

from hanalyze.conventions.chains import prompt_card
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.inferences import holds_twin
from hanalyze.conventions.state import ConventionState, forgive_touch, is_number
from hanalyze.conventions.steps import call_one, clear_chain, push_blind
from hanalyze.conventions.turn_view import (
    LOCKED,
    free_behind,
    newest,
    nth_position,
    oldest,
    useful_cards,
)
from hanalyze.engine.game import Game, next_seat, next_seats
from hanalyze.engine.stacks import after_playing, fits_after, goes_under, next_missing
from hanalyze.game.actions import COLOUR_CLUE
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members

kernel_module(__name__)


def _immediate_card(game: Game, state: ConventionState, place: int) -> int:
    """Return the next player's card on finesse position `place`, from 1, if it can be called, or -1.

    The card must be playable, and no card of the hand may already be called blind.
    """
    seat = next_seat(state.clue.giver, game.seats)
    if state.common.blind & state.turn_view.cards[seat]:
        return -1
    order = nth_position(game, state.turn_view, seat, place)
    if order < 0 or game.identity[order] < 0 or not game.playable >> game.identity[order] & 1:
        return -1
    return order


def _call(game: Game, state: ConventionState, order: int, name: int, left: int) -> None:
    """Call a card to be played blind; afterwards the receiver reads the focus as one of `left`."""
    verdict = state.verdict
    verdict.reasons &= ~(1 << Reason.NO_CHAIN)
    verdict.reasons &= ~(1 << Reason.WRONG_PROMPT)
    call_one(verdict.chain, game.place[order], order, StepKind.BLUFF, game.playable)
    verdict.name = name
    verdict.readings = left
    verdict.bluff_ids = left


def _blind_count(game: Game, state: ConventionState, number: int) -> int:
    """Return how many cards the next player must play blind before `number`; -1 if it can never be played.

    Gotten cards and the finesse positions of other hands do not count.
    """
    clue, view = state.clue, state.turn_view
    gotten_ids = view.elsewhere_ids[clue.giver]
    for ahead in range(2, game.seats):
        first = view.finesse_card[(clue.giver + ahead) % game.seats]
        if first >= 0 and game.identity[first] >= 0:
            gotten_ids |= 1 << game.identity[first]
    playable = view.hypo_playable
    count = 0
    for _ in range(6):
        missing = next_missing(game, playable, number)
        if missing < 0:
            return -1
        if missing == number:
            return count
        count += not gotten_ids >> missing & 1
        playable = after_playing(game, playable, missing)
    return -1


def signalled_card(game: Game, state: ConventionState, number: int) -> int:
    """Return the card called by a clue to a useful `number` too far away for a finesse or bluff, or -1."""
    clue, view, level = state.clue, state.turn_view, state.common.level
    focus, seat = state.verdict.focus, next_seat(clue.giver, game.seats)
    new = (clue.newly & ~view.gotten) >> focus & 1
    if level < 16 or not new or seat == clue.receiver or view.end_phase or view.stall_severity >= LOCKED:
        return -1
    last = game.variant.last_ranks >> number & 1
    far_four = number & 7 == 4 and level >= 23 and not last
    if not far_four and not (last and clue.kind == COLOUR_CLUE):
        return -1
    order = _immediate_card(game, state, 4 if far_four else 2)
    if order < 0 or (far_four and _may_be_double(game, state)):
        return -1
    missing = next_missing(game, view.hypo_playable, number)
    if missing < 0 or missing == number or prompt_card(game, state, seat, missing, 1 << focus) >= 0:
        return -1
    return order if _blind_count(game, state, number) >= (3 if far_four else 2) else -1


def judge_signal(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a clue to a useful card, `number`, that is too far away for a bluff is a signal."""
    order = signalled_card(game, state, number)
    if order < 0:
        return False
    if game.variant.last_ranks >> number & 1:
        _call(game, state, order, Convention.FIVE_COLOUR_EJECTION, 1 << number)
    else:
        _call(game, state, order, Convention.FOUR_CHARM, _far_fours(game, state))
    state.verdict.worth += 1
    return True


def _may_be_double(game: Game, state: ConventionState) -> bool:
    """Return whether the player two seats after the giver could also play blind; False for the receiver."""
    seat = (state.clue.giver + 2) % game.seats
    if seat in (state.clue.receiver, state.clue.giver):
        return False
    first = state.turn_view.finesse_card[seat]
    return first >= 0 and (game.identity[first] < 0 or game.playable >> game.identity[first] & 1 != 0)


def _far_fours(game: Game, state: ConventionState) -> int:
    """Return the 4s that the focus may be and that need at least three blind plays."""
    left = 0
    for number in members(may_be(game, state) & ~state.turn_view.hypo_playable):
        if number & 7 == 4 and _blind_count(game, state, number) >= 3:
            left |= 1 << number
    return left


# --- trash --------------------------------------------------------------------------------------------------


def promised_by_trash(game: Game, state: ConventionState) -> int:
    """Return the identities that a trash focus may seem to have, 0 if the clue cannot call another card."""
    clue, view, level = state.clue, state.turn_view, state.common.level
    if level < 14 or view.end_phase or view.stall_severity >= LOCKED:
        return 0
    third = level >= 16 and next_seat(clue.giver, game.seats) != clue.receiver
    third = third and _immediate_card(game, state, 3) >= 0
    if not third and (state.verdict.on_chop or not _others_may_show(game, state)):
        return 0
    promised = may_be(game, state)
    return promised if third or promised & ~view.hypo_playable == 0 else 0


def _others_may_show(game: Game, state: ConventionState) -> bool:
    """Return whether a third player has a playable finesse position."""
    clue, view = state.clue, state.turn_view
    for seat in next_seats(clue.giver, game.seats):
        first = view.finesse_card[seat] if seat != clue.receiver else -1
        if first >= 0 and game.identity[first] >= 0 and game.playable >> game.identity[first] & 1:
            return True
    return False


def judge_trash(game: Game, state: ConventionState) -> bool:
    """Judge whether a clue whose focus is trash that looks useful to its receiver is a signal."""
    clue, view, verdict, level = state.clue, state.turn_view, state.verdict, state.common.level
    if not (clue.newly & ~view.gotten) >> verdict.focus & 1:
        return False
    promised = promised_by_trash(game, state)
    if promised == 0 or _touches_unknown(game, state):
        return False
    if promised & ~view.hypo_playable == 0 and not _touches_good(game, state):
        if verdict.on_chop:
            return False
        return _judge_all_trash(game, state, promised) or _judge_reverse(game, state, promised)
    order = _immediate_card(game, state, 3)
    if level < 16 or next_seat(clue.giver, game.seats) == clue.receiver or order < 0:
        return False
    _call(game, state, order, Convention.UNKNOWN_TRASH_DISCHARGE, promised)
    forgive_touch(verdict)
    verdict.worth += 1
    if is_one(clue.newly):
        _judge_assisted(game, state, order)
    return True


def _judge_assisted(game: Game, state: ConventionState, called: int) -> None:
    """Judge a clue to trash as an assisted chop move if the called card is a duplicate."""
    clue, verdict, seat = state.clue, state.verdict, game.place[called]
    behind = _behind_new(game, state)
    if state.common.level < 17 or behind == 0:
        return
    if holds_twin(game, state.turn_view, seat, clue.giver, clue.receiver, game.identity[called]):
        verdict.second = Convention.ASSISTED_CHOP_MOVE
        verdict.worth = useful_cards(game, state.turn_view, clue.giver, behind)


def _touches_unknown(game: Game, state: ConventionState) -> bool:
    for order in members(state.clue.newly):
        if game.identity[order] < 0:
            return True
    return False


def _touches_good(game: Game, state: ConventionState) -> bool:
    return useful_cards(game, state.turn_view, state.clue.giver, state.clue.newly) > 0


def _judge_all_trash(game: Game, state: ConventionState, promised: int) -> bool:
    """Judge whether a clue that touches only trash is a signal; its focus looks like one of `promised`."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    called_card = -1
    for seat in next_seats(clue.giver, game.seats):
        if seat == clue.receiver:
            break
        first = view.finesse_card[seat]
        true = game.identity[first] if first >= 0 else -1
        # The last player with such a card plays it; the others see it in that hand and wait.
        if true >= 0 and (promised & game.playable) >> true & 1 and not state.common.blind & view.cards[seat]:
            called_card = first
    name = Convention.TRASH_FINESSE
    if called_card < 0:
        if (
            next_seat(clue.giver, game.seats) == clue.receiver
            or _later_finesse_card(game, state, promised) >= 0
        ):
            return False
        called_card = _immediate_card(game, state, 1)
        name = Convention.TRASH_BLUFF
        if called_card < 0:
            return False
    _call(game, state, called_card, name, promised)
    forgive_touch(verdict)
    behind = _behind_new(game, state)
    verdict.worth = 1 + useful_cards(game, view, clue.giver, behind)
    _judge_assisted(game, state, called_card)
    return True


def _behind_new(game: Game, state: ConventionState) -> int:
    """Return the cards, neither gotten nor chop moved, that are older than all newly touched cards."""
    clue = state.clue
    last = oldest(game, clue.receiver, clue.newly)
    return free_behind(game, state.turn_view, clue.receiver, last, state.common.chop_moved)


def _later_finesse_card(game: Game, state: ConventionState, promised: int) -> int:
    """Return a card on finesse position, one of `promised`, of a player after the receiver, or -1."""
    clue, view = state.clue, state.turn_view
    for ahead in range((clue.receiver - clue.giver) % game.seats + 1, game.seats):
        seat = (clue.giver + ahead) % game.seats
        first = view.finesse_card[seat]
        true = game.identity[first] if first >= 0 else -1
        if true >= 0 and promised >> true & 1 and not state.common.blind & view.cards[seat]:
            return first
    return -1


def _judge_reverse(game: Game, state: ConventionState, promised: int) -> bool:
    """Judge whether a clue to trash calls one of `promised` in the hand of a player after the receiver.

    The receiver first discards the trash. A critical card cannot be called in this way: the receiver would
    know that the touched card is trash.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    called_card = _later_finesse_card(game, state, promised)
    if called_card < 0:
        return False
    true = game.identity[called_card]
    if not game.playable >> true & 1 or view.critical >> true & 1:
        return False
    behind = _behind_new(game, state)
    call_one(verdict.chain, game.place[called_card], called_card, StepKind.FINESSE, 1 << true)
    verdict.name = Convention.REVERSE_TRASH_FINESSE
    verdict.readings = promised
    forgive_touch(verdict)
    verdict.marked_cards = behind
    verdict.worth = 1 + useful_cards(game, view, clue.giver, behind)
    return True


def pulls_by_five(game: Game, state: ConventionState) -> bool:
    """Return whether a rank-5 clue calls the card next to its new 5, and so is not a play clue.

    This applies from level 19 on, to a 5 off chop, while the score is below 2 per suit.
    """
    clue, focus = state.clue, state.verdict.focus
    by_five = is_number(clue, game.variant.stack_size)
    low = game.raw_score < 2 * game.variant.suits
    new = (clue.newly & ~state.turn_view.gotten) >> focus & 1
    return by_five and low and new != 0 and not state.verdict.on_chop and state.common.level >= 19


def judge_pull(game: Game, state: ConventionState) -> bool:
    """Judge a rank-5 clue as a call of the card next to the 5; return whether it is such a call.

    The called card must be playable, or follow a card on the finesse position of a player before the
    receiver. If stalls are allowed, the clue is not a call, because it may be just a stall.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    pulled = _next_to_five(game, state)
    number = game.identity[pulled] if pulled >= 0 else -1
    free = (
        view.stall_severity == 0
        and view.end_phase == 0
        and state.common.blind & view.cards[clue.receiver] == 0
    )
    if number < 0 or not free:
        return False
    gotten_ids = view.elsewhere_ids[clue.receiver]
    direct = (game.playable | view.hypo_playable) & ~view.hypo_played
    next_ids = 0
    first = -1
    for ahead in range(1, (clue.receiver - clue.giver) % game.seats):
        seat = (clue.giver + ahead) % game.seats
        order = view.finesse_card[seat]
        true = game.identity[order] if order >= 0 else -1
        if true < 0 or state.common.blind & view.cards[seat] or not game.playable >> true & 1:
            continue
        if prompt_card(game, state, seat, true, 0) >= 0:
            continue
        next_ids |= fits_after(game, true)
        if goes_under(game, number) == true and first < 0:
            first = order
    ids = (direct | next_ids) & ~gotten_ids & ~clue.identities
    if not ids >> number & 1:
        return False
    clear_chain(verdict.chain)
    if not direct >> number & 1:
        push_blind(verdict.chain, game.place[first], first, 1 << game.identity[first])
    push_blind(verdict.chain, clue.receiver, pulled, ids)
    verdict.name = Convention.FIVE_PULL
    verdict.worth += verdict.chain.blind
    return True


def _next_to_five(game: Game, state: ConventionState) -> int:
    """Return the free card on the right of the new 5s, -1 if the 5s are not next to each other.

    The result is also -1 if the oldest of these cards is not a 5, or if fewer than two free cards are on the
    right: the clue would chop move a single one.
    """
    clue, view = state.clue, state.turn_view
    fives = clue.newly & ~view.gotten
    last = oldest(game, clue.receiver, fives)
    moved_cards = state.common.chop_moved
    behind = free_behind(game, view, clue.receiver, last, moved_cards)
    below_first = free_behind(game, view, clue.receiver, newest(game, clue.receiver, fives), moved_cards)
    between = below_first & ~behind & ~fives
    number = game.identity[last]
    no_five = number >= 0 and not game.variant.last_ranks >> number & 1
    if between or behind == 0 or is_one(behind) or no_five:
        return -1
    return newest(game, clue.receiver, behind)
