"""The site that serves games, its cache, addresses of games, and references to games without a file.

docs/formats.md lists the accepted references. An existing file with the same name takes precedence over a
reference. An address that ends in `#12` opens the game before turn 12 (turns count from 1, as on the site).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from hanalyze.errors import LogError
from hanalyze.game.cards import Card
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.share_strings import compact, expand, is_compact
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources import http
from hanalyze.logs.sources.http import RefusedError, RequestLimits, origin
from hanalyze.output import cache_folder, replaced

SITE: Final = "https://hanab.live"
_VARIABLE: Final = "HANALYZE_SITE"


def site(given: str | None = None) -> str:
    """Return the address of the site from which games are fetched, without a slash at its end.

    The address is `given`, otherwise the environment variable `HANALYZE_SITE`, otherwise hanab.live. Raises
    `LogError` (rule `bad_link`) if it is not the address of a site.

    >>> site()
    'https://hanab.live'
    """
    address = os.environ.get(_VARIABLE, "") if given is None else given
    if not address and given is None:
        return SITE
    base = origin(address)
    if base is None or urlsplit(address.rstrip("/"))[2:] != ("", "", ""):
        # The message does not contain the address, which may include a password.
        what = "this" if given is not None else _VARIABLE
        advice = f"use an address such as {SITE}, without a user, a password or a path"
        raise LogError(f"{what} is not the address of a site", rule="bad_link", advice=advice)
    return base


def numbered_address(number: int | None, source: str | None) -> str | None:
    """Return the address of a game on hanab.live, None if it has no number or comes from a different source.

    >>> numbered_address(1, None), numbered_address(1, "an experiment")
    ('https://hanab.live/replay/1', None)
    """
    if number is None or (source is not None and "hanab.live" not in source.lower()):
        return None
    return f"{SITE}/replay/{number}"


def compact_address(record: GameRecord, deck: Sequence[Card] | None = None) -> str | None:
    """Return an address that contains a game as a share string, None if a string cannot store the game."""
    text = compact(record, deck)
    return None if text is None else f"{SITE}/replay-json/{text}"


_MISSING_FOR: Final = 86_400.0  # seconds for which a missing game is remembered; it may be played later


class GameCache:
    """Cache of fetched games of a site, in the user's cache folder; always empty without such a folder."""

    def __init__(self, address: str) -> None:
        # One folder per site, because each site has its own numbers.
        name = address.partition("://")[2].replace(":", "_")
        folder = cache_folder()
        self._folder = None if folder is None else folder / "games" / name

    def game(self, number: int) -> bytes | None:
        """Return a cached game, None if it is not cached or its file is damaged."""
        if self._folder is not None:
            with suppress(OSError):
                text = (self._folder / f"{number}.json").read_bytes()
                return text if is_game(text, number) else None
        return None

    def is_missing(self, number: int) -> bool:
        """Return whether the site had no game with this number within the last `_MISSING_FOR` seconds."""
        if self._folder is not None:
            with suppress(OSError):
                return time.time() - (self._folder / f"{number}.missing").stat().st_mtime < _MISSING_FOR
        return False

    def keep(self, number: int, text: bytes | None) -> None:
        """Store a game, or, if `text` is None, that the site lacks it; ignore errors such as a full disk."""
        if self._folder is None:
            return
        name = f"{number}.missing" if text is None else f"{number}.json"
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with replaced(self._folder / name) as part:
                part.write_bytes(text or b"")


def fetch_game(number: int) -> bytes:
    """Return the exported JSON of a game, from the cache or from the site.

    A fetched game is stored in the user's cache folder. Raises `LogError` (rules `bad_link`,
    `no_connection`, `no_such_game`, `site_refused`, `not_a_game`).
    """
    site_address = site()
    cache = GameCache(site_address)
    text = cache.game(number)
    if text is None:
        try:
            text = game_from(site_address, number, RequestLimits(total=http.MOST_TIME))
        except (RefusedError, OSError) as error:
            address = f"{site_address}/export/{number}"
            way = f"open {address} in a browser, save it as {number}.json, and give that file"
            raise refusal(error, address, way) from None
        cache.keep(number, text)
    return text


