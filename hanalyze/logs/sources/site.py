"""The site that games are fetched from, and addresses of games on hanab.live.

With `#12` behind it an address opens at the site's turn 12, which is before our turn 11.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from hanalyze.errors import LogError
from hanalyze.game.cards import Card
from hanalyze.logs.formats.share_strings import compact
from hanalyze.logs.record import GameRecord

SITE: Final = "https://hanab.live"
_VARIABLE: Final = "HANALYZE_SITE"
_HOST: Final = re.compile(r"[a-z0-9._:\[\]-]+")
"""A host and its port. There is no place for a user and a password, nor for spaces or escapes."""


def origin(address: str) -> str | None:
    """Return scheme, host and port of an address of the web; None where it has none that can be asked.

    >>> origin("HTTP://Example.org:80/games?page=2"), origin("https://bücher.example")
    ('http://example.org:80', 'https://xn--bcher-kva.example')
    >>> origin("http://[::1"), origin("http://a:99999"), origin("http://me:secret@a"), origin("file:///a")
    (None, None, None, None)
    """
    try:
        parts = urlsplit(address)
        place = parts.netloc.encode("idna").decode("ascii").lower()
        is_valid = parts.scheme in ("http", "https") and parts.hostname is not None and parts.port != 0
    except ValueError:  # Python's own, for brackets, ports and names that no host can have
        return None
    return f"{parts.scheme}://{place}" if is_valid and _HOST.fullmatch(place) else None


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
