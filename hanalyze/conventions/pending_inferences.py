"""What a receiver waits for: readings that another player's turn is still to show or to rule out.

In: a message whose focus may be playable by itself, or after cards that others would play blind. Out: what
the receiver takes the focus for, turn by turn. Only what the receiver sees counts, so that it is the same
whichever of these identities the focus has.
"""

from __future__ import annotations

from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import MAX_CALLS, Call
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest


@kernel
def begin_pending(game: Game, call: Call, direct: int, showing: int) -> None:
    """Let the receiver of a call wait for the seats `showing`, and take the focus for `direct` after them."""
    call.direct = direct
    call.showing_seats = showing
    call.waits_until = -1
    if direct:
        for ahead in range(1, game.seats):
            if showing >> ((game.seat + ahead) % game.seats) & 1:
                call.waits_until = game.turn + ahead


@kernel
def end_pending(game: Game, state: ConventionState, excused: bool) -> None:
    """Rule out what the player to move, the last to show it, has not shown.

    Who is `excused`, because something else came first, may show it a round later.
    """
    common = state.common
    for index in range(MAX_CALLS):
        call = state.calls[index]
        if call.is_open == 0 or call.waits_until < 0 or call.turn == game.turn:
            continue
        if excused and call.showing_seats >> game.seat & 1:
            call.waits_until = max(call.waits_until, game.turn + game.seats)
        elif game.turn >= call.waits_until:
            call.waits_until = -1
            if common.inferred[call.focus] & call.direct:
                common.inferred[call.focus] &= call.direct


@kernel
def narrow_by_play(game: Game, state: ConventionState, call: Call, number: int, in_front: bool) -> None:
    """Narrow the focus of a call by a card, `number`, that was played for it.

    With `in_front` it lay in front of the card that is missing: then only what fits by itself is ruled out.
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
            reached = follows
            follows = 0
            while reached:
                follows |= fits_after(game, lowest(reached))
                reached = drop_lowest(reached)
        left = before & above
    if left == 0:
        return
    common.inferred[call.focus] = left
    common.deep[call.focus] = 0
    call.direct = nearest
    call.waits_until = -1
    if nearest and left != nearest:
        call.waits_until = game.turn + game.seats


@kernel
def drop_unplayed(game: Game, state: ConventionState) -> None:
    """Take back what a message without an explanation says of own cards that the player to move leaves there.

    Who has a turn for it and does something else does not go by it. None is a turn for what cannot fit yet.
    """
    common = state.common
    rest = state.turn_view.doubtful & state.turn_view.cards[game.seat]
    while rest:
        order = lowest(rest)
        rest = drop_lowest(rest)
        if not common.blind >> order & 1 and state.turn_view.belief[order] & game.playable:
            common.inferred[order] = -1