def game_from(address: str, number: int, limits: RequestLimits) -> bytes:
    """Return a game as exported by the site with this address.

    Raises `RefusedError`, and `OSError` if there is no connection.
    """
    text = http.get(f"{address}/export/{number}", limits)
    if not is_game(text, number):
        raise RefusedError(f"the answer is not game {number}", "not_a_game")
    return text


def refusal(error: RefusedError | OSError, address: str, way_out: str | None = None) -> LogError:
    """Return the `LogError` for a failed request; `way_out` is the advice if there is no connection."""
    if isinstance(error, RefusedError):
        return LogError(str(error), rule=error.rule, file=address)
    what = f"no connection ({http.reason_of(getattr(error, 'reason', None) or error)})"
    return LogError(what, rule="no_connection", file=address, advice=way_out)


def is_game(text: bytes, number: int) -> bool:
    """Return whether a text is a complete game with this number."""
    try:
        record = hanab_live.parse(text)
    except LogError:
        return False
    return record.id == number


_NUMBER: Final = re.compile(r"[0-9]{1,12}")
_BY_NUMBER: Final = ("replay", "shared-replay", "export")
_BY_STRING: Final = ("replay-json", "shared-replay-json")


class GameReference(NamedTuple):
    """A game without a file: its `number`, share `string` or `json`, and the `turn` (from 1) if given."""

    number: int | None = None
    string: str | None = None
    json: str | None = None
    turn: int | None = None


def game_reference(text: str) -> GameReference | None:
    """Return the game to which a text refers, None if the text names an existing file or is not a reference.

    Raises `LogError` (rule `bad_link`) for a link to the site that is not a link to a game.

    >>> game_reference("hanab.live/replay/101785#45")
    GameReference(number=101785, string=None, json=None, turn=45)
    >>> game_reference("games.json") is None
    True
    """
    text = text.strip()
    if text.startswith(("{", "[")) and not os.path.lexists(text):
        return GameReference(json=text)
    host = (origin(os.environ.get(_VARIABLE, "")) or SITE).partition("://")[2]
    prefix = f"{host}/"
    rest = re.sub(r"https?://", "", text, count=1)
    rest = rest[4:] if rest.startswith("www.") else rest
    if rest.lower().startswith(prefix) and not os.path.lexists(text):
        return _linked(rest[len(prefix) :], text)
    body, _, place = text.partition("#")
    turn = _turn(place)
    if (place and turn is None) or os.path.lexists(text):
        return None
    if _NUMBER.fullmatch(body):
        return GameReference(number=int(body), turn=turn)
    return GameReference(string=body, turn=turn) if is_compact(body) else None


def display_name(text: str) -> str:
    """Return the name of a log in messages: the user's text, shortened for pasted JSON and share strings.

    >>> display_name("games.json"), display_name('{"players": []}'), display_name("212acbd,03pbad,0")
    ('games.json', 'pasted text', 'shared game 212acbd')
    """
    try:
        game = game_reference(text)
    except LogError:
        return text
    if game is None or game.number is not None:
        return text
    return "pasted text" if game.string is None else f"shared game {game.string.partition(',')[0][:12]}"


def turn_of(text: str) -> int | None:
    """Return the turn, from 1, at which a link opens; None if the link has no turn.

    >>> turn_of("hanab.live/replay/101785#45"), turn_of("games.json")
    (45, None)
    """
    try:
        game = game_reference(text)
    except LogError:
        return None
    return None if game is None else game.turn


def _linked(rest: str, text: str) -> GameReference:
    path, _, place = rest.partition("#")
    kind, _, name = path.partition("?")[0].strip("/").partition("/")
    if kind in _BY_NUMBER and _NUMBER.fullmatch(name):
        return GameReference(number=int(name), turn=_turn(place))
    if kind in _BY_STRING and name:
        return GameReference(string=name, turn=_turn(place))
    advice = f"a link to a game looks like {SITE}/replay/101785"
    raise LogError("this is not a link to a game", rule="bad_link", file=text, advice=advice)


def _turn(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) and int(text) > 0 else None


def text_of(game: GameReference) -> bytes:
    """Return a referenced game as the text of a log. Raises `LogError` if it cannot be read or fetched."""
    if game.json is not None:
        return game.json.encode("utf-8", "surrogateescape")
    if game.string is not None:
        return hanab_live.to_json(expand(game.string)) + b"\n"
    assert game.number is not None
    return fetch_game(game.number)
