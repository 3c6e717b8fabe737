"""What messages said so far: the part of a `Reading` that lasts from turn to turn.

In: nothing. Out: the record `Told`, and what is done to it in several places. Sets of cards are masks with
bit `order`, sets of identities masks with bit `suit * 8 + rank`.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.conventions.weights import PLAIN
from hanalyze.engine.game import MAX_SEATS
from hanalyze.game.cards import IDENTITIES, MAX_CARDS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record, Row

# --- Bits of `Told.how_told`.
TOLD_ON_CHOP: Final = 1
TOLD_BADLY: Final = 2
"""The card broke good touch, as the giver could see."""
TOLD_UNAWARE: Final = 4
"""It did, by a card of the giver's own hand, which the giver did not know."""


class Told(Record):
    """What messages said so far.

    Written by `common_knowledge`, `alternatives`, `calls`, `elimination`, `faults`, `repaired_calls`,
    `out_of_order`, `reader`, `answered_signals`, `refused_clues`, `pending_inferences`, `agents.views`.
    """

    level: int
    """The level up to which conventions are played, 1 to 25."""
    early: int
    """1 until the first unknown card is discarded."""
    blind: int
    """Mask of the cards called to be played blind."""
    chop_moved: int
    """Mask of the cards that are not discarded though no clue touched them."""
    transferred: int
    """Mask of the cards that a discard named."""
    told_trash: int
    """Mask of the cards that a message said to be trash."""
    starting: int
    """Mask of the cards of the first deal."""
    screamed: int
    """Mask of the seats that a discard told to clue."""
    just_lost: int
    """The needed identity of which the last action left one copy, -1 if none."""
    calls_so_far: int
    """How many cards were called to be played blind so far."""
    focused: int
    """Mask of the cards that were the focus of a clue."""
    travelling: int
    """Mask of the cards whose play moves the chop behind them."""
    five_stalls: int
    """5 stalls given so far."""

    left: int
    """Mask of the cards that whoever ended the early game saw, and could have clued instead."""
    left_turn: int
    """The turn of that discard."""

    passed: int
    """1 if the last action was no clue, though there was a token and nothing to be played blind."""

    maybe: int
    """Mask of the cards that are called too, if another card turns out to be what that needs."""
    maybe_first: int
    """That other card, -1 if there is none."""

    inferred: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that messages leave, beside what is possible."""
    deep: Annotated[Row, MAX_CARDS]
    """By order, the mask of those of them that only a deep chain explains, until it is shown (`weights`)."""
    maybe_as: Annotated[Row, MAX_CARDS]
    """By order, what a card of `maybe` would be called as."""
    maybe_after: Annotated[Row, MAX_CARDS]
    """By order, the mask of what the other card must be for that."""
    call_number: Annotated[Row, MAX_CARDS]
    """By order, when the card was called to be played blind: earlier ones play first."""
    save_row: Annotated[Row, MAX_CARDS]
    """By order, the row of the finding that saved or moved the card, -1 if none waits for its fate."""
    got_turn: Annotated[Row, MAX_CARDS]
    """By order, the turn when the card was first touched, called or named."""
    source_turn: Annotated[Row, MAX_CARDS]
    """By order, the turn of the message that last told what the card is, 0 if none did."""
    source_seat: Annotated[Row, MAX_CARDS]
    """By order, who sent that message, -1 if nobody did."""
    ids: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that this message left."""
    how_told: Annotated[Row, MAX_CARDS]
    """By order, how it told: the bits above."""
    weight: Annotated[Row, MAX_CARDS]
    """By order, how much what it told weighs, in percent (`weights`)."""
    asked: Annotated[Row, MAX_SEATS]
    """By seat, the mask of the cards that a clue which is not allowed may seem to call, newest first."""
    asked_any: Annotated[Row, MAX_SEATS]
    """By seat, 1 if it may be any of them, 0 if it is the first that nothing else calls."""
    asked_surely: Annotated[Row, MAX_SEATS]
    """By seat, the card that the clue can only be about, -1 if it may mean something else."""
    asked_focus: Annotated[Row, MAX_SEATS]
    """By seat, the player's own card that the clue is about, -1 if none is."""
    asked_turn: Annotated[Row, MAX_SEATS]
    """By seat, the turn of that clue."""
    asked_until: Annotated[Row, MAX_SEATS]
    """By seat, the turn from which on it is answered or forgotten."""
    asked_seat: Annotated[Row, MAX_SEATS]
    """By seat, who gave it."""
    save_asks: Annotated[Row, MAX_SEATS]
    """By seat, the finesse position when a save was given that looks like a finesse, -1 if none was."""
    save_turn: Annotated[Row, MAX_SEATS]
    """By seat, the turn of that save."""
    noted: Annotated[Row, MAX_SEATS]
    """By seat, the mask of the cards one of which is the copy of a discarded card (`elimination`)."""
    noted_as: Annotated[Row, MAX_SEATS]
    """By seat, the identity of that card."""
    breaker_turn: Annotated[Row, MAX_CARDS]
    """By order, the turn when the call that the card was part of was ended."""
    breaker_seat: Annotated[Row, MAX_CARDS]
    """By order, who ended it, -1 if nobody did."""
    breaker_called: Annotated[Row, MAX_CARDS]
    """By order, 1 if the card itself was called, 0 if the message was about it."""
    helped: int
    """Mask of the cards of calls that somebody let pass and a clue made good."""
    helped_by: Annotated[Row, MAX_CARDS]
    """By order, the card of such a call that the clue touched, which is to be played first."""
    taken_turn: Annotated[Row, IDENTITIES]
    """By identity, when the copy that was played had been got, -1 if none was played."""
    taken_from: Annotated[Row, IDENTITIES]
    """By identity, who got that copy for the team: the sender of the message, or who played it."""
    taken_by: Annotated[Row, IDENTITIES]
    """By identity, who played that copy."""


