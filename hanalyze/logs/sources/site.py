"""The site that games are fetched from, and addresses of games on hanab.live.

With `#12` behind it an address opens at the site's turn 12, which is before our turn 11.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from hanalyze.errors import LogError
from hanalyze.game.cards import Card
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.share_strings import compact
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources import http
from hanalyze.logs.sources.http import RefusedError, RequestLimits, origin
from hanalyze.output import cache_folder

SITE: Final = "https://hanab.live"
_VARIABLE: Final = "HANALYZE_SITE"


def site(given: str | None = None) -> str:
    """Return the address of the site that games are fetched from, without a slash at its end.

    `given` goes before the environment variable `HANALYZE_SITE`. Raises `LogError` (rule `bad_link`) where it
    is not the address of a site.

    >>> site()
    'https://hanab.live'
    """
    address = os.environ.get(_VARIABLE, "") if given is None else given
    if not address and given is None:
        return SITE
    chosen = origin(address)
    if chosen is None or urlsplit(address.rstrip("/"))[2:] != ("", "", ""):
        # The text is not shown: it may hold a password.
        what = "this" if given is not None else _VARIABLE
        advice = f"use an address such as {SITE}, without a user, a password or a path"
        raise LogError(f"{what} is not the address of a site", rule="bad_link", advice=advice)
    return chosen


def host() -> str:
    """Return host and port of the site, hanab.live where the user's choice is no address."""
    return (origin(os.environ.get(_VARIABLE, "")) or SITE).partition("://")[2]


def numbered_address(number: int | None, source: str | None) -> str | None:
    """Return the address of a game of the site's; None where it has no number, or one of somebody else's.

    >>> numbered_address(1, None), numbered_address(1, "an experiment")
    ('https://hanab.live/replay/1', None)
    """
    if number is None or (source is not None and "hanab.live" not in source.lower()):
        return None
    return f"{SITE}/replay/{number}"


def compact_address(record: GameRecord, deck: Sequence[Card] | None = None) -> str | None:
    """Return an address that holds the whole game, as `hanalyze.logs.formats.share_strings.compact` does."""
    text = compact(record, deck)
    return None if text is None else f"{SITE}/replay-json/{text}"


_MISSING_FOR: Final = 86_400.0
"""Seconds for which a number that the site has no game for is not asked again: there may be one later."""


class GameCache:
    """The games of a site that were fetched before, in the user's cache folder; empty where there is none."""

    def __init__(self, address: str) -> None:
        folder = cache_folder()
        # By site, for numbers are the site's own.
        name = address.partition("://")[2].replace(":", "_")
        self._folder = None if folder is None else folder / "games" / name

    def game(self, number: int) -> bytes | None:
        """Return a game that is kept whole."""
        if self._folder is not None:
            with suppress(OSError):
                text = (self._folder / f"{number}.json").read_bytes()
                if is_game(text, number):
                    return text
        return None

    def keep(self, number: int, text: bytes) -> None:
        """Keep a game."""
        self._write(f"{number}.json", text)

    def is_missing(self, number: int) -> bool:
        """Return whether the site had no such game when it was asked a short time ago."""
        if self._folder is not None:
            with suppress(OSError):
                return time.time() - (self._folder / f"{number}.missing").stat().st_mtime < _MISSING_FOR
        return False

    def keep_missing(self, number: int) -> None:
        """Keep in mind that the site has no such game."""
        self._write(f"{number}.missing", b"")

    def _write(self, name: str, text: bytes) -> None:
        """Write a file at once or not at all; a full disk is no reason to fail."""
        if self._folder is None:
            return
        place: Path = self._folder / name
        part = place.with_suffix(f".{os.getpid()}.part")
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(text)
            part.replace(place)
        with suppress(OSError):
            part.unlink(missing_ok=True)


def fetch_game(number: int) -> bytes:
    """Return the exported JSON of a game, from the cache or from the site.

    A fetched game stays in the user's cache folder. Raises `LogError` (rules `no_connection`,
    `no_such_game`, `site_refused`, `not_a_game`); without a connection it says how to save the game by hand.
    """
    here = site()
    cache = GameCache(here)
    text = cache.game(number)
    if text is None:
        try:
            text = game_from(here, number, RequestLimits(total=http.MOST_TIME))
        except (RefusedError, OSError) as error:
            address = f"{here}/export/{number}"
            way = f"open {address} in a browser, save it as {number}.json, and give that file"
            raise refusal(error, address, way) from None
        cache.keep(number, text)
    return text


def game_from(here: str, number: int, limits: RequestLimits) -> bytes:
    """Return a game as the site at the address `here` exports it.

    Raises `RefusedError`, and `OSError` where there is no connection.
    """
    text = http.get(f"{here}/export/{number}", limits)
    if not is_game(text, number):
        raise RefusedError(f"the answer is not game {number}", "not_a_game")
    return text


def refusal(error: RefusedError | OSError, address: str, way_out: str | None = None) -> LogError:
    """Say in our words why an address gave nothing; `way_out` is what helps without a connection."""
    if isinstance(error, RefusedError):
        return LogError(str(error), rule=error.rule, file=address)
    reason = getattr(error, "reason", None) or error
    return LogError(
        f"no connection ({http.reason_of(reason)})", rule="no_connection", file=address, advice=way_out
    )


def is_game(text: bytes, number: int) -> bool:
    """Return whether a text is the game of this number, whole."""
    try:
        record = hanab_live.parse(text)
    except LogError:
        return False
    return record.id == number
