"""The registry of formats, and which of them a file is in.

A file that no other format recognises is read as hanab.live's JSON. Installed packages add formats by an
entry point of the group `hanalyze.formats`.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterable, Iterator
from typing import IO, Final, Protocol, runtime_checkable

from hanalyze.errors import HanalyzeError, LogError, UnknownName
from hanalyze.logs.formats import hanab_live, share_strings as sharing
from hanalyze.logs.formats.by_line import first_of, games_by_line
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.streams import read_stream

GROUP: Final = "hanalyze.formats"
"""The group of entry points by which installed packages offer formats."""
HEAD: Final = 4096
"""As many bytes as a format may see of a file before it is chosen."""


class Format(Protocol):
    """A format of logs that can be read.

    `name` is what `--to` and messages call it; `title` says in a line whose logs they are.
    """

    name: str
    title: str

    def recognises(self, head: bytes) -> bool:
        """Return whether a file is in this format, by its first `HEAD` bytes or fewer."""
        ...

    def read(self, stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
        """Yield the games of a stream, in the place of each that cannot be read its error."""
        ...


@runtime_checkable
class WritableFormat(Format, Protocol):
    """A format that can be written, too.

    `is_by_game`: whether what is written of games one by one, put together, is a file of them all.
    """

    is_by_game: bool

    def lost(self, record: GameRecord) -> tuple[str, ...]:
        """Return what of a game has no place in the format, in words such as "notes"."""
        ...

    def write(self, records: Iterable[GameRecord], stream: IO[bytes]) -> None:
        """Write games. Raises `LogError` for one that has no place in the format at all."""
        ...


class HanabLiveFormat:
    """Hanab.live's JSON: a game, an array of games, or a game per line."""

    name = "hanab-live"
    is_by_game = True
    title = "JSON of hanab.live: a game, an array of games, or a game per line"

    def recognises(self, head: bytes) -> bool:
        """Return whether a file is in this format: any that no other format recognises."""
        return not head.isspace()

    def read(self, stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
        """Yield the games of a stream."""
        return read_stream(stream, file)

    def lost(self, record: GameRecord) -> tuple[str, ...]:
        """Return what of a game has no place in the format: nothing."""
        return ()

    def write(self, records: Iterable[GameRecord], stream: IO[bytes]) -> None:
        """Write a game per line."""
        for record in records:
            stream.write(hanab_live.to_json(record) + b"\n")


class ShareFormat:
    """The strings by which players of hanab.live share games, one per line."""

    name = "share"
    is_by_game = True
    title = "strings and links by which players of hanab.live share games, one per line"

    def recognises(self, head: bytes) -> bool:
        """Return whether the first line is such a string or link."""
        first = head.lstrip().partition(b"\n")[0].decode("ascii", "replace").strip()
        return sharing.is_compact(first.rpartition("/")[2].partition("#")[0])

    def read(self, stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
        """Yield the games of a stream."""
        return games_by_line(stream, file, sharing.parse)

    def lost(self, record: GameRecord) -> tuple[str, ...]:
        """Return what of a game has no place in the format."""
        return sharing.lost(record)

    def write(self, records: Iterable[GameRecord], stream: IO[bytes]) -> None:
        """Write a string per line. Raises `LogError` for a game that has none."""
        for record in records:
            text = sharing.compact(record)
            if text is None:
                what = "a shared string has no place for its deck, rules, options or variant"
                raise LogError(what, rule="bad_share_string")
            stream.write(text.encode() + b"\n")


_HANAB_LIVE: Final = HanabLiveFormat()
_IS_OURS: Final = re.compile(rb'"(actions|suitIndex)"\s*:')
_IS_NOT: Final = b'"suit"'
"""What only hanab.live's JSON has, and what only formats have that are like it."""


@functools.cache
def formats() -> tuple[Format, ...]:
    """Return all formats, hanab.live's JSON first, those of installed packages last.

    Raises `HanalyzeError` (rule `bad_format`) for a package whose format cannot be loaded.

    >>> [one.name for one in formats()][:3]
    ['hanab-live', 'hle', 'hanabi-data']
    """
    # Most logs are hanab.live's JSON, and need none of this.
    from importlib.metadata import entry_points

    from hanalyze.logs.formats.ah2ac2 import Ah2ac2Format
    from hanalyze.logs.formats.hanabi_data import HanabiDataFormat
    from hanalyze.logs.formats.hanabi_logs import HanabiLogsFormat
    from hanalyze.logs.formats.hle import HleFormat
    from hanalyze.logs.formats.kaggle import KaggleFormat
    from hanalyze.logs.formats.obl import OblFormat
    from hanalyze.logs.formats.open_spiel import OpenSpielFormat

    installed: list[Format] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            installed.append(point.load()())
        except Exception as error:
            what = f'the format "{point.name}" cannot be loaded: {type(error).__name__}: {error}'
            raise HanalyzeError(what, rule="bad_format", advice="update or remove its package") from error
    return (
        _HANAB_LIVE,
        HleFormat(),
        HanabiDataFormat(),
        Ah2ac2Format(),
        OpenSpielFormat(),
        KaggleFormat(),
        HanabiLogsFormat(),
        OblFormat(),
        ShareFormat(),
        *installed,
    )


def format_named(name: str) -> Format:
    """Return a format by its name. Raises `UnknownName`.

    >>> format_named("hle").name
    'hle'
    """
    for one in formats():
        if one.name == name:
            return one
    raise UnknownName("format", name, (), advice="one of: " + ", ".join(one.name for one in formats()))


def format_of(head: bytes) -> Format:
    """Return the format of a file by how it begins.

    >>> format_of(b"Treatment: ('full', 1)").name, format_of(b'{"players": [').name
    ('hanabi-data', 'hanab-live')
    """
    if head.lstrip()[:1] in (b"{", b"[") and _IS_OURS.search(head) and _IS_NOT not in first_of(head):
        return _HANAB_LIVE  # without looking what is installed
    first, *others = formats()
    return next((one for one in others if one.recognises(head)), first)


def read_any(stream: io.BufferedReader, file: str) -> Iterator[GameRecord | LogError]:
    """Yield the games of a stream in whatever format it is."""
    return format_of(stream.peek(HEAD)[:HEAD]).read(stream, file)
