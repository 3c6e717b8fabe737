"""Record of a running game: state, variant, rules, and the values from which rows are written."""

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

# --- Places of a card; a seat (0 to 5) is that player's hand.
IN_DECK: Final = -1
ON_STACK: Final = -2
IN_DISCARD: Final = -3

# --- Directions of a stack of Up or Down.
UNDECIDED: Final = 0
UP: Final = 1
DOWN: Final = -1

# --- Kinds of stacks.
PLAIN: Final = 0
UP_OR_DOWN: Final = 1
SUDOKU: Final = 2

# --- Bits of `VariantLookup.flags`.
HOLE: Final = 1
"""Throw It in a Hole: a completed stack gives no token."""
ALTERNATING: Final = 2
"""Clues must alternate between colour and rank."""
INVERTED: Final = 4
"""A suit is inverted (Orange): cards may be discarded at full clue tokens."""
COLOURS_TOUCH_NOTHING: Final = 8
RANKS_TOUCH_NOTHING: Final = 16
SILENT: Final = 32
"""Receivers do not learn the colour or rank of a clue (Cow & Pig, Duck)."""


class VariantLookup(Record):
    """Parameters of the variant. Written by `batch`."""

    suits: int
    stack_size: int
    colours: int
    """Number of clue colours."""
    stack_kind: int
    """`PLAIN`, `UP_OR_DOWN` or `SUDOKU`."""
    flags: int
    token_unit: int
    """Units per clue token: 2 in Clue Starved, where players gain half tokens, otherwise 1."""
    reversed: int
    """Mask of the suits that are built downwards."""
    clue_ranks: int
    """Mask of the ranks that a clue can name."""
    everything: Annotated[Row, 3]
    """Masks of the identities with at least 1, 2 and 3 copies in the deck."""
    last_ranks: int
    """Mask of the identities that complete a plain stack and have one copy in the deck."""
    copies: Annotated[Row, IDENTITIES]
    """Number of copies in the deck, indexed by identity."""
    colour_touch: Annotated[Row, MAX_SUITS]
    """Mask of the identities that a colour clue touches, indexed by clue colour."""
    rank_touch: Annotated[Row, RANK_SLOTS]
    """Mask of the identities that a rank clue touches, indexed by rank."""


class RulesLookup(Record):
    """Parameters of the rules, as in `Rules`; truth values are 1 and 0. Written by `batch`."""

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
    """The current action of a recorded game, before and after it is carried out. Written by `playing`."""

    seat: int
    """Seat of the player who acts."""
    kind: int
    target: int
    value: int
    after_end: int
    """1 if the game was over before the action."""
    defect: int
    """The rule that the action breaks, a number of `Defect`; 0 if it is legal."""


class LastAction(Record):
    """Result of the last action. Written by `rules`."""

    result: int
    """A number of `hanalyze.game.actions.Result`."""
    slot: int
    """Slot from which the card was played or discarded; 0 if it came from the deck."""
    touched: int
    """Mask of the slots that the clue touched; bit 0 is slot 1."""
    drawn: int
    """Order of the card drawn after the action, -1 if no card was drawn."""


class Knowledge(Record):
    """Empathy of each holder; see `hanalyze.engine.knowledge`.

    Written by `rules`, `knowledge`, `histories`, `agents.viewpoints`, `position`.
    """

    unseen: Annotated[Grid, MAX_SEATS, 3]
    """Mask of the identities with more than n copies that the player does not see (in the deck or in the
    player's hand), indexed by seat and n."""
    known: Annotated[Grid, MAX_SEATS, MAX_HAND]
    """Mask of the identities that the holder considers possible, indexed by seat and index in the hand."""
    certain: Annotated[Row, MAX_SEATS]
    """Mask of the hand indices of the cards with one possible identity, indexed by seat."""
    unread: int
    """Mask of the seats whose `known` is out of date."""
    unsure: int
    """Mask of the seats whose `known` may be out of date, because they have since seen only `new_card`."""
    new_card: int
    """Order of the card that was drawn last."""
    read: int
    """Mask of the seats whose `known` was recomputed since the last call of `follow_cards`."""
    group: Annotated[Row, MAX_HAND]
    """Scratch space: `known` of the cards of a hand before any is changed, indexed by index in the hand."""


class WeighedHand(Record):
    """A hand, and the values from which its layouts with unseen cards are counted. Written by `odds`.

    A class is the set of the cards with the same possible identities; known cards are in no class.
    """

    size: int
    known: Annotated[Row, MAX_HAND]
    """Mask of the identities that the holder considers possible, indexed by index in the hand."""
    unseen: Annotated[Row, 3]
    """Mask of the identities with more than n copies that the holder does not see, indexed by n."""
    left: Annotated[Row, 3]
    """`unseen` without the copies of known cards."""
    layouts: int
    """1 if there is a way to lay out the hand, otherwise 0."""
    class_of: Annotated[Row, MAX_HAND]
    """The card's class, indexed by index in the hand; 0 for a known card."""
    ids: Annotated[Row, MAX_HAND]
    """Mask of the identities in `left` that are possible for the cards of a class, indexed by class."""
    cards: Annotated[Row, MAX_HAND]
    """Number of cards, indexed by class."""
    within: Annotated[Row, MAX_HAND]
    """Mask of the other classes whose identities are all among those of the class, indexed by class."""
    own: Annotated[Row, MAX_HAND]
    """`ids` without those of the classes `within`, indexed by class."""
    room: Annotated[Row, MAX_HAND]
    """Number of copies of `ids` that the cards of the classes `within` leave, indexed by class."""


