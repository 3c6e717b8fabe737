"""Chop moves by touched cards: trash chop move, 5's chop move, trash push, chop move ignition.

H-Group: https://hanabi.github.io/level-4#the-trash-chop-move,
https://hanabi.github.io/level-4#the-5s-chop-move-5cm, https://hanabi.github.io/level-14#the-trash-push and
https://hanabi.github.io/level-21.
"""

from __future__ import annotations

from hanalyze.conventions.chains import OTHERS, find_chain
from hanalyze.conventions.reach import is_out_of_reach
from hanalyze.conventions.state import ConventionState, forgive_touch, is_number
from hanalyze.conventions.steps import clear_chain, push_blind, push_step
from hanalyze.conventions.turn_view import free_behind, oldest, useful_cards
from hanalyze.engine.game import Game, next_seat
from hanalyze.engine.rules import clue_touch
from hanalyze.engine.stacks import fits_after
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.meanings import Convention, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, lowest, members, popcount

kernel_module(__name__)


def judge_chop_move(game: Game, state: ConventionState) -> bool:
    """Judge whether a clue that touches new cards is a chop move, an ignition or a trash push."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    focus = verdict.focus
    useful = clue.identities & view.needed
    if not state.common.blind >> focus & 1:
        useful &= ~view.hypo_played
    could_be = game.possible[focus] & useful
    if verdict.on_chop:
        # A push calls a card of the receiver, so it is enough that the receiver takes the focus for trash.
        return view.belief[focus] & useful == 0 and state.common.level >= 14 and _judge_push(game, state)
    first = oldest(game, clue.receiver, clue.newly)
    behind = free_behind(game, view, clue.receiver, first, state.common.chop_moved)
    if behind == 0 or view.end_phase:
        return False
    if could_be == 0 and clue.newly >> focus & 1:
        verdict.name = Convention.TRASH_CHOP_MOVE
        verdict.marked_cards = behind
        verdict.worth = useful_cards(game, view, clue.giver, behind)
        forgive_touch(verdict)
    elif not _judge_five(game, state, behind):
        return False
    if state.common.level >= 21:
        judge_ignition(game, state, behind)
    return True


def _judge_five(game: Game, state: ConventionState, behind: int) -> bool:
    """Judge whether a rank-5 clue moves the chop: `behind`, the only free card older than its new cards."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    number = game.identity[verdict.focus]
    by_five = is_number(clue, game.variant.stack_size)
    if not by_five or (number >= 0 and not game.variant.last_ranks >> number & 1):
        return False
    chop = view.chop[clue.receiver]
    if _may_stall(state) or popcount(behind) != 1 or not view.belief[chop] & view.needed:
        return False
    verdict.name = Convention.FIVE_CHOP_MOVE
    verdict.marked_cards = behind
    verdict.worth += useful_cards(game, view, clue.giver, behind)
    return True


def _may_stall(state: ConventionState) -> bool:
    """Return whether the turn allows stalls, so that a clue to a 5 may be one.

    From level 9 on, a turn of severity 2 allows stalls only if there is no better clue; this condition is
    ignored while legal clues are judged, because better clues are not yet known.
    """
    severity, offers = state.turn_view.stall_severity, state.offers
    if severity != 2 or state.common.level < 9 or offers.searching:
        return severity > 0
    return offers.best == 0 or offers.may_be_left != 0


def may_call_by_trash(game: Game, state: ConventionState) -> bool:
    """Return whether a clue whose focus is known trash may be a chop move or a trash push.

    A chop move needs a free card behind the new cards; a push needs a card that it can call.
    """
    clue, view = state.clue, state.turn_view
    if state.verdict.on_chop:
        pushed = _pushed_card(game, state)
        if pushed < 0 or state.common.level < 14:
            return False
        number = game.identity[pushed]
        return not is_out_of_reach(game, state, number) or _playable_soon(game, state) >> number & 1 != 0
    first = oldest(game, clue.receiver, clue.newly)
    return not view.end_phase and free_behind(game, view, clue.receiver, first, state.common.chop_moved) != 0


def _pushed_card(game: Game, state: ConventionState) -> int:
    """Return the new chop, which a trash push would call; -1 if it is useless, or in the end game."""
    clue, view = state.clue, state.turn_view
    free = view.cards[clue.receiver] & ~view.gotten & ~state.common.chop_moved & ~clue.touched
    pushed = oldest(game, clue.receiver, free)
    # A copy of a gotten card would be a strike.
    is_useful = pushed >= 0 and useful_cards(game, view, clue.giver, 1 << pushed) > 0
    return pushed if is_useful and not view.end_phase else -1


