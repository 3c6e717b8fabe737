"""The array of what the players have told each other, and the names of its places.

In: nothing. Out: a layout. Beside the array `s` of a running game (`hanalyze.engine.state`) conventions keep
one array of 64-bit integers, `v`: what messages said of the cards, the calls that are open, what the present
turn looks like, and room to judge a clue in. `v[at.FINESSED]` is a number, `v[at.INFERRED + order]` an entry
of a table (with `from hanalyze.conventions import state as at`). Sets of cards are masks with bit `order`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hanalyze.engine.game import MAX_SEATS, Ints
from hanalyze.game.cards import IDENTITIES, MAX_CARDS
from hanalyze.kernels.compiling import kernel

MAX_CHAINS: Final = 16
"""Calls that can be open at once."""
MAX_STEPS: Final = 8
"""Steps of a chain."""

# --- What messages said; lasts from turn to turn.
LEVEL: Final = 0
"""The level up to which conventions are played, 1 to 25."""
EARLY: Final = 1
"""1 until the first unknown card is discarded."""
FINESSED: Final = 2
"""Mask of the cards called to be played blind."""
CHOP_MOVED: Final = 3
TRANSFERRED: Final = 4
"""Mask of the cards that a discard named."""
TOLD_TRASH: Final = 5
"""Mask of the cards that a message said to be trash."""
STARTING: Final = 6
"""Mask of the cards of the first deal."""
SCREAMED: Final = 7
"""Mask of the seats that a discard told to clue."""
JUST_LOST: Final = 8
"""The needed identity of which the last action left one copy, -1 if none."""
QUEUE: Final = 9
"""How many cards were called to be played blind so far."""
FOCUSED: Final = 10
"""Mask of the cards that were the focus of a clue."""

ASKED: Final = 25
"""The finesse position that a clue without a chain seems to ask for, -1 if none."""
FIVE_STALLS: Final = 26
"""5 stalls given so far."""

# --- What the turn looks like; found anew by `look`.
GOTTEN: Final = 11
"""Mask of the cards that are clued, finessed or transferred."""
NEEDED: Final = 12
"""Mask of the identities that a stack still needs."""
HYPO_PLAYABLE: Final = 13
"""Mask of the identities that will fit a stack once all has been played that plays without a message."""
HYPO_PLAYED: Final = 14
"""Mask of the identities that these plays put on the stacks."""
PLAYING: Final = 15
"""Mask of the cards that play without a further message."""
PLAYABLE_NOW: Final = 16
"""Of them, those whose holder may play them now."""
DANGER: Final = 17
"""Mask of the cards that their holder would play now and that do not fit."""
KNOWN_TRASH: Final = 18
"""Mask of the cards that their holder knows to be trash."""
DUPLICATED: Final = 19
"""Mask of gotten cards that are trash or copies of other gotten cards, unknown to their holder."""
SEVERITY: Final = 20
"""How badly the player to move must stall: 0 not, 1 early game, 2 no discard, 3 locked, 4 all tokens."""
END_PHASE: Final = 21
"""1 when the pace is below the number of players."""
CALLED: Final = 22
"""Mask of the cards whose step is open now."""
HIDDEN: Final = 23
"""Mask of the cards in hands whose identity is unknown to us."""
CRITICAL: Final = 24
"""Mask of the needed identities with one copy left."""

ASKED_BY: Final = 27
"""The message that does: `turn * 8 + seat + 1`."""

CHOP: Final = 28
"""By seat, the order of the chop, -1 if there is none."""
FIRST: Final = CHOP + MAX_SEATS
"""By seat, the order on the finesse position, -1 if there is none."""
HELD: Final = FIRST + MAX_SEATS
"""By seat, the identities of the gotten cards in that hand."""
HELD_SURE: Final = HELD + MAX_SEATS
"""By seat, those of them that the holder knows."""
CARDS: Final = HELD_SURE + MAX_SEATS
"""By seat, the mask of the cards in hand."""

# --- Tables by order.
INFERRED: Final = CARDS + MAX_SEATS
"""Mask of the identities that messages leave, beside what is possible."""
SEES: Final = INFERRED + MAX_CARDS
"""Mask of the identities that the holder allows for now."""
CALL_NUMBER: Final = SEES + MAX_CARDS
"""When the card was called to be played blind: earlier ones play first."""
SAVE_ROW: Final = CALL_NUMBER + MAX_CARDS
"""Row of the finding that saved or moved the card, -1 if none waits for its fate."""
GOT_TURN: Final = SAVE_ROW + MAX_CARDS
"""Turn when the card was first touched, called or named."""

SOURCE: Final = GOT_TURN + MAX_CARDS
"""The message that last told what the card is: `turn * 8 + seat + 1`, 0 if none did."""
TOLD: Final = SOURCE + MAX_CARDS
"""Mask of the identities that this message left."""
HOW_TOLD: Final = TOLD + MAX_CARDS
"""Bits: `TOLD_ON_CHOP`, `TOLD_BADLY`, `TOLD_UNAWARE`."""
TOLD_ON_CHOP: Final = 1
TOLD_BADLY: Final = 2
"""The card broke good touch, as the giver could see."""
TOLD_UNAWARE: Final = 4
"""It did, by a card of the giver's own hand, which the giver did not know."""
BREAKER: Final = HOW_TOLD + MAX_CARDS
"""Who ended the call that the card was part of: `turn * 16 + seat + 1`, 8 more if it was called itself."""

