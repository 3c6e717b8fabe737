"""Review page of one game, as a single HTML file that loads nothing.

Names and notes from logs are escaped as HTML, or embedded as JSON that cannot close its element and inserted
as text. The page's Content Security Policy allows one script and one style, by their digests.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Collection, Iterable
from string import Template
from typing import Any, Final
from urllib.parse import quote

import msgspec

from hanalyze.conventions.game_reading import MARKS
from hanalyze.errors import HanalyzeError
from hanalyze.logs.record import GameRecord
from hanalyze.output import unwritable, write_text
from hanalyze.replaying import Replay, replay_many
from hanalyze.report.game.game_view import game_view
from hanalyze.report.game.positions import Names
from hanalyze.report.page import embedded_json, packed_json, policy, script_of, source
from hanalyze.report.theme import suit_classes, suit_css, theme_css
from hanalyze.store.judging_options import PLAY
from hanalyze.version import __version__
from hanalyze.words import listed

_MOST_CHARACTERS: Final = 60
"""Maximum number of characters of a seed, id or log name in a page's file name; numbers may follow."""
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"})
_SCRIPTS: Final = (
    "game/viewer/base.js",  # first, because it stores the page as loaded
    "theme.js",
    *(f"game/viewer/{name}.js" for name in ("spoilers", "remarks", "board", "possibilities", "timeline")),
    *(f"game/viewer/{name}.js" for name in ("question", "panel", "line", "viewer")),
)


def script() -> str:
    """Return the script of the page."""
    parts = script_of(_SCRIPTS)
    return f'(async () => {{\n"use strict";\n{parts}}})();\n'


def _style(names: Names) -> str:
    parts = [theme_css(), suit_css(names.suit_styles, "s"), suit_css(names.colour_styles, "c")]
    for prefix, styles in (("s", names.suit_styles), ("c", names.colour_styles)):
        parts.append(suit_classes(len(styles), prefix, prefix))
    return "".join(parts) + source("game/viewer/viewer.css")


def review(
    source: GameRecord | Replay,
    folder: str | os.PathLike[str] | None = None,
    level: int | None = None,
    play_threshold: float = PLAY,
    *,
    seat: int | None = None,
    spoiler_free: bool = False,
    other_system: bool = False,
) -> str:
    """Return the review page of a game as HTML that works without a network.

    A page that is `spoiler_free` shows nothing of later turns until the reader reaches them. With `seat`
    (from 0), the page is spoiler-free and shows only what this player could know. The values of such a page
    are compressed, so that the browser's search and screen readers do not find later turns.

    `folder` has additional definitions of mistakes in the format of `hanalyze.store.definitions.definitions`.
    Moves are read and judged by the H-Group conventions up to `level`, 0 for none. Without `level`, moves are
    read up to the highest level, and players must answer signals up to a level estimated from the game. A
    play is not a mistake if its chance of success is at least `play_threshold` (above 0 and at most 1; at two
    strikes at least 0.9). With `other_system`, moves are judged only by deduction
    (`hanalyze.store.judging_options.Judging`). Raises `HanalyzeError` if the log cannot be dealt, DuckDB is
    missing, the threshold is outside its range (rule `bad_threshold`), or the rules of the replay differ from
    those of its record (rule `other_rules`).
    """
    played = _replay_of(source)
    game = game_view(played, folder, level, play_threshold, other_system=other_system)
    return _page(played, game, seat, is_spoiler_free=spoiler_free)


def _replay_of(source: GameRecord | Replay) -> Replay:
    return source if isinstance(source, Replay) else next(replay_many([source], measured=True, fast=False))


