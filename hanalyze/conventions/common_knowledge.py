"""What messages said so far: the part of a `ConventionState` that lasts from turn to turn.

Sets of cards are masks with bit `order`, sets of identities masks with bit `suit * 8 + rank`.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.conventions.weights import PLAIN
from hanalyze.engine.game import MAX_SEATS
from hanalyze.game.cards import IDENTITIES, MAX_CARDS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record, Row

# --- Bits of `CommonKnowledge.source_flags`.
ON_CHOP: Final = 1
BAD_TOUCH: Final = 2
"""The card broke good touch, as the giver could see."""
UNSEEN_BAD_TOUCH: Final = 4
"""It did, by a card of the giver's own hand, which the giver did not know."""


class CommonKnowledge(Record):
    """What messages said so far.

    Written by `common_knowledge`, `alternatives`, `calls`, `elimination`, `faults`, `repaired_calls`,
    `out_of_order`, `reader`, `answered_signals`, `refused_clues`, `pending_inferences`, `agents.viewpoints`.
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
    trash_cards: int
    """Mask of the cards that a message said to be trash."""
    starting_cards: int
    """Mask of the cards of the first deal."""
    seats_to_clue: int
    """Mask of the seats that a discard told to clue."""
    just_lost: int
    """The needed identity of which the last action left one copy, -1 if none."""
    calls_so_far: int
    """How many cards were called to be played blind so far."""
    focus_cards: int
    """Mask of the cards that were the focus of a clue."""
    time_travel_cards: int
    """Mask of the cards whose play moves the chop behind them."""
    five_stalls: int
    """5 stalls given so far."""

    early_options: int
    """Mask of the cards that whoever ended the early game saw, and could have clued instead."""
    early_turn: int
    """The turn of that discard."""

    declined_clue: int
    """1 if the last action was no clue, though there was a token and nothing to be played blind."""

    tentative_calls: int
    """Mask of the cards that are called too, if another card turns out to be what that needs."""
    tentative_cause: int
    """That other card, -1 if there is none."""

    inferred: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that messages leave, beside what is possible."""
    deep: Annotated[Row, MAX_CARDS]
    """By order, the mask of those of them that only a deep chain explains, until it is shown (`weights`)."""
    tentative_ids: Annotated[Row, MAX_CARDS]
    """By order, what a card of `tentative_calls` would be called as."""
    tentative_cause_ids: Annotated[Row, MAX_CARDS]
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
    source_ids: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that this message left."""
    source_flags: Annotated[Row, MAX_CARDS]
    """By order, how it told: the bits above."""
    weight: Annotated[Row, MAX_CARDS]
    """By order, how much what it told weighs, in percent (`weights`)."""
    supposed_cards: Annotated[Row, MAX_SEATS]
    """By seat, the mask of the cards that a clue which is not allowed may seem to call, newest first."""
    supposed_any: Annotated[Row, MAX_SEATS]
    """By seat, 1 if it may be any of them, 0 if it is the first that nothing else calls."""
    supposed_card: Annotated[Row, MAX_SEATS]
    """By seat, the card that the clue can only be about, -1 if it may mean something else."""
    supposed_focus: Annotated[Row, MAX_SEATS]
    """By seat, the player's own card that the clue is about, -1 if none is."""
    supposed_turn: Annotated[Row, MAX_SEATS]
    """By seat, the turn of that clue."""
    supposed_until: Annotated[Row, MAX_SEATS]
    """By seat, the turn from which on it is answered or forgotten."""
    supposed_giver: Annotated[Row, MAX_SEATS]
    """By seat, who gave it."""
    save_asks: Annotated[Row, MAX_SEATS]
    """By seat, the finesse position when a save was given that looks like a finesse, -1 if none was."""
    save_turn: Annotated[Row, MAX_SEATS]
    """By seat, the turn of that save."""
    elimination_cards: Annotated[Row, MAX_SEATS]
    """By seat, the mask of the cards one of which is the copy of a discarded card (`elimination`)."""
    elimination_identity: Annotated[Row, MAX_SEATS]
    """By seat, the identity of that card."""
    breaker_turn: Annotated[Row, MAX_CARDS]
    """By order, the turn when the call that the card was part of was ended."""
    breaker_seat: Annotated[Row, MAX_CARDS]
    """By order, who ended it, -1 if nobody did."""
    breaker_called: Annotated[Row, MAX_CARDS]
    """By order, 1 if the card itself was called, 0 if the message was about it."""
    repaired: int
    """Mask of the cards of calls that somebody let pass and a clue made good."""
    repair_card: Annotated[Row, MAX_CARDS]
    """By order, the card of such a call that the clue touched, which is to be played first."""
    copy_turn: Annotated[Row, IDENTITIES]
    """By identity, when the copy that was played had been got, -1 if none was played."""
    copy_sender: Annotated[Row, IDENTITIES]
    """By identity, who got that copy for the team: the sender of the message, or who played it."""
    copy_player: Annotated[Row, IDENTITIES]
    """By identity, who played that copy."""


