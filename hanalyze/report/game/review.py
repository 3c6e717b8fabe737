"""The page of one game: one HTML file that loads nothing.

Names and notes of logs are escaped as HTML, embedded as JSON that cannot end its element, and put on the
page as text. The page's policy allows one script and one style, by their digests.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Collection, Iterable
from typing import Final

from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import needed
from hanalyze.logs.record import GameRecord
from hanalyze.output import unwritable, write_bytes
from hanalyze.replaying import Replay, replay_many
from hanalyze.report.game.game_view import game_view
from hanalyze.report.game.positions import Names
from hanalyze.report.page import embedded_json, policy, render, script_of, source
from hanalyze.report.theme import suit_css, theme_css
from hanalyze.store.judging_options import PLAY
from hanalyze.version import __version__

_MOST_CHARACTERS: Final = 60
"""Characters of a file name, at most."""
_SCRIPTS: Final = ("base", "board", "possibilities", "timeline", "panel", "line", "viewer")


def script() -> str:
    """Return the page's own script."""
    parts = script_of(f"game/viewer/{name}.js" for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


def _style(names: Names) -> str:
    parts = [theme_css(), suit_css(names.suit_styles, "s"), suit_css(names.colour_styles, "c")]
    for prefix, styles in (("s", names.suit_styles), ("c", names.colour_styles)):
        for number in range(len(styles)):
            short = {"t": "tint", "i": "ink", "s": "solid", "x": "text", "f": "flat", "e": "edge"}
            values = "".join(f"--{key}:var(--{prefix}{number}-{role});" for key, role in short.items())
            parts.append(f".{prefix}{number}{{{values}}}\n")
    return "".join(parts) + source("game/viewer/viewer.css")


def review(
    source: GameRecord | Replay,
    folder: str | os.PathLike[str] | None = None,
    level: int = HIGHEST_LEVEL,
    play_threshold: float = PLAY,
) -> str:
    """Return the page of a game: HTML that works without a network.

    `folder` has more definitions of mistakes, as `hanalyze.store.definitions.definitions` reads them. Moves
    are read, and judged, by the H-Group's conventions up to `level`; 0 for none. A play at least
    `play_threshold` likely to be playable, a chance above 0 and at most 1, is no mistake (at two strikes at
    least 0.9). Raises `HanalyzeError` if the log cannot be dealt, Jinja2 or DuckDB is not installed, the
    threshold is no chance (rule `bad_threshold`), or the replay used rules other than its record names (rule
    `other_rules`).
    """
    needed("jinja2")  # fail before the work if it is missing
    played = source if isinstance(source, Replay) else next(replay_many([source], measured=True, fast=False))
    game = game_view(played, folder, level, play_threshold)
    code, style = script(), _style(Names(played))
    return render(
        "game/viewer/page.html",
        game={**game, "score": played.score, "followed": played.turn_count},
        version=__version__,
        policy=policy((code,), (style,)),
        script=code,
        style=style,
        data=embedded_json(game),
    )


def write_review(
    source: GameRecord | Replay,
    target: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    level: int = HIGHEST_LEVEL,
    play_threshold: float = PLAY,
) -> int:
    """Write the page of a game into a file, "-" for standard output, and return how many bytes it has.

    Raises `HanalyzeError` as `review` does, and where the file cannot be written (rule `unwritable`).
    """
    page = review(source, folder, level, play_threshold).encode("utf-8", "backslashreplace")
    write_bytes(page, os.fspath(target))
    return len(page)


def write_reviews(
    records: Iterable[tuple[int, GameRecord]], folder: str, on_error: Callable[[HanalyzeError], object]
) -> dict[int, str]:
    """Write the pages of games into a folder, and return the names of their files by the number of the game.

    A game without a page goes to `on_error`. Raises `HanalyzeError` for a folder that cannot be made (rule
    `unwritable`).
    """
    names: dict[int, str] = {}
    for number, record in records:
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise unwritable(error, folder) from None
        name = page_name(record, names.values())
        try:
            write_review(record, os.path.join(folder, name))
            names[number] = name
        except HanalyzeError as error:
            on_error(error)
    return names


def page_name(record: GameRecord, taken: Collection[str] = ()) -> str:
    """Return the name of a game's page: its id, else its seed, else its file's name, with `.html`.

    It differs from all names `taken`, also where file names ignore case.

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
