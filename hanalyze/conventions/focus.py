"""Which card a clue is about, and what may be saved on the chop.

In: a turn that `look` has looked at, and a clue: its receiver and the cards that it touches. Out: the focus,
and the sets of identities for which a clue to a chop may be a save.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.hands import newest, oldest
from hanalyze.conventions.reading import Reading
from hanalyze.engine.game import PLAIN, Game
from hanalyze.engine.step import RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one

__all__ = ["find_focus", "first_of_ones", "last_ranks", "save_set", "seen_copies"]

_FIVE: Final = 5


@kernel
def first_of_ones(game: Game, reading: Reading, seat: int, ones: int, chop: int) -> int:
    """Return which of several unknown 1s plays first, -1 if there are none.

    The chop, then those drawn since the first deal from the newest on, then those of the first deal from the
    oldest on.
    """
    if chop >= 0 and ones >> chop & 1:
        return chop
    fresh = newest(game, seat, ones & ~reading.told.starting)
    return fresh if fresh >= 0 else oldest(game, seat, ones)


@kernel
def find_focus(game: Game, reading: Reading, receiver: int, kind: int, value: int, touched: int) -> int:
    """Return the order of the card that a clue is about."""
    if is_one(touched):
        return newest(game, receiver, touched)
    held = reading.look.gotten | reading.told.chop_moved
    fresh = touched & ~held
    chop = reading.look.chop[receiver]
    chop_touched = chop >= 0 and touched >> chop & 1
    if kind == RANK_CLUE and value == 1:
        ones = 0
        for i in range(game.hand_len[receiver]):
            order = game.hands[receiver][i]
            if touched >> order & 1 and game.colour_clues[order] == 0:
                ones |= 1 << order
        if ones == touched and fresh in (touched, 0):
            return first_of_ones(game, reading, receiver, ones, chop if chop_touched else -1)
    if chop_touched:
        focus = chop
    elif fresh:
        focus = newest(game, receiver, fresh)
    elif touched & reading.told.chop_moved & ~reading.look.gotten:
        focus = newest(game, receiver, touched & reading.told.chop_moved & ~reading.look.gotten)
    else:
        focus = newest(game, receiver, touched)
    if reading.told.level >= 6 and reading.look.playable_now >> focus & 1:
        others = touched & ~reading.look.playable_now
        if others:
            focus = newest(game, receiver, others)
    return int(focus)


@kernel
def last_ranks(game: Game) -> int:
    """Return the mask of the identities that complete a stack and of which the deck has one copy."""
    single = game.variant.everything[0] & ~game.variant.everything[1]
    if game.variant.stack_kind != PLAIN:
        return 0
    mask = 0
    for suit in range(game.variant.suits):
        rank = 1 if game.variant.reversed >> suit & 1 else game.variant.stack_size
        mask |= 1 << (suit * RANK_SLOTS + rank)
    return int(mask & single)


@kernel
def seen_copies(game: Game, reading: Reading, giver: int, viewer: int, focus: int) -> int:
    """Return the identities of which `giver` sees a copy, beside `focus`, as far as `viewer` sees that, too.

    Copies on a chop do not count.
    """
    seen = 0
    for seat in range(game.seats):
        if seat not in (giver, viewer):
            for i in range(game.hand_len[seat]):
                order = game.hands[seat][i]
                number = game.identity[order]
                if order != focus and order != reading.look.chop[seat] and number >= 0:
                    seen |= 1 << number
    return seen


@kernel
def save_set(game: Game, reading: Reading, kind: int, value: int, could_be: int, seen: int) -> int:
    """Return for which identities of `could_be` a clue to an unclued chop is a save.

    `seen` are those of which another copy is in sight, by which a 2 must not be saved.
    """
    last = last_ranks(game)
    saves = reading.look.critical & ~last
    if kind == RANK_CLUE:
        if value == _FIVE or game.variant.reversed:
            saves |= last
        if value == 2:
            twos = 0
            for suit in range(game.variant.suits):
                if not game.variant.reversed >> suit & 1:
                    twos |= 1 << (suit * RANK_SLOTS + 2)
            saves |= twos & ~seen
    return int(could_be & saves & reading.look.needed)
