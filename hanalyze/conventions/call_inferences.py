"""What players infer while calls are open: readings that a later play would show, repaired calls, signals.

A receiver's inferences use only what the receiver sees: they are the same for all identities that it cannot
tell apart.
"""

from __future__ import annotations

from hanalyze.conventions.common_knowledge import CommonKnowledge, note_breaker, note_repair
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import Call
from hanalyze.conventions.turn_view import TurnView, free_behind, oldest
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import members

kernel_module(__name__)


def begin_pending(game: Game, call: Call, direct: int, showing: int) -> None:
    """Let the receiver wait for the seats `showing`; after them the focus is one of `direct`."""
    call.direct = direct
    call.showing_seats = showing
    call.waits_until = -1
    if direct:
        for ahead in range(1, game.seats):
            if showing >> ((game.seat + ahead) % game.seats) & 1:
                call.waits_until = game.turn + ahead


def end_pending(game: Game, state: ConventionState, excused: bool) -> None:
    """Rule out readings that the last seat to show them, the player to move, has not shown.

    A player who is `excused`, because something else came first, may show them a round later.
    """
    common = state.common
    for call in state.calls:
        if call.is_open == 0 or call.waits_until < 0 or call.turn == game.turn:
            continue
        if excused and call.showing_seats >> game.seat & 1:
            call.waits_until = max(call.waits_until, game.turn + game.seats)
        elif game.turn >= call.waits_until:
            call.waits_until = -1
            if common.inferred[call.focus] & call.direct:
                common.inferred[call.focus] &= call.direct


def narrow_by_play(game: Game, state: ConventionState, call: Call, number: int, in_front: bool) -> None:
    """Narrow the focus of a call by `number`, which was played for it.

    If it lay `in_front` of the missing card, only direct plays are ruled out.
    """
    common = state.common
    before = common.inferred[call.focus]
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
    common.inferred[call.focus] = left
    common.deep[call.focus] = 0
    call.direct = nearest
    call.waits_until = -1
    if nearest and left != nearest:
        call.waits_until = game.turn + game.seats


def drop_unplayed(game: Game, state: ConventionState) -> None:
    """Withdraw what unexplained messages say of playable cards that the player to move does not play."""
    common = state.common
    for order in members(state.turn_view.doubtful & state.turn_view.cards[game.seat]):
        if not common.blind >> order & 1 and state.turn_view.belief[order] & game.playable:
            common.inferred[order] = -1


def note_repaired_call(game: Game, common: CommonKnowledge, call: Call) -> None:
    """Remember that a clue to the open step of a missed call repairs it."""
    first = call.steps[call.done].order
    if call.focus >= 0:
        note_repair(common, call.focus, first)
        _show_called(game, common, call, first)
    for step in call.steps[call.done + 1 : call.length]:
        note_repair(common, step.order, first)


def _show_called(game: Game, common: CommonKnowledge, call: Call, first: int) -> None:
    """Restore the readings of a call's focus for a holder who sees the missed card clued.

    The holder had taken it for a direct play, since nobody had answered the call.
    """
    number, focus = game.identity[first], call.focus
    if number < 0 or game.place[first] == game.place[focus] or common.source_turn[focus] != call.turn:
        return
    left = common.source_ids[focus] & ~(1 << number)
    if left:
        common.inferred[focus] = left


def follow_repairs(game: Game, common: CommonKnowledge, order: int, excused: bool) -> None:
    """Update repaired calls by an action: the card `order` leaves the hand, -1 for a clue.

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
    """Return whether a seat other than `called` has a gotten `number`.

    In the hands of giver and receiver only cards count that they know.
    """
    for seat in range(game.seats):
        sure = seat in (giver, receiver)
        gotten_ids = view.sure_ids[seat] if sure else view.hand_ids[seat]
        if seat != called and gotten_ids >> number & 1:
            return True
    return False


def tell_trash(game: Game, state: ConventionState, call: Call, played: int) -> None:
    """Mark the trash that an answered signal shows: the focus after a discharge, else all new cards.

    All new cards are a trash chop move. So is the one new card of a discharge that called a duplicate.
    """
    common = state.common
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
