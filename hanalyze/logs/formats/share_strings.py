"""Share strings of hanab.live, which contain a whole game in a few hundred characters (see docs/formats.md).

Source: the site's client, `hypoCompress.ts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from hanalyze.errors import LogError, UnknownName
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.game.variants import variant
from hanalyze.logs.record import ENDS, PARTS, GameRecord, lost_parts
from hanalyze.text import shorten

TITLE: Final = "strings and links by which players of hanab.live share games, one per line"
NAMES: Final = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
"""Names that the site gives to the players of a shared game."""

_LETTERS: Final = ascii_lowercase + digits + ascii_uppercase
_LINE: Final = 20
_LOST: Final = (
    "starting_player",
    "deck_plays",
    "empty_clues",
    "one_extra_card",
    "one_less_card",
    "all_or_nothing",
    "detrimental_characters",
)
"""Options with which a game cannot be stored in a string; other options are left out of it (`lost`)."""
_SHARE_STRING: Final = re.compile(r"[2-6][0-9]{2}[a-zA-Z0-9-]+,[a-zA-Z0-9-]+,[0-9-]+")


def compact(record: GameRecord, deck: Sequence[Card] | None = None) -> str | None:
    """Return a game with `deck` (by default its own) as a string, None if a string cannot store it.

    >>> cards = [Card(suit, rank) for suit, rank in ((0, 1), (1, 1), (0, 2), (1, 2))]
    >>> compact(GameRecord(players=("A", "B"), deck=cards, actions=[Action(3, 1, 2), Action(0, 3, 0)]))
    '212acbd,03pbad,0'
    """
    deck = record.deck if deck is None else deck
    if record.edition not in (None, "hanab-live") or any(getattr(record.options, name) for name in _LOST):
        return None
    try:
        number = variant(record.variant).id
    except UnknownName:
        return None
    ranks = [card.rank for card in deck or ()]
    actions = [action for action in record.actions if action.kind not in ENDS]
    if number is None or not ranks or min(ranks) != 1 or not 2 <= len(record.players) <= 6:
        return None  # without a 1 in the deck, the site would misread the ranks
    kinds = [action.kind for action in actions] or [0]
    first, width = min(kinds), max(kinds) - min(kinds) + 1
    if first < ActionKind.PLAY or max(kinds) > ActionKind.RANK_CLUE:
        return None
    cards = _text(card.suit * max(ranks) + card.rank - 1 for card in deck or ())
    moves = _text(
        code
        for kind, target, value in actions
        for code in ((value + 1 if kind >= ActionKind.COLOUR_CLUE else 0) * width + kind - first, target)
    )
    if cards is None or moves is None:
        return None
    text = f"{len(record.players)}1{max(ranks)}{cards},{first}{max(kinds)}{moves},{number}"
    return "-".join(text[i : i + _LINE] for i in range(0, len(text), _LINE))


def _text(numbers: Iterable[int]) -> str | None:
    """Return numbers as letters of `_LETTERS`, None if a number is out of range."""
    values = list(numbers)
    if not all(0 <= number < len(_LETTERS) for number in values):
        return None
    return "".join(_LETTERS[number] for number in values)


def is_compact(text: str) -> bool:
    """Return whether a text looks like a share string, valid or not.

    >>> is_compact("212acbd,03pbad,0"), is_compact("games,2024,1")
    (True, False)
    """
    return _SHARE_STRING.fullmatch(text) is not None


def expand(text: str) -> GameRecord:
    """Return the game in a string. Raises `LogError` (rule `bad_share_string`).

    >>> record = expand("212acbd,03pbad,0")
    >>> record.players, record.deck[1], record.actions[0]
    (('Alice', 'Bob'), Card(suit=1, rank=1), Action(kind=3, target=1, value=2))
    """
    parts = text.replace("-", "").split(",")
    if len(parts) != 3:
        raise _damaged(f"there should be 3 parts, not {len(parts)}")
    cards, moves, number = parts
    players, low, high = _head(cards, 3, "the deck")
    if not 2 <= players <= 6 or not 1 <= low <= high:
        raise _damaged(f'it begins with "{cards[:3]}", which cannot be players and ranks')
    width = high - low + 1
    deck = [Card(index // width, index % width + 1) for index in _numbers(cards[3:])]
    first, last = _head(moves, 2, "the actions")
    if not ActionKind.PLAY <= first <= last <= ActionKind.RANK_CLUE:
        raise _damaged(f'its actions begin with "{moves[:2]}", which cannot be kinds of actions')
    kinds = last - first + 1
    codes = _numbers(moves[2:])
    if len(codes) % 2:
        raise _damaged("its last action is cut off")
    actions = []
    for turn, (code, target) in enumerate(zip(codes[::2], codes[1::2], strict=True), 1):
        value, kind = divmod(code, kinds)
        if kind + first >= ActionKind.COLOUR_CLUE and not value:
            raise _damaged(f"the clue of turn {turn} has no colour or rank")
        actions.append(Action(kind + first, target, max(0, value - 1)))
    try:
        name = variant(int(number[:9])).name if number.isascii() and number.isdecimal() else None
    except UnknownName:
        name = None
    if name is None:
        raise _damaged(f'there is no variant "{shorten(number, 20)}"')
    return GameRecord(players=NAMES[:players], deck=deck, actions=actions, variant=name)


def parse(data: bytes) -> GameRecord:
    """Return the game of a line that contains a share string, or a link ending in one. Raises `LogError`."""
    return expand(data.decode("utf-8", "replace").strip().rpartition("/")[2].partition("#")[0])


def recognises(head: bytes) -> bool:
    """Return whether the first line of a file is a share string, or a link ending in one."""
    first = head.lstrip().partition(b"\n")[0].decode("ascii", "replace").strip()
    return is_compact(first.rpartition("/")[2].partition("#")[0])


def to_line(record: GameRecord) -> bytes:
    """Return a game as a line with its string. Raises `LogError` if a string cannot store the game."""
    text = compact(record)
    if text is None:
        parts = [f"the option {name.replace('_', ' ')}" for name in _LOST if getattr(record.options, name)]
        if record.edition not in (None, "hanab-live"):
            parts.append(f'the rules "{record.edition}"')
        what = f"a share string cannot store {' and '.join(parts) or 'its deck, actions or variant'}"
        raise LogError(what, rule="bad_share_string")
    return text.encode() + b"\n"


def lost(record: GameRecord) -> tuple[str, ...]:
    """Return the parts of a game that a string cannot store.

    >>> lost(GameRecord(players=("Eve", "Bob"), id=7, seed="p2v0s1"))
    ('names', 'id', 'seed')
    """
    return lost_parts(record, "names", *PARTS, names=record.players != NAMES[: len(record.players)])


def _head(text: str, count: int, what: str) -> list[int]:
    """Return the first `count` digits of a part. Raises `LogError` if they are not digits."""
    head = text[:count]
    if len(head) < count or not (head.isascii() and head.isdecimal()):
        raise _damaged(f"{what} should begin with {count} digits")
    return [int(digit) for digit in head]


def _numbers(text: str) -> list[int]:
    """Return the numbers encoded by letters. Raises `LogError` for other characters."""
    numbers = [_LETTERS.find(letter) for letter in text]
    if -1 in numbers:
        raise _damaged(f'"{shorten(text[numbers.index(-1)])}" is not a valid character')
    return numbers


def _damaged(what: str) -> LogError:
    problem = f"not a whole game: {what}"
    return LogError(problem, rule="bad_share_string", advice="copy the link or string again")
