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
HOLE: Final = 1  # Throw It in a Hole: a completed stack gives no token
ALTERNATING: Final = 2  # clues must alternate between colour and rank
INVERTED: Final = 4  # a suit is inverted (Orange): cards may be discarded at full clue tokens
COLOURS_TOUCH_NOTHING: Final = 8
RANKS_TOUCH_NOTHING: Final = 16
SILENT: Final = 32  # receivers do not learn the colour or rank of a clue (Cow & Pig, Duck)


class VariantLookup(Record):
    """Parameters of the variant. Written by `batch`."""

    suits: int
    stack_size: int
    colours: int  # number of clue colours
    stack_kind: int  # `PLAIN`, `UP_OR_DOWN` or `SUDOKU`
    flags: int
    token_unit: int  # units per clue token: 2 in Clue Starved, where players gain half tokens, otherwise 1
    reversed: int  # mask of the suits that are built downwards
    clue_ranks: int  # mask of the ranks that a clue can name
    everything: Annotated[Row, 3]  # masks of the identities with at least 1, 2 and 3 copies in the deck
    last_ranks: int  # mask of the identities that complete a plain stack and have one copy in the deck
    copies: Annotated[Row, IDENTITIES]  # number of copies in the deck, indexed by identity
    colour_touch: Annotated[Row, MAX_SUITS]  # mask of the identities that each colour clue touches
    rank_touch: Annotated[Row, RANK_SLOTS]  # mask of the identities that a rank clue touches, indexed by rank


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

    seat: int  # seat of the player who acts
    kind: int
    target: int
    value: int
    after_end: int  # 1 if the game was over before the action
    defect: int  # the rule that the action breaks, a number of `Defect`; 0 if it is legal


class LastAction(Record):
    """Result of the last action. Written by `rules`."""

    result: int  # a number of `hanalyze.game.actions.Result`
    slot: int  # slot from which the card was played or discarded; 0 if it came from the deck
    touched: int  # mask of the slots that the clue touched; bit 0 is slot 1
    drawn: int  # order of the card drawn after the action, -1 if no card was drawn


class Knowledge(Record):
    """Empathy of each holder; see `hanalyze.engine.knowledge`.

    Written by `rules`, `knowledge`, `histories`, `agents.viewpoints`, `position`.
    """

    # By seat and n: mask of the identities with more than n copies that the player does not see (in the deck
    # or in the player's hand).
    unseen: Annotated[Grid, MAX_SEATS, 3]
    # By seat and index in the hand: mask of the identities that the holder considers possible.
    known: Annotated[Grid, MAX_SEATS, MAX_HAND]
    certain: Annotated[Row, MAX_SEATS]  # by seat: mask of the hand indices with one possible identity
    unread: int  # mask of the seats whose `known` is out of date
    unsure: int  # mask of the seats whose `known` may be out of date: they have since seen only `new_card`
    new_card: int  # order of the card that was drawn last
    read: int  # mask of the seats whose `known` may have changed since the last call of `follow_cards`
    group: Annotated[Row, MAX_HAND]  # scratch space: `known` of a hand before any card is changed


class WeighedHand(Record):
    """A hand, and the values from which its layouts with unseen cards are counted. Written by `odds`.

    A class is the set of the cards with the same possible identities; known cards are in no class.
    """

    size: int
    unseen: Annotated[Row, 3]  # for each n: mask of the identities with more than n copies, as in `Knowledge`
    left: Annotated[Row, 3]  # `unseen` without the copies of known cards
    layouts: int  # 1 if there is a way to lay out the hand, otherwise 0
    # By index in the hand.
    known: Annotated[Row, MAX_HAND]  # mask of the identities that the holder considers possible
    class_of: Annotated[Row, MAX_HAND]  # the card's class; 0 for a known card
    # By class.
    ids: Annotated[Row, MAX_HAND]  # mask of the identities in `left` that are possible for its cards
    cards: Annotated[Row, MAX_HAND]  # number of cards
    within: Annotated[Row, MAX_HAND]  # mask of the other classes whose identities are all among its own
    own: Annotated[Row, MAX_HAND]  # `ids` without those of the classes `within`
    room: Annotated[Row, MAX_HAND]  # number of copies of `ids` that the cards of the classes `within` leave


