"""The site's lists of games: of a player, of several together, on a seed, under a tag.

Sources: hanab.live, `server/src/api_games.go` (lists as JSON), `views/history.tmpl` (the page of a tag).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple
from urllib.parse import quote

import msgspec

from hanalyze.errors import check_unicode
from hanalyze.logs.formats.hanab_live import tags_of
from hanalyze.logs.sources import http
from hanalyze.logs.sources.http import RefusedError, RequestLimits

_MOST_BYTES: Final = 2**26
"""The longest list: 90,000 games or more."""
_MOST_BRACES: Final = 500_000
"""More braces than such a list has: a row has two."""
_REPLAY: Final = re.compile(rb'href="/(?:shared-)?replay/([0-9]{1,12})"')


class ListedGame(NamedTuple):
    """A game as a list has it: its number, and what is known besides, None or empty where it is not."""

    number: int
    score: int | None = None
    started: str | None = None
    finished: str | None = None
    tags: tuple[str, ...] = ()


_Date = Annotated[str, msgspec.Meta(max_length=64)]


class _Row(msgspec.Struct, rename="camel", gc=False):
    id: Annotated[int, msgspec.Meta(ge=1, lt=10**12)]
    score: Annotated[int, msgspec.Meta(ge=-(10**6), le=10**6)] | None = None
    datetime_started: _Date | None = None
    datetime_finished: _Date | None = None
    tags: Annotated[str, msgspec.Meta(max_length=10**5)] | None = None


class _Answer(msgspec.Struct):
    games: list[_Row] | None = None
    rows: list[_Row] | None = None


_DECODER: Final = msgspec.json.Decoder(list[_Row] | _Answer)


def games_of_players(
    here: str,
    names: Sequence[str],
    limits: RequestLimits,
    *,
    first: int | None = None,
    last: int | None = None,
) -> list[ListedGame]:
    """Return the games that all of these players were in, by number; `first` and `last` bound the numbers.

    Raises `RefusedError`, `OSError` where there is no connection, and `HanalyzeError` (rule `bad_name`) for a
    name that is not valid Unicode, as the others do.
    """
    bounds = {"start": first, "end": last}
    query = "&".join(f"{name}={number}" for name, number in bounds.items() if number is not None)
    place = "/".join(map(_escaped, names))
    return _rows(_list(f"{here}/api/v1/history-full/{place}" + (f"?{query}" if query else ""), limits))


def games_on_seed(here: str, seed: str, limits: RequestLimits) -> list[ListedGame]:
    """Return the games on a seed, by number."""
    return _rows(_list(f"{here}/api/v1/seed-full/{_escaped(seed)}", limits))


def games_with_tag(here: str, tag: str, limits: RequestLimits) -> list[ListedGame]:
    """Return the games under a tag, by number; of its page, which is for people, only numbers are read."""
    page = _list(f"{here}/tag/{_escaped(tag)}", limits)
    return [ListedGame(number, tags=(tag,)) for number in sorted({int(one) for one in _REPLAY.findall(page)})]


def _escaped(name: str) -> str:
    """Return a name as a part of an address. Raises `HanalyzeError` (rule `bad_name`)."""
    check_unicode(name)
    return quote(name, safe="")


def _list(address: str, limits: RequestLimits) -> bytes:
    try:
        return http.get(address, limits, most_bytes=_MOST_BYTES)
    except RefusedError as error:
        if error.rule == "no_such_game":
            raise RefusedError("the site has no list of such games", error.rule) from None
        raise


def _rows(text: bytes) -> list[ListedGame]:
    """Return the games of a list as the site sends it: an array, or an object that holds one."""
    try:
        if text.count(b"{") > _MOST_BRACES:
            raise msgspec.DecodeError
        answer = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RefusedError("the answer is no list of games", "not_a_game") from None
    rows = (answer.games or answer.rows or []) if isinstance(answer, _Answer) else answer
    by_number = {
        row.id: ListedGame(row.id, row.score, row.datetime_started, row.datetime_finished, tags_of(row.tags))
        for row in rows
    }
    return [by_number[number] for number in sorted(by_number)]
