"""Readings of the focus that make sense to the receiver of a clue, and inferences from open calls.

The receiver sees all cards except their own, and uses the giver's hand only as the giver may know it. The
inferences are the same for all identities between which the receiver cannot distinguish. H-Group:
https://hanabi.github.io/level-1 (good touch principle) and https://hanabi.github.io/level-11 (Occam's razor).
"""

from __future__ import annotations

from hanalyze.conventions.bluffs import bluff_card, ids_after_prompt
from hanalyze.conventions.chains import OTHERS, OWN, UNKNOWN, find_chain
from hanalyze.conventions.classes import BLUFFS, SIGNALS, is_any
from hanalyze.conventions.common_knowledge import ON_CHOP, CommonKnowledge, call_blind, note_breaker
from hanalyze.conventions.focus import copies_in_sight, may_be, save_set, stalls_with_five
from hanalyze.conventions.retouch import indirect_fixes, remaining_ids
from hanalyze.conventions.state import ConventionState, refuse
from hanalyze.conventions.steps import PLAIN, Call, copy_chain, is_deep
from hanalyze.conventions.turn_view import LOCKED, TurnView, free_behind, oldest
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after, plays_until
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import members

kernel_module(__name__)


def find_readings(game: Game, state: ConventionState) -> int:
    """Find the readings of the focus; return the identities that the receiver assumes until further plays."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    could_be = may_be(game, state)
    locked = view.stall_severity == LOCKED and verdict.on_chop and state.common.level >= 9
    stalls = True
    for seat in range(game.seats):
        # The receiver does not see what could be clued to their own hand.
        stalls = stalls and (seat == clue.receiver or state.offers.best_for[seat] == 0)
    stalls = stalls or state.offers.may_be_left != 0
    if locked or (stalls and stalls_with_five(game, state)):
        # A locked player may save any card, and a stalling player may clue any 5.
        verdict.readings = could_be
        return could_be
    saves = 0
    if verdict.on_chop:
        saves = save_set(game, state, could_be, copies_in_sight(game, state, clue.receiver))
    direct = could_be & _playing_for(game, state)
    number = game.identity[verdict.focus]
    true = 1 << number if number >= 0 else 0
    signals = is_any(verdict.name, SIGNALS)
    called = verdict.chain.length > 0 and not signals
    rest = could_be & ~direct & ~saves
    calls, bluffed, showing, deep = _readings_by_calls(game, state, rest & ~true if called else rest)
    if called and not verdict.chain.own:
        calls |= true & could_be
        deep |= true & could_be if is_deep(verdict.chain) else 0
        showing |= _seats_showing(game, state)
    if true and not signals:
        verdict.direct = direct | saves
        verdict.showing_seats = showing
    if is_any(verdict.name, BLUFFS):
        bluffed |= true & could_be
    if verdict.second == Convention.BLUFF or is_any(verdict.name, BLUFFS):
        verdict.bluff_ids = (bluffed if bluffed else calls) | ids_after_prompt(game, state)
    readings = direct | saves | calls
    if signals:
        # Until the called card is played, the clue looks like one that calls nothing.
        return readings if readings else could_be
    interpretation = readings if true else direct | saves
    if called:
        if verdict.chain.own:
            # Calls of cards in other hands are simpler than a chain with a blind play, but not than one with
            # only prompts: the receiver waits for the others, and then plays the prompted card.
            simpler = readings if verdict.chain.blind else direct | saves
            if simpler and verdict.name != Convention.SELF_BLUFF:
                refuse(verdict, Reason.SIMPLER_READING)
            if _follows_another(game, state, could_be & ~true):
                refuse(verdict, Reason.UNREADABLE)
            for other in members(could_be & ~readings):
                if plays_until(game, view.hypo_playable, other) >= 0:
                    readings |= 1 << other
        interpretation = readings
    if readings == 0:
        readings = could_be
    verdict.readings = readings
    travels = verdict.second == Convention.TIME_TRAVEL_CHOP_MOVE
    if true and not readings & true and not travels:
        # The receiver, by good touch, takes the focus for another card.
        refuse(verdict, Reason.UNREADABLE)
    # Readings by deep chains count only once they are shown, unless there are no other readings.
    verdict.deep = deep if interpretation & ~deep else 0
    return interpretation if interpretation else readings


def _follows_another(game: Game, state: ConventionState, ids: int) -> bool:
    """Return whether the focus, as one of `ids`, may follow a card in front of the missing one.

    Both cards are in the hand of the receiver, who does not see the missing one and takes the chain for
    complete.
    """
    chain = state.verdict.chain
    for step in chain.steps[: chain.length]:
        number = game.identity[step.order]
        own = step.seat == state.clue.receiver and number >= 0 and not step.ids >> number & 1
        if own and fits_after(game, number) & ids:
            return True
    return False


def _playing_for(game: Game, state: ConventionState) -> int:
    """Return the identities that, to the receiver, may be playable after all future plays."""
    view = state.turn_view
    playable = view.hypo_playable
    for order in members(view.future_plays & view.cards[state.clue.receiver]):
        belief = view.belief[order] & (playable | view.hypo_played)
        for number in members(belief):
            playable |= 1 << number | fits_after(game, number)
    return playable


def _seats_showing(game: Game, state: ConventionState) -> int:
    """Return the seats whose plays would show the chain: holders of its cards, or of a copy to finesse."""
    clue, chain = state.clue, state.verdict.chain
    seats = 0
    for step in chain.steps[: chain.length]:
        seats |= 1 << step.seat
        if step.kind != StepKind.FINESSE:
            continue
        for seat in range(game.seats):
            first = state.turn_view.finesse_card[seat]
            if (
                first >= 0
                and seat not in (clue.giver, clue.receiver)
                and step.ids == 1 << max(game.identity[first], 0)
            ):
                seats |= 1 << seat
    return seats


def _readings_by_calls(game: Game, state: ConventionState, ids: int) -> tuple[int, int, int, int]:
    """Return the identities of the focus that are explained by calls of cards in other hands.

    The result is: all such identities; those explained by a bluff; the seats whose plays would show the
    calls; the identities that only a deep chain explains.
    """
    verdict = state.verdict
    copy_chain(verdict.chain, verdict.spare_chain)
    called_ids = 0
    bluffed = 0
    showing = 0
    deep = 0
    for number in members(ids):
        target = -1
        if not find_chain(game, state, number, OTHERS):
            target = bluff_card(game, state, number, False)
            if target < 0 or game.place[target] == state.clue.receiver:
                continue
            bluffed |= 1 << number
            showing |= 1 << game.place[target]
        else:
            showing |= _seats_showing(game, state)
            deep |= 1 << number if is_deep(verdict.chain) else 0
        called_ids |= 1 << number
    copy_chain(verdict.spare_chain, verdict.chain)
    return called_ids, bluffed, showing, deep


def keep_alternatives(game: Game, state: ConventionState) -> None:
    """Record tentative calls: cards that longer explanations call after the same first card."""
    verdict, common = state.verdict, state.common
    if verdict.focus < 0 or game.identity[verdict.focus] >= 0 or not verdict.chain.own:
        return
    common.tentative_calls = 0
    common.tentative_cause = verdict.chain.steps[0].order
    copy_chain(verdict.chain, verdict.spare_chain)
    for number in members(may_be(game, state)):
        if find_chain(game, state, number, OWN | UNKNOWN):
            _keep_rest(game, state)
    copy_chain(verdict.spare_chain, verdict.chain)


def _keep_rest(game: Game, state: ConventionState) -> None:
    """Record the tentative calls of a chain: its blind cards outside the giver's and the receiver's hand.

    A chain whose first card is not `tentative_cause` is ignored, as are cards of unknown identity.
    """
    chain, common = state.verdict.chain, state.common
    if chain.length == 0 or chain.steps[0].order != common.tentative_cause:
        return
    for step in chain.steps[1 : chain.length]:
        other = step.seat not in (state.clue.giver, state.clue.receiver)
        if not other or step.kind != StepKind.FINESSE or game.identity[step.order] < 0:
            continue
        if not common.tentative_calls >> step.order & 1:
            common.tentative_ids[step.order] = 0
            common.tentative_cause_ids[step.order] = 0
        common.tentative_calls |= 1 << step.order
        common.tentative_ids[step.order] |= step.ids
        common.tentative_cause_ids[step.order] |= chain.steps[0].ids


def settle_alternatives(state: ConventionState, order: int, number: int) -> None:
    """Confirm or drop tentative calls once their cause, of identity `number`, leaves its hand."""
    common = state.common
    if order != common.tentative_cause:
        return
    for card in members(common.tentative_calls & ~state.turn_view.gotten):
        if common.tentative_cause_ids[card] >> number & 1:
            call_blind(common, card)
            common.inferred[card] = common.tentative_ids[card]
    common.tentative_calls = 0
    common.tentative_cause = -1


def begin_pending(game: Game, call: Call, direct: int, showing: int) -> None:
    """Make the receiver wait until the seats in the mask `showing` have acted.

    If none of these seats shows another reading, the focus is one of the identities `direct`. The receiver
    does not wait if `direct` is empty.
    """
    call.direct = direct
    call.showing_seats = showing
    call.waits_until = -1
    if direct:
        for ahead in range(1, game.seats):
            if showing >> ((game.seat + ahead) % game.seats) & 1:
                call.waits_until = game.turn + ahead


def end_pending(game: Game, state: ConventionState, excused: bool) -> None:
    """Rule out readings that the player to move, the last seat that could show them, has not shown.

    An `excused` player, who had a more urgent action, may show them a round later.
    """
    common = state.common
    for call in state.calls[: state.call_places]:
        if call.is_open == 0 or call.waits_until < 0 or call.turn == game.turn:
            continue
        if excused and call.showing_seats >> game.seat & 1:
            call.waits_until = max(call.waits_until, game.turn + game.seats)
        elif game.turn >= call.waits_until:
            call.waits_until = -1
            if common.inferred[call.focus] & call.direct:
                common.inferred[call.focus] &= call.direct


def keep_unshown_readings(game: Game, state: ConventionState) -> None:
    """Keep readings that the receiver's blind play would show, if the clue touches the card to be played."""
    seat = state.clue.receiver
    first = state.turn_view.finesse_card[seat]
    number = game.identity[first] if first >= 0 and state.clue.touched >> first & 1 else -1
    if number < 0:
        return
    for call in state.calls[: state.call_places]:
        waits = call.is_open and call.waits_until >= 0 and call.turn != game.turn
        if not waits or not call.showing_seats >> seat & 1:
            continue
        if state.common.inferred[call.focus] & ~call.direct & fits_after(game, number):
            call.waits_until = -1


