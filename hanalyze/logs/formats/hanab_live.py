"""JSON of hanab.live: one game as the site exports it, with the extensions of docs/formats.md.

Only the types of values are checked. Written games equal the site's exports, except for spaces and escapes.
"""

from __future__ import annotations

import re
from itertools import product, starmap
from operator import attrgetter
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from hanalyze.errors import LogError, UnsupportedOption
from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import MAX_CARDS, MAX_SUITS, RANK_SLOTS, Card
from hanalyze.logs.record import NO_VARIANT, Character, GameRecord, Options
from hanalyze.text import shorten

MAX_GAME_BYTES: Final = 16 * 2**20  # maximum length of a game in bytes


# --- the JSON, with the site's names; `hanalyze.logs.record` and schemas/game.schema.json explain the fields

_Int = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class CardJSON(Struct, rename="camel", gc=False):
    """A card of the deck."""

    suit_index: _Int
    rank: _Int


class ActionJSON(Struct, gc=False):
    """An action; its player follows from the starting player and the number of the turn."""

    type: _Int
    target: _Int
    value: _Int | UnsetType = UNSET


class OptionsJSON(Struct, rename="camel", omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Options of the game; a missing option has its default value."""

    starting_player: _Int = 0
    variant: str = NO_VARIANT
    timed: bool = False
    time_base: _Int = 0
    time_per_turn: _Int = 0
    speedrun: bool = False
    card_cycle: bool = False
    deck_plays: bool = False
    empty_clues: bool = False
    one_extra_card: bool = False
    one_less_card: bool = False
    all_or_nothing: bool = False
    detrimental_characters: bool = False


class CharacterJSON(Struct, gc=False):
    """Handicap of one player."""

    name: str
    metadata: _Int


class GameJSON(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A recorded game of Hanabi, as hanab.live exports it, with a few additional optional keys."""

    id: _Int | None = None
    players: tuple[str, ...]
    deck: list[CardJSON] | None = None
    actions: list[ActionJSON]
    options: OptionsJSON | None = None
    notes: tuple[tuple[str, ...], ...] | None = None
    characters: list[CharacterJSON] | None = None
    seed: _Int | str | None = None
    edition: str | None = None
    shuffle: str | None = None
    score: _Int | None = None
    source: str | None = None
    started: str | None = None
    finished: str | None = None
    tags: tuple[str, ...] | str | None = None
    deck_known: _Int | None = None
    first_player: _Int | None = None


# --- reading ----------------------------------------------------------------------------------------------

_DECODER: Final = msgspec.json.Decoder(GameJSON)
_CARD: Final = attrgetter("suit_index", "rank")
_ACTION: Final = attrgetter("type", "target", "value")
_OPTIONS: Final = attrgetter(*Options._fields)
_COPIED: Final = ("id", "edition", "shuffle", "score", "source", "started", "finished", "deck_known")
"""Fields that a record takes unchanged from the JSON."""
_COPY: Final = attrgetter(*_COPIED)
_NO_VALUE_NEEDED: Final = (ActionKind.PLAY, ActionKind.DISCARD)


class _MissingValueError(Exception):
    """Raised for a clue or an end of the game without a value."""


UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, _MissingValueError)
"""Errors that `decode` raises for text that is not a game."""


# All games share one object per card and common action, which saves memory.


class _Cards(dict[tuple[int, int], Card]):
    def __missing__(self, key: tuple[int, int]) -> Card:
        return Card(*key)


class _Actions(dict[tuple[int, int, int | UnsetType], Action]):
    def __missing__(self, key: tuple[int, int, int | UnsetType]) -> Action:
        kind, target, value = key
        if isinstance(value, UnsetType):
            if kind not in _NO_VALUE_NEEDED:
                raise _MissingValueError
            value = 0
        return Action(kind, target, value)


_CARDS: Final = _Cards((pair, Card(*pair)) for pair in product(range(MAX_SUITS), range(RANK_SLOTS)))
_ACTIONS: Final = _Actions(
    [((kind, order, 0), Action(kind, order, 0)) for kind in (0, 1) for order in range(MAX_CARDS)]
    + [(triple, Action(*triple)) for triple in product((2, 3), range(6), range(6))]
)


