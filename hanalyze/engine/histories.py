"""Write the rows of clues and cards: begin them at the clue or the deal, and complete them on later turns."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from hanalyze.engine.game import ON_STACK, Game, Ints
from hanalyze.engine.measure import critical_cards, needed_cards
from hanalyze.engine.rules import touched_indices
from hanalyze.engine.turn_rows import CARD, CLUE, Columns, NextRows
from hanalyze.game.actions import COLOUR_CLUE, PLAYED
from hanalyze.game.cards import IDENTITIES, RANK_SLOTS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import drop_lowest, highest, lowest, popcount
from hanalyze.tables import Fate

kernel_module(__name__, inlined=True)

# Results of `_duplicate`.
HIDDEN: Final = 1
SEEN: Final = 2

_FATE_OFFSET: Final = int(Fate.PLAYED)
_LATER: Final = (
    *(CARD.first_clue_turn, CARD.first_clue_giver, CARD.last_clue_turn, CARD.last_clue_giver),
    *(CARD.chop_turn, CARD.known_turn, CARD.playable_turn, CARD.fate_turn),
)
"""Lines of card columns that are -1 until a later turn writes them."""

_LOG2: Final = np.array([0.0, *(math.log2(count) for count in range(1, IDENTITIES + 1))])


def begin_cards(cards: Ints, base: int, game: Game) -> None:
    """Begin the rows of all cards of a new game; `base` is the row of the first card."""
    game.notes.known = 0
    game.notes.playable = 0
    game.notes.playable_before = 0
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
        cards[CARD.order, row] = order
        cards[CARD.suit, row] = game.identity[order] // RANK_SLOTS
        cards[CARD.rank, row] = game.identity[order] % RANK_SLOTS
        cards[CARD.holder, row] = game.place[order] if game.place[order] >= 0 else -1
        cards[CARD.drawn_turn, row] = 0 if game.place[order] >= 0 else -1
        for line in _LATER:
            cards[line, row] = -1
        number = game.identity[order]
        cards[CARD.touchable, row] = (by_colour >> number & 1) + 2 * (by_rank >> number & 1)
        cards[CARD.fate, row] = Fate.IN_DECK
        game.notes.clue_row[order] = -1


def _follow_playable(cards: Ints, base: int, game: Game, order: int, playable: int) -> None:
    """Record the turn if the card's identity is in `playable` and the card was not playable before."""
    if playable >> game.identity[order] & 1 and not game.notes.playable >> order & 1:
        cards[CARD.playable_turn, base + order] = game.turn
        game.notes.playable |= 1 << order


def follow_cards(cards: Ints, base: int, game: Game) -> None:
    """Record the turn for cards that are known or playable for the first time, and for new chops.

    Call this function before each turn, with `know.known` up to date.
    """
    newly = game.playable & ~game.notes.playable_before
    game.notes.playable_before = game.playable
    if newly:
        for seat in range(game.seats):
            for order in game.hands[seat][: game.hand_len[seat]]:
                _follow_playable(cards, base, game, order, newly)
    if game.turn and game.last.drawn >= 0:
        _follow_playable(cards, base, game, game.last.drawn, game.playable)
    while game.know.read:
        seat = lowest(game.know.read)
        game.know.read = drop_lowest(game.know.read)
        chop = -1
        certain = 0
        for i in range(game.hand_len[seat] - 1, -1, -1):
            order = game.hands[seat][i]
            chop = chop if game.clued >> order & 1 else order
            certain |= (game.know.certain[seat] >> i & 1) << order
        if chop != game.notes.chop[seat]:
            game.notes.chop[seat] = chop
            if chop >= 0:
                cards[CARD.chop_turn, base + chop] = game.turn
        certain &= ~game.notes.known
        game.notes.known |= certain
        while certain:
            cards[CARD.known_turn, base + lowest(certain)] = game.turn
            certain = drop_lowest(certain)


def write_fate(cards: Ints, clues: Columns, rows: NextRows, game: Game) -> None:
    """Write the fate of a played or discarded card, the card drawn, and `plays_followed` of earlier clues."""
    turn = game.turn - 1
    seat = game.action.seat
    row = rows.card + game.action.target
    if game.last.slot == 0:
        # The card came from the deck, so it had no holder before.
        cards[CARD.holder, row] = seat
        cards[CARD.drawn_turn, row] = turn
    cards[CARD.fate, row] = _FATE_OFFSET + game.last.result
    cards[CARD.fate_turn, row] = turn
    if game.last.drawn >= 0:
        cards[CARD.holder, rows.card + game.last.drawn] = seat
        cards[CARD.drawn_turn, rows.card + game.last.drawn] = turn + 1
    if game.last.result == PLAYED:
        earlier = rows.clue - 1
        while earlier >= rows.first_clue and clues.ints[CLUE.turn, earlier] >= turn - game.seats:
            if clues.ints[CLUE.receiver, earlier] == seat:
                clues.ints[CLUE.plays_followed, earlier] += 1
            earlier -= 1


def hand_bits(game: Game, seat: int) -> float:
    """Return the sum of log2(possible identities) over a hand's cards; `know.known` must be up to date."""
    bits = 0.0
    for i in range(game.hand_len[seat]):
        bits += _LOG2[popcount(game.know.known[seat][i])]
    return bits


