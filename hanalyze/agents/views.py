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
from hanalyze.engine import state as game
from hanalyze.engine.knowledge import possibilities, read_hands
from hanalyze.engine.state import MAX_HAND, MAX_SEATS, Ints, in_hand
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
_UNSEEN_SIZE: Final = 3 * MAX_SEATS
_KNOWN: Final = _UNSEEN + _UNSEEN_SIZE
_KNOWN_SIZE: Final = MAX_SEATS * MAX_HAND + MAX_SEATS
"""`KNOWN` and `CERTAIN`, which follow each other."""


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
def begin_views(s: Ints, views: Ints, level: int) -> None:
    """Set up the views of a game that has just been dealt."""
    for row in range(ROOM):
        begin(s, views[row], level)
        for order in range(MAX_CARDS):
            views[row, AT_ONCE + order] = -1
            views[row, CLUED_AT + order] = -1


@kernel
def _unsee(s: Ints, seat: int, number: int) -> None:
    """Let there be one copy more that `seat` does not see."""
    bit = 1 << number
    unseen = game.UNSEEN + 3 * seat
    # Into the first of the masks that it is not in.
    for copies in range(3):
        if not s[unseen + copies] & bit:
            s[unseen + copies] |= bit
            return


@kernel
def hide(s: Ints, room: Ints, hidden: int, shown: int) -> None:
    """Hide the hands of the seats `hidden`, but for the card `shown`, until `show` is called.

    Nothing is left of what anybody knows by seeing these cards; a card that its holder knows all the same is
    not hidden. Up to date before is what `read_hands` finds.
    """
    seats = s[game.SEATS]
    for place in range(_UNSEEN_SIZE):
        room[_UNSEEN + place] = s[game.UNSEEN + place]
    for place in range(_KNOWN_SIZE):
        room[_KNOWN + place] = s[game.KNOWN + place]
    for seat in range(seats):
        if hidden >> seat & 1:
            for i in range(s[game.HAND_LEN + seat]):
                order = s[in_hand(seat, i)]
                number = s[game.IDENTITY + order]
                room[seat * MAX_HAND + i] = number
                if order == shown:
                    continue
                for other in range(seats):
                    if other != seat:
                        _unsee(s, other, number)
    for seat in range(seats):
        possibilities(s, seat)
    cover(s, room, hidden, shown)


@kernel
def show(s: Ints, room: Ints, hidden: int) -> None:
    """Undo `hide`."""
    for place in range(_UNSEEN_SIZE):
        s[game.UNSEEN + place] = room[_UNSEEN + place]
    for place in range(_KNOWN_SIZE):
        s[game.KNOWN + place] = room[_KNOWN + place]
    uncover(s, room, hidden)


@kernel
def cover(s: Ints, room: Ints, hidden: int, shown: int) -> None:
    """Hide the identities of hands as far as their holders do not know them, and nothing else."""
    for seat in range(s[game.SEATS]):
        if hidden >> seat & 1:
            for i in range(s[game.HAND_LEN + seat]):
                order = s[in_hand(seat, i)]
                mask = s[game.KNOWN + seat * MAX_HAND + i]
                room[seat * MAX_HAND + i] = s[game.IDENTITY + order]
                if order != shown and not is_one(mask):
                    s[game.IDENTITY + order] = -1


@kernel
def uncover(s: Ints, room: Ints, hidden: int) -> None:
    """Undo `cover`."""
    for seat in range(s[game.SEATS]):
        if hidden >> seat & 1:
            for i in range(s[game.HAND_LEN + seat]):
                s[game.IDENTITY + s[in_hand(seat, i)]] = room[seat * MAX_HAND + i]


@kernel
def look_around(s: Ints, v: Ints) -> None:
    """Look at the turn that begins, and take clued cards for what they are if a blind play did not come.

    Who is clued counts on no more of the giver's hand than the giver may know.
    """
    look(s, v)
    if _stop_waiting(s, v, s[game.SEAT]):
        look(s, v)


@kernel
def _stop_waiting(s: Ints, v: Ints, seat: int) -> bool:
    """Forget identities that cards of a hand would have only after blind plays; return if any changes."""
    changed = False
    for i in range(s[game.HAND_LEN + seat]):
        order = s[in_hand(seat, i)]
        since = v[CLUED_AT + order]
        if since < 0 or s[game.TURN] - since < s[game.SEATS]:
            continue
        v[CLUED_AT + order] = -1
        sees = v[at.SEES + order]
        left = sees & (v[AT_ONCE + order] | s[game.PLAYABLE])
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
def _take_for_stall(s: Ints, v: Ints) -> None:
    """Take a clue that was just read, and that only own unknown cards would explain, for no message."""
    for chain in range(at.MAX_CHAINS):
        base = at.chain_at(chain)
        if v[base + at.CHAIN_STATUS] and v[base + at.CHAIN_TURN] == s[game.TURN]:
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
def _note_focus(s: Ints, v: Ints, receiver: int, kind: int, value: int) -> None:
    """Remember what the focus of the clue just read is if nobody plays blind for it, and since when."""
    focus = v[at.FOCUS]
    if focus < 0:
        return
    could_be = v[at.INFERRED + focus]
    now = v[at.HYPO_PLAYABLE]
    if v[at.ON_CHOP]:
        seen = seen_copies(s, v, s[game.SEAT], receiver, focus) if kind == RANK_CLUE and value == 2 else 0
        now |= save_set(s, v, kind, value, could_be, seen)
    v[AT_ONCE + focus] = now
    v[CLUED_AT + focus] = s[game.TURN]


@kernel
def _read(
    s: Ints,
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
    hide(s, room, hidden, -1 if clue else target)
    look_around(s, v)
    v[at.ROW] = 0
    if clue:
        read_clue(s, v, found, fates, kind, target, value, touched)
        if is_forced(v, hidden):
            _take_for_stall(s, v)
        if hidden >> target & 1:
            _note_focus(s, v, target, kind, value)
    else:
        read_leaving(s, v, found, fates, kind, target)
    show(s, room, hidden)


@kernel
def read_for_all(s: Ints, views: Ints, found: Ints, fates: Ints, kind: int, target: int, value: int) -> None:
    """Let every player, and every two players, read an action before it is carried out."""
    clue = kind in (COLOUR_CLUE, RANK_CLUE)
    touched = touched_mask(s, target, kind, value) if clue else 0
    read_hands(s)
    for seat in range(s[game.SEATS]):
        _read(s, views, seat, 1 << seat, found, fates, kind, target, value, touched)
        for other in range(seat):
            both = 1 << seat | 1 << other
            _read(s, views, pair(seat, other), both, found, fates, kind, target, value, touched)
