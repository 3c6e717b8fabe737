"""The database that a command is about: one that is there, or one in memory of logs.

In: the paths that were given. Out: an open `Database`.
"""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from hanalyze.cli.exits import FAILED, complain
from hanalyze.errors import HanalyzeError, LogError

if TYPE_CHECKING:
    from hanalyze.store import Database


@contextmanager
def opened(
    paths: Sequence[str] | None, *, read_only: bool = True, memory_limit: str | None = None
) -> Iterator[Database]:
    """Open a database, or make one in memory of logs; where none can be read, say why and end the command."""
    from hanalyze.store import connect

    if not paths:
        raise HanalyzeError("no games were given", rule="usage", advice="give a database, or logs")
    is_one = [holds_database(path) for path in paths]
    if any(is_one) and len(paths) > 1:
        raise HanalyzeError("several databases", rule="usage", advice="give one database, or logs")
    if all(is_one):
        with connect(paths[0], read_only=read_only, files_in=(), memory_limit=memory_limit) as db:
            yield db
        return
    if memory_limit is not None:
        raise HanalyzeError(
            "--memory-limit is for databases", rule="usage", advice="make one with `hanalyze ingest`"
        )
    files = named_files(paths)
    with connect(files_in=()) as db:
        if not db.ingest(files).stored:
            complain_of_rejects(db)
        yield db


def named_files(paths: Sequence[str]) -> list[str]:
    """Return the files that paths mean. Raises `LogError` (rules `no_file`, `unreadable`) for one of none.

    What is wrong within files is for the table of rejects; a name that stands for no file is a slip of the
    pen, and worth no database.
    """
    from hanalyze.logs.sources.file_search import find_files
    from hanalyze.logs.sources.game_references import named

    if "-" in paths and sys.stdin is None:
        raise LogError("standard input is closed", rule="unreadable", file="-")
    for path in paths:
        is_there = path == "-" or glob.has_magic(path) or os.path.exists(path)
        if not is_there and named(path) is None:
            advice = "make it with `hanalyze ingest`" if path.endswith(".duckdb") else None
            raise LogError("there is no such file", rule="no_file", file=path, advice=advice)
    return find_files(paths)


def holds_database(path: str) -> bool:
    """Return whether a path is that of a database."""
    from hanalyze.store.opening import is_database, is_folder

    if is_folder(path):
        from hanalyze.logs.sources.game_references import named
        from hanalyze.store.folder.opening import holds_folder

        return named(path) is None and holds_folder(path)
    return os.path.isfile(path) and os.path.getsize(path) > 0 and is_database(path)


def complain_of_rejects(db: Database) -> None:
    """Say what could not be read of logs, and end the command then."""
    rejects = db.rejects().select("file", "line", "message").rows() if db.file is None else []
    for file, line, message in rejects:
        complain(f"{file}{'' if line is None else f', line {line}'}: {message}")
    if rejects:
        raise typer.Exit(FAILED)
