"""Registry of formats, and recognition of the format of a file.

A text file that no other format recognises is read as hanab.live's JSON. Installed packages can add formats
with entry points in the group `hanalyze.formats`.
"""

from __future__ import annotations

import codecs
import functools
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import IO, Final, Protocol, TypeAlias, runtime_checkable

from hanalyze.errors import HanalyzeError, LogError, UnknownName
from hanalyze.logs.formats import hanab_live, share_strings
from hanalyze.logs.formats.by_line import first_of, game_of_file, games_by_line, games_of_json
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.streams import read_stream
from hanalyze.text import nearest

GROUP: Final = "hanalyze.formats"  # group of the entry points with which installed packages add formats
HEAD: Final = 4096  # formats recognise a file by its beginning, of at most this many bytes


class Format(Protocol):
    """A format of logs that can be read.

    `name` identifies the format in `--to` and in messages; `title` describes it in one line.
    """

    name: str
    title: str

    def recognises(self, head: bytes, /) -> bool:
        """Return whether a file is in this format; `head` is its first `HEAD` bytes or fewer."""
        ...

    def read(self, stream: io.BufferedReader, file: str, /) -> Iterator[GameRecord | LogError]:
        """Yield the games of a stream; for a game that cannot be read, yield an error instead."""
        ...


@runtime_checkable
class WritableFormat(Format, Protocol):
    """A format that can also be written.

    `is_by_game` tells whether files of this format can be joined into a valid file with all their games.
    """

    is_by_game: bool

    def lost(self, record: GameRecord, /) -> tuple[str, ...]:
        """Return the parts of a game that the format cannot store, in words such as "notes"."""
        ...

    def write(self, records: Iterable[GameRecord], stream: IO[bytes], /) -> None:
        """Write games. Raises `LogError` for a game that the format cannot store at all."""
        ...


Outcomes: TypeAlias = Iterator[GameRecord | LogError]
Read: TypeAlias = Callable[[io.BufferedReader, str], Outcomes]
Write: TypeAlias = Callable[[Iterable[GameRecord], IO[bytes]], None]


@dataclass
class BuiltInFormat:
    """A format of this package; its methods are functions passed as arguments."""

    name: str
    title: str
    recognises: Callable[[bytes], bool]
    read: Read


@dataclass
class BuiltInWritableFormat(BuiltInFormat):
    """A format of this package that can also be written."""

    lost: Callable[[GameRecord], tuple[str, ...]]
    write: Write
    is_by_game: bool = True


def _each(encode: Callable[[GameRecord], bytes], end: bytes = b"\n") -> Write:
    """Return a function that writes games one by one, each with `end` after it."""

    def write(records: Iterable[GameRecord], stream: IO[bytes]) -> None:
        for record in records:
            stream.write(encode(record) + end)

    return write


def _built_in(
    name: str, module: ModuleType, read: Read, write: Write | None = None, *, is_by_game: bool = True
) -> BuiltInFormat:
    """Return the format of a module, which has `TITLE`, `recognises` and, for a writable format, `lost`."""
    if write is None:
        return BuiltInFormat(name, module.TITLE, module.recognises, read)
    return BuiltInWritableFormat(name, module.TITLE, module.recognises, read, module.lost, write, is_by_game)


HANAB_LIVE: Final = BuiltInWritableFormat(
    "hanab-live",
    "JSON of hanab.live: a game, an array of games, or a game per line",
    lambda head: not head.isspace(),  # any text that no other format recognises
    read_stream,
    lambda record: (),
    _each(hanab_live.to_json),
)


_SITE_KEYS: Final = re.compile(rb'"(actions|suitIndex)"\s*:')
_FOREIGN_KEY: Final = b'"suit"'
"""Key of a card in the JSON of programs that otherwise use the keys of hanab.live."""
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)  # `read_stream` reports UTF-16 as an error


def _refusal(what: str, advice: str) -> BuiltInFormat:
    """Return a pseudo-format, not among `formats()`, for files that are not logs: reading yields an error."""

    def read(stream: io.BufferedReader, file: str) -> Outcomes:
        yield LogError(what, rule="not_json", advice=advice, file=file)

    return BuiltInFormat("none", "no log", lambda head: True, read)


_DATABASE: Final = _refusal(
    "this is a DuckDB database, not a log",
    "give the log that it was made from; `hanalyze info` describes a database",
)
_BINARY: Final = _refusal("this is not a text file", "`hanalyze formats` lists what can be read")


@functools.cache
def formats() -> tuple[Format, ...]:
    """Return all formats: hanab.live's JSON first, formats of installed packages last.

    Raises `HanalyzeError` (rule `bad_format`) for a package whose format cannot be loaded.

    >>> [one.name for one in formats()][:3]
    ['hanab-live', 'hle', 'hanabi-data']
    """
    # Imported here because most logs are hanab.live's JSON, which needs none of these modules.
    from importlib.metadata import entry_points

    from hanalyze.logs.formats import ah2ac2, hanabi_data, hanabi_logs, hle, kaggle, obl, open_spiel

    installed: list[Format] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            installed.append(point.load()())
        except Exception as error:
            what = f'the format "{point.name}" cannot be loaded: {type(error).__name__}: {error}'
            raise HanalyzeError(what, rule="bad_format", advice="update or remove its package") from error
    return (
        HANAB_LIVE,
        _built_in("hle", hle, partial(games_by_line, parse=hle.parse), _each(hle.to_json)),
        _built_in("hanabi-data", hanabi_data, partial(game_of_file, parse=hanabi_data.parse)),
        _built_in("ah2ac2", ah2ac2, ah2ac2.games_of_arrays, ah2ac2.write, is_by_game=False),
        _built_in("open-spiel", open_spiel, open_spiel.serialized_games, _each(open_spiel.to_text, end=b"")),
        _built_in("kaggle", kaggle, partial(games_of_json, parse=kaggle.parse)),
        _built_in("hanabi-logs", hanabi_logs, hanabi_logs.games_of_rows),
        _built_in("obl", obl, partial(games_of_json, parse=obl.parse), _each(obl.to_json)),
        _built_in(
            "share",
            share_strings,
            partial(games_by_line, parse=share_strings.parse),
            _each(share_strings.to_line, end=b""),
        ),
        *installed,
    )


def format_named(name: str) -> Format:
    """Return the format with this name. Raises `UnknownName`.

    >>> format_named("hle").name
    'hle'
    """
    for one in formats():
        if one.name == name:
            return one
    names = [one.name for one in formats()]
    raise UnknownName("format", name, nearest(name, names, 1), advice="one of: " + ", ".join(names))


def format_of(head: bytes) -> Format:
    """Return the format of a file that begins with `head`; hanab.live's JSON for text of no other format.

    >>> format_of(b"Treatment: ('full', 1)").name, format_of(b'{"players": [').name
    ('hanabi-data', 'hanab-live')
    """
    if head.lstrip()[:1] in (b"{", b"[") and _SITE_KEYS.search(head) and _FOREIGN_KEY not in first_of(head):
        return HANAB_LIVE  # avoids loading the other formats
    if head[8:12] == b"DUCK":
        return _DATABASE
    first, *others = formats()
    is_text = b"\0" not in head or head.startswith(_UTF_16) or _SITE_KEYS.search(head) is not None
    return next((one for one in others if one.recognises(head)), first if is_text else _BINARY)
