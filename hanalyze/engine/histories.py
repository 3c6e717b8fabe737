"""The rows of clues and of cards: what a clue did, and what became of each card.

In: a running game as it goes on. Out: a row per clue, written when it is given and completed by what follows
from it, and a row per card of the deck, kept up to date from turn to turn. What follows is an outcome: it
reads later turns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hanalyze.engine.game import ON_STACK, Game
from hanalyze.engine.measure import chop_order, clued, critical_cards, needed_cards
from hanalyze.engine.rows import C, K
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
def begin_cards(cards: Any, base: int, game: Game) -> None:
    """Write the rows of a deck that has just been dealt, from row `base` on."""
    game.notes.known = 0
    game.notes.playable = 0
    game.notes.playable_before = -1
    for seat in range(game.seats):
        game.notes.chop[seat] = -1
    by_colour = 0
    by_rank = 0
    for colour in range(game.variant.colours):
        by_colour |= game.variant.colour_touch[colour]
    for rank in range(RANK_SLOTS):
        if game.variant.clue_ranks >> rank & 1:
            by_rank |= game.variant.rank_touch[rank]
    for order in range(game.cards):
        row = base + order
        cards[C.order, row] = order
        cards[C.suit, row] = game.identity[order] // RANK_SLOTS
        cards[C.rank, row] = game.identity[order] % RANK_SLOTS
        cards[C.holder, row] = game.place[order] if game.place[order] >= 0 else -1
        cards[C.drawn_turn, row] = 0 if game.place[order] >= 0 else -1
        cards[C.first_clue_turn, row] = -1
        cards[C.first_clue_giver, row] = -1
        cards[C.last_clue_turn, row] = -1
        cards[C.last_clue_giver, row] = -1
        number = game.identity[order]
        cards[C.touchable, row] = (by_colour >> number & 1) + 2 * (by_rank >> number & 1)
        cards[C.chop_turn, row] = -1
        cards[C.known_turn, row] = -1
        cards[C.playable_turn, row] = -1
        cards[C.fate, row] = IN_DECK
        cards[C.fate_turn, row] = -1
        game.notes.clue_row[order] = -1


@kernel
def _follow_playable(cards: Any, base: int, game: Game, order: int) -> None:
    """Note a card that is playable for the first time."""
    if game.playable >> game.identity[order] & 1 and not game.notes.playable >> order & 1:
        cards[C.playable_turn, base + order] = game.turn
        game.notes.playable |= 1 << order


@kernel
def follow_cards(cards: Any, base: int, game: Game) -> None:
    """Note which cards are known, playable for the first time, or new chops before this turn.

    `known` is up to date.
    """
    if game.playable != game.notes.playable_before:
        game.notes.playable_before = game.playable
        for seat in range(game.seats):
            for i in range(game.hand_len[seat]):
                _follow_playable(cards, base, game, game.hands[seat][i])
    elif game.last.drawn >= 0:
        _follow_playable(cards, base, game, game.last.drawn)
    for seat in range(game.seats):
        if game.know.read >> seat & 1:
            chop = chop_order(game, seat)
            if chop != game.notes.chop[seat]:
                game.notes.chop[seat] = chop
                if chop >= 0:
                    cards[C.chop_turn, base + chop] = game.turn
            certain = game.know.certain[seat]
            while certain:
                order = game.hands[seat][lowest(certain)]
                certain = drop_lowest(certain)
                if not game.notes.known >> order & 1:
                    cards[C.known_turn, base + order] = game.turn
                    game.notes.known |= 1 << order
    game.know.read = 0


@kernel
def write_fate(
    cards: Any, base: int, clues: Any, clue_row: int, first_clue: int, game: Game, seat: int, order: int
) -> None:
    """Write that a card left its hand, the card drawn for it, and the clue that a play followed.

    After the action of `seat`; the clues of the game so far are the rows `first_clue` to `clue_row - 1`.
    """
    turn = game.turn - 1
    row = base + order
    if game.last.slot == 0:
        # From the deck: it was nobody's before.
        cards[C.holder, row] = seat
        cards[C.drawn_turn, row] = turn
    cards[C.fate, row] = GONE + game.last.result
    cards[C.fate_turn, row] = turn
    if game.last.drawn >= 0:
        cards[C.holder, base + game.last.drawn] = seat
        cards[C.drawn_turn, base + game.last.drawn] = turn + 1
    if game.last.result == PLAYED:
        earlier = clue_row - 1
        while earlier >= first_clue and clues[K.turn, earlier] >= turn - game.seats:
            if clues[K.receiver, earlier] == seat:
                clues[K.plays_followed, earlier] += 1
            earlier -= 1


@kernel
def possibilities_bits(game: Game, seat: int) -> float:
    """Return the sum of log2 of the possibilities of each card in a hand; `known` is up to date."""
    bits = 0.0
    for i in range(game.hand_len[seat]):
        bits += _LOG2[popcount(game.know.known[seat][i])]
    return bits


@kernel
def _duplicate(game: Game, seat: int, index: int, slots: int, giver: int) -> int:
    """Return `SEEN` if another copy of a newly touched card was clued, or is touched as well and older.

    `HIDDEN` if the clued copies are all cards that the giver holds and does not know, 0 if there are none.
    `slots` are the slots of the hand of `seat` that the clue newly touched.
    """
    number = game.identity[game.hands[seat][index]]
    found = 0
    for other in range(game.seats):
        for i in range(game.hand_len[other]):
            order = game.hands[other][i]
            if game.identity[order] != number or (other == seat and i == index) or not clued(game, order):
                continue
            new = other == seat and slots >> (game.hand_len[seat] - 1 - i) & 1
            if new and i > index:
                continue
            if new or other == seat or other != giver or game.know.certain[giver] >> i & 1:
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
    game: Game,
    giver: int,
    seat: int,
    kind: int,
    value: int,
    chop: int,
) -> None:
    """Write the row of a clue that has just been given to `seat`, and note it on the cards it touched.

    `chop` is the order of the receiver's chop before the clue, -1 if there was none.
    """
    turn = game.turn - 1
    needed = needed_cards(game)
    critical = critical_cards(game)
    size = game.hand_len[seat]
    # Not by slot: where givers cycle their hand, a clue to oneself has moved a card since.
    touched_indices = touched_orders(game, seat, kind, value)
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
        order = game.hands[seat][i]
        number = game.identity[order]
        touched += 1
        newest = order
        trash += 1 - (needed >> number & 1)
        playable += game.playable >> number & 1
        cards[C.last_clue_turn, base + order] = turn
        cards[C.last_clue_giver, base + order] = giver
        critical_touched += critical >> number & 1
        if game.colour_clues[order] + game.rank_clues[order] == 1:
            newly_touched += 1
            newest_new = order
            new_slots |= 1 << slot
            game.notes.clue_row[order] = row
            cards[C.first_clue_turn, base + order] = turn
            cards[C.first_clue_giver, base + order] = giver
    duplicates = 0
    hidden = 0
    for i in range(size):
        order = game.hands[seat][i]
        if new_slots >> (size - 1 - i) & 1 and needed >> game.identity[order] & 1:
            found = _duplicate(game, seat, i, new_slots, giver)
            duplicates += found > 0
            hidden += found == HIDDEN
    chop_touched = chop >= 0 and game.notes.clue_row[chop] == row
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
    clues[K.saved, row] = critical >> game.identity[chop] & 1 if chop_touched else 0
    clues[K.plays_followed, row] = 0
    clues[K.cards_gotten, row] = 0
    clue_reals[K.bits, row] = -possibilities_bits(game, seat)


@kernel
def close_histories(cards: Any, base: int, clues: Any, game: Game) -> int:
    """Complete the rows of cards and clues at the end of a game; return the cards that were played blind."""
    needed = needed_cards(game)
    blind = 0
    for order in range(game.cards):
        row = base + order
        place = game.place[order]
        cards[C.colour_clues, row] = game.colour_clues[order]
        cards[C.rank_clues, row] = game.rank_clues[order]
        if place >= 0:
            cards[C.fate, row] = IN_HAND
        on_stack = place == ON_STACK
        if on_stack or (place >= 0 and needed >> game.identity[order] & 1):
            first = game.notes.clue_row[order]
            if first >= 0:
                clues[K.cards_gotten, first] += 1
            elif on_stack:
                blind += 1
    return blind
