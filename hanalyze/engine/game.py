"""The record of a running game: state, variant and rules, and the parts that rows are written from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hanalyze.game.cards import IDENTITIES, MAX_CARDS, MAX_SUITS, RANK_SLOTS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.record import Grid, Record, Row

kernel_module(__name__)

Ints: TypeAlias = NDArray[np.int64]

MAX_SEATS: Final = 6
MAX_HAND: Final = 6
SUBSETS: Final = 1 << MAX_HAND

# --- Places of a card; a seat (0 to 5) stands for that player's hand.
IN_DECK: Final = -1
ON_STACK: Final = -2
IN_DISCARD: Final = -3

# --- Ways in which a stack of Up or Down grows.
UNDECIDED: Final = 0
UP: Final = 1
DOWN: Final = -1

# --- Ways to build stacks.
PLAIN: Final = 0
UP_OR_DOWN: Final = 1
SUDOKU: Final = 2

# --- Bits of `VariantLookup.flags`.
HOLE: Final = 1
"""Throw It in a Hole: a completed stack gives no token."""
ALTERNATING: Final = 2
"""Clues must alternate between colour and rank."""
INVERTED: Final = 4
"""A suit is inverted: cards may be discarded with all tokens there."""
COLOURS_TOUCH_NOTHING: Final = 8
RANKS_TOUCH_NOTHING: Final = 16
SILENT: Final = 32
"""Receivers do not learn what a clue named (Cow & Pig, Duck)."""


class VariantLookup(Record):
    """Parameters of the variant. Written by `batch`."""

    suits: int
    stack_size: int
    colours: int
    """Clue colours."""
    stack_kind: int
    """One of the ways to build stacks above."""
    flags: int
    token_unit: int
    """Units to a clue token: 2 in Clue Starved, where half tokens are gained."""
    reversed: int
    """Mask of the suits that are built downwards."""
    clue_ranks: int
    """Mask of the ranks that can be named."""
    everything: Annotated[Row, 3]
    """Three masks: the identities of which the deck has 1 copy at least (all of the variant's), 2, and 3."""
    copies: Annotated[Row, IDENTITIES]
    """By identity, how many the deck has."""
    colour_touch: Annotated[Row, MAX_SUITS]
    """By clue colour, the mask of the identities that it touches."""
    rank_touch: Annotated[Row, RANK_SLOTS]
    """By rank, the mask of the identities that a clue of it touches."""


class RulesLookup(Record):
    """Parameters of the rules; 1 and 0 for yes and no. Written by `batch`."""

    clue_tokens: int
    strikes_to_lose: int
    zero_when_lost: int
    empty_clues: int
    discard_at_full_tokens: int
    clue_to_self: int
    ends_when_stuck: int
    all_or_nothing: int
    speedrun: int
    deck_plays: int
    card_cycle: int


class PresentAction(Record):
    """The action of a recorded game that is to be carried out, or was last. Written by `playing`."""

    seat: int
    """Who acts."""
    kind: int
    target: int
    value: int
    after_end: int
    """1 if the game was over before it."""
    defect: int
    """The rule that it breaks, a number of `Defect`; 0 if none."""


class LastAction(Record):
    """Result of the last action. Written by `step`."""

    result: int
    """A number of the words of the column `result`."""
    slot: int
    """Slot from which the card was played or discarded, 0 the deck."""
    touched: int
    """Slots that the clue touched, bit 0 slot 1."""
    drawn: int
    """Order of the card drawn afterwards, -1 if none was."""


class Knowledge(Record):
    """Empathy of each holder; see `hanalyze.engine.knowledge`.

    Written by `step`, `knowledge`, `histories`, `agents.viewpoints`, `position`.
    """

    unseen: Annotated[Grid, MAX_SEATS, 3]
    """By seat and n, the mask of the identities of which the player does not see more than n copies, which
    are in the deck or in the own hand."""
    known: Annotated[Grid, MAX_SEATS, MAX_HAND]
    """By seat and index, the mask of the identities that the holder allows for."""
    certain: Annotated[Row, MAX_SEATS]
    """By seat, the indices of the cards for which the holder allows for one identity, as a mask."""
    unread: int
    """Mask of the seats whose `known` is out of date."""
    unsure: int
    """Mask of the seats that have only seen `new_card` since: their `known` may be out of date."""
    new_card: int
    """Order of the card that the others saw last."""
    read: int
    """Mask of the seats whose `known` was recomputed since their cards were last followed."""
    members: Annotated[Row, MAX_HAND]
    """Scratch space: masks of the cards of a hand that constrain the others."""
    member_index: Annotated[Row, MAX_HAND]
    """Scratch space: the indices in the hand of these cards."""
    union: Annotated[Row, SUBSETS]
    """Scratch space: by set of these cards, the union of their possible identities."""
    indices: Annotated[Row, SUBSETS]
    """Scratch space: by set of these cards, their indices in the hand as a mask."""


class WeighedHand(Record):
    """A hand whose layouts are counted. Written by `odds`."""

    size: int
    known: Annotated[Row, MAX_HAND]
    """By index, the mask of the identities that the holder allows for."""
    unseen: Annotated[Row, 3]
    """By n, the mask of the identities of which the holder does not see more than n copies."""
    left: Annotated[Row, 3]
    """The same without the copies of known cards."""
    bound: int
    """Indices of the cards that constrain other cards, as a mask."""
    common: Annotated[Row, SUBSETS]
    """By set of these cards, as a mask of indices, the identities that each of them may be."""
    copies: Annotated[Row, SUBSETS]
    """By set of these cards, the copies that are left of these identities."""
    ways: Annotated[Row, SUBSETS]
    """By set of these cards, number of ways to lay them out."""


class Notes(Record):
    """Events of cards, kept for their rows. Written by `histories`, `outlook`, `run`."""

    known: int
    """Mask of the orders that their holders have known."""
    playable: int
    """Mask of the orders that have been playable."""
    playable_before: int
    """`Game.playable` when the cards were followed last, -1 before the first time."""
    just_lost: int
    """The needed identity of which the last action lost a copy and one is left, -1 if none."""
    chop: Annotated[Row, MAX_SEATS]
    """By seat, the order of the chop when the cards were followed last, -1 if there was none."""
    clue_row: Annotated[Row, MAX_CARDS]
    """By order, the row of the clue that first touched the card."""


class Choice(Record):
    """The action that an agent or the solver chose, and the state of its random numbers.

    Written by `agents.players`, `agents.simulation`, `agents.own`, `solver.lines`.
    """

    kind: int
    target: int
    value: int
    noise: int
    """From 1 to 2**32 - 1."""


class Game(Record):
    """A running game.

    Written by `step`, `stacks`, `measure`, `playing`, `position`, `agents.viewpoints`, `detectors.watching`,
    `solver.one_player`. The last four hide, show or replace cards in it.
    """

    seat: int
    """The player to move."""
    turn: int
    """Actions carried out so far."""
    drawn: int
    """Cards that have left the deck, which is also the order of its top card."""
    tokens: int
    """Clue tokens in units of `VariantLookup.token_unit` to the token (halves in Clue Starved)."""
    strikes: int
    raw_score: int
    """Cards on the play stacks."""
    max_score: int
    end_turn: int
    """The turn before which the last round is over, -1 while cards are left."""
    end_condition: int
    """A number of `EndCondition`; 0 while the game goes on."""
    playable: int
    """Mask of the identities that fit a stack now."""
    last_clue: int
    """Kind of the last clue, -1 before the first."""
    stuck_rule: int
    """1 while the game ends when nothing can be played any more."""
    clues_lost: int
    """Clues given, and tokens lost by strikes and by stacks completed with all tokens there; in halves."""
    needed: int
    """Mask of the identities that a stack can still come to need, -1 when it must be recomputed."""
    critical: int
    """Mask of needed identities with one copy left, computed together with `needed`."""
    gone: int
    """Mask of the identities of which no copy is left."""
    one_left: int
    """Mask of the identities of which one copy is left."""
    clued: int
    """Mask of the orders in hands that a clue touched."""

    hand_len: Annotated[Row, MAX_SEATS]
    """By seat, cards in hand."""
    hands: Annotated[Grid, MAX_SEATS, MAX_HAND]
    """By seat, the orders in hand, the oldest first."""
    identity: Annotated[Row, MAX_CARDS]
    """By order, the identity; -1 where it is hidden."""
    place: Annotated[Row, MAX_CARDS]
    """By order, a seat or one of the places above."""
    colour_clues: Annotated[Row, MAX_CARDS]
    """By order, how many colour clues touched the card."""
    rank_clues: Annotated[Row, MAX_CARDS]
    """By order, how many rank clues touched the card."""
    informed: Annotated[Row, MAX_CARDS]
    """By order, 1 once any clue was given to the hand that holds the card."""
    possible: Annotated[Row, MAX_CARDS]
    """By order, the mask of the identities that the card's clues leave."""
    stack: Annotated[Row, MAX_SUITS]
    """By suit, cards on the stack."""
    top: Annotated[Row, MAX_SUITS]
    """By suit, the rank of the stack's top card, 0 none."""
    way: Annotated[Row, MAX_SUITS]
    """By suit, the way in which a stack of Up or Down grows."""
    start_rank: Annotated[Row, MAX_SUITS]
    """By suit, the rank of the stack's first card, 0 none."""
    stack_max: Annotated[Row, MAX_SUITS]
    """By suit, the most cards that the stack can still reach."""
    lost: Annotated[Row, IDENTITIES]
    """By identity, copies discarded or misplayed."""

    seats: int
    cards: int
    """Cards of the whole deck."""
    full_tokens: int
    """Clue tokens when all are there, in the units of `tokens`."""
    full_score: int
    """Points when all stacks are complete."""
    variant: VariantLookup
    rules: RulesLookup

    action: PresentAction
    last: LastAction
    know: Knowledge
    weighed: WeighedHand
    notes: Notes
    choice: Choice


def next_seats(seat: int, seats: int) -> Iterator[int]:
    """Yield the other seats in the order of their turns after `seat`.

    >>> list(next_seats(2, 4))
    [3, 0, 1]
    """
    for ahead in range(1, seats):
        yield (seat + ahead) % seats
