"""Odds and features of each card of the player to move: the rows of `HAND_CARDS`, used to fit chances.

Only the columns marked "(fact)" depend on the identity of a card, with one exception: messages are read with
all hands open, so inferences about a clued card may depend on its identity. Inferences about a card called to
be played blind, or named without a clue to it, would reveal too much, so its row has the card-counting odds.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from hanalyze.conventions.state import ConventionState, is_undefined
from hanalyze.conventions.steps import ByOrder
from hanalyze.conventions.turn_view import dead_since
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import copies_unseen
from hanalyze.engine.measure import chop_index, critical_cards, needed_cards
from hanalyze.engine.odds import odds, share, weigh_hand
from hanalyze.engine.stacks import points_of
from hanalyze.engine.turn_rows import Columns, lines, room_in
from hanalyze.game.actions import CLUED, DISCARD, PLAY
from hanalyze.game.cards import MAX_CARDS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import members
from hanalyze.kernels.record import Record
from hanalyze.tables.chances import ACTS, HAND_CARDS, PLACES

kernel_module(__name__)

HAND_CARD: Final = lines("HAND_CARD", HAND_CARDS)

_TO_READ: Final = HAND_CARD.read_critical - HAND_CARD.p_critical
"""Distance from the lines of card-counting odds to the lines of the odds given messages."""
_CHOP: Final = PLACES.index("chop")
_UNCLUED: Final = PLACES.index("unclued")
_CLUED: Final = PLACES.index("clued")
_PLAYED: Final = ACTS.index("play")
_DISCARDED: Final = ACTS.index("discard")


class HandHistory(Record):
    """The history of the cards in hands. Written by `hand_odds`."""

    drawn_turn: ByOrder  # turn from which the card was in a hand
    chop_turn: ByOrder  # turn when the card first was the chop, or -1
    spared: ByOrder  # number of other players' turns with a clue token while the card was the chop
    spared_discards: ByOrder  # number of these turns with a discard
    misses: ByOrder  # number of clues to the hand that did not touch the card


class HandRows(NamedTuple):
    """Output rows of `HAND_CARDS`, with the history of the cards in hands.

    Empty arrays mean that no rows are requested.
    """

    history: HandHistory
    rows: Columns


def begin_history(history: HandHistory) -> None:
    """Reset the history for a game that has just been dealt."""
    for order in range(MAX_CARDS):
        history.drawn_turn[order] = 0
        history.chop_turn[order] = -1
        history.spared[order] = 0
        history.spared_discards[order] = 0
        history.misses[order] = 0


def follow_turn(game: Game, history: HandHistory) -> None:
    """Before the action, record new chops, and count the turns on which each chop could be saved."""
    could_clue = game.tokens >= game.variant.token_unit
    for seat in range(game.seats):
        index = chop_index(game, seat)
        if index < 0:
            continue
        order = game.hands[seat][index]
        if history.chop_turn[order] < 0:
            history.chop_turn[order] = game.turn
        if seat != game.seat and could_clue:
            history.spared[order] += 1
            if game.action.kind == DISCARD:
                history.spared_discards[order] += 1


def follow_action(game: Game, history: HandHistory) -> None:
    """After the action, record the drawn card, or the cards that the clue did not touch."""
    if game.last.drawn >= 0:
        history.drawn_turn[game.last.drawn] = game.turn
    if game.last.result == CLUED:
        seat = game.action.target
        size = game.hand_len[seat]
        for i in range(size):
            if not game.last.touched >> (size - i - 1) & 1:
                history.misses[game.hands[seat][i]] += 1


def write_hand(game: Game, state: ConventionState, hand: HandRows, row: int) -> int:
    """Write a row for each card of the player to move, slot 1 last; return the next row.

    Without room for all of them, no row is written.
    """
    size = game.hand_len[game.seat]
    if row + size > room_in(hand.rows.ints):
        return row
    chop = chop_index(game, game.seat)
    weigh_hand(game, game.seat)
    for i in range(size):
        _write_facts(game, hand, row + i, i, chop)
        _write_message(game, state, hand.rows, row + i, i)
    return row + size


def _write_facts(game: Game, hand: HandRows, row: int, i: int, chop: int) -> None:
    """Write facts of a card, its card-counting odds and its history."""
    ints, reals = hand.rows
    history = hand.history
    seat = game.seat
    order = game.hands[seat][i]
    needed, critical = needed_cards(game), critical_cards(game)
    number = game.identity[order]
    ints[HAND_CARD.turn, row] = game.turn
    ints[HAND_CARD.seat, row] = seat
    ints[HAND_CARD.slot, row] = game.hand_len[seat] - i
    ints[HAND_CARD.order, row] = order
    place = _CLUED if game.clued >> order & 1 else _UNCLUED
    ints[HAND_CARD.place, row] = _CHOP if i == chop else place
    act = 0
    if game.action.target == order:
        if game.action.kind == PLAY:
            act = _PLAYED
        elif game.action.kind == DISCARD:
            act = _DISCARDED
    ints[HAND_CARD.act, row] = act
    ints[HAND_CARD.critical, row] = critical >> number & 1
    ints[HAND_CARD.playable, row] = game.playable >> number & 1
    ints[HAND_CARD.trash, row] = 1 - (needed >> number & 1)
    possible = game.know.known[seat]
    if i > 0 and possible[i] == possible[i - 1]:
        # Cards with the same possible identities have the same odds.
        _copy_odds(reals, row - 1, row, 0)
    else:
        p_playable, p_trash, p_critical = odds(game.weighed, i, possible[i], game.playable, needed, critical)
        reals[HAND_CARD.p_critical, row] = p_critical
        reals[HAND_CARD.p_playable, row] = p_playable
        reals[HAND_CARD.p_trash, row] = p_trash
    reals[HAND_CARD.stake, row] = _stake(game, i, critical, act) if act else 0.0
    deck = game.cards - game.drawn
    ints[HAND_CARD.players, row] = game.seats
    ints[HAND_CARD.half_tokens, row] = game.tokens * 2 // game.variant.token_unit
    ints[HAND_CARD.deck, row] = deck
    ints[HAND_CARD.pace, row] = game.raw_score + deck - game.max_score + game.seats
    ints[HAND_CARD.held, row] = game.turn - history.drawn_turn[order]
    since = history.chop_turn[order]
    ints[HAND_CARD.on_chop, row] = game.turn - since if since >= 0 else 0
    ints[HAND_CARD.spared, row] = history.spared[order]
    ints[HAND_CARD.spared_discards, row] = history.spared_discards[order]
    ints[HAND_CARD.touches, row] = game.colour_clues[order] + game.rank_clues[order]
    ints[HAND_CARD.misses, row] = history.misses[order]


def _stake(game: Game, i: int, critical: int, act: int) -> float:
    """Return the value of the column `stake` for card `i` of the player to move."""
    possible = game.weighed.known[i]
    lost = possible & ~game.playable if act == _PLAYED else possible & critical
    if copies_unseen(game, game.seat, lost) == 0:
        return 0.0
    points = 0.0
    for number in members(lost & critical):
        points += share(game.weighed, i, lost, 1 << number) * points_of(game, number)
    return points


def _copy_odds(reals: Any, source: int, row: int, by: int) -> None:
    """Copy card-counting odds from one row to another, `by` lines further down."""
    for line in range(HAND_CARD.p_critical, HAND_CARD.p_critical + 3):
        reals[line + by, row] = reals[line, source]


def _write_message(game: Game, state: ConventionState, rows: Columns, row: int, i: int) -> None:
    """Write the odds of a card given messages, and its holder's knowledge about it."""
    ints, reals = rows
    view, common = state.turn_view, state.common
    seat = game.seat
    order = game.hands[seat][i]
    bit = 1 << order
    blind = (common.blind | common.transferred & ~game.clued) & bit
    belief = view.belief[order]
    if blind or belief == game.know.known[seat][i] or copies_unseen(game, seat, belief) == 0:
        _copy_odds(reals, row, row, _TO_READ)
    else:
        useful = view.needed
        if view.gotten & bit:
            # The clue may have been about an identity that became useless later.
            useful |= dead_since(common, belief, common.got_turn[order])
        p_playable, p_trash, p_critical = odds(game.weighed, i, belief, game.playable, useful, view.critical)
        reals[HAND_CARD.read_critical, row] = p_critical
        reals[HAND_CARD.read_playable, row] = p_playable
        reals[HAND_CARD.read_trash, row] = p_trash
    ints[HAND_CARD.explained, row] = 0 if is_undefined(game) else 1
    ints[HAND_CARD.plays, row] = 1 if view.playable_now & bit and not blind else 0
    ints[HAND_CARD.known_trash, row] = 1 if view.known_trash & bit else 0
    ints[HAND_CARD.chop_moved, row] = 1 if common.chop_moved & bit else 0
    ints[HAND_CARD.focused, row] = 1 if common.focus_cards & bit else 0
    ints[HAND_CARD.other_trash, row] = 1 if view.known_trash & view.cards[seat] & ~bit else 0