def decode(data: bytes, file: str | None = None, line: int | None = None) -> GameRecord:
    """Return the game in a text. Raises an error of `UNREADABLE`, for which `parse` raises a `LogError`."""
    game = _DECODER.decode(data)
    options = game.options
    variant = NO_VARIANT if options is None else options.variant
    played = Options() if options is None else Options._make(_OPTIONS(options))
    if game.first_player and not played.starting_player:
        played = played._replace(starting_player=game.first_player)
    return GameRecord(
        players=game.players,
        deck=None if game.deck is None else list(map(_CARDS.__getitem__, map(_CARD, game.deck))),
        actions=list(map(_ACTIONS.__getitem__, map(_ACTION, game.actions))),
        variant=variant,
        options=played,
        seed=game.seed if game.seed is None or isinstance(game.seed, str) else str(game.seed),
        notes=game.notes or (),
        characters=tuple(Character(each.name, each.metadata) for each in game.characters or ()),
        tags=tags_of(game.tags),
        file=file,
        line=line,
        **dict(zip(_COPIED, _COPY(game), strict=True)),
    )


def parse(data: bytes, *, file: str | None = None, line: int | None = None) -> GameRecord:
    """Return the game in a text. Raises `LogError`; `file` and `line` (from 1) are the place of the text.

    >>> game = parse(b'{"players": ["Alice", "Bob"], "actions": [{"type": 3, "target": 1, "value": 5}]}')
    >>> game.players, game.actions, game.deck
    (('Alice', 'Bob'), [Action(kind=3, target=1, value=5)], None)
    >>> parse(b'{"players": ["Alice", 2], "actions": []}', file="games.jsonl", line=7)
    Traceback (most recent call last):
    hanalyze.errors.LogError: games.jsonl, line 7: players[1] is 2, not a string
    """
    try:
        return decode(data, file, line)
    except UNREADABLE as error:
        raise _explained(error, data).at(file=file, line=line, game=_name(data)) from None


def tags_of(tags: tuple[str, ...] | str | None) -> tuple[str, ...]:
    """Return tags as a tuple; in the site's lists of games they are one string with commas.

    >>> tags_of("finesse, max score"), tags_of(None)
    (('finesse', 'max score'), ())
    """
    return tuple(filter(None, map(str.strip, tags.split(",")))) if isinstance(tags, str) else tags or ()


def ends_early(error: Exception, data: bytes) -> bool:
    """Return whether `decode` raised `error` because the text ends in the middle of a game.

    >>> try:
    ...     decode(b'{"players":')
    ... except UNREADABLE as error:
    ...     ends_early(error, b'{"players":')
    True
    """
    if not isinstance(error, msgspec.DecodeError) or isinstance(error, msgspec.ValidationError):
        return False
    what = str(error)
    if "trailing characters" in what or "surrogate" in what:
        return False
    return _is_at_end(what, data) and not re.search(_HALF_AT_END, data)


def _is_at_end(what: str, data: bytes) -> bool:
    """Return whether the decoder stopped at the end of `data`; it only reports "truncated" between tokens."""
    return "truncated" in what or not data[_byte(what) :].strip()


def _byte(what: str) -> int:
    """Return the byte at which the decoder stopped, 0 if its message does not contain it."""
    match = re.search(_AT_BYTE, what)
    return int(match[1]) if match else 0


# --- messages for errors of the decoder -------------------------------------------------------------------

_WORDS: Final = {
    "int": "an integer",
    "str": "a string",
    "bool": "true or false",
    "array": "an array",
    "object": "an object",
}
# Patterns of the decoder's messages; compiled at the first error, not when the package is imported.
_MESSAGE: Final = r"(?s)(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?"
_MISSING: Final = r"(?s)Object missing required field `(.*)`"
_UNKNOWN: Final = r"(?s)Object contains unknown field `(.*)`"
_EXPECTED: Final = r"Expected `([^`]*)`, got `"
_AT_BYTE: Final = r"\(byte (\d+)\)"
_STEP: Final = r"\.(\w+)|\[(\d+)\]"
# After the first half of a surrogate pair the decoder needs six more bytes; if they are missing, it reports a
# truncated text.
_HALF_AT_END: Final = rb'\\u[dD][89abAB][0-9a-fA-F]{2}(?=[^\\]{0,5}\Z)[^"]*"'