# --- Tables by identity.
TAKEN: Final = BREAKER + MAX_CARDS
"""The copy that was played: `turn * 64 + (seat + 1) * 8` of who got it, `+ seat + 1` of who played it."""

# --- Open calls: `CHAINS + chain * CHAIN_SIZE + field`.
CHAINS: Final = TAKEN + IDENTITIES
CHAIN_STATUS: Final = 0
"""0 for a place that is free."""
CHAIN_KIND: Final = 1
CHAIN_GIVER: Final = 2
CHAIN_RECEIVER: Final = 3
CHAIN_FOCUS: Final = 4
CHAIN_IDENTITY: Final = 5
"""The identity of the focus by the giver's view, -1 if unknown."""
CHAIN_TURN: Final = 6
CHAIN_ROW: Final = 7
CHAIN_STEPS: Final = 8
CHAIN_DONE: Final = 9
CHAIN_DEFERRALS: Final = 10
CHAIN_READINGS: Final = 11
CHAIN_LATE: Final = 12
"""1 + the seat that last let its step pass without an excuse, 0 if none did."""
CHAIN_HEAD: Final = 13
STEP_SEAT: Final = 0
STEP_ORDER: Final = 1
STEP_KIND: Final = 2
STEP_IDS: Final = 3
STEP_SIZE: Final = 4
CHAIN_SIZE: Final = CHAIN_HEAD + MAX_STEPS * STEP_SIZE

# --- Room to judge a clue in; see `hanalyze.conventions.judge`.
MAIN: Final = CHAINS + MAX_CHAINS * CHAIN_SIZE
SECOND: Final = MAIN + 1
"""A further convention that the clue is, -1 if none."""
FOCUS: Final = MAIN + 2
ON_CHOP: Final = MAIN + 3
READINGS: Final = MAIN + 4
CERTAINTY: Final = MAIN + 5
"""In percent."""
LEGAL: Final = MAIN + 6
WHY: Final = MAIN + 7
"""Reasons, as bits."""
MOVED: Final = MAIN + 8
"""Mask of the cards that the clue chop moves."""
BAD: Final = MAIN + 9
"""Newly touched cards that break good touch."""
WORTH: Final = MAIN + 10
"""Cards newly gotten: touched and useful, or called."""
STEPS: Final = MAIN + 11
STEP: Final = MAIN + 12
"""The chain's steps, `STEP + i * STEP_SIZE + field`."""
BLIND: Final = STEP + MAX_STEPS * STEP_SIZE
"""Blind steps of the chain."""
PROMPTS: Final = BLIND + 1
LAYERS: Final = BLIND + 2
HIDDEN_PROMPTS: Final = BLIND + 3
OWN: Final = BLIND + 4
"""1 if a blind or prompted card is the receiver's own."""
REVERSE: Final = BLIND + 5
GUESSED: Final = BLIND + 6
"""1 if a step rests on a card that is unknown to us."""
FAILURE: Final = BLIND + 7
"""Why the last search found no chain."""
NEWLY: Final = BLIND + 8
"""Mask of the touched cards that no clue touched before."""
AVAILABLE: Final = BLIND + 9
"""Mask of the conventions that some legal clue of this turn would be, -1 when not found yet."""
BEST: Final = BLIND + 10
"""The most that a play or save clue of this turn is worth."""
LEGAL_CLUES: Final = BLIND + 11
ROW: Final = BLIND + 12
"""Rows of findings written so far."""
MENTIONED: Final = BLIND + 13
"""Rows that the turn has written."""
TOUCHED: Final = BLIND + 14
"""Mask of the cards that the clue touches."""
TOUCH: Final = BLIND + 15
"""Mask of the identities that the clue touches."""
BETTER: Final = BLIND + 16
"""Mask of the cards that clean play and save clues of this turn would be about."""
GIVERS_OWN: Final = BLIND + 17
"""1 while cards of the giver count that only the others know."""
SAID: Final = BLIND + 18
"""1 if a clue tells something new of a clued card."""
WRONG_SEAT: Final = BLIND + 19
"""Where a search was stopped by a prompt that calls the wrong card: the seat, -1 if none was."""
WRONG_CARD: Final = BLIND + 20
WRONG_IDENTITY: Final = BLIND + 21
"""What that card would be taken for."""
MAY_BE_LEFT: Final = BLIND + 22
"""1 if the only better clue is about a card that a later finesse may call as well."""
AT_RISK: Final = BLIND + 23
"""Mask of the chops that need saving and that their holders are about to discard."""
SAVABLE: Final = BLIND + 24
"""Of them, those that some clue of this turn saves."""
KEEP: Final = BLIND + 25
"""Room to keep a chain in while others are tried."""
SIZE: Final = KEEP + 16 + MAX_STEPS * STEP_SIZE


@kernel
def chain_at(chain: int) -> int:
    """Return where a chain's fields begin."""
    return CHAINS + chain * CHAIN_SIZE


@kernel
def step_at(chain: int, step: int) -> int:
    """Return where the fields of a chain's step begin."""
    return CHAINS + chain * CHAIN_SIZE + CHAIN_HEAD + step * STEP_SIZE


def new_conventions() -> Ints:
    """Return the array for a game, (`SIZE`,) int64, not begun yet.

    >>> new_conventions().nbytes < 20480
    True
    """
    return np.zeros(SIZE, np.int64)
