"""The page of `hanalyze explore --full` as a folder for a web server: page, engine and database."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.output import replaced, unwritable, write_text
from hanalyze.report.explore.build import explore_page
from hanalyze.report.explore.full import VERSION, WASM, WORKER, Full, engine_of, export
from hanalyze.report.page import Page
from hanalyze.store import Database

MOST_WHOLE: Final = 1_000_000_000
"""Maximum bytes of a database that a page loads as a whole, from a server without range requests."""
_FILES: Final = ("index.html", "games.duckdb", WASM, WORKER)
"""Files of a folder. The last is written first, so `check_folder` recognises an unfinished folder by it."""


def check_folder(folder: str) -> None:
    """Raise `HanalyzeError` (rule `unwritable`) if a folder has other files than those of `write_folder`.

    Hidden files, such as `.git` and `.nojekyll`, may stay.
    """
    try:
        names = {name for name in os.listdir(folder) if not name.startswith(".")}
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable(error, folder) from None
    if names and not {WORKER} <= names <= set(_FILES):
        what = "this folder has other files"
        raise HanalyzeError(what, rule="unwritable", file=folder, advice="choose a new or empty folder")


def write_folder(db: Database, package: str, folder: str) -> tuple[Page, int]:
    """Write a page, the engine of a package and the games of a database; return the page and all bytes.

    The folder is created if needed. All files are complete before the first one replaces an older one. Raises
    `HanalyzeError` as `full_of` and `explore_page` do, and if the folder cannot be written (`unwritable`).
    """
    try:
        os.makedirs(folder, exist_ok=True)
        with ExitStack() as stack:
            parts = [stack.enter_context(replaced(Path(folder) / name)) for name in _FILES]
            index, database, *engine = parts
            for part, data in zip(engine, engine_of(package), strict=True):
                part.write_bytes(data)
            export(db, database)
            # A new address for each version: ranges of an old file in a browser's cache do not fit a new one.
            turns = f"games.duckdb?{database.stat().st_mtime_ns:x}"
            files = Full(f"{WASM}?{VERSION}", f"{WORKER}?{VERSION}", turns, are_files=True)
            page = explore_page(db, full=files)
            write_text(page.text, str(index))
            return page, sum(part.stat().st_size for part in parts)
    except OSError as error:
        raise unwritable(error, folder) from None
