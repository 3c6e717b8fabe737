"""What the players have told each other, what the turn looks like by it, and the verdict on one action.

In: nothing. Out: the record `Reading`, which conventions keep beside a running game, with its three parts and
the calls that are open. Sets of cards are masks with bit `order`, sets of identities masks with bit
`suit * 8 + rank`.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.engine.game import MAX_SEATS
from hanalyze.game.cards import IDENTITIES, MAX_CARDS
from hanalyze.kernels.record import Record, Row

__all__ = [
    "MAX_CALLS",
    "MAX_STEPS",
    "TOLD_BADLY",
    "TOLD_ON_CHOP",
    "TOLD_UNAWARE",
    "Call",
    "Chain",
    "Look",
    "Reading",
    "Step",
    "Told",
    "Verdict",
]

MAX_CALLS: Final = 16
"""Calls that can be open at once."""
MAX_STEPS: Final = 8
"""Steps of a call."""

# --- Bits of `Told.how_told`.
TOLD_ON_CHOP: Final = 1
TOLD_BADLY: Final = 2
"""The card broke good touch, as the giver could see."""
TOLD_UNAWARE: Final = 4
"""It did, by a card of the giver's own hand, which the giver did not know."""


class Told(Record):
    """What messages said so far; lasts from turn to turn."""

    level: int
    """The level up to which conventions are played, 1 to 25."""
    early: int
    """1 until the first unknown card is discarded."""
    finessed: int
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
    queue: int
    """How many cards were called to be played blind so far."""
    focused: int
    """Mask of the cards that were the focus of a clue."""
    asked: int
    """The finesse position that a clue without a chain seems to ask for, -1 if none."""
    asked_by: int
    """The message that does: `turn * 8 + seat + 1`."""
    five_stalls: int
    """5 stalls given so far."""
    row: int
    """Rows of findings written so far, in all games."""

    inferred: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that messages leave, beside what is possible."""
    call_number: Annotated[Row, MAX_CARDS]
    """By order, when the card was called to be played blind: earlier ones play first."""
    save_row: Annotated[Row, MAX_CARDS]
    """By order, the row of the finding that saved or moved the card, -1 if none waits for its fate."""
    got_turn: Annotated[Row, MAX_CARDS]
    """By order, the turn when the card was first touched, called or named."""
    source: Annotated[Row, MAX_CARDS]
    """By order, the message that last told what the card is: `turn * 8 + seat + 1`, 0 if none did."""
    ids: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that this message left."""
    how_told: Annotated[Row, MAX_CARDS]
    """By order, how it told: the bits above."""
    breaker: Annotated[Row, MAX_CARDS]
    """By order, who ended the call that the card was part of: `turn * 16 + seat + 1`, 8 more if it was called
    itself."""
    taken: Annotated[Row, IDENTITIES]
    """By identity, the copy that was played: `turn * 64 + (seat + 1) * 8` of who got it, `+ seat + 1` of who
    played it."""