def _page(
    played: Replay, game: dict[str, Any], seat: int | None = None, *, is_spoiler_free: bool = False
) -> str:
    """Return the page of a game from its values; `seat` and `is_spoiler_free` are those of `review`."""
    is_strict = is_spoiler_free or seat is not None
    if is_strict:
        game["start"] = {"view": "all" if seat is None else seat, "strict": True}
    code, style = script(), _style(Names(played))
    data = embedded_json(game)
    texts = {
        "title": "".join(listed(game["players"])) if is_strict else game["heading"],
        "game": game["game"],
        "version": __version__,
        "policy": policy((code,), (style,)),
        **{mark: game["definitions"][f"mark {mark}"][2] for mark in MARKS},
    }
    return Template(source("game/viewer/page.html").rstrip()).substitute(
        {name: text.translate(_ESCAPES) for name, text in texts.items()},
        script=code,
        style=style,
        kind="text/plain" if is_strict else "application/json",
        data=packed_json(data) if is_strict else data,
    )


def write_review(
    source: GameRecord | Replay,
    target: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    level: int | None = None,
    play_threshold: float = PLAY,
    *,
    seat: int | None = None,
    spoiler_free: bool = False,
    other_system: bool = False,
) -> int:
    """Write the review page of a game to a file ("-": standard output) and return its size in bytes.

    Raises `HanalyzeError` as `review` does, and if the file cannot be written (rule `unwritable`).
    """
    options: dict[str, Any] = {"seat": seat, "spoiler_free": spoiler_free, "other_system": other_system}
    return write_text(review(source, folder, level, play_threshold, **options), os.fspath(target))


def write_reviews(
    records: Iterable[tuple[int, GameRecord]], folder: str, on_error: Callable[[HanalyzeError], object]
) -> dict[int, str]:
    """Write the review pages of games to a folder; return their addresses by the number of each record.

    The addresses are relative to the parent of the folder. Games that cannot have a page are reported to
    `on_error`. Raises `HanalyzeError` if the folder cannot be created (rule `unwritable`).
    """
    from hanalyze.store.solutions import compiled_solver_pays  # one page does not need it

    names: dict[int, str] = {}
    games = list(records)
    fast = compiled_solver_pays(len(games))
    for number, record in games:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise unwritable(error, folder) from None
        name = page_name(record, names.values())
        try:
            played = _replay_of(record)
            write_text(_page(played, game_view(played, fast=fast)), os.path.join(folder, name))
            names[number] = name
        except HanalyzeError as error:
            on_error(error)
    return {number: quote(f"{os.path.basename(folder)}/{name}") for number, name in names.items()}


def anonymous(record: GameRecord) -> GameRecord:
    """Return a game with numbered players, without notes, tags, id, source and place in a file.

    >>> anonymous(GameRecord(players=("Ann", "Bo"), id=7, seed="p2v0s1")).players
    ('Player 1', 'Player 2')
    """
    names = tuple(f"Player {number}" for number in range(1, len(record.players) + 1))
    return msgspec.structs.replace(
        record, players=names, notes=(), tags=(), **dict.fromkeys(("id", "source", "file", "line"))
    )


def page_name(record: GameRecord, taken: Collection[str] = ()) -> str:
    """Return the file name of a game's page: the game's id, else its seed, else the name of its log file.

    The file name differs from all names in `taken`, even if case is ignored.

    >>> page_name(GameRecord(players=(), id=1234, seed="p3v0s7"))
    '1234.html'
    >>> page_name(GameRecord(players=(), seed="p3v0s7"), {"p3v0s7.html", "P3V0S7-2.html"})
    'p3v0s7-3.html'
    >>> page_name(GameRecord(players=(), file="logs/games.jsonl.gz", line=3))
    'games-3.html'
    """
    name = record.seed if record.id is None else str(record.id)
    stem = _safe(name or "")
    if not stem:
        file = "" if record.file in (None, "-") else os.path.basename(str(record.file)).split(".")[0]
        stem = "-".join(filter(None, (_safe(file) or "game", str(record.line or ""))))
    used = {one.lower() for one in taken}
    names = itertools.chain((stem,), (f"{stem}-{number}" for number in itertools.count(2)))
    return next(f"{one}.html" for one in names if f"{one}.html".lower() not in used)


def _safe(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text).strip("-.")[:_MOST_CHARACTERS]