def _explained(error: Exception, data: bytes) -> LogError:
    if isinstance(error, RecursionError):
        return LogError("brackets are nested too deeply", rule="too_deep")
    if isinstance(error, UnicodeDecodeError):
        return _not_unicode(data)
    if isinstance(error, _MissingValueError):
        bare = (x.value is UNSET and x.type not in _NO_VALUE_NEEDED for x in _DECODER.decode(data).actions)
        return LogError(f'actions[{list(bare).index(True)}] has no "value"', rule="missing_key")
    match = re.fullmatch(_MESSAGE, str(error))
    what, path = (match["what"], match["path"] or "") if match else (str(error), "")
    if ends_early(error, data):
        what = f"the text ends in the middle of the game, after {_shown(data[-24:])}"
        return LogError(what, rule="truncated")
    if not isinstance(error, msgspec.ValidationError):
        return _not_json(what, data)
    place = path.removeprefix(".") or "the game"
    if missing := re.fullmatch(_MISSING, what):
        return LogError(f'{place} has no "{missing[1]}"', rule="missing_key")
    if unknown := re.fullmatch(_UNKNOWN, what):
        return UnsupportedOption(f'there is no option "{shorten(unknown[1])}"', option=unknown[1])
    value = _value_at(data, path)
    value_text = "" if value is None else f"{_shown(value)}, "
    if expected := re.match(_EXPECTED, what):
        types = " or ".join(_WORDS[word] for word in expected[1].split(" | ") if word in _WORDS)
        return LogError(f"{place} is {value_text}not {types}", rule="wrong_type")
    return LogError(f"{place} is {value_text}a number of more than 64 bits", rule="number_out_of_range")


def _not_json(what: str, data: bytes) -> LogError:
    byte = _byte(what)
    if "trailing characters" in what:
        # The message counts the bytes up to and including the one at which the decoder stopped.
        return LogError(f"there is text after the game: {_shown(data[max(0, byte - 1) :])}", rule="not_json")
    if "surrogate" in what:
        half = data[max(0, byte - 12) : byte]
        return LogError(f"half a surrogate pair before byte {byte}: {_shown(half)}", rule="bad_encoding")
    if _is_at_end(what, data) and (half_at_end := re.search(_HALF_AT_END, data)):
        return LogError(f"half a surrogate pair: {_shown(half_at_end[0])}", rule="bad_encoding")
    return LogError(f"not JSON near byte {byte}: {_shown(data[max(0, byte - 8) :])}", rule="not_json")


def _not_unicode(data: bytes) -> LogError:
    # The position in the decoder's error counts from the start of a string in the game, so it is not used.
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not valid UTF-8: {_shown(data[error.start : error.start + 12])}"
        return LogError(what, rule="bad_encoding")
    return LogError("some text is not valid UTF-8", rule="bad_encoding")


def _shown(text: bytes) -> str:
    """Return a part of the log for a message, shortened to 40 characters."""
    return shorten(text[:200].decode("utf-8", "backslashreplace").strip(), 40)


def _value_at(data: bytes, path: str) -> bytes | None:
    """Return the text of the value at a path such as `.deck[3].rank`, None if the path does not exist."""
    raw = msgspec.Raw(data)
    try:
        for key, index in re.findall(_STEP, path):
            if key:
                raw = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])[key]
            else:
                raw = msgspec.json.decode(raw, type=list[msgspec.Raw])[int(index)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError):
        return None
    return bytes(raw)


def _name(data: bytes) -> str | None:
    """Return the id or seed of a game that cannot be read, None if neither can be read."""
    for path in (".id", ".seed"):
        try:
            name = msgspec.json.decode(_value_at(data, path) or b"null", type=_Int | str | None)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if name not in (None, ""):
            return str(name)
    return None


# --- writing ----------------------------------------------------------------------------------------------

_ENCODER: Final = msgspec.json.Encoder()


def to_json(record: GameRecord) -> bytes:
    """Return a game as a line of JSON with keys in the site's order, without default values or a line ending.

    Raises `LogError` (rule `bad_encoding`) for a text that is not valid Unicode.

    >>> to_json(GameRecord(players=("Alice", "Bob"), deck=[Card(0, 1)], actions=[Action(0, 0, 0)], seed="x"))
    b'{"players":["Alice","Bob"],"deck":[{"suitIndex":0,"rank":1}],"actions":[{"type":0,"target":0,"value":0}],"seed":"x"}'
    """
    is_usual = record.variant == NO_VARIANT and record.options == Options()
    # msgspec omits a default only if the value is the same object; `record.variant` can be a copy.
    variant = NO_VARIANT if record.variant == NO_VARIANT else record.variant
    game = GameJSON(
        players=record.players,
        deck=None if record.deck is None else list(starmap(CardJSON, record.deck)),
        actions=list(starmap(ActionJSON, record.actions)),
        options=None if is_usual else OptionsJSON(variant=variant, **record.options._asdict()),
        notes=record.notes or None,
        characters=list(starmap(CharacterJSON, record.characters)) or None,
        seed=record.seed,
        tags=record.tags or None,
        **dict(zip(_COPIED, _COPY(record), strict=True)),
    )
    try:
        return _ENCODER.encode(game)
    except UnicodeEncodeError as error:
        what = f'cannot be written: "{shorten(error.object)}" is not valid Unicode'
        problem = LogError(what, rule="bad_encoding")
        raise problem.at(file=record.file, line=record.line, game=record.name) from None