def narrow_by_play(game: Game, state: ConventionState, call: Call, number: int, in_front: bool) -> None:
    """Narrow the focus of a call after a play of `number` that answers the call, or seems to.

    If the played card lay `in_front` of the missing card, only the direct readings are ruled out.
    """
    common = state.common
    before = common.inferred[call.focus] & game.variant.everything[0]  # -1 without an inference
    nearest = 0
    if in_front:
        left = before & ~call.direct
    else:
        above = 0
        follows = fits_after(game, number)
        while follows & ~above:
            above |= follows
            if nearest == 0:
                nearest = before & follows
            frontier = follows
            follows = 0
            for below in members(frontier):
                follows |= fits_after(game, below)
        left = before & above
    if left == 0:
        return
    narrow_focus(game, state, call, left)
    common.deep[call.focus] = 0
    common.weight[call.focus] = PLAIN
    call.direct = nearest
    call.waits_until = -1
    if nearest and left != nearest:
        call.waits_until = game.turn + game.seats


def narrow_focus(game: Game, state: ConventionState, call: Call, left: int) -> None:
    """Narrow the focus of a call to the identities `left`, and other delayed play clues accordingly."""
    view, common = state.turn_view, state.common
    excluded = 0
    for number in members(view.belief[call.focus] & ~left):
        excluded |= fits_after(game, number)
    excluded &= ~(view.hypo_playable | view.hypo_played)
    for number in members(left):
        excluded &= ~fits_after(game, number)
    common.inferred[call.focus] = left
    for other in state.calls[: state.call_places if excluded else 0]:
        delayed = other.is_open and other.kind == Convention.DELAYED_PLAY_CLUE and other.waits_until < 0
        if not delayed or other.focus == call.focus or common.source_flags[other.focus] & ON_CHOP:
            continue
        rest = common.inferred[other.focus] & ~excluded
        if rest:
            common.inferred[other.focus] = rest