@kernel
def begin_common(common: CommonKnowledge, level: int, dealt: int) -> None:
    """Forget everything: `dealt` cards have just been dealt."""
    common.level = level
    common.early = 1
    common.blind = 0
    common.chop_moved = 0
    common.transferred = 0
    common.trash_cards = 0
    common.starting_cards = (1 << dealt) - 1
    common.seats_to_clue = 0
    common.just_lost = -1
    common.calls_so_far = 0
    common.focus_cards = 0
    common.time_travel_cards = 0
    common.five_stalls = 0
    common.early_options = 0
    common.repaired = 0
    common.declined_clue = 0
    common.tentative_calls = 0
    common.tentative_cause = -1
    for seat in range(MAX_SEATS):
        common.supposed_cards[seat] = 0
        common.supposed_focus[seat] = -1
        common.supposed_card[seat] = -1
        common.supposed_until[seat] = 0
        common.save_asks[seat] = -1
        common.elimination_cards[seat] = 0
    for order in range(MAX_CARDS):
        common.inferred[order] = -1
        common.deep[order] = 0
        common.call_number[order] = 0
        common.save_row[order] = -1
        common.got_turn[order] = 0
        common.source_turn[order] = 0
        common.source_seat[order] = -1
        common.source_ids[order] = 0
        common.source_flags[order] = 0
        common.weight[order] = PLAIN
        common.breaker_seat[order] = -1
    for number in range(IDENTITIES):
        common.copy_turn[number] = -1


@kernel
def note_source(common: CommonKnowledge, order: int, turn: int, seat: int, ids: int, how: int) -> None:
    """Remember who told, and how, which identities a card may have; until more is said it weighs all."""
    common.source_turn[order] = turn
    common.source_seat[order] = seat
    common.source_ids[order] = ids
    common.source_flags[order] = how
    common.weight[order] = PLAIN
    common.breaker_seat[order] = -1
    common.repaired &= ~(1 << order)


@kernel
def note_weight(common: CommonKnowledge, order: int, weight: int) -> None:
    """Remember how much what was last told of a card weighs, in percent."""
    common.weight[order] = weight


@kernel
def note_breaker(common: CommonKnowledge, order: int, turn: int, seat: int, called: int) -> None:
    """Remember who ended the call that a card was part of, by what they did on a turn."""
    common.breaker_turn[order] = turn
    common.breaker_seat[order] = seat
    common.breaker_called[order] = called


@kernel
def note_repair(common: CommonKnowledge, order: int, first: int) -> None:
    """Remember that a clue to the card `first` made good a call that a card was part of."""
    common.repaired |= 1 << order
    common.repair_card[order] = first


@kernel
def call_blind(common: CommonKnowledge, order: int) -> None:
    """Remember that a card is called to be played blind, after all that were called before."""
    common.blind |= 1 << order
    common.calls_so_far += 1
    common.call_number[order] = common.calls_so_far


@kernel
def forget_tentative(common: CommonKnowledge, first: int) -> None:
    """Forget what was kept; what is kept from now on hangs on the card `first`."""
    common.tentative_calls = 0
    common.tentative_cause = first


@kernel
def note_tentative(common: CommonKnowledge, order: int, ids: int, after: int) -> None:
    """Keep that a card would be called as `ids`, if the first card is one of `after`."""
    bit = 1 << order
    if not common.tentative_calls & bit:
        common.tentative_ids[order] = 0
        common.tentative_cause_ids[order] = 0
    common.tentative_calls |= bit
    common.tentative_ids[order] |= ids
    common.tentative_cause_ids[order] |= after


@kernel
def take_back(common: CommonKnowledge, order: int) -> None:
    """Forget what a message said of a card, and that it called it to be played blind."""
    common.blind &= ~(1 << order)
    common.inferred[order] = -1


@kernel
def forget_card(common: CommonKnowledge, order: int) -> None:
    """Take a card that leaves its hand out of all sets."""
    others = ~(1 << order)
    common.blind &= others
    common.chop_moved &= others
    common.transferred &= others
    common.trash_cards &= others
    common.focus_cards &= others
    common.time_travel_cards &= others
    common.repaired &= others
    common.tentative_calls &= others