@kernel
def begin_told(told: Told, level: int, dealt: int) -> None:
    """Forget everything: `dealt` cards have just been dealt."""
    told.level = level
    told.early = 1
    told.blind = 0
    told.chop_moved = 0
    told.transferred = 0
    told.told_trash = 0
    told.starting = (1 << dealt) - 1
    told.screamed = 0
    told.just_lost = -1
    told.calls_so_far = 0
    told.focused = 0
    told.travelling = 0
    told.five_stalls = 0
    told.left = 0
    told.helped = 0
    told.passed = 0
    told.maybe = 0
    told.maybe_first = -1
    for seat in range(MAX_SEATS):
        told.asked[seat] = 0
        told.asked_focus[seat] = -1
        told.asked_surely[seat] = -1
        told.asked_until[seat] = 0
        told.save_asks[seat] = -1
        told.noted[seat] = 0
    for order in range(MAX_CARDS):
        told.inferred[order] = -1
        told.deep[order] = 0
        told.call_number[order] = 0
        told.save_row[order] = -1
        told.got_turn[order] = 0
        told.source_turn[order] = 0
        told.source_seat[order] = -1
        told.ids[order] = 0
        told.how_told[order] = 0
        told.weight[order] = PLAIN
        told.breaker_seat[order] = -1
    for number in range(IDENTITIES):
        told.taken_turn[number] = -1


@kernel
def note_source(told: Told, order: int, turn: int, seat: int, ids: int, how: int) -> None:
    """Remember who told, and how, which identities a card may have; until more is said it weighs all."""
    told.source_turn[order] = turn
    told.source_seat[order] = seat
    told.ids[order] = ids
    told.how_told[order] = how
    told.weight[order] = PLAIN
    told.breaker_seat[order] = -1
    told.helped &= ~(1 << order)


@kernel
def note_weight(told: Told, order: int, weight: int) -> None:
    """Remember how much what was last told of a card weighs, in percent."""
    told.weight[order] = weight


@kernel
def note_breaker(told: Told, order: int, turn: int, seat: int, called: int) -> None:
    """Remember who ended the call that a card was part of, by what they did on a turn."""
    told.breaker_turn[order] = turn
    told.breaker_seat[order] = seat
    told.breaker_called[order] = called


@kernel
def note_helped(told: Told, order: int, first: int) -> None:
    """Remember that a clue to the card `first` made good a call that a card was part of."""
    told.helped |= 1 << order
    told.helped_by[order] = first


@kernel
def call_blind(told: Told, order: int) -> None:
    """Remember that a card is called to be played blind, after all that were called before."""
    told.blind |= 1 << order
    told.calls_so_far += 1
    told.call_number[order] = told.calls_so_far


@kernel
def forget_maybe(told: Told, first: int) -> None:
    """Forget what was kept; what is kept from now on hangs on the card `first`."""
    told.maybe = 0
    told.maybe_first = first


@kernel
def note_maybe(told: Told, order: int, ids: int, after: int) -> None:
    """Keep that a card would be called as `ids`, if the first card is one of `after`."""
    bit = 1 << order
    if not told.maybe & bit:
        told.maybe_as[order] = 0
        told.maybe_after[order] = 0
    told.maybe |= bit
    told.maybe_as[order] |= ids
    told.maybe_after[order] |= after


@kernel
def take_back(told: Told, order: int) -> None:
    """Forget what a message said of a card, and that it called it to be played blind."""
    told.blind &= ~(1 << order)
    told.inferred[order] = -1


@kernel
def forget_card(told: Told, order: int) -> None:
    """Take a card that leaves its hand out of all sets."""
    others = ~(1 << order)
    told.blind &= others
    told.chop_moved &= others
    told.transferred &= others
    told.told_trash &= others
    told.focused &= others
    told.travelling &= others
    told.helped &= others
    told.maybe &= others
