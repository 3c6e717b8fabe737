"""Convention states of each player, and the common states of each pair of players.

While a state is updated, the hands of its players are hidden, and so are other players' deductions from them.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.conventions.focus import copies_in_sight, save_set
from hanalyze.conventions.open_calls import withdraw_calls
from hanalyze.conventions.reader import read_clue, read_leaving, touched_mask
from hanalyze.conventions.rows import Rows
from hanalyze.conventions.state import ConventionState, begin, begin_turn
from hanalyze.engine.game import MAX_HAND, MAX_SEATS, Game, Knowledge
from hanalyze.engine.knowledge import possibilities, read_hands, unsee_hand
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import MAX_CARDS
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import inlined_kernel, kernel_module
from hanalyze.kernels.masks import is_one
from hanalyze.kernels.record import Grid, Record, Row

kernel_module(__name__)

PAIRS: Final = MAX_SEATS  # index of the first view of a pair; the views of single players have lower indices
VIEWPOINTS: Final = PAIRS + MAX_SEATS * (MAX_SEATS - 1) // 2

FORCED: Final = 3  # lowest stall severity at which a player must give a clue


class Viewpoint(Record):
    """Convention state of one player, or of two players in common. Written by `viewpoints`."""

    state: ConventionState
    at_once: Annotated[Row, MAX_CARDS]
    """By order: identities that a clued card of the player can have without a blind play for it."""
    clued_at: Annotated[Row, MAX_CARDS]  # by order: turn of the clue, -1 if no blind play is pending


class Room(Record):
    """Storage for the temporarily hidden parts of a game. Written by `viewpoints`."""

    identity: Annotated[Grid, MAX_SEATS, MAX_HAND]
    know: Knowledge


class Viewpoints(Record):
    """The views of all players and pairs of a game; `pair` returns the index of the view of a pair.

    Written by `viewpoints`, `conventional`, `simulation`.
    """

    by_players: Annotated[list[Viewpoint], VIEWPOINTS]
    room: Room  # storage for hidden hands
    cover: Room  # storage for additionally hidden hands
    limits: Annotated[Row, len(Convention)]
    """By convention: its clue is given if a random number from 1 to 2**32 is below this; 0: no coin toss."""
    declined: int  # the convention that must not be given now, or -1


def pair(one: int, other: int) -> int:
    """Return the index of the common view of two players, in which both hands are hidden."""
    high = max(one, other)
    return PAIRS + high * (high - 1) // 2 + min(one, other)


def begin_viewpoints(game: Game, viewpoints: Viewpoints, level: int) -> None:
    """Set up the views of a game that has just been dealt."""
    viewpoints.declined = -1
    for viewpoint in viewpoints.by_players:
        begin_viewpoint(game, viewpoint, level)


def begin_viewpoint(game: Game, viewpoint: Viewpoint, level: int) -> None:
    """Set up one view of a game that has just been dealt."""
    begin(game, viewpoint.state, level)
    for order in range(MAX_CARDS):
        viewpoint.at_once[order] = -1
        viewpoint.clued_at[order] = -1


def _copy_knowledge(know: Knowledge, to: Knowledge) -> None:
    for seat in range(MAX_SEATS):
        for n in range(3):
            to.unseen[seat][n] = know.unseen[seat][n]
        for i in range(MAX_HAND):
            to.known[seat][i] = know.known[seat][i]
        to.certain[seat] = know.certain[seat]


def hide(game: Game, room: Room, hidden: int, shown: int) -> None:
    """Hide the hands of the seats in the mask `hidden` until `show` is called.

    The card with order `shown` (-1: none) and cards that their holder knows stay visible. Other players'
    deductions from the hidden cards are also hidden. `game.know` must be up to date.
    """
    _copy_knowledge(game.know, room.know)
    for seat in range(game.seats):
        if hidden >> seat & 1:
            unsee_hand(game, seat, shown)
    for seat in range(game.seats):
        possibilities(game, seat)
    cover(game, room, hidden, shown)


def show(game: Game, room: Room, hidden: int) -> None:
    """Undo `hide`."""
    _copy_knowledge(room.know, game.know)
    uncover(game, room, hidden)


def cover(game: Game, room: Room, hidden: int, shown: int) -> None:
    """Hide the identities of the cards in the hands of the seats in the mask `hidden`; keep `game.know`.

    The card `shown` and cards that their holders know stay visible.
    """
    for seat in range(game.seats):
        if hidden >> seat & 1:
            for i in range(game.hand_len[seat]):
                order = game.hands[seat][i]
                mask = game.know.known[seat][i]
                room.identity[seat][i] = game.identity[order]
                if order != shown and not is_one(mask):
                    game.identity[order] = -1


def uncover(game: Game, room: Room, hidden: int) -> None:
    """Undo `cover`."""
    for seat in range(game.seats):
        if hidden >> seat & 1:
            for i in range(game.hand_len[seat]):
                game.identity[game.hands[seat][i]] = room.identity[seat][i]


def look_around(game: Game, viewpoint: Viewpoint) -> None:
    """Begin a turn; a round after a clue, its focus loses the identities that needed a blind play."""
    begin_turn(game, viewpoint.state)
    if _stop_waiting(game, viewpoint, game.seat):
        begin_turn(game, viewpoint.state)


def _stop_waiting(game: Game, viewpoint: Viewpoint, seat: int) -> bool:
    """Exclude identities that would have required a blind play; return whether a belief changed."""
    state = viewpoint.state
    changed = False
    for order in game.hands[seat][: game.hand_len[seat]]:
        since = viewpoint.clued_at[order]
        if since < 0 or game.turn - since < game.seats:
            continue
        viewpoint.clued_at[order] = -1
        belief = state.turn_view.belief[order]
        remaining = belief & (viewpoint.at_once[order] | game.playable)
        if remaining and remaining != belief:
            state.common.inferred[order] = remaining
            changed = True
    return changed


def is_forced(state: ConventionState, hidden: int) -> bool:
    """Return whether a clue just judged was forced and is not read as a call.

    A player with all tokens or a locked hand must clue. Players who do not see the hands in the mask `hidden`
    believe a call of one card in these hands, but not of several cards or of the receiver's own cards.
    """
    if state.turn_view.stall_severity < FORCED:
        return False
    calls = 0
    chain = state.verdict.chain
    for step in chain.steps[: chain.length]:
        calls += hidden >> step.seat & 1
    return bool(calls > 1 or (calls > 0 and chain.own))


def _note_focus(game: Game, viewpoint: Viewpoint) -> None:
    """Record the turn, and the identities that the latest clue's focus can have without a blind play."""
    state = viewpoint.state
    focus = state.verdict.focus
    if focus < 0:
        return
    now = state.turn_view.hypo_playable
    if state.verdict.on_chop:
        copies = copies_in_sight(game, state, state.clue.receiver)
        now |= save_set(game, state, state.common.inferred[focus], copies)
    viewpoint.at_once[focus] = now
    viewpoint.clued_at[focus] = game.turn


