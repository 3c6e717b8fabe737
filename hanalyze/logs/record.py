"""`GameRecord`: a game as it was read, whatever the format, with nothing checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card

NO_VARIANT: Final = "No Variant"
"""The name of the plain game of five suits."""


class Options(NamedTuple):
    """Options of a game, apart from its variant. The defaults are those of an ordinary game.

    >>> Options(deck_plays=True).deck_plays
    True
    """

    starting_player: int = 0
    """Seat that moves first. The deal begins at seat 0 all the same."""

    timed: bool = False
    time_base: int = 0
    """Seconds that every player starts with, in a timed game."""

    time_per_turn: int = 0
    """Seconds that a player gets with every turn, in a timed game."""

    speedrun: bool = False
    """The game ends as soon as the full score is out of reach."""

    card_cycle: bool = False
    """After each clue the giver's chop moves to their newest slot."""

    deck_plays: bool = False
    """The last card of the deck may be played from the deck."""

    empty_clues: bool = False
    """Clues may touch no cards."""

    one_extra_card: bool = False
    """Hands have a card more than usual."""

    one_less_card: bool = False
    """Hands have a card less than usual."""

    all_or_nothing: bool = False
    """The game goes on until the score is full, or out of reach."""

    detrimental_characters: bool = False
    """Every player has a handicap: see `Character`."""


class Character(NamedTuple):
    """The handicap of one player, in a game with detrimental characters; `metadata` is -1 where it has none.

    >>> Character("Philistine", -1).name
    'Philistine'
    """

    name: str
    metadata: int


class GameRecord(Struct, frozen=True, kw_only=True, eq=False, repr_omit_defaults=True):
    """A game as it was read.

    Two records are equal if they describe the same game, wherever each was read.

    >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)])
    >>> record
    GameRecord(players=('Alice', 'Bob'), actions=[Action(kind=3, target=1, value=5)], seed='p2v0s1')
    >>> record.name
    'p2v0s1'
    """

    players: tuple[str, ...]
    """Names in the order of the seats."""

    deck: list[Card] | None = None
    """Index of the suit and rank of every card, top card first; None when the seed is to deal it."""

    actions: list[Action] = []
    variant: str = NO_VARIANT
    options: Options = Options()
    id: int | None = None
    seed: str | None = None
    notes: tuple[tuple[str, ...], ...] = ()
    """Per seat the notes on the cards by their order; may be shorter than the deck, or longer: past the
    deck's length come the notes on the play stacks. Empty when there are none."""

    characters: tuple[Character, ...] = ()
    """Per seat; empty in a game without characters."""

    edition: str | None = None
    """The printed or online rules that the game was played by, where the log says so."""

    shuffle: str | None = None
    """The scheme that deals the deck from the seed, where the log says so."""

    score: int | None = None
    """The score that the log claims."""

    source: str | None = None
    """Where the game comes from: a site, a program, a data set."""

    started: str | None = None
    """When the game began, as its source writes moments."""

    finished: str | None = None
    """When it ended."""

    tags: tuple[str, ...] = ()
    """Tags that players gave the game."""

    deck_known: int | None = None
    """How many cards of the deck, from the top, the log tells, where it does not tell all: the others are
    those that are missing, in an order that was made up. Such a deck is that of no seed."""

    file: str | None = None
    """The file that it was read from; neither written nor compared."""

    line: int | None = None
    """The line of that file on which it begins, from 1; neither written nor compared."""

    @property
    def name(self) -> str:
        """The name in messages: the id, else the seed, else the line.

        >>> GameRecord(players=(), id=12, seed="p2v0s1").name
        '12'
        >>> GameRecord(players=(), line=3).name, GameRecord(players=()).name
        ('line 3', '-')
        """
        if self.id is not None:
            return str(self.id)
        if self.seed:
            return self.seed
        return "-" if self.line is None else f"line {self.line}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameRecord):
            return NotImplemented
        # The last two fields are the place.
        return astuple(self)[:-2] == astuple(other)[:-2]

    def __hash__(self) -> int:
        raise TypeError("a game record holds lists, so it cannot be hashed")


ENDS: Final = (ActionKind.END_GAME, ActionKind.END_VOTE)
PARTS: Final[dict[str, Callable[[GameRecord], bool]]] = {
    "id": lambda record: record.id is not None,
    "seed": lambda record: record.seed is not None,
    "notes": lambda record: any(map(any, record.notes)),
    "source": lambda record: record.source is not None,
    "score": lambda record: record.score is not None,
    "dates": lambda record: record.started is not None or record.finished is not None,
    "tags": lambda record: bool(record.tags),
    "which cards are unknown": lambda record: record.deck_known is not None,
    "ending": lambda record: any(action.kind in ENDS for action in record.actions),
    "timing": lambda record: record.options.timed,
    "speedrun": lambda record: record.options.speedrun,
    "card cycle": lambda record: record.options.card_cycle,
}
"""Parts of a game that a format may have no place for, and whether a game has them."""


def lost_parts(record: GameRecord, *parts: str, **own: bool) -> tuple[str, ...]:
    """Return those of the parts that a game has; `own` answers for parts that a format judges itself.

    >>> lost_parts(GameRecord(players=("Eve", "Bob"), id=7), "names", "id", "seed", names=True)
    ('names', 'id')
    """
    return tuple(part for part in parts if (own[part] if part in own else PARTS[part](record)))