class Notes(Record):
    """Events of cards, recorded until their rows are written. Written by `histories`, `outlook`, `run`."""

    known: int
    """Mask of the orders of the cards that their holders have known at some time."""
    playable: int
    """Mask of the orders of the cards that have been playable at some time."""
    playable_before: int
    """`Game.playable` at the last call of `follow_cards`, 0 before the first call."""
    just_lost: int
    """Needed identity of which the last action left only one copy; -1 if there is none."""
    chop: Annotated[Row, MAX_SEATS]
    """Order of the chop at the last call of `follow_cards`, -1 if there was none; indexed by seat."""
    clue_row: Annotated[Row, MAX_CARDS]
    """Row of the clue that first touched the card, -1 if no clue has; indexed by order."""


class Choice(Record):
    """The action that an agent or the solver chose, and the state of the random number generator.

    `kind` is -1 (`agents.players.NO_ACTION`) if an agent chose no action. Written by `agents.players`,
    `agents.simulation`, `agents.own`, `solver.lines`.
    """

    kind: int
    target: int
    value: int
    noise: int
    """State of the random number generator, from 1 to 2**32 - 1."""


class Game(Record):
    """A running game.

    Written by `rules`, `stacks`, `measure`, `playing`, `position`, `agents.viewpoints`, `detectors.run`,
    `solver.ranking`. The last four modules hide, show or replace cards of the game.
    """

    seat: int
    """Seat of the player to move."""
    turn: int
    """Number of actions carried out so far."""
    drawn: int
    """Number of cards that have left the deck, which is also the order of its top card."""
    tokens: int
    """Clue tokens in units; one token is `VariantLookup.token_unit` units."""
    strikes: int
    raw_score: int
    """Number of cards on the play stacks."""
    max_score: int
    end_turn: int
    """Value of `turn` at which the last round is over, -1 if it has not begun."""
    end_condition: int
    """A number of `EndCondition`; 0 while the game is running."""
    playable: int
    """Mask of the identities that fit a stack."""
    last_clue: int
    """Kind of the last clue, -1 before the first clue."""
    stuck_rule: int
    """1 if the game ends as soon as no card can be played any more."""
    clues_lost: int
    """Clues given, plus tokens lost by strikes and by stacks completed at full tokens; in half clues."""
    needed: int
    """Result of `needed_cards`, out of date for `changed_suits`."""
    critical: int
    """Result of `critical_cards`, out of date for `changed_suits`."""
    changed_suits: int
    """Mask of the suits for which `needed` and `critical` must be recomputed."""
    gone: int
    """Mask of the identities with no copy left."""
    one_left: int
    """Mask of the identities with one copy left."""
    clued: int
    """Mask of the orders of the clued cards in hands."""

    hand_len: Annotated[Row, MAX_SEATS]
    """Number of cards in the hand, indexed by seat."""
    hands: Annotated[Grid, MAX_SEATS, MAX_HAND]
    """Orders of the cards in the hand, oldest first; indexed by seat."""
    identity: Annotated[Row, MAX_CARDS]
    """Identity of the card, -1 if it is hidden; indexed by order."""
    place: Annotated[Row, MAX_CARDS]
    """Seat of the holder, `IN_DECK`, `ON_STACK` or `IN_DISCARD`; indexed by order."""
    colour_clues: Annotated[Row, MAX_CARDS]
    """Number of colour clues that touched the card, indexed by order."""
    rank_clues: Annotated[Row, MAX_CARDS]
    """Number of rank clues that touched the card, indexed by order."""
    informed: Annotated[Row, MAX_CARDS]
    """1 if a clue was given to the hand while the card was in it, indexed by order."""
    possible: Annotated[Row, MAX_CARDS]
    """Mask of the identities that the clues to the card leave possible, indexed by order."""
    stack: Annotated[Row, MAX_SUITS]
    """Number of cards on the stack, indexed by suit."""
    top: Annotated[Row, MAX_SUITS]
    """Rank of the stack's top card, 0 if the stack is empty; indexed by suit."""
    way: Annotated[Row, MAX_SUITS]
    """Direction of a stack of Up or Down: `UP`, `DOWN` or `UNDECIDED`; indexed by suit."""
    start_rank: Annotated[Row, MAX_SUITS]
    """Rank of the stack's first card, 0 if the stack is empty; indexed by suit."""
    stack_max: Annotated[Row, MAX_SUITS]
    """Maximum number of cards that the stack can still reach, indexed by suit."""
    lost: Annotated[Row, IDENTITIES]
    """Number of copies discarded or misplayed, indexed by identity."""

    seats: int
    cards: int
    """Number of cards in the whole deck."""
    full_tokens: int
    """Maximum of `tokens`."""
    full_score: int
    """Score when all stacks are complete."""
    variant: VariantLookup
    rules: RulesLookup

    action: PresentAction
    last: LastAction
    know: Knowledge
    weighed: WeighedHand
    notes: Notes
    choice: Choice


def next_seat(seat: int, seats: int) -> int:
    """Return the seat that moves after `seat`; faster than a division.

    >>> next_seat(3, 4)
    0
    """
    return seat + 1 if seat + 1 < seats else 0


def next_seats(seat: int, seats: int) -> Iterator[int]:
    """Yield the other seats in the order of their turns after `seat`.

    >>> list(next_seats(2, 4))
    [3, 0, 1]
    """
    for _ in range(1, seats):
        seat = next_seat(seat, seats)
        yield seat
