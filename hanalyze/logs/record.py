"""`GameRecord`: an unchecked game, as read from a log in any format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card

NO_VARIANT: Final = "No Variant"  # name of the ordinary variant with five suits


class Options(NamedTuple):
    """Options of a game, except its variant. The defaults are those of an ordinary game.

    >>> Options(deck_plays=True).deck_plays
    True
    """

    starting_player: int = 0
    """Seat that moves first; the deal always begins at seat 0."""
    timed: bool = False
    time_base: int = 0
    """Seconds on each player's clock at the start of a timed game."""
    time_per_turn: int = 0
    """Seconds added to a player's clock on every turn of a timed game."""
    speedrun: bool = False
    """Whether the game ends as soon as the full score is out of reach."""
    card_cycle: bool = False
    """Whether the giver's chop becomes their newest card after each clue."""
    deck_plays: bool = False
    """Whether the last card of the deck may be played from the deck."""
    empty_clues: bool = False
    """Whether clues that touch no card are allowed."""
    one_extra_card: bool = False
    """Whether hands have one card more than usual."""
    one_less_card: bool = False
    """Whether hands have one card fewer than usual."""
    all_or_nothing: bool = False
    """Whether the game has no last round; it ends when the score is full or the game is lost."""
    detrimental_characters: bool = False
    """Whether every player has a handicap; see `Character`."""


class Character(NamedTuple):
    """Handicap of a player in a game with detrimental characters; `metadata` is its parameter, -1 if none.

    >>> Character("Philistine", -1).name
    'Philistine'
    """

    name: str
    metadata: int


class GameRecord(Struct, frozen=True, kw_only=True, eq=False, repr_omit_defaults=True):
    """A game as read from a log.

    Two records are equal if all their fields except `file` and `line` are equal.

    >>> record = GameRecord(players=("Alice", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)])
    >>> record
    GameRecord(players=('Alice', 'Bob'), actions=[Action(kind=3, target=1, value=5)], seed='p2v0s1')
    >>> record.name
    'p2v0s1'
    """

    players: tuple[str, ...]
    """Names in the order of the seats."""
    deck: list[Card] | None = None
    """The cards, top card first; None if the deck is to be dealt from the seed."""
    actions: list[Action] = []
    variant: str = NO_VARIANT
    options: Options = Options()
    id: int | None = None
    seed: str | None = None
    notes: tuple[tuple[str, ...], ...] = ()
    """Notes of each seat, indexed by the order of the card. A tuple can be shorter than the deck. It can also
    be longer, because notes on the play stacks follow the notes on cards. Empty without notes."""
    characters: tuple[Character, ...] = ()
    """Character of each seat; empty in a game without characters."""
    edition: str | None = None
    """Name of the edition of the rules, None if the log does not name it."""
    shuffle: str | None = None
    """Name of the shuffle that deals the deck from the seed, None if the log does not name it."""
    score: int | None = None
    """Score stated in the log."""
    source: str | None = None
    """Source of the game: a site, a program or a data set."""
    started: str | None = None
    """Time at which the game began, in the format of its source."""
    finished: str | None = None
    """Time at which the game ended, in the format of its source."""
    tags: tuple[str, ...] = ()
    """Tags that players gave the game."""
    deck_known: int | None = None
    """Number of known cards from the top of the deck, None if all cards are known. The order of the other
    cards is arbitrary, so no seed deals such a deck."""
    file: str | None = None
    """File from which the game was read; it is neither written nor used to compare records."""
    line: int | None = None
    """Line on which the game begins in `file`, from 1; it is neither written nor used to compare records."""

    @property
    def name(self) -> str:
        """Name of the game in messages: its id, otherwise its seed, otherwise its line, otherwise "-".

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
        # The last two fields, file and line, are not compared.
        return astuple(self)[:-2] == astuple(other)[:-2]

    def __hash__(self) -> int:
        raise TypeError("a game record contains lists, so it cannot be hashed")


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
"""For each part of a game that some format cannot store: a function that tells whether a game has it."""


def lost_parts(record: GameRecord, *parts: str, **own: bool) -> tuple[str, ...]:
    """Return the parts that a game has and a format cannot store.

    `parts` are the parts that the format cannot store. `own` tells, for some of them, whether the game has
    the part; for the others, `PARTS` decides.

    >>> lost_parts(GameRecord(players=("Eve", "Bob"), id=7), "names", "id", "seed", names=True)
    ('names', 'id')
    """
    return tuple(part for part in parts if (own[part] if part in own else PARTS[part](record)))
