"""What each player, and every two of them, make of a game by conventions: readers that do not see all hands.

In: a running game and an action. Out: an array of conventions (`hanalyze.conventions.state`) for each seat,
which holds what that player knows, and one for every two seats, which holds what both know in common. While
such a view is brought up to date, their hands are hidden, and what the others know because they see them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hanalyze.conventions import state as at
from hanalyze.conventions.focus import save_set, seen_copies
from hanalyze.conventions.hands import begin, look
from hanalyze.conventions.read import read_clue, read_leaving, touched_mask
from hanalyze.engine.game import MAX_HAND, MAX_SEATS, Game, Ints
from hanalyze.engine.knowledge import possibilities, read_hands
from hanalyze.engine.step import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import MAX_CARDS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = [
    "FORCED",
    "ROOM",
    "begin_views",
    "cover",
    "hide",
    "is_forced",
    "look_around",
    "new_views",
    "pair",
    "read_for_all",
    "show",
    "uncover",
]

# --- The rows of the array of views: those of the seats, what any two have in common, and room.
PAIRS: Final = MAX_SEATS
ROOM: Final = PAIRS + MAX_SEATS * (MAX_SEATS - 1) // 2
"""Where hidden hands are kept, and others in the row after it."""
ROWS: Final = ROOM + 2

FORCED: Final = 3
"""Severity from which on a player must clue whatever there is."""

# --- What a view holds behind the places of the conventions.
AT_ONCE: Final = at.SIZE
"""By order, the identities that a clued card of the own hand has if nobody plays blind for it."""
CLUED_AT: Final = AT_ONCE + MAX_CARDS
"""By order, the turn of that clue, -1 if there is nothing to wait for."""
WIDTH: Final = CLUED_AT + MAX_CARDS

# --- Places of a row of room: the identities by seat, then what else changes.
_UNSEEN: Final = MAX_SEATS * MAX_HAND
_KNOWN: Final = _UNSEEN + 3 * MAX_SEATS
_CERTAIN: Final = _KNOWN + MAX_SEATS * MAX_HAND


def new_views() -> Ints:
    """Return the array of the views of a game, (`ROWS`, `WIDTH`) int64, not begun yet.

    >>> new_views().shape[0] > MAX_SEATS
    True
    """
    return np.zeros((ROWS, WIDTH), np.int64)


@kernel
def pair(one: int, other: int) -> int:
    """Return the row of what two players have in common, the one's hand and the other's being unknown."""
    high = max(one, other)
    return PAIRS + high * (high - 1) // 2 + min(one, other)


@kernel
def begin_views(game: Game, views: Ints, level: int) -> None:
    """Set up the views of a game that has just been dealt."""
    for row in range(ROOM):
        begin(game, views[row], level)
        for order in range(MAX_CARDS):
            views[row, AT_ONCE + order] = -1
            views[row, CLUED_AT + order] = -1


@kernel
def _unsee(game: Game, seat: int, number: int) -> None:
    """Let there be one copy more that `seat` does not see."""
    bit = 1 << number
    unseen = game.know.unseen[seat]
    # Into the first of the masks that it is not in.
    for copies in range(3):
        if not unseen[copies] & bit:
            unseen[copies] |= bit
            return


@kernel
def hide(game: Game, room: Ints, hidden: int, shown: int) -> None:
    """Hide the hands of the seats `hidden`, but for the card `shown`, until `show` is called.

    Nothing is left of what anybody knows by seeing these cards; a card that its holder knows all the same is
    not hidden. Up to date before is what `read_hands` finds.
    """
    seats = game.seats
    for seat in range(MAX_SEATS):
        for n in range(3):
            room[_UNSEEN + 3 * seat + n] = game.know.unseen[seat][n]
        for i in range(MAX_HAND):
            room[_KNOWN + MAX_HAND * seat + i] = game.know.known[seat][i]
        room[_CERTAIN + seat] = game.know.certain[seat]
    for seat in range(seats):
        if hidden >> seat & 1:
            for i in range(game.hand_len[seat]):
                order = game.hands[seat][i]
                number = game.identity[order]
                room[seat * MAX_HAND + i] = number
                if order == shown:
                    continue
                for other in range(seats):
                    if other != seat:
                        _unsee(game, other, number)
    for seat in range(seats):
        possibilities(game, seat)
    cover(game, room, hidden, shown)


@kernel
def show(game: Game, room: Ints, hidden: int) -> None:
    """Undo `hide`."""
    for seat in range(MAX_SEATS):
        for n in range(3):
            game.know.unseen[seat][n] = room[_UNSEEN + 3 * seat + n]
        for i in range(MAX_HAND):
            game.know.known[seat][i] = room[_KNOWN + MAX_HAND * seat + i]
        game.know.certain[seat] = room[_CERTAIN + seat]
    uncover(game, room, hidden)


@kernel
def cover(game: Game, room: Ints, hidden: int, shown: int) -> None:
    """Hide the identities of hands as far as their holders do not know them, and nothing else."""
    for seat in range(game.seats):
        if hidden >> seat & 1:
            for i in range(game.hand_len[seat]):
                order = game.hands[seat][i]
                mask = game.know.known[seat][i]
                room[seat * MAX_HAND + i] = game.identity[order]
                if order != shown and not is_one(mask):
                    game.identity[order] = -1


@kernel
def uncover(game: Game, room: Ints, hidden: int) -> None:
    """Undo `cover`."""
    for seat in range(game.seats):
        if hidden >> seat & 1:
            for i in range(game.hand_len[seat]):
                game.identity[game.hands[seat][i]] = room[seat * MAX_HAND + i]


@kernel
def look_around(game: Game, v: Ints) -> None:
    """Look at the turn that begins, and take clued cards for what they are if a blind play did not come.

    Who is clued counts on no more of the giver's hand than the giver may know.
    """
    look(game, v)
    if _stop_waiting(game, v, game.seat):
        look(game, v)


@kernel
def _stop_waiting(game: Game, v: Ints, seat: int) -> bool:
    """Forget identities that cards of a hand would have only after blind plays; return if any changes."""
    changed = False
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        since = v[CLUED_AT + order]
        if since < 0 or game.turn - since < game.seats:
            continue
        v[CLUED_AT + order] = -1
        sees = v[at.SEES + order]
        left = sees & (v[AT_ONCE + order] | game.playable)
        if left and left != sees:
            v[at.INFERRED + order] = left
            changed = True
    return changed


@kernel
def is_forced(v: Ints, hidden: int) -> bool:
    """Return whether a clue just judged is one that its giver had to give, and not believed to call cards.

    With all tokens there, or without a card to discard, a player clues whatever there is. Who does not see
    the hands `hidden` believes in a call of one card in them, not of more or of the receiver's own.
    """
    if v[at.SEVERITY] < FORCED:
        return False
    called = 0
    for step in range(v[at.STEPS]):
        called += hidden >> v[at.STEP + step * at.STEP_SIZE + at.STEP_SEAT] & 1
    return bool(called > 1 or (called > 0 and v[at.OWN]))


@kernel
def _take_for_stall(game: Game, v: Ints) -> None:
    """Take a clue that was just read, and that only own unknown cards would explain, for no message."""
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] and v[base + at.CHAIN_TURN] == game.turn:
            _withdraw(v, chain)
    if v[at.FOCUS] >= 0:
        v[at.INFERRED + v[at.FOCUS]] = -1


@kernel
def _withdraw(v: Ints, chain: int) -> None:
    """Forget a call, and what it said of the cards that it has not come to."""
    base = at.chain_at(chain)
    v[base + at.CHAIN_STATUS] = 0
    for step in range(v[base + at.CHAIN_DONE], v[base + at.CHAIN_STEPS]):
        order = v[at.step_at(chain, step) + at.STEP_ORDER]
        v[at.FINESSED] &= ~(1 << order)
        v[at.INFERRED + order] = -1


@kernel
def _note_focus(game: Game, v: Ints, receiver: int, kind: int, value: int) -> None:
    """Remember what the focus of the clue just read is if nobody plays blind for it, and since when."""
    focus = v[at.FOCUS]
    if focus < 0:
        return
    could_be = v[at.INFERRED + focus]
    now = v[at.HYPO_PLAYABLE]
    if v[at.ON_CHOP]:
        seen = seen_copies(game, v, game.seat, receiver, focus) if kind == RANK_CLUE and value == 2 else 0
        now |= save_set(game, v, kind, value, could_be, seen)
    v[AT_ONCE + focus] = now
    v[CLUED_AT + focus] = game.turn


@kernel
def _read(
    game: Game,
    views: Ints,
    row: int,
    hidden: int,
    found: Ints,
    fates: Ints,
    kind: int,
    target: int,
    value: int,
    touched: int,
) -> None:
    """Read an action as who does not see the hands of the seats `hidden`."""
    v = views[row]
    room = views[ROOM]
    clue = kind in (COLOUR_CLUE, RANK_CLUE)
    hide(game, room, hidden, -1 if clue else target)
    look_around(game, v)
    v[at.ROW] = 0
    if clue:
        read_clue(game, v, found, fates, kind, target, value, touched)
        if is_forced(v, hidden):
            _take_for_stall(game, v)
        if hidden >> target & 1:
            _note_focus(game, v, target, kind, value)
    else:
        read_leaving(game, v, found, fates, kind, target)
    show(game, room, hidden)


@kernel
def read_for_all(
    game: Game, views: Ints, found: Ints, fates: Ints, kind: int, target: int, value: int
) -> None:
    """Let every player, and every two players, read an action before it is carried out."""
    clue = kind in (COLOUR_CLUE, RANK_CLUE)
    touched = touched_mask(game, target, kind, value) if clue else 0
    read_hands(game)
    for seat in range(game.seats):
        _read(game, views, seat, 1 << seat, found, fates, kind, target, value, touched)
        for other in range(seat):
            both = 1 << seat | 1 << other
            _read(game, views, pair(seat, other), both, found, fates, kind, target, value, touched)
