"""Open the games that the paths of a command name: a database, logs, or one game."""

from __future__ import annotations

import glob
import itertools
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import typer

from hanalyze.cli.exits import FAILED, UsageError, complain
from hanalyze.cli.selection import no_game, selected_game
from hanalyze.errors import HanalyzeError, LogError
from hanalyze.game.defects import STOPPING
from hanalyze.logs.files import read
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.file_search import find_files
from hanalyze.logs.sources.open_log import file_error
from hanalyze.logs.sources.site import game_reference
from hanalyze.replaying import Replay, replay_many
from hanalyze.store.opening import is_database, is_folder
from hanalyze.text import plural, printable, shorten

if TYPE_CHECKING:
    from hanalyze.store import Database


@contextmanager
def open_database(
    paths: Sequence[str] | None, *, read_only: bool = True, memory_limit: str | None = None
) -> Iterator[Database]:
    """Open a database, or build one in memory from logs; if all logs are rejected, print why and exit.

    Raises `HanalyzeError` (`no_such_game`) for logs without games, and `UsageError` for no path, for a
    database among several paths, and for a memory limit with logs.
    """
    from hanalyze.store import connect  # one game needs no database

    if not paths:
        raise UsageError("no games were given", "give a database, or logs")
    are_databases = [holds_database(path) for path in paths]
    if any(are_databases) and len(paths) > 1:
        raise _several_paths(paths, are_databases)
    if all(are_databases):
        with connect(paths[0], read_only=read_only, files_in=(), memory_limit=memory_limit) as db:
            yield db
        return
    refuse_memory_limit(memory_limit)
    files = named_files(paths)
    with connect(files_in=()) as db:
        if not db.ingest(files).stored:
            complain_of_unreadable(db)
            raise no_game(paths)
        yield db


def _several_paths(paths: Sequence[str], are_databases: Sequence[bool]) -> UsageError:
    """Return the error for several databases, or for a database and logs."""
    if all(are_databases):
        return UsageError("several databases were given", "give only one; `hanalyze compare` compares two")
    databases = [shlex.quote(path) for path, database in zip(paths, are_databases, strict=True) if database]
    logs = [shlex.quote(path) for path, database in zip(paths, are_databases, strict=True) if not database]
    advice = f"add the logs first: hanalyze ingest {shorten(' '.join(logs))} --db {databases[0]}"
    return UsageError("a database and logs were given", advice)


def refuse_memory_limit(memory_limit: str | None) -> None:
    """Raise `UsageError` for a memory limit where logs are read without a database file."""
    if memory_limit is not None:
        raise UsageError("--memory-limit is for databases", "make one with `hanalyze ingest`")


def named_files(paths: Sequence[str]) -> list[str]:
    """Return the logs that paths, folders and patterns name; raise `LogError` (`no_file`, `unreadable`)."""
    if "-" in paths and sys.stdin is None:
        raise LogError("standard input is closed", rule="unreadable", file="-")
    for path in paths:
        exists = path == "-" or glob.has_magic(path) or os.path.exists(path)
        if not exists and game_reference(path) is None:
            error = file_error(FileNotFoundError(), path, "unreadable")
            if path.endswith(".duckdb"):
                error.advice = f"first: hanalyze ingest LOGS --db {shlex.quote(path)}"
            raise error
    return find_files(paths)


def holds_database(path: str) -> bool:
    """Return whether a path is a DuckDB file, a folder that is a database, or a URL that may be one."""
    if is_folder(path):
        from hanalyze.store.folder.opening import holds_folder  # slow to import

        return game_reference(path) is None and holds_folder(path)
    return os.path.isfile(path) and os.path.getsize(path) > 0 and is_database(path)


def complain_of_unreadable(db: Database) -> None:
    """Print how many games end at a defect; print the rejects of a database in memory, and exit if any exist.

    If no game was stored, the rejects of a file are one line.
    """
    games = db.count("games")
    ended = "SELECT count(DISTINCT game_id) FROM defects WHERE list_contains($1::VARCHAR[], rule::VARCHAR)"
    [(cut,)] = db.connection.execute(ended, [[defect.label for defect in STOPPING]]).fetchall()
    if cut:
        complain(f"{plural(cut, 'game')} of {games:,} read only up to a defect; `hanalyze replay` shows it")
    rejects = db.rejects().select("file", "line", "message").rows() if db.file is None else []
    for _, of_file in itertools.groupby(rejects, key=lambda reject: reject[0] if not games else object()):
        (file, line, message), *others = of_file
        more = f"; {plural(len(others), 'more error')}: there is no game in this file" if others else ""
        complain(f"{file}{'' if line is None else f', line {line}'}: {message}{more}")
    if rejects:
        raise typer.Exit(FAILED)


