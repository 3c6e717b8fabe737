"""Errors for missing and damaged files of a folder, with advice for recovery."""

from __future__ import annotations

import os
import re
from contextlib import closing
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import duckdb
from hanalyze.store.errors import FOLDER_DAMAGE
from hanalyze.store.folder.commit_markers import META, SUMS, Part
from hanalyze.store.folder.manifest import REBUILD, newest
from hanalyze.store.folder.storage import Place, connected, is_remote, place_of
from hanalyze.tables.store import TABLES

DERIVED_FILE: Final = "found.duckdb"
"""Database file in a folder for results that are computed later from stored games."""


def check_parts(place: Place) -> None:
    """Raise `HanalyzeError` (rule `damaged`) if a file of the manifest is missing or has a wrong size."""
    manifest = newest(place)
    sizes = {entry.name: entry.size for entry in place.entries()}
    wrong = [part for part in manifest.files() if sizes.get(part.name) != part.size]
    if wrong and newest(place).generation == manifest.generation:
        raise _part_error(place, wrong[0].name, is_missing=wrong[0].name not in sizes)
    if wrong:
        check_parts(place)  # the folder was compacted meanwhile


def damage_of(path: str, error: BaseException, problem: HanalyzeError) -> HanalyzeError:
    """Return an error that names the damaged file of a folder; `problem` if no file is damaged."""
    if problem.rule not in ("bad_sql", "damaged", "no_file", "not_a_database", "unreadable"):
        return problem
    place = place_of(path)
    is_untyped = type(error) in (duckdb.Error, UnicodeDecodeError)
    of_parquet = re.search(r"""["']([^"']+\.parquet)["']""", str(error))
    if problem.rule == "damaged" and of_parquet is None:
        return damaged_derived_file(path)
    if not is_untyped and (of_parquet is None or not of_parquet[1].startswith(place.address(""))):
        return problem
    try:
        check_parts(place)
    except HanalyzeError as damage:
        return damage
    if of_parquet is not None:
        name = of_parquet[1].removeprefix(place.address(""))
        return problem if problem.rule == "unreadable" else _part_error(place, name)
    part = _unreadable(place, newest(place).files())
    return problem if part is None else _part_error(place, part.name)


def damaged_derived_file(path: str) -> HanalyzeError:
    """Return the error for a damaged `found.duckdb`."""
    problem = "this file is damaged; it has conventions, solutions and sums, but no games"
    advice = "remove it, and run `hanalyze conventions`, `solve` or `sums` again"
    return HanalyzeError(problem, rule="damaged", file=os.path.join(path, DERIVED_FILE), advice=advice)


def check_links(path: str) -> None:
    """Raise `HanalyzeError` (rule `not_a_database`) if a folder of the database is a symbolic link."""
    for name in () if is_remote(path) else (META, SUMS, *TABLES):
        link = os.path.join(path, name)
        if os.path.islink(link):
            problem = "this is a symbolic link, but the folders of a database must not be links"
            advice = "put the folder itself in its place, or link to the whole database"
            raise HanalyzeError(problem, rule="not_a_database", file=link, advice=advice)


def _part_error(place: Place, name: str, *, is_missing: bool = False) -> HanalyzeError:
    problem = f"this file of the database is {'missing' if is_missing else 'damaged'}"
    return HanalyzeError(problem, rule="damaged", file=f"{place.path.rstrip('/')}/{name}", advice=REBUILD)


def _unreadable(place: Place, parts: list[Part]) -> Part | None:
    """Return the first file that DuckDB cannot read, for errors that name no file; None if it reads all."""
    with closing(connected(place)) as connection:
        for part in parts:
            query = "SELECT bit_xor(hash(part)) FROM read_parquet([$file], hive_partitioning = false) part"
            try:
                connection.execute(query, {"file": place.address(part.name)}).fetchall()
            except (duckdb.Error, UnicodeDecodeError):
                return part
    return None


FOLDER_DAMAGE.append(damage_of)