class Look(Record):
    """What the turn looks like; found anew by `hanalyze.conventions.hands.look`."""

    gotten: int
    """Mask of the cards that are clued, finessed or transferred."""
    needed: int
    """Mask of the identities that a stack still needs."""
    critical: int
    """Mask of the needed identities with one copy left."""
    hypo_playable: int
    """Mask of the identities that will fit a stack once all has been played that plays without a message."""
    hypo_played: int
    """Mask of the identities that these plays put on the stacks."""
    playing: int
    """Mask of the cards that play without a further message."""
    playable_now: int
    """Of them, those whose holder may play them now."""
    danger: int
    """Mask of the cards that their holder would play now and that do not fit."""
    known_trash: int
    """Mask of the cards that their holder knows to be trash."""
    duplicated: int
    """Mask of gotten cards that are trash or copies of other gotten cards, unknown to their holder."""
    severity: int
    """How badly the player to move must stall: 0 not, 1 early game, 2 no discard, 3 locked, 4 all tokens."""
    end_phase: int
    """1 when the pace is below the number of players."""
    called: int
    """Mask of the cards whose step is open now."""
    hidden: int
    """Mask of the cards in hands whose identity is unknown to us."""
    available: int
    """Mask of the conventions that some legal clue of this turn would be, -1 when not found yet."""
    best: int
    """The most that a play or save clue of this turn is worth."""
    legal_clues: int
    better: int
    """Mask of the cards that clean play and save clues of this turn would be about."""
    may_be_left: int
    """1 if the only better clue is about a card that a later finesse may call as well."""
    at_risk: int
    """Mask of the chops that need saving and that their holders are about to discard."""
    savable: int
    """Of them, those that some clue of this turn saves."""

    chop: Annotated[Row, MAX_SEATS]
    """By seat, the order of the chop, -1 if there is none."""
    first: Annotated[Row, MAX_SEATS]
    """By seat, the order on the finesse position, -1 if there is none."""
    held: Annotated[Row, MAX_SEATS]
    """By seat, the identities of the gotten cards in that hand."""
    held_sure: Annotated[Row, MAX_SEATS]
    """By seat, those of them that the holder knows."""
    cards: Annotated[Row, MAX_SEATS]
    """By seat, the mask of the cards in hand."""
    sees: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that the holder allows for now."""


class Step(Record):
    """A card that a call asks for."""

    seat: int
    order: int
    kind: int
    ids: int
    """Mask of what it is called as."""


class Call(Record):
    """What a message expects of later turns."""

    is_open: int
    """0 for a place that is free."""
    kind: int
    """A number of `Convention`."""
    giver: int
    receiver: int
    focus: int
    identity: int
    """The identity of the focus by the giver's view, -1 if unknown."""
    turn: int
    row: int
    length: int
    """How many steps there are."""
    done: int
    """How many of them have been made."""
    deferrals: int
    readings: int
    late: int
    """1 + the seat that last let its step pass without an excuse, 0 if none did."""
    steps: Annotated[list[Step], MAX_STEPS]


class Chain(Record):
    """How a clue's focus comes to be playable; see `hanalyze.conventions.chains`."""

    length: int
    """How many steps there are."""
    blind: int
    """Blind steps."""
    prompts: int
    layers: int
    hidden_prompts: int
    own: int
    """1 if a blind or prompted card is the receiver's own."""
    reverse: int
    guessed: int
    """1 if a step rests on a card that is unknown to us."""
    failure: int
    """Why the last search found no chain."""
    steps: Annotated[list[Step], MAX_STEPS]


class Verdict(Record):
    """The verdict on one action, and room to find it in."""

    name: int
    """The convention that it mainly is."""
    second: int
    """A further convention that the clue is, -1 if none."""
    focus: int
    on_chop: int
    readings: int
    certainty: int
    """In percent."""
    legal: int
    why: int
    """Reasons, as bits."""
    moved: int
    """Mask of the cards that the clue chop moves."""
    bad: int
    """Newly touched cards that break good touch."""
    worth: int
    """Cards newly gotten: touched and useful, or called."""
    newly: int
    """Mask of the touched cards that no clue touched before."""
    mentioned: int
    """Rows that the turn has written."""
    touched: int
    """Mask of the cards that the clue touches."""
    touch: int
    """Mask of the identities that the clue touches."""
    givers_own: int
    """1 while cards of the giver count that only the others know."""
    said: int
    """1 if a clue tells something new of a clued card."""
    wrong_seat: int
    """Where a search was stopped by a prompt that calls the wrong card: the seat, -1 if none was."""
    wrong_card: int
    wrong_identity: int
    """What that card would be taken for."""
    chain: Chain
    """What the clue calls for."""
    kept: Chain
    """Room to keep a chain in while others are tried."""


class Reading(Record):
    """What conventions keep beside a running game."""

    told: Told
    look: Look
    verdict: Verdict
    calls: Annotated[list[Call], MAX_CALLS]
