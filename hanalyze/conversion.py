"""Conversion of logs between formats, with a count of the parts that the target format cannot store."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Final, NamedTuple

from msgspec.structs import replace

from hanalyze.errors import HanalyzeError, LogError
from hanalyze.logs.formats.registry import HANAB_LIVE, WritableFormat, format_named
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay, replay_many

_CHUNK: Final = 1000  # number of games that are dealt and replayed at a time


class Converted(NamedTuple):
    """The number of games written, and how many of them lost each part, such as "notes" (most first)."""

    games: int
    lost: dict[str, int]


def convert(
    records: Iterable[GameRecord],
    stream: IO[bytes],
    to: str,
    *,
    on_error: Callable[[HanalyzeError], object] | None = None,
) -> Converted:
    """Write games to a stream in the format named `to`, such as "hle"; return counts of games and lost parts.

    Raises `HanalyzeError` for a game that the format cannot store or, except for "hanab-live", that cannot be
    dealt; with `on_error`, the error is passed to it, and the conversion continues. Raises `UnknownName` for
    an unknown format, and `LogError` (rule `read_only_format`) for a format that can only be read.

    >>> from hanalyze.logs.formats.share_strings import expand
    >>> stream = io.BytesIO()
    >>> convert([expand("212acbd,03pbad,0")], stream, "hanab-live").games
    1
    >>> stream.getvalue()[:33]
    b'{"players":["Alice","Bob"],"deck"'
    """
    chosen = format_named(to)
    if not isinstance(chosen, WritableFormat):
        raise LogError(f'the format "{to}" can only be read', rule="read_only_format")
    lost: Counter[str] = Counter()
    records_so_far: list[GameRecord] = []
    games = 0
    for record in _completed(records, chosen, on_error):
        part = io.BytesIO()
        # Some formats write all games at once. A trial with the first game shows whether this one fits.
        try:
            chosen.write([record] if chosen.is_by_game else [*records_so_far[:1], record], part)
        except LogError as error:
            error.at(file=record.file, line=record.line, game=record.name)
            if on_error is None:
                raise
            on_error(error)
            continue
        if chosen.is_by_game:
            stream.write(part.getvalue())
        else:
            records_so_far.append(record)
        games += 1
        lost.update(chosen.lost(record))
    if records_so_far:
        chosen.write(records_so_far, stream)
    return Converted(games, dict(lost.most_common()))


def _completed(
    records: Iterable[GameRecord], chosen: WritableFormat, on_error: Callable[[HanalyzeError], object] | None
) -> Iterator[GameRecord]:
    """Yield records with deck and score; for hanab.live's JSON, which needs neither, yield them unchanged."""
    if chosen.name == HANAB_LIVE.name:
        yield from records
        return
    source = iter(records)

    def tell(_: GameRecord, error: HanalyzeError) -> None:
        if on_error is not None:
            on_error(error)

    while chunk := list(islice(source, _CHUNK)):
        for one in replay_many(chunk, on_error=None if on_error is None else tell):
            record = one.record
            yield replace(record, deck=record.deck or one.deck, score=_score(one, chosen.lost(record)))


def _score(game: Replay, lost: tuple[str, ...]) -> int | None:
    """Return the score to store: the log's if it is wrong, otherwise the score that the stored parts give."""
    if game.record.score not in (None, game.score):
        return game.record.score  # a wrong score stays visible
    if game.end_condition == "strikeout":
        return 0 if "rules" in lost else game.score  # without its rules, a game lost by strikes has no points
    return game.raw_score if "ending" in lost else game.score  # without its ending, a game keeps its points
