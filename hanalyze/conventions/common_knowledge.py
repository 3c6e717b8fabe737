"""Common knowledge from messages so far: the part of the state that lasts from turn to turn."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from hanalyze.conventions.steps import PLAIN, ByOrder, BySeat
from hanalyze.engine.game import MAX_SEATS
from hanalyze.game.cards import IDENTITIES, MAX_CARDS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.record import Record, Row

kernel_module(__name__)

# --- Bits of `CommonKnowledge.source_flags`.
ON_CHOP: Final = 1
BAD_TOUCH: Final = 2
"""The card broke good touch, as the giver could see."""
UNSEEN_BAD_TOUCH: Final = 4
"""The card broke good touch only for the receiver, who wrongly took another card for a copy of it."""

NAMED: Final = 8
"""An allowed clue left only one identity for its focus."""

ByIdentity: TypeAlias = Annotated[Row, IDENTITIES]


class CommonKnowledge(Record):
    """Common knowledge of all players from messages so far.

    Written by `common_knowledge`, `calls`, `open_calls`, `elimination`, `faults`, `focus_exceptions`,
    `inferences`, `reader`, `state`, `unclear_clues`, `agents.viewpoints`.
    """

    level: int  # highest H-Group level of the conventions that are read, 0 for none
    early: int  # 1 until the first plain discard of a card that is neither gotten nor known trash
    five_stalls: int  # number of 5 stalls given so far
    just_lost: int  # needed identity of which the last action, a discard or misplay, left one copy, or -1
    declined_clue: int  # 1 if the last player had a clue token, but discarded or played (not as a blind play)
    told_seat: int  # receiver of the last action if that was a clue, otherwise -1
    seats_to_clue: int  # seats that a discard asked to give a clue
    calls_so_far: int  # number of cards called to be played blind so far

    # Sets of cards.
    blind: int  # called to be played blind
    chop_moved: int  # protected by a message other than a clue to the card
    transferred: int  # named by a sarcastic discard
    trash_cards: int  # marked as trash by a message
    focus_cards: int  # focuses of clues so far
    starting_cards: int  # dealt before the first turn
    time_travel_cards: int  # cards whose play chop moves the free cards behind them
    left_plays: int  # playable cards whose holder discarded another card instead
    left_unplayed: int  # playable cards not played on their holder's last turn, without a later message

    # The discard that ended the early game.
    early_options: int  # cards that the discarding player could have clued instead
    early_turn: int

    # Inferences about each card.
    inferred: ByOrder  # identities that messages leave (-1: all), whether or not clues allow them
    deep: ByOrder  # inferred identities that only a deep chain explains, until the chain is shown
    call_number: ByOrder  # order of calls to play blind; lower numbers play first
    save_row: ByOrder  # row of the finding that saved, moved or named the card, -1 if none or settled
    got_turn: ByOrder  # turn when the card was first touched, called or named

    # The last message about each card.
    source_turn: ByOrder  # turn of the message, 0 if there was none
    source_seat: ByOrder  # sender of the message, -1 if there was none
    source_ids: ByOrder  # identities that the message left
    source_flags: ByOrder  # `ON_CHOP`, `BAD_TOUCH`, `UNSEEN_BAD_TOUCH` and `NAMED`
    weight: ByOrder  # weight of the message in percent
    unfixed_turn: ByOrder  # last turn when a player should have prevented the card's misplay, 0 if none
    unfixed_seat: ByOrder
    fixable_turn: ByOrder  # last turn when a player not otherwise busy could have fixed the card, 0 if none
    fixable_seat: ByOrder

    # Calls that become valid if another card, the cause, proves to have a certain identity.
    tentative_calls: int  # the called cards
    tentative_cause: int  # the cause, or -1
    tentative_ids: ByOrder  # identities that the call, if valid, leaves for the card
    tentative_cause_ids: ByOrder  # identities of the cause that make the call valid

    # A clue against convention that may seem to call cards of a seat.
    supposed_cards: BySeat  # cards that the clue may seem to call
    supposed_any: BySeat  # 1 if any of these cards may be called, 0 if only the newest that is not gotten
    supposed_card: BySeat  # the only card that the clue can be about, -1 if it may mean something else
    supposed_focus: BySeat  # focus of the clue, or -1
    supposed_turn: BySeat
    supposed_until: BySeat  # turn from which the clue no longer counts
    supposed_giver: BySeat

    # A save that a player may mistake for a finesse.
    save_asks: BySeat  # card on finesse position at the time of the save, or -1
    save_turn: BySeat

    # Elimination notes: one of these cards of a seat has an identity that a discard or a bad touch implies.
    elimination_cards: BySeat
    elimination_identity: BySeat

    # The end of the call that a card was part of.
    breaker_turn: ByOrder
    breaker_seat: ByOrder  # seat that ended the call, or -1
    breaker_called: ByOrder  # 1 if the card itself was called, 0 if it was the focus

    # Missed calls repaired by a later clue.
    repaired: int  # cards of these calls, except the one to be played first
    repair_card: ByOrder  # the card that the clue touched, to be played first

    # Identities that no stack can reach any more, because a card below them is lost.
    dead_ids: int
    dead_turn: ByIdentity  # turn when the first such card was lost

    # The played copy of each identity.
    copy_turn: ByIdentity  # turn when the copy was gotten, or else played; -1 if no copy was played
    copy_sender: ByIdentity  # sender of the message that got the copy, or else the player of the copy
    copy_player: ByIdentity
    twin_turn: ByIdentity  # turn of the play if a discard could have named another copy instead, otherwise -1


def begin_common(common: CommonKnowledge, level: int, dealt: int) -> None:
    """Reset common knowledge for a game in which `dealt` cards have just been dealt."""
    common.level = level
    common.early = 1
    common.blind = 0
    common.chop_moved = 0
    common.transferred = 0
    common.trash_cards = 0
    common.starting_cards = (1 << dealt) - 1
    common.told_seat = -1
    common.seats_to_clue = 0
    common.just_lost = -1
    common.calls_so_far = 0
    common.focus_cards = 0
    common.time_travel_cards = 0
    common.left_plays = 0
    common.left_unplayed = 0
    common.five_stalls = 0
    common.early_options = 0
    common.repaired = 0
    common.declined_clue = 0
    common.tentative_calls = 0
    common.tentative_cause = -1
    common.dead_ids = 0
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
        common.unfixed_turn[order] = 0
        common.fixable_turn[order] = 0
        common.breaker_seat[order] = -1
    for number in range(IDENTITIES):
        common.copy_turn[number] = -1
        common.twin_turn[number] = -1


def note_source(common: CommonKnowledge, order: int, turn: int, seat: int, ids: int, how: int) -> None:
    """Record the last message about a card; reset its weight, ended call, repair and missed play.

    `how` consists of bits of `source_flags`.
    """
    common.source_turn[order] = turn
    common.source_seat[order] = seat
    common.source_ids[order] = ids
    common.source_flags[order] = how
    common.weight[order] = PLAIN
    common.breaker_seat[order] = -1
    common.repaired &= ~(1 << order)
    common.left_unplayed &= ~(1 << order)


def note_breaker(common: CommonKnowledge, order: int, turn: int, seat: int, called: int) -> None:
    """Record which seat ended the call of a card, and on which turn.

    `called` is 1 if the card itself was called, 0 if it was the focus.
    """
    common.breaker_turn[order] = turn
    common.breaker_seat[order] = seat
    common.breaker_called[order] = called


def call_blind(common: CommonKnowledge, order: int) -> None:
    """Call a card to be played blind, after all earlier calls."""
    common.blind |= 1 << order
    common.calls_so_far += 1
    common.call_number[order] = common.calls_so_far


def take_back(common: CommonKnowledge, order: int) -> None:
    """Clear the inferences about a card, and its call to be played blind."""
    common.blind &= ~(1 << order)
    common.inferred[order] = -1


def forget_card(common: CommonKnowledge, order: int) -> None:
    """Remove a card that leaves its hand; sets by seat, `starting_cards` and `early_options` keep it."""
    others = ~(1 << order)
    common.blind &= others
    common.chop_moved &= others
    common.transferred &= others
    common.trash_cards &= others
    common.focus_cards &= others
    common.time_travel_cards &= others
    common.left_plays &= others
    common.left_unplayed &= others
    common.repaired &= others
    common.tentative_calls &= others
