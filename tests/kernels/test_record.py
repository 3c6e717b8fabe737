"""Records: what copies share, what is read-only, and one kernel over both of their forms."""

from __future__ import annotations

from typing import Annotated

import pytest

from hanalyze.kernels.compiling import can_compile, compiled, kernel
from hanalyze.kernels.record import Grid, Record, Row, packed


class Card(Record):
    order: int
    clues: Annotated[Row, 2]


class Hand(Record):
    size: int
    cards: Annotated[list[Card], 3]
    seen: Annotated[Grid, 2, 3]


class Board(Record):
    turn: int
    hands: Annotated[list[Hand], 2]
    discards: Hand


@kernel
def draw(hand: Hand, order: int) -> None:
    card = hand.cards[hand.size]
    card.order = order
    card.clues[1] += 10 * order
    hand.seen[1][hand.size] = card.order + 1
    hand.size += 1


def deal_and_discard(board: Board, cards: int) -> int:
    for order in range(cards):
        draw(board.hands[order % 2], order)
        board.turn += 1
    draw(board.discards, board.hands[1].cards[0].order)
    return board.discards.seen[1][0] + board.hands[0].size


def dealt() -> Board:
    board = Board()
    assert deal_and_discard(board, 5) == 2 + 3
    return board


def test_a_record_begins_with_zeros() -> None:
    board = Board()
    assert (board.turn, board.hands[1].size, board.discards.cards[2].clues) == (0, 0, [0, 0])


def test_a_record_has_no_other_fields() -> None:
    with pytest.raises(AttributeError):
        Board().score = 1


def test_packed_values() -> None:
    [row] = packed(Board, [dealt()])
    assert row["turn"] == 5
    assert row["hands"]["size"].tolist() == [3, 2]
    assert row["hands"]["cards"]["order"].tolist() == [[0, 2, 4], [1, 3, 0]]
    assert row["hands"]["cards"]["clues"][0].tolist() == [[0, 0], [0, 20], [0, 40]]
    assert row["discards"]["seen"].tolist() == [[0, 0, 0], [2, 0, 0]]
    assert len(packed(Board, [])) == 0


def test_a_copy_shares_nothing() -> None:
    board = dealt()
    before = packed(Board, [board])
    copy = board.copy()
    assert packed(Board, [copy]) == before
    copy.turn = 9
    copy.hands[0].size = 9
    copy.hands[0].cards[1].clues[0] = 9
    copy.discards.seen[1][2] = 9
    assert packed(Board, [board]) == before


def test_a_frozen_record_is_read_only_in_all_its_parts() -> None:
    board = dealt()
    frozen = board.frozen()
    board.turn = 9
    assert frozen.turn == 5
    for record in (frozen, frozen.hands[0], frozen.hands[0].cards[1]):
        with pytest.raises(AttributeError, match="is read-only"):
            record.order = 9
    with pytest.raises(TypeError):
        frozen.hands[0].cards[1].clues[0] = 9
    assert packed(Board, [frozen]) == packed(Board, [dealt()])


def test_a_copy_of_a_frozen_record_can_be_written_to() -> None:
    frozen = dealt().frozen()
    for copy in (frozen.copy(), frozen.frozen().copy()):
        assert type(copy) is Board
        copy.turn = 9
        copy.hands[0].cards[1].clues[0] = 9
        assert type(copy.hands[0].cards[1]) is Card
    assert packed(Board, [frozen]) == packed(Board, [dealt()])


@pytest.mark.compiled
@pytest.mark.skipif(not can_compile(), reason="needs Numba")
def test_one_kernel_works_on_both_forms() -> None:
    fast = Board.new(fast=True)
    assert compiled(deal_and_discard)(fast, 5) == 2 + 3
    assert fast == packed(Board, [dealt()])[0]