class Notes(Record):
    """Events of cards, recorded until their rows are written. Written by `histories`, `outlook`, `run`."""

    known: int  # mask of the orders of the cards that their holders have known at some time
    playable: int  # mask of the orders of the cards that have been playable in a hand at some time
    playable_before: int  # `Game.playable` at the last call of `follow_cards`, 0 before the first call
    just_lost: int  # needed identity of which the last action left only one copy; -1 if there is none
    chop: Annotated[Row, MAX_SEATS]  # order of the chop at the last call of `follow_cards`, -1 for none
    clue_row: Annotated[Row, MAX_CARDS]  # by order: row of the clue that first touched the card, or -1


class Choice(Record):
    """The action that an agent or the solver chose, and the state of the random number generator.

    `kind` is -1 (`agents.players.NO_ACTION`) if an agent chose no action. Written by `rules`,
    `agents.players`, `agents.simulation`, `agents.own`.
    """

    kind: int
    target: int
    value: int
    noise: int  # state of the random number generator, from 1 to 2**32 - 1


class Game(Record):
    """A running game.

    Written by `rules`, `stacks`, `measure`, `playing`, `position`, `agents.viewpoints`, `detectors.run`,
    `solver.ranking`. The last four modules hide, show or replace cards of the game.
    """

    seat: int  # seat of the player to move
    turn: int  # number of actions carried out so far
    drawn: int  # number of cards that have left the deck, which is also the order of its top card
    tokens: int  # clue tokens in units; one token is `VariantLookup.token_unit` units
    strikes: int
    raw_score: int  # number of cards on the play stacks
    max_score: int
    end_turn: int  # value of `turn` at which the last round is over, -1 if it has not begun
    end_condition: int  # a number of `EndCondition`; 0 while the game is running
    playable: int  # mask of the identities that fit a stack
    last_clue: int  # kind of the last clue, -1 before the first clue
    stuck_rule: int  # 1 if the game ends as soon as no card can be played any more
    clues_lost: int  # clues given or lost (by strikes, by stacks completed at full tokens), in halves
    needed: int  # result of `needed_cards`, out of date for `changed_suits`
    critical: int  # result of `critical_cards`, out of date for `changed_suits`
    changed_suits: int  # mask of the suits for which `needed` and `critical` must be recomputed
    gone: int  # mask of the identities with no copy left
    one_left: int  # mask of the identities with one copy left
    clued: int  # mask of the orders of the clued cards in hands
    informed: int  # mask of the orders of the cards that were in a hand when a clue was given to it

    # By seat.
    hand_len: Annotated[Row, MAX_SEATS]  # number of cards in the hand
    hands: Annotated[Grid, MAX_SEATS, MAX_HAND]  # orders of the cards in the hand, oldest first
    # By order of the card.
    identity: Annotated[Row, MAX_CARDS]  # -1 if the card is hidden
    place: Annotated[Row, MAX_CARDS]  # seat of the holder, `IN_DECK`, `ON_STACK` or `IN_DISCARD`
    colour_clues: Annotated[Row, MAX_CARDS]  # number of colour clues that touched the card
    rank_clues: Annotated[Row, MAX_CARDS]  # number of rank clues that touched the card
    possible: Annotated[Row, MAX_CARDS]  # mask of the identities that the clues to the card leave possible
    # By suit.
    stack: Annotated[Row, MAX_SUITS]  # number of cards on the stack
    top: Annotated[Row, MAX_SUITS]  # rank of the stack's top card, 0 if the stack is empty
    way: Annotated[Row, MAX_SUITS]  # direction of a stack of Up or Down: `UP`, `DOWN` or `UNDECIDED`
    start_rank: Annotated[Row, MAX_SUITS]  # rank of the stack's first card, 0 if the stack is empty
    stack_max: Annotated[Row, MAX_SUITS]  # maximum number of cards that the stack can still reach
    # By identity.
    lost: Annotated[Row, IDENTITIES]  # number of copies discarded or misplayed

    seats: int
    cards: int  # number of cards in the whole deck
    full_tokens: int  # maximum of `tokens`
    full_score: int  # score when all stacks are complete
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
