"""Mistakes as queries: the definitions, and the views that they make of a database.

In: files of SQL, ours in `sql/mistakes/` and those of a folder of the user's own. Out: `Definition`s, and
two views in a connection: `decisions`, a row a turn with what the definitions ask for, and `mistakes`, the
rows of all definitions. The first comment of a file says what it means:

    -- Title, one line
    --
    -- definition: what counts
    -- source: whose idea it is
    -- opportunity: of what the rate is, in words
    -- where: the same as a condition on a row of `decisions`
    -- threshold name = 0.5: what `$name` in the query means

Its query returns the columns `COLUMNS`. A row is about one decision: `turn` and `seat` are whose it was.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.store.schema import quoted
from hanalyze.text import nearest

if TYPE_CHECKING:
    import duckdb

__all__ = [
    "BLAMED_SQL",
    "BLAMELESS",
    "COLUMNS",
    "FAMILIES",
    "SEVERITIES",
    "Definition",
    "Severity",
    "chosen",
    "definition",
    "definitions",
    "first_words",
    "prepare",
]

FAMILIES: Final = ("discard", "play", "clue")
"""What a decision was that a mistake is about."""


class Severity(NamedTuple):
    """What the player could know: in short, as of a person, and in a sentence."""

    short: str
    definition: str


SEVERITIES: Final = {
    "knew": Severity("knew", "the player knew it, from clues, visible cards and the hand as a whole"),
    "could_tell": Severity("could tell", "what the player knew made it likely"),
    "gamble": Severity("took a chance", "the player took a chance"),
    "misled": Severity("misled by a clue", "what the clues seemed to say was wrong"),
    "hit": Severity("risk that came true", "the player took a risk, and it came true"),
    "lucky": Severity("risk that went well", "the player took a risk, and it went well"),
    "could_not_know": Severity("could not know", "the player had little reason to think of it"),
    "forced": Severity("had no choice", "there was only one sensible choice"),
    "nothing_to_lose": Severity("nothing to lose", "it cost nothing"),
}
"""Every severity, worst first."""

BLAMELESS: Final = frozenset({"could_not_know", "forced", "nothing_to_lose"})
"""Severities that are no mistakes: their rows are there for the points that were lost."""

BLAMED_SQL: Final = f"severity NOT IN ({', '.join(map(quoted, sorted(BLAMELESS)))})"
"""The condition, in SQL, that somebody is to blame for a row of `mistakes`."""

COLUMNS: Final = {
    "game_id": "BIGINT",
    "turn": "SMALLINT",
    "seat": "TINYINT",
    "kind": "VARCHAR",
    "severity": "VARCHAR",
    "points": "TINYINT",
    "tokens": "FLOAT",
    "pace": "TINYINT",
    "evidence": "VARCHAR",
    "alternative": "VARCHAR",
}
"""Columns of the view `mistakes`, and their types. Points are counted once over all kinds."""

_FOLDER: Final = Path(__file__).parent / "sql"
_FIELD: Final = re.compile(r"(definition|source|opportunity|where|threshold [a-z_]+ = [-0-9.e]+): ?(.*)")
_NAME: Final = re.compile(r"\$([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Definition:
    """What a kind of mistake is.

    `where` is a condition on a row of the view `decisions`: the opportunities that a rate counts. `query` has
    its thresholds filled in; `text` is the whole file; `file` its path, None for ours.
    """

    kind: str
    title: str
    definition: str
    source: str
    opportunity: str
    where: str
    thresholds: Mapping[str, float]
    query: str
    text: str
    file: str | None = None

    @property
    def family(self) -> str:
        """The word that groups the kinds: `discard`, `play` or `clue`."""
        first = self.kind.split("_")[0]
        return {"misplay": "play", "tokens": "clue"}.get(first, first)


def _parse(kind: str, text: str, file: str) -> Definition:
    """Return the definition that a file holds."""
    lines = text.splitlines()
    head = [line[2:].strip() for line in lines[: next((i for i, x in enumerate(lines) if x[:2] != "--"), 0)]]
    fields: dict[str, str] = {}
    name = ""
    for line in head[1:]:
        if found := _FIELD.fullmatch(line):
            name = found[1]
            fields[name] = found[2]
        elif name and line:
            fields[name] += " " + line
    missing = [one for one in ("definition", "opportunity", "where") if not fields.get(one)]
    if missing or not head:
        raise HanalyzeError(
            f"the definition of a mistake lacks its {missing[0] if missing else 'first comment'}",
            rule="bad_definition",
            file=file,
            advice="begin the file with comments like those that `hanalyze mistakes --explain misplay` shows",
        )
    thresholds = {}
    for field in fields:
        if field.startswith("threshold "):
            threshold, value = field.removeprefix("threshold ").split(" = ")
            thresholds[threshold] = float(value)

    def fill(part: str) -> str:
        def value(found: re.Match[str]) -> str:
            if found[1] not in thresholds:
                raise HanalyzeError(
                    f"there is no threshold ${found[1]}",
                    rule="bad_definition",
                    file=file,
                    advice=f"add a line like: -- threshold {found[1]} = 1: what it means",
                )
            return format(thresholds[found[1]], "g")

        return _NAME.sub(value, part)

    return Definition(
        kind=kind,
        title=head[0],
        definition=fill(fields["definition"]),
        source=fields.get("source", ""),
        opportunity=fields["opportunity"],
        where=fill(fields["where"]),
        thresholds=thresholds,
        query=fill("\n".join(lines[len(head) :])).strip().rstrip(";"),
        text=text.strip() + "\n",
        file=file,
    )


def _read(folder: Path, files: Iterable[Path]) -> dict[str, Definition]:
    found = {}
    for file in sorted(files):
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise HanalyzeError(f"it cannot be read ({error})", rule="unreadable", file=str(file)) from None
        if not re.fullmatch(r"[a-z][a-z0-9_]*", file.stem):
            raise HanalyzeError(
                "a kind of mistake is named by the file: small letters, digits and _",
                rule="bad_definition",
                file=str(file),
            )
        found[file.stem] = _parse(file.stem, text, str(file))
    if not found:
        raise HanalyzeError("there is no .sql file in this folder", rule="no_file", file=str(folder))
    return found


@cache
def _ours() -> dict[str, Definition]:
    found = _read(_FOLDER, (_FOLDER / "mistakes").glob("*.sql"))
    return {kind: replace(one, file=None) for kind, one in found.items()}


def definitions(folder: str | os.PathLike[str] | None = None) -> dict[str, Definition]:
    """Return the definitions by kind: ours, and with `folder` those of its files, which replace ours by name.

    Raises `HanalyzeError` (rules `no_file`, `bad_definition`, `unreadable`).

    >>> definitions()["misplay"].family
    'play'
    """
    if folder is None:
        return dict(_ours())
    path = Path(folder)
    return {**_ours(), **_read(path, path.glob("*.sql"))}


def definition(kind: str, folder: str | os.PathLike[str] | None = None) -> Definition:
    """Return one definition. Raises `UnknownName`."""
    known = definitions(folder)
    if kind not in known:
        raise _unknown(kind, known)
    return known[kind]


def _unknown(kind: str, known: Iterable[str]) -> UnknownName:
    return UnknownName("kind of mistake", kind, nearest(kind, known), advice="one of: " + ", ".join(known))


def chosen(kinds: Iterable[str] = (), folder: str | os.PathLike[str] | None = None) -> dict[str, Definition]:
    """Return the definitions of some kinds, a family standing for all of its own; without kinds, all.

    In a kind, `-` is as good as `_`. Raises `UnknownName`.

    >>> sorted(chosen(["play"]))
    ['misplay', 'play_missed', 'play_narrows']
    """
    known = definitions(folder)
    families = {one.family for one in known.values()}
    found: dict[str, Definition] = {}
    for kind in kinds:
        word = kind.replace("-", "_")
        if word in families and word not in known:
            found.update({name: one for name, one in known.items() if one.family == word})
        elif word in known:
            found[word] = known[word]
        else:
            raise _unknown(word, [*families, *known])
    return found or known


def prepare(
    connection: duckdb.DuckDBPyConnection,
    folder: str | os.PathLike[str] | None = None,
    *,
    as_table: bool = False,
) -> None:
    """Make the views `decisions`, `mistakes` and `findings` for a connection, until it is closed.

    With `as_table` decisions and mistakes are tables: of few games that takes less time than to find the
    decisions anew for each definition. Raises `HanalyzeError` (rule `bad_definition`) with the file of a
    definition in `folder` that DuckDB does not accept. Such definitions can only ask: from here on no query
    of this database reaches files.
    """
    if folder is not None:
        _no_files(connection)
    decisions = (_FOLDER / "decisions.sql").read_text("utf-8")
    for kind in ("view", "table"):
        there = f"FROM duckdb_{kind}s() WHERE temporary AND {kind}_name IN ('decisions', 'mistakes')"
        for (name,) in connection.execute(f"SELECT {kind}_name {there}").fetchall():
            connection.execute(f"DROP {kind} temp.{name}")
    made = "TABLE" if as_table else "VIEW"
    connection.execute(f"CREATE TEMP {made} decisions AS\n{decisions}")
    columns = ", ".join(f"{name}::{kind} AS {name}" for name, kind in COLUMNS.items())
    known = definitions(folder)
    queries = {kind: f"SELECT {columns} FROM (\n{one.query}\n)" for kind, one in known.items()}
    for kind, one in known.items():
        if one.file is not None:
            _see_one_query(connection, one.file, one.query)
            _see_one_query(connection, one.file, f"SELECT 1 FROM decisions WHERE (\n{one.where}\n)")
            _try(connection, one.file, f"EXPLAIN {queries[kind]}")
            _try(connection, one.file, f"EXPLAIN SELECT 1 FROM decisions WHERE {one.where}")
    findings = (_FOLDER / "findings.sql").read_text("utf-8")
    connection.execute(f"CREATE OR REPLACE TEMP VIEW findings AS\n{findings}")
    union = "\nUNION ALL\n".join(queries.values())
    connection.execute(f"CREATE TEMP {made} mistakes AS\n{union}")


def _no_files(connection: duckdb.DuckDBPyConnection) -> None:
    """Let no query reach files any more; DuckDB does not go back on this."""
    [(allowed,)] = connection.execute("SELECT current_setting('enable_external_access')").fetchall()
    if allowed:
        connection.execute("SET enable_external_access = false")


def _see_one_query(connection: duckdb.DuckDBPyConnection, file: str, query: str) -> None:
    """Raise `HanalyzeError` where a text is not one query and nothing else."""
    from duckdb import Error, StatementType

    try:
        kinds = [statement.type for statement in connection.extract_statements(query)]
    except Error as error:
        said = first_words(error)
    else:
        if kinds == [StatementType.SELECT]:
            return
        said = "this is not one query"
    raise _bad(file, said)


def first_words(error: BaseException) -> str:
    """Return what DuckDB says is wrong as one line, without the query that it shows below."""
    return str(error).strip().split("\n\n", 1)[0].replace("\n", " ")


def _try(connection: duckdb.DuckDBPyConnection, file: str, query: str) -> None:
    """See whether DuckDB takes a query of a user's definition."""
    from duckdb import Error

    try:
        connection.execute(query)
    except Error as error:
        said = first_words(error)
    else:
        return
    raise _bad(file, said)


def _bad(file: str, said: str) -> HanalyzeError:
    advice = "`hanalyze mistakes --explain misplay` shows what a definition looks like"
    return HanalyzeError(said, rule="bad_definition", file=file, advice=advice)