def complain_of_unread(db: Database) -> None:
    """Warn if no game of a database file was read for conventions, on which mistakes depend."""
    if db.file and db.count("games") and not db.count("convention_games"):
        complain(
            "these games were not read for conventions, and are judged only by logic and odds;"
            " `hanalyze conventions DB` reads them"
        )


def complain_of_different_judging(dbs: Sequence[Database]) -> None:
    """Warn if only one of two databases was read for conventions, on which mistakes depend."""
    unread = [db.file for db in dbs if db.count("games") and not db.count("convention_games")]
    if len(unread) == 1 < len(dbs):
        complain(
            "only one database was read for conventions, so rates of mistakes cannot be compared:"
            f" first run `hanalyze conventions {unread[0]}`"
        )


def only_game(paths: Sequence[str]) -> tuple[Replay, list[LogError]] | None:
    """Return the only game of some logs, and the errors of the logs; None if a database is needed.

    It is needed for a database, for no or several games and, if DuckDB is installed, for logs with errors, a
    game that cannot be dealt, and logs that can be read only once. Raises `HanalyzeError` if DuckDB is not
    installed and no game can be read.
    """
    has_duckdb = find_spec("duckdb") is not None
    if not paths or any(map(holds_database, paths)):
        return None
    if has_duckdb and not all(map(_can_be_read_again, paths)):
        return None
    errors: list[LogError] = []
    records = list(itertools.islice(read(paths, on_error=errors.append), 2))
    if errors and not has_duckdb and not records:
        raise errors[0]
    if len(records) != 1 or (errors and has_duckdb):
        return None
    try:
        replay = next(replay_many(records, measured=True, fast=False))
    except HanalyzeError:
        if not has_duckdb:
            raise
        return None
    complain_of_cut(replay)
    return replay, errors


def one_game(paths: Sequence[str], game: str | None, nth: int | None) -> tuple[Replay, list[LogError]] | None:
    """Return the game that `game` or `nth` selects from one log or database; `only_game` if both are None."""
    if game is None and nth is None:
        return only_game(paths)
    if len(paths) != 1:
        raise UsageError("--game and --nth choose a game of one log or database", "give one path")
    replay = next(replay_many([game_of(paths[0], game, nth)], measured=True, fast=False))
    complain_of_cut(replay)
    return replay, []


def game_of(path: str, game: str | None, nth: int | None) -> GameRecord:
    """Return the only game of a log or a database with this id, seed or, in a database, game_id.

    A game of a database has no notes. Raises `HanalyzeError` unless exactly one game matches, and
    `UsageError` for `nth` with a database, whose games have no order.
    """
    if not holds_database(path):
        return selected_game(path, game, nth)
    if nth is not None:
        raise UsageError("--nth is for logs", "choose a game of a database with --game")
    from hanalyze.store import connect  # logs need no database
    from hanalyze.store.batches import stored_deals

    with connect(path, read_only=True, files_in=()) as db:
        query = """
            SELECT game_id FROM games
            WHERE $game::VARCHAR IS NULL OR $game IN (source_id::VARCHAR, seed, game_id::VARCHAR)
            ORDER BY game_id LIMIT 2"""
        keys = db.sql(query, {"game": game})["game_id"]
        if not len(keys):
            advice = "give its id, seed or game_id"
            raise HanalyzeError("no such game", rule="no_such_game", file=path, game=game, advice=advice)
        if len(keys) > 1:
            problem = f"several games, among them the game_id {keys[0]} and {keys[1]}"
            advice = "choose one with --game: its id, seed or game_id"
            raise HanalyzeError(problem, rule="not_one_game", file=path, advice=advice)
        [(_, deal)] = stored_deals(db.connection, keys.to_numpy(), 1)
    return deal.record


def complain_of_cut(replay: Replay) -> None:
    """If a game's last actions could not be carried out, print their number and the first broken rule."""
    left = len(replay.record.actions) - replay.turn_count
    broken = [(defect.turn, defect) for defect in replay.defects if defect.turn is not None]
    if left and broken:
        turn, defect = broken[0]
        rule = f"turn {turn + 1}: {defect.rule.sentence}: {printable(defect.found)}"
        what = f"the log's last {'action was' if left == 1 else f'{left:,} actions were'} not carried out"
        complain(f"{printable(shorten(replay.record.name))}, {rule}; {what}")


def _can_be_read_again(path: str) -> bool:
    exists = os.path.isfile(path) or os.path.isdir(path) or glob.has_magic(path)
    return path != "-" and (exists or game_reference(path) is not None)