def drop_unplayed(game: Game, state: ConventionState) -> None:
    """Withdraw inferences from weak messages about playable cards that the player to move did not play."""
    common = state.common
    for order in members(state.turn_view.doubtful & state.turn_view.cards[game.seat]):
        if not common.blind >> order & 1 and state.turn_view.belief[order] & game.playable:
            common.inferred[order] = -1


def note_repaired_call(game: Game, common: CommonKnowledge, call: Call) -> None:
    """Record that a clue to the open step of a missed call repairs the call."""
    first = call.steps[call.done].order
    if call.focus >= 0:
        common.repaired |= 1 << call.focus
        common.repair_card[call.focus] = first
        _show_called(game, common, call, first)
    for step in call.steps[call.done + 1 : call.length]:
        common.repaired |= 1 << step.order
        common.repair_card[step.order] = first


def _show_called(game: Game, common: CommonKnowledge, call: Call, first: int) -> None:
    """Restore the readings of a call's focus for a holder who sees the missed card clued.

    The holder had taken the focus for a direct play, since nobody had answered the call.
    """
    number, focus = game.identity[first], call.focus
    if is_any(call.kind, BLUFFS):
        # The called card is not the missing one.
        return
    if number < 0 or game.place[first] == game.place[focus] or common.source_turn[focus] != call.turn:
        return
    left = common.source_ids[focus] & ~(1 << number)
    if left:
        common.inferred[focus] = left