def read_as(game: Game, viewpoint: Viewpoint, room: Room, hidden: int, rows: Rows, touched: int) -> None:
    """Read the chosen action without seeing the hands of the seats in the mask `hidden`.

    `touched` is the mask of the orders of the cards that a clue touches.
    """
    clue = game.choice.kind in (COLOUR_CLUE, RANK_CLUE)
    hide(game, room, hidden, -1 if clue else game.choice.target)
    look_around(game, viewpoint)
    read_hidden(game, viewpoint, hidden, rows, touched)
    show(game, room, hidden)


@inlined_kernel
def read_hidden(game: Game, viewpoint: Viewpoint, hidden: int, rows: Rows, touched: int) -> None:
    """Read the chosen action on a turn that has begun, while the hands of the seats `hidden` are hidden."""
    state = viewpoint.state
    kind, target, value = game.choice.kind, game.choice.target, game.choice.value
    state.row = 0
    if kind in (COLOUR_CLUE, RANK_CLUE):
        read_clue(game, state, rows, kind, target, value, touched)
        if is_forced(state, hidden):
            # Cancel a clue that only unknown cards in the reader's own hand would explain.
            withdraw_calls(game, state)
            if state.verdict.focus >= 0:
                state.common.inferred[state.verdict.focus] = -1
        if hidden >> target & 1:
            _note_focus(game, viewpoint)
    else:
        read_leaving(game, state, rows, kind, target)


def read_for_all(game: Game, viewpoints: Viewpoints, rows: Rows) -> None:
    """Apply the chosen action to all views before it is carried out."""
    kind, target, value = game.choice.kind, game.choice.target, game.choice.value
    clue = kind in (COLOUR_CLUE, RANK_CLUE)
    touched = touched_mask(game, target, kind, value) if clue else 0
    read_hands(game)
    for seat in range(game.seats):
        read_as(game, viewpoints.by_players[seat], viewpoints.room, 1 << seat, rows, touched)
        for other in range(seat):
            both = 1 << seat | 1 << other
            read_as(game, viewpoints.by_players[pair(seat, other)], viewpoints.room, both, rows, touched)
