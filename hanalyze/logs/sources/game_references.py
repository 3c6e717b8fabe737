"""References to games without a file: numbers on hanab.live, links, share strings, pasted JSON.

An existing file with the same name takes precedence over a reference. Accepted references: a number
(`101785`); links with a number (`hanab.live/replay/101785`, `.../shared-replay/...`, `.../export/...`); links
with a share string (`.../replay-json/...`, `.../shared-replay-json/...`); the share string alone; text that
begins with `{` or `[`. `https://` and `www.` are optional, and so is the turn after a `#`.
"""

from __future__ import annotations

import os
import re
from typing import Final, NamedTuple

from hanalyze.errors import LogError
from hanalyze.logs.formats import hanab_live
from hanalyze.logs.formats.share_strings import expand, is_compact
from hanalyze.logs.sources.site import SITE, fetch_game, host

_NUMBER: Final = re.compile(r"[0-9]{1,12}")
_BY_NUMBER: Final = ("replay", "shared-replay", "export")
_BY_STRING: Final = ("replay-json", "shared-replay-json")


class GameReference(NamedTuple):
    """A game without a file: `number`, `string` or `json` is set, and `turn` (from 1) if it was given."""

    number: int | None = None
    string: str | None = None
    json: str | None = None
    turn: int | None = None


def game_reference(text: str) -> GameReference | None:
    """Return the game to which a text refers, None if the text is an existing file or not a reference.

    Raises `LogError` (rule `bad_link`) for a link to the site that is not a link to a game.

    >>> game_reference("hanab.live/replay/101785#45")
    GameReference(number=101785, string=None, json=None, turn=45)
    >>> game_reference("games.json") is None
    True
    """
    text = text.strip()
    if text.startswith(("{", "[")) and not os.path.lexists(text):
        return GameReference(json=text)
    prefix = f"{host()}/"
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
