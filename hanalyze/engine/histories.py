"""The rows of clues and of cards: what a clue did, and what became of each card.

In: a running game as it goes on. Out: a row per clue, written when it is given and completed by what follows
from it, and a row per card of the deck, kept up to date from turn to turn. What follows is an outcome: it
reads later turns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hanalyze.engine import state as at
from hanalyze.engine.measure import chop_order, clued, critical_cards, needed_cards
from hanalyze.engine.rows import C, K
from hanalyze.engine.state import Ints, in_hand
from hanalyze.engine.step import COLOUR_CLUE, PLAYED, touched_orders
from hanalyze.game.cards import IDENTITIES, RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest, popcount

__all__ = ["begin_cards", "close_histories", "follow_cards", "possibilities_bits", "write_clue", "write_fate"]

# Numbers of the words of the column `fate`; those of gone cards follow the results of actions.
IN_DECK = 0
IN_HAND = 1
GONE = 2

# What `_duplicate` finds.
HIDDEN = 1
SEEN = 2

_LOG2 = np.array([0.0, *(math.log2(count) for count in range(1, IDENTITIES + 1))])


@kernel
def begin_cards(cards: Any, base: int, s: Ints) -> None:
    """Write the rows of a deck that has just been dealt, from row `base` on."""
    s[at.KNOWN_NOTED] = 0
    s[at.PLAYABLE_NOTED] = 0
    s[at.PLAYABLE_FOLLOWED] = -1
    for seat in range(s[at.SEATS]):
        s[at.CHOP + seat] = -1
    by_colour = 0
    by_rank = 0
    for colour in range(s[at.COLOURS]):
        by_colour |= s[at.COLOUR_TOUCH + colour]
    for rank in range(RANK_SLOTS):
        if s[at.CLUE_RANKS] >> rank & 1:
            by_rank |= s[at.RANK_TOUCH + rank]
    for order in range(s[at.CARDS]):
        row = base + order
        cards[C.order, row] = order
        cards[C.suit, row] = s[at.IDENTITY + order] // RANK_SLOTS
        cards[C.rank, row] = s[at.IDENTITY + order] % RANK_SLOTS
        cards[C.holder, row] = s[at.PLACE + order] if s[at.PLACE + order] >= 0 else -1
        cards[C.drawn_turn, row] = 0 if s[at.PLACE + order] >= 0 else -1
        cards[C.first_clue_turn, row] = -1
        cards[C.first_clue_giver, row] = -1
        cards[C.last_clue_turn, row] = -1
        cards[C.last_clue_giver, row] = -1
        number = s[at.IDENTITY + order]
        cards[C.touchable, row] = (by_colour >> number & 1) + 2 * (by_rank >> number & 1)
        cards[C.chop_turn, row] = -1
        cards[C.known_turn, row] = -1
        cards[C.playable_turn, row] = -1
        cards[C.fate, row] = IN_DECK
        cards[C.fate_turn, row] = -1
        s[at.CLUE_ROW + order] = -1


@kernel
def _follow_playable(cards: Any, base: int, s: Ints, order: int) -> None:
    """Note a card that is playable for the first time."""
    if s[at.PLAYABLE] >> s[at.IDENTITY + order] & 1 and not s[at.PLAYABLE_NOTED] >> order & 1:
        cards[C.playable_turn, base + order] = s[at.TURN]
        s[at.PLAYABLE_NOTED] |= 1 << order


@kernel
def follow_cards(cards: Any, base: int, s: Ints) -> None:
    """Note which cards are known, playable for the first time, or new chops before this turn.

    `KNOWN` is up to date.
    """
    if s[at.PLAYABLE] != s[at.PLAYABLE_FOLLOWED]:
        s[at.PLAYABLE_FOLLOWED] = s[at.PLAYABLE]
        for seat in range(s[at.SEATS]):
            for i in range(s[at.HAND_LEN + seat]):
                _follow_playable(cards, base, s, s[in_hand(seat, i)])
    elif s[at.TAKEN] >= 0:
        _follow_playable(cards, base, s, s[at.TAKEN])
    for seat in range(s[at.SEATS]):
        if s[at.READ] >> seat & 1:
            chop = chop_order(s, seat)
            if chop != s[at.CHOP + seat]:
                s[at.CHOP + seat] = chop
                if chop >= 0:
                    cards[C.chop_turn, base + chop] = s[at.TURN]
            certain = s[at.CERTAIN + seat]
            while certain:
                order = s[in_hand(seat, lowest(certain))]
                certain = drop_lowest(certain)
                if not s[at.KNOWN_NOTED] >> order & 1:
                    cards[C.known_turn, base + order] = s[at.TURN]
                    s[at.KNOWN_NOTED] |= 1 << order
    s[at.READ] = 0


@kernel
def write_fate(
    cards: Any, base: int, clues: Any, clue_row: int, first_clue: int, s: Ints, seat: int, order: int
) -> None:
    """Write that a card left its hand, the card drawn for it, and the clue that a play followed.

    After the action of `seat`; the clues of the game so far are the rows `first_clue` to `clue_row - 1`.
    """
    turn = s[at.TURN] - 1
    row = base + order
    if s[at.SLOT] == 0:
        # From the deck: it was nobody's before.
        cards[C.holder, row] = seat
        cards[C.drawn_turn, row] = turn
    cards[C.fate, row] = GONE + s[at.RESULT]
    cards[C.fate_turn, row] = turn
    if s[at.TAKEN] >= 0:
        cards[C.holder, base + s[at.TAKEN]] = seat
        cards[C.drawn_turn, base + s[at.TAKEN]] = turn + 1
    if s[at.RESULT] == PLAYED:
        earlier = clue_row - 1
        while earlier >= first_clue and clues[K.turn, earlier] >= turn - s[at.SEATS]:
            if clues[K.receiver, earlier] == seat:
                clues[K.plays_followed, earlier] += 1
            earlier -= 1


@kernel
def possibilities_bits(s: Ints, seat: int) -> float:
    """Return the sum of log2 of the possibilities of each card in a hand; `KNOWN` is up to date."""
    bits = 0.0
    for i in range(s[at.HAND_LEN + seat]):
        bits += _LOG2[popcount(s[at.KNOWN + seat * at.MAX_HAND + i])]
    return bits


@kernel
def _duplicate(s: Ints, seat: int, index: int, slots: int, giver: int) -> int:
    """Return `SEEN` if another copy of a newly touched card was clued, or is touched as well and older.

    `HIDDEN` if the clued copies are all cards that the giver holds and does not know, 0 if there are none.
    `slots` are the slots of the hand of `seat` that the clue newly touched.
    """
    number = s[at.IDENTITY + s[in_hand(seat, index)]]
    found = 0
    for other in range(s[at.SEATS]):
        for i in range(s[at.HAND_LEN + other]):
            order = s[in_hand(other, i)]
            if s[at.IDENTITY + order] != number or (other == seat and i == index) or not clued(s, order):
                continue
            new = other == seat and slots >> (s[at.HAND_LEN + seat] - 1 - i) & 1
            if new and i > index:
                continue
            if new or other == seat or other != giver or s[at.CERTAIN + giver] >> i & 1:
                return SEEN
            found = HIDDEN
    return found


@kernel
def write_clue(
    clues: Any,
    clue_reals: Any,
    row: int,
    cards: Any,
    base: int,
    s: Ints,
    giver: int,
    seat: int,
    kind: int,
    value: int,
    chop: int,
) -> None:
    """Write the row of a clue that has just been given to `seat`, and note it on the cards it touched.

    `chop` is the order of the receiver's chop before the clue, -1 if there was none.
    """
    turn = s[at.TURN] - 1
    needed = needed_cards(s)
    critical = critical_cards(s)
    size = s[at.HAND_LEN + seat]
    # Not by slot: where givers cycle their hand, a clue to oneself has moved a card since.
    touched_indices = touched_orders(s, seat, kind, value)
    new_slots = 0
    touched = 0
    newly_touched = 0
    trash = 0
    playable = 0
    critical_touched = 0
    newest = -1
    newest_new = -1
    for i in range(size):
        slot = size - 1 - i
        if not touched_indices >> i & 1:
            continue
        order = s[in_hand(seat, i)]
        number = s[at.IDENTITY + order]
        touched += 1
        newest = order
        trash += 1 - (needed >> number & 1)
        playable += s[at.PLAYABLE] >> number & 1
        cards[C.last_clue_turn, base + order] = turn
        cards[C.last_clue_giver, base + order] = giver
        critical_touched += critical >> number & 1
        if s[at.COLOUR_CLUES + order] + s[at.RANK_CLUES + order] == 1:
            newly_touched += 1
            newest_new = order
            new_slots |= 1 << slot
            s[at.CLUE_ROW + order] = row
            cards[C.first_clue_turn, base + order] = turn
            cards[C.first_clue_giver, base + order] = giver
    duplicates = 0
    hidden = 0
    for i in range(size):
        order = s[in_hand(seat, i)]
        if new_slots >> (size - 1 - i) & 1 and needed >> s[at.IDENTITY + order] & 1:
            found = _duplicate(s, seat, i, new_slots, giver)
            duplicates += found > 0
            hidden += found == HIDDEN
    chop_touched = chop >= 0 and s[at.CLUE_ROW + chop] == row
    clues[K.turn, row] = turn
    clues[K.giver, row] = giver
    clues[K.receiver, row] = seat
    clues[K.kind, row] = 0 if kind == COLOUR_CLUE else 1
    clues[K.value, row] = value
    clues[K.touched, row] = touched
    clues[K.newly_touched, row] = newly_touched
    clues[K.retouched, row] = touched - newly_touched
    clues[K.trash, row] = trash
    clues[K.duplicates, row] = duplicates
    clues[K.duplicates_hidden, row] = hidden
    clues[K.playable, row] = playable
    clues[K.critical, row] = critical_touched
    clues[K.focus, row] = chop if chop_touched else newest_new if newest_new >= 0 else newest
    clues[K.chop_touched, row] = 1 if chop_touched else 0
    clues[K.saved, row] = critical >> s[at.IDENTITY + chop] & 1 if chop_touched else 0
    clues[K.plays_followed, row] = 0
    clues[K.cards_gotten, row] = 0
    clue_reals[K.bits, row] = -possibilities_bits(s, seat)


@kernel
def close_histories(cards: Any, base: int, clues: Any, s: Ints) -> int:
    """Complete the rows of cards and clues at the end of a game; return the cards that were played blind."""
    needed = needed_cards(s)
    blind = 0
    for order in range(s[at.CARDS]):
        row = base + order
        place = s[at.PLACE + order]
        cards[C.colour_clues, row] = s[at.COLOUR_CLUES + order]
        cards[C.rank_clues, row] = s[at.RANK_CLUES + order]
        if place >= 0:
            cards[C.fate, row] = IN_HAND
        on_stack = place == at.ON_STACK
        if on_stack or (place >= 0 and needed >> s[at.IDENTITY + order] & 1):
            first = s[at.CLUE_ROW + order]
            if first >= 0:
                clues[K.cards_gotten, first] += 1
            elif on_stack:
                blind += 1
    return blind