def _judge_push(game: Game, state: ConventionState) -> bool:
    """Judge whether a clue that shows the chop to be trash calls the new chop (trash push)."""
    clue, verdict = state.clue, state.verdict
    pushed = _pushed_card(game, state)
    if pushed < 0:
        return False
    number = game.identity[pushed]
    clear_chain(verdict.chain)
    soon = _playable_soon(game, state)
    if number >= 0 and not soon >> number & 1 and not _is_led_up_to(game, state, number):
        clear_chain(verdict.chain)
        return False
    verdict.name = Convention.TRASH_PUSH
    if state.common.level >= 24 and verdict.chain.length == 0:
        _ignite(game, state, pushed)
    ids = soon
    for step in verdict.chain.steps[: verdict.chain.length]:
        if step.kind != StepKind.BLUFF:
            ids |= fits_after(game, lowest(step.ids))
    push_step(verdict.chain, clue.receiver, pushed, StepKind.FINESSE, ids)
    verdict.worth = verdict.chain.length
    forgive_touch(verdict)
    return True


def _playable_soon(game: Game, state: ConventionState) -> int:
    """Return the identities that are playable now or after one known play of a player before the receiver.

    The receiver may also play a card of known identity before the pushed one.
    """
    clue, view = state.clue, state.turn_view
    soon = game.playable
    for ahead in range(1, (clue.receiver - clue.giver) % game.seats + 1):
        seat = (clue.giver + ahead) % game.seats
        for order in members(view.playable_now & view.cards[seat]):
            number = game.identity[order]
            is_seen = seat != clue.receiver or is_one(view.belief[order])
            if is_seen and number >= 0 and game.playable >> number & 1:
                soon |= fits_after(game, number)
    return soon


def _ignite(game: Game, state: ConventionState, pushed: int) -> None:
    """Also call the next player's finesse position, if it is playable and a clue could have got `pushed`."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    seat = next_seat(clue.giver, game.seats)
    first = view.finesse_card[seat]
    true = game.identity[first] if first >= 0 else -1
    number = game.identity[pushed]
    if seat == clue.receiver or number < 0 or true < 0 or true == number or clue.touched != clue.newly:
        return
    if state.common.blind & view.cards[seat] or not game.playable >> true & 1:
        return
    if could_be_clued(game, state, pushed):
        push_step(verdict.chain, seat, first, StepKind.BLUFF, game.playable)
        verdict.second = Convention.UNNECESSARY_PUSH


def _is_led_up_to(game: Game, state: ConventionState, number: int) -> bool:
    """Call a card whose play, before the receiver's, makes `number` playable; return whether one exists."""
    clue, chain = state.clue, state.verdict.chain
    if (
        not find_chain(game, state, number, OTHERS)
        or chain.length != 1
        or not game.playable & chain.steps[0].ids
    ):
        return False
    before = (chain.steps[0].seat - clue.giver) % game.seats < (clue.receiver - clue.giver) % game.seats
    return before and fits_after(game, lowest(chain.steps[0].ids)) >> number & 1 != 0


def judge_ignition(game: Game, state: ConventionState, moved_cards: int) -> bool:
    """Judge whether a clue that seems to chop move a single card, `moved_cards`, calls this card.

    The next player's finesse position is called first. Both cards must be playable, and there must be a clue
    that would get the moved card without touching a bad card.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    seat = next_seat(clue.giver, game.seats)
    card = lowest(moved_cards)
    number = game.identity[card]
    first = view.finesse_card[seat]
    true = game.identity[first] if first >= 0 else -1
    if not is_one(moved_cards) or number < 0 or true < 0 or seat == clue.receiver or true == number:
        return False
    plays = game.playable >> number & game.playable >> true & 1
    if not plays or state.common.blind & view.cards[seat] or view.elsewhere_ids[clue.giver] >> number & 1:
        return False
    if not could_be_clued(game, state, card):
        return False
    clear_chain(verdict.chain)
    push_step(verdict.chain, seat, first, StepKind.BLUFF, game.playable)
    push_blind(verdict.chain, clue.receiver, card, game.playable & ~view.elsewhere_ids[clue.receiver])
    verdict.name = Convention.CHOP_MOVE_IGNITION
    verdict.marked_cards = 0
    verdict.worth += 1
    return True


def could_be_clued(game: Game, state: ConventionState, card: int) -> bool:
    """Return whether some clue to the receiver would have the focus `card` and touch no bad card."""
    for colour in range(game.variant.colours):
        if _is_clean(game, state, clue_touch(game, COLOUR_CLUE, colour), card):
            return True
    for rank in range(1, RANK_SLOTS):
        named_cards = game.variant.clue_ranks >> rank & 1
        if named_cards and _is_clean(game, state, clue_touch(game, RANK_CLUE, rank), card):
            return True
    return False


def _is_clean(game: Game, state: ConventionState, identities: int, card: int) -> bool:
    """Return whether a clue that touches `identities` would have the focus `card` and touch no bad card."""
    clue, view = state.clue, state.turn_view
    if identities < 0 or not identities >> game.identity[card] & 1:
        return False
    gotten_ids = view.elsewhere_ids[clue.giver]
    about = card
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        other = game.identity[order]
        if view.gotten >> order & 1 or (other >= 0 and not identities >> other & 1):
            continue
        if other < 0 or not view.needed >> other & 1 or gotten_ids >> other & 1:
            return False
        gotten_ids |= 1 << other
        # The loop runs from the oldest card on: the focus is the chop, otherwise the newest touched card.
        about = order
    return card in (about, view.chop[clue.receiver])
