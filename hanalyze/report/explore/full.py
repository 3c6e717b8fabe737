"""SQL in the page of `hanalyze explore --full`: a database and DuckDB-WASM, in the page or in a folder."""

from __future__ import annotations

import base64
import gzip
import json
import os
import tarfile
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hanalyze.analysis.explore import source_of
from hanalyze.errors import HanalyzeError
from hanalyze.output import replaced, unwritable, write_text
from hanalyze.report.explore.build import Full, explore_page
from hanalyze.report.page import Page
from hanalyze.store import Database
from hanalyze.store.schema import quoted

VERSION: Final = "1.32.0"
"""The version of the npm package `@duckdb/duckdb-wasm` whose messages the page uses."""
TARBALL: Final = f"duckdb-duckdb-wasm-{VERSION}.tgz"
"""The file that `npm pack` writes."""
WASM: Final = "duckdb-eh.wasm"
WORKER: Final = "duckdb-browser-eh.worker.js"
MOST_WHOLE: Final = 1_000_000_000
"""Maximum bytes of a database that a page loads as a whole, from a server without range requests."""
_FILES: Final = ("index.html", "games.duckdb", WASM, WORKER)
"""Files of a folder. The last is written first, so `check_folder` recognises an unfinished folder by it."""
_STORAGE: Final = "v1.4.0"
"""The newest version of DuckDB's files that this version of DuckDB-WASM reads."""
_TABLES: Final = (
    *("games", "seats", "turns", "clues", "mistakes", "game_levels"),
    *("conventions", "convention_outcomes", "convention_games"),
)


def full_of(db: Database, package: str) -> Full:
    """Return the engine and the games of a database; `package` is a folder or a tarball of npm.

    Raises `HanalyzeError` (rule `no_duckdb_wasm`) unless it is `@duckdb/duckdb-wasm` `VERSION`.
    """
    wasm, worker = map(_packed, engine_of(package))
    with TemporaryDirectory(prefix="hanalyze-") as folder:
        path = Path(folder) / "games.duckdb"
        export(db, path)
        return Full(wasm, worker, _packed(path.read_bytes()))


def engine_of(package: str) -> list[bytes]:
    """Return the bytes of the engine and of its worker. Raises `HanalyzeError` as `full_of` does."""
    check_package(package)
    return _read(package, [f"dist/{WASM}", f"dist/{WORKER}"])


def check_package(package: str) -> None:
    """Raise `HanalyzeError` (rule `no_duckdb_wasm`) unless a package exists and has the version `VERSION`."""
    found = _read(package, ["package.json"])
    version = json.loads(found[0]).get("version") if found else None
    if version != VERSION:
        what = f"is version {version}" if version else "is not this package"
        what = what if Path(package).exists() else "does not exist"
        problem = f"--full needs @duckdb/duckdb-wasm {VERSION}; {package} {what}"
        advice = f"run `npm pack @duckdb/duckdb-wasm@{VERSION}`, or give --duckdb-wasm its folder or .tgz"
        raise HanalyzeError(problem, rule="no_duckdb_wasm", advice=advice)


def _read(package: str, names: list[str]) -> list[bytes]:
    """Return the bytes of files of a package; an empty list if one of them cannot be read."""
    try:
        if Path(package).is_dir():
            return [(Path(package) / name).read_bytes() for name in names]
        with tarfile.open(package) as archive:
            files = [archive.extractfile(f"package/{name}") for name in names]
            return [file.read() for file in files if file is not None]
    except (OSError, tarfile.TarError, KeyError):
        return []


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()


def export(db: Database, path: Path) -> None:
    """Write the tables that a page queries, among them the judged turns, to a new DuckDB file."""
    turns = source_of(db).turns
    db.prepare_decisions()
    level = db.sql("SELECT signal_level(NULL)", temporary=True).item()
    statements = [f"ATTACH {quoted(str(path))} AS page (READ_WRITE, STORAGE_VERSION '{_STORAGE}')"]
    statements += [f"CREATE TABLE page.{table} AS FROM {table}" for table in _TABLES if table != "mistakes"]
    statements += [
        f"CREATE MACRO page.signal_level(level) AS coalesce(level, {level})",
        "CREATE SCHEMA page.sums",
        f"CREATE TABLE page.sums.judged_turns AS SELECT 0 AS part, * FROM {turns}",
    ]
    try:
        for statement in statements:
            db.sql(statement, temporary=True)
        db.sql("CREATE TABLE page.mistakes AS FROM mistakes")
    finally:
        db.sql("DETACH DATABASE IF EXISTS page", temporary=True)


def check_folder(folder: str) -> None:
    """Raise `HanalyzeError` (rule `unwritable`) unless a folder is new, empty or made by `write_folder`.

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
    """Write a page, a package's engine and a database's games; return the page and the total size in bytes.

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