def _duplicate(game: Game, newly: int, index: int) -> int:
    """Return how a newly touched card duplicates a clued card.

    `SEEN` if the giver knows of a clued copy, or the clue also newly touches an older copy; `HIDDEN` if all
    clued copies are in the giver's own hand and the giver does not know them; 0 if no copy is clued.
    """
    giver = game.action.seat
    seat = game.action.target
    number = game.identity[game.hands[seat][index]]
    result = 0
    orders = game.clued
    while orders:
        order = lowest(orders)
        orders = drop_lowest(orders)
        if game.identity[order] != number or order == game.hands[seat][index]:
            continue
        other = game.place[order]
        i = 0
        while game.hands[other][i] != order:
            i += 1
        new = other == seat and newly >> i & 1
        if new and i > index:
            continue
        if new or other == seat or other != giver or game.know.certain[giver] >> i & 1:
            return SEEN
        result = HIDDEN
    return result


def _mark_touched(cards: Ints, rows: NextRows, game: Game, touched: int) -> int:
    """Record a clue on the cards it touched; return the mask of the hand indices of newly touched cards."""
    giver = game.action.seat
    turn = game.turn - 1
    newly = 0
    while touched:
        i = lowest(touched)
        touched = drop_lowest(touched)
        order = game.hands[game.action.target][i]
        row = rows.card + order
        cards[CARD.last_clue_turn, row] = turn
        cards[CARD.last_clue_giver, row] = giver
        if game.colour_clues[order] + game.rank_clues[order] == 1:
            newly |= 1 << i
            game.notes.clue_row[order] = rows.clue
            cards[CARD.first_clue_turn, row] = turn
            cards[CARD.first_clue_giver, row] = giver
    return newly


def _count_touched(clues: Ints, row: int, game: Game, touched: int, newly: int) -> None:
    needed = needed_cards(game)
    critical = critical_cards(game)
    seat = game.action.target
    trash = 0
    playable = 0
    critical_touched = 0
    duplicates = 0
    hidden = 0
    rest = touched
    while rest:
        i = lowest(rest)
        rest = drop_lowest(rest)
        number = game.identity[game.hands[seat][i]]
        trash += 1 - (needed >> number & 1)
        playable += game.playable >> number & 1
        critical_touched += critical >> number & 1
        if newly >> i & needed >> number & 1:
            duplicate = _duplicate(game, newly, i)
            duplicates += duplicate > 0
            hidden += duplicate == HIDDEN
    clues[CLUE.touched, row] = popcount(touched)
    clues[CLUE.newly_touched, row] = popcount(newly)
    clues[CLUE.retouched, row] = popcount(touched & ~newly)
    clues[CLUE.trash, row] = trash
    clues[CLUE.playable, row] = playable
    clues[CLUE.critical, row] = critical_touched
    clues[CLUE.duplicates, row] = duplicates
    clues[CLUE.duplicates_hidden, row] = hidden


def _write_focus(clues: Ints, row: int, game: Game, touched: int, newly: int) -> None:
    seat = game.action.target
    chop = game.notes.chop[seat]
    chop_touched = chop >= 0 and game.notes.clue_row[chop] == row
    newest = highest(newly if newly else touched)
    clues[CLUE.focus, row] = chop if chop_touched else game.hands[seat][newest] if newest >= 0 else -1
    clues[CLUE.chop_touched, row] = chop_touched
    clues[CLUE.saved, row] = chop_touched and critical_cards(game) >> game.identity[chop] & 1


def write_clue(clues: Columns, cards: Ints, rows: NextRows, game: Game) -> None:
    """Write the row of a clue just given, and record it on the cards it touched."""
    ints = clues.ints
    row = rows.clue
    action = game.action
    # `last.touched` cannot be used: with `card_cycle`, a clue to oneself has already moved a card.
    touched = touched_indices(game, action.target, action.kind, action.value)
    newly = _mark_touched(cards, rows, game, touched)
    ints[CLUE.turn, row] = game.turn - 1
    ints[CLUE.giver, row] = action.seat
    ints[CLUE.receiver, row] = action.target
    ints[CLUE.kind, row] = 0 if action.kind == COLOUR_CLUE else 1
    ints[CLUE.value, row] = action.value
    _count_touched(ints, row, game, touched, newly)
    _write_focus(ints, row, game, touched, newly)
    ints[CLUE.plays_followed, row] = 0
    ints[CLUE.cards_gotten, row] = 0
    clues.reals[CLUE.bits, row] -= hand_bits(game, action.target)


def close_histories(cards: Ints, clues: Columns, rows: NextRows, game: Game) -> int:
    """Complete the rows of cards and clues at the end of a game; return the number of blind plays."""
    needed = needed_cards(game)
    blind = 0
    for order in range(game.cards):
        row = rows.card + order
        place = game.place[order]
        cards[CARD.colour_clues, row] = game.colour_clues[order]
        cards[CARD.rank_clues, row] = game.rank_clues[order]
        if place >= 0:
            cards[CARD.fate, row] = Fate.IN_HAND
        on_stack = place == ON_STACK
        if on_stack or (place >= 0 and needed >> game.identity[order] & 1):
            first = game.notes.clue_row[order]
            if first >= 0:
                clues.ints[CLUE.cards_gotten, first] += 1
            elif on_stack:
                blind += 1
    return blind