def follow_repairs(game: Game, common: CommonKnowledge, order: int, excused: bool) -> None:
    """Update repaired calls after an action; `order` is the card that leaves the hand, -1 for a clue.

    A player who does not play the clued card, and is not `excused`, ends the call.
    """
    for card in members(common.repaired):
        first = common.repair_card[card]
        if first == order:
            common.repaired &= ~(1 << card)
        elif game.place[first] == game.seat and not excused:
            common.repaired &= ~(1 << card)
            note_breaker(common, card, game.turn, game.seat, 0)


def holds_twin(game: Game, view: TurnView, called: int, giver: int, receiver: int, number: int) -> bool:
    """Return whether a seat other than `called` has a gotten card of identity `number`.

    In the hands of giver and receiver, only cards that their holder knows count.
    """
    for seat in range(game.seats):
        sure = seat in (giver, receiver)
        gotten_ids = view.sure_ids[seat] if sure else view.hand_ids[seat]
        if seat != called and gotten_ids >> number & 1:
            return True
    return False


def tell_trash(game: Game, state: ConventionState, call: Call, played: int) -> None:
    """Mark the trash that a signal shows once a play of the identity `played` (-1: unknown) answers it.

    A discharge marks the focus; other signals mark all new cards, and chop move the cards behind them. From
    level 17 on, a discharge that touched only one new card and called a duplicate also chop moves.
    """
    common = state.common
    common.inferred[call.focus] = -1
    touched = 0
    for order in game.hands[call.receiver][: game.hand_len[call.receiver]]:
        if game.clued >> order & 1 and common.got_turn[order] == call.turn:
            touched |= 1 << order
    if call.kind == Convention.UNKNOWN_TRASH_DISCHARGE:
        twin = holds_twin(game, state.turn_view, game.seat, call.giver, call.receiver, played)
        if common.level < 17 or touched != 1 << call.focus or not twin:
            common.trash_cards |= 1 << call.focus
            return
    common.trash_cards |= touched
    first = oldest(game, call.receiver, touched)
    if first >= 0:
        common.chop_moved |= free_behind(game, state.turn_view, call.receiver, first, common.chop_moved)


def note_indirect_fixes(game: Game, state: ConventionState) -> None:
    """Rule out the holders' beliefs about indirectly fixed cards; cards left without identities are trash."""
    for order in members(indirect_fixes(game, state)):
        state.common.inferred[order] &= ~state.turn_view.belief[order]
        if remaining_ids(game, state, order) == 0:
            state.common.trash_cards |= 1 << order
