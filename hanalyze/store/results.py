"""Convert results of queries to a Polars frame, to lines of CSV or JSON, or to cells of a table.

DuckDB itself converts values to text, because Python and Polars have no intervals, infinite dates or unions.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any, Final

from hanalyze.errors import HanalyzeError, check_unicode
from hanalyze.lazy import Connection, polars as pl
from hanalyze.store.errors import duckdb_errors, system_errors
from hanalyze.store.schema import identifier, quoted
from hanalyze.tables import Column
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.store import TABLES
from hanalyze.text import printable_json

_AT_ONCE: Final = 5_000
"""Number of rows fetched at a time."""

_PLACE: Final = r"(?=[\[\],()]|$)"
"""Pattern for the end of a type, so that names of fields do not match."""
_NOT_IN_POLARS: Final = re.compile(
    r"\b(INTERVAL|UNION|MAP|VARIANT|BIT|BIGNUM|VARINT|UHUGEINT|TIME_NS|GEOMETRY|TIME WITH TIME ZONE)" + _PLACE
)
_NUMBER: Final = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|BIGNUM|VARINT|FLOAT|DOUBLE|DECIMAL\([\d,]*\)"
)
_NUMBERS: Final = re.compile(rf"(?:{_NUMBER.pattern})(?:\[\d*\])+")
_WORDS: Final = re.compile(r"BOOLEAN|ENUM\((?:'\w[\w -]*'(?:, )?)+\)")
"""Pattern for types whose text needs no quotes in CSV."""
_IN_PARQUET: Final = (
    (re.compile(rf"\bU?HUGEINT{_PLACE}"), "DECIMAL(38,0)"),  # Parquet would store the nearest DOUBLE
    (re.compile(rf"\bTIME WITH TIME ZONE{_PLACE}"), "VARCHAR"),  # Parquet would lose the zone
)
_DATED: Final = re.compile(r"\b(DATE|TIMESTAMP)")
_SECONDS: Final = re.compile(rf"\bTIMESTAMP_S{_PLACE}")
"""Pattern for a type whose infinite values Polars would read as finite times."""
_DAYS: Final = ((date.min - date(1970, 1, 1)).days, (date.max - date(1970, 1, 1)).days)
"""First and last day that Python can represent, in days since 1970."""
_DOUBLE: Final = "to_json({})::VARCHAR"
"""SQL for a finite DOUBLE as text, faster than `::VARCHAR`."""
_NO_JSON: Final = ("NaN", "Infinity")


class Result:
    """The result of a query, or of the last of several queries: `names` and `types` of columns, and rows.

    The rows can be read only once, by one of the methods; `row_count` is then their number. Columns with the
    same name get numbers. With `only_asks`, a statement that may write a file, even a file of the database,
    raises `HanalyzeError` (rule `no_files`).
    """

    def __init__(self, cursor: Connection, query: str, *, only_asks: bool = False) -> None:
        self._cursor = cursor
        self._params: dict[str, Any] = {}
        self._query = ""
        self.names: list[str] = []
        self.types: list[str] = []
        self.row_count = 0
        statements = cursor.extract_statements(query)
        if only_asks:
            for statement in statements:
                _check_asks(statement)
        for statement in statements[:-1]:
            self._listed(statement)
        if not statements:
            return
        last = statements[-1]
        if _kind_of(last) in ("SELECT", "MULTI"):
            with suppress(IndexError):  # DuckDB 1.4 cannot return the text of a PIVOT
                self._query = last.query.strip().rstrip("; \n")
        if not self._query:
            # A statement that cannot be used in a FROM has few rows, which are passed as text.
            names, rows = self._listed(last)
            self._params = {f"c{i}": [row[i] for row in rows] for i in range(len(names))}
            self._query = "SELECT " + ", ".join(
                f"unnest($c{i}::VARCHAR[]) AS {identifier(name)}" for i, name in enumerate(names)
            )
            if not names:
                return
        columns = cursor.execute(f"DESCRIBE FROM (\n{self._query}\n)", self._params or None).fetchall()
        self.names = [name for name, *_ in columns]
        self.types = [kind for _, kind, *_ in columns]

    def _listed(self, statement: Any) -> tuple[list[str], list[list[str | None]]]:
        """Run a statement; return the names and rows of its result. Raises `HanalyzeError` (`bad_sql`)."""
        self._cursor.execute(statement)
        names = [name for name, *_ in self._cursor.description or []]
        try:
            rows = self._cursor.fetchall() if names else []
        except (ValueError, OverflowError) as error:
            raise HanalyzeError(f"a value cannot be shown ({error})", rule="bad_sql") from None
        return names, [[None if value is None else str(value) for value in row] for row in rows]

    def _select(self, cells: Sequence[str]) -> str:
        """Return the query for SQL expressions over the columns `c0`, `c1` and so on."""
        named = ", ".join(f"c{i}" for i in range(len(self.names)))
        return f"SELECT {', '.join(cells)} FROM (\n{self._query}\n) AS asked({named})"

    def _rows(self, cells: Sequence[str], limit: int | None = None) -> Iterator[list[tuple[Any, ...]]]:
        if not self.names:
            return
        end = "" if limit is None else f"LIMIT {limit:d}"
        self._cursor.execute(f"{self._select(cells)} {end}", self._params or None)
        while rows := self._cursor.fetchmany(_AT_ONCE):
            self.row_count += len(rows)
            yield rows

    def numeric(self) -> list[bool]:
        """Return for each column whether its values are numbers."""
        return [bool(_NUMBER.fullmatch(kind)) for kind in self.types]

    def cells(self, limit: int | None = None, as_json: Collection[str] = ()) -> list[tuple[str | None, ...]]:
        """Return up to `limit` rows as text: floats with 6 significant digits, columns `as_json` as JSON."""
        cells = [
            f"to_json(c{i})::VARCHAR"
            if self.names[i] in as_json
            else f"CASE WHEN isfinite(c{i}) THEN printf('%.6g', c{i}::DOUBLE) ELSE c{i}::VARCHAR END"
            if kind in ("FLOAT", "DOUBLE")
            else f"c{i}::VARCHAR"
            for i, kind in enumerate(self.types)
        ]
        return [row for rows in self._rows(cells, limit) for row in rows]

    def csv(self, pattern: str = "") -> Iterator[list[tuple[str, bool]]]:
        """Yield lists of lines of CSV without a header; a missing value is empty, an empty text is `""`.

        A line may contain further line ends within quotes. Each line is paired with whether one of its cells
        of free text matches `pattern`, in RE2's syntax.
        """
        lines, matches = [], []
        for i, kind in enumerate(self.types):
            text = f"c{i}::VARCHAR"
            if kind == "DOUBLE":
                text = f"CASE WHEN isfinite(c{i}) THEN {_DOUBLE.format(f'c{i}')} ELSE {text} END"
            elif _NUMBERS.fullmatch(kind):
                text = f"""CASE WHEN contains({text}, ',') THEN '"' || {text} || '"' ELSE {text} END"""
            elif not (_NUMBER.fullmatch(kind) or _WORDS.fullmatch(kind)):
                special = quoted('[",\r\n]' + (f"|{pattern}" if pattern else ""))
                quotes = f"""'"' || replace({text}, '"', '""') || '"'"""
                quote = f"{text} = '' OR regexp_matches({text}, {special})"
                cell = f"CASE WHEN {quote} THEN {quotes} ELSE {text} END"
                if pattern:
                    matches.append(f"starts_with({cell}, '\"') AND regexp_matches({text}, {quoted(pattern)})")
                text = cell
            lines.append(text)
        line, match = ", ',', ".join(lines), " OR ".join(matches) or "false"
        yield from self._rows([f"concat({line}, chr(10))", f"coalesce({match}, false)"])

    def json(self) -> Iterator[str]:
        """Yield texts of many lines, each line a JSON object for a row; NaN and infinity become null."""
        parts = []
        for i, (name, kind) in enumerate(zip(self.names, self.types, strict=True)):
            key = json.dumps(name, ensure_ascii=False)
            text = f"c{i}::VARCHAR"
            if kind in ("FLOAT", "DOUBLE"):
                text = _DOUBLE.format(f"c{i}") if kind == "DOUBLE" else text
                text = f"CASE WHEN isfinite(c{i}) THEN {text} END"
            elif _WORDS.fullmatch(kind) and kind != "BOOLEAN":
                text = f"""'"' || {text} || '"'"""
            elif not _NUMBER.fullmatch(kind) and kind != "BOOLEAN":
                text = f"to_json(c{i})::VARCHAR"
            begin = ("," if i else "{") + key + ":"
            parts.append(f"{quoted(begin)}, coalesce({text}, 'null')")
        for rows in self._rows([f"concat({', '.join(parts)}, '}}')"]):
            lines = "\n".join(line for (line,) in rows)
            if any(number in lines for number in _NO_JSON):
                lines = "\n".join(map(_strict, lines.split("\n")))
            yield printable_json(lines + "\n")

    def write_parquet(self, path: str) -> None:
        """Write the rows into a Parquet file. Raises `HanalyzeError` (`bad_sql`) if there is no result."""
        if not self.names:
            raise HanalyzeError("the query has no result", rule="bad_sql")
        columns = []
        for i, (name, kind) in enumerate(zip(self.names, self.types, strict=True)):
            stored = kind
            for pattern, other in _IN_PARQUET:
                stored = pattern.sub(other, stored)
            columns.append(f"c{i}{'' if stored == kind else f'::{stored}'} AS {identifier(name)}")
        copy = f"COPY ({self._select(columns)}) TO $target (FORMAT parquet, COMPRESSION zstd)"
        [(self.row_count,)] = self._cursor.execute(copy, {**self._params, "target": path}).fetchall()


_ASKING: Final = re.compile(
    r"\s*(explain\s+)?(from|select|with|pivot|unpivot|values|describe|summarize|show)\b", re.I
)
_HARMLESS: Final = ("SELECT", "CREATE", "DROP", "INSERT", "UPDATE", "DELETE", "TRANSACTION", "PRAGMA", "SET")
"""Kinds of statements that write no file: they read, write to memory, or fail in a read-only database."""


def _kind_of(statement: Any) -> str:
    """Return the kind of a statement, `OTHER` if DuckDB's Python has no name for it (UPDATE EXTENSIONS)."""
    try:
        name: str = statement.type.name
    except ValueError:
        return "OTHER"
    return name


def _check_asks(statement: Any) -> None:
    """Raise `HanalyzeError` (rule `no_files`) for a statement that might write a file."""
    kind = _kind_of(statement)
    if kind in _HARMLESS or (kind in ("EXPLAIN", "MULTI") and _ASKING.match(statement.query)):
        return
    problem = f"this statement may access files, which is not allowed here ({kind.replace('_', ' ')})"
    raise HanalyzeError(problem, rule="no_files", advice="`hanalyze sql --allow-files` allows it")


def _strict(line: str) -> str:
    """Return a line of JSON with null in place of NaN and infinity."""
    if not any(number in line for number in _NO_JSON):
        return line
    values = json.loads(line, parse_constant=lambda _: None)
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def as_frame(
    cursor: Connection, query: str, params: Sequence[Any] | Mapping[str, Any] | None = None
) -> pl.DataFrame:
    """Return the result of a query as a frame; columns that Polars or Python cannot represent become text."""
    relation: Any = cursor.sql(query, params=params)
    if relation is None:
        return pl.DataFrame()
    kinds = [str(kind) for kind in relation.types]
    texts = [_NOT_IN_POLARS.search(kind) is not None for kind in kinds]
    frame = _frame(relation, kinds, texts)
    beyond = [
        _DATED.search(kind) is not None and not _is_representable(column)
        for kind, column in zip(kinds, frame.get_columns(), strict=True)
    ]
    if any(beyond):
        texts = [text or odd for text, odd in zip(texts, beyond, strict=True)]
        frame = _frame(relation, kinds, texts)
    return frame


def _frame(relation: Any, kinds: Sequence[str], texts: Sequence[bool]) -> pl.DataFrame:
    """Return a relation as a frame; columns that are marked in `texts` become text."""
    *unique, number = _unique([*relation.columns, "number"])
    given = [
        "VARCHAR" if text else _SECONDS.sub("TIMESTAMP_MS", kind)
        for kind, text in zip(kinds, texts, strict=True)
    ]
    # Before version 2, DuckDB runs a query with parameters immediately, and returns the stored rows in any
    # order unless they are numbered.
    is_stored = relation.type == "MATERIALIZED_RELATION"
    if is_stored or unique != relation.columns or given != kinds:
        columns = [
            f"#{i}{'' if kind == was else f'::{kind}'} AS {identifier(name)}"
            for i, (name, kind, was) in enumerate(zip(unique, given, kinds, strict=True), 1)
        ]
        if is_stored:
            columns.append(f"row_number() OVER () AS {identifier(number)}")
        relation = relation.project(", ".join(columns))
    frame = pl.DataFrame(ResultStream(relation))
    return frame.drop(number) if is_stored else frame


def _is_representable(column: pl.Series) -> bool:
    """Return whether Python can represent all dates of a column: finite dates of the years 1 to 9999.

    >>> import polars as pl
    >>> [_is_representable(pl.Series([[day]], dtype=pl.List(pl.Date))) for day in (0, None, 2**31 - 1)]
    [True, True, False]
    """
    kind = column.dtype
    if isinstance(kind, pl.List | pl.Array):
        return _is_representable(column.explode())
    if isinstance(kind, pl.Struct):
        return all(map(_is_representable, column.struct.unnest().get_columns()))
    if isinstance(kind, pl.Datetime):
        in_a_day = 86_400 * {"ms": 10**3, "us": 10**6, "ns": 10**9}[kind.time_unit]
    elif kind == pl.Date:
        in_a_day = 1
    else:
        return True
    low, high = (day * in_a_day for day in _DAYS)
    most = 2**63 - 1  # infinity, in every time unit of Polars
    return bool(column.to_physical().is_between(max(low, 1 - most), min(high, most - 1)).all())


def _unique(names: Sequence[str]) -> list[str]:
    """Return names with numbers added to repeated names, ignoring case, as DuckDB does.

    >>> _unique(["a", "A", "a_1", "b"])
    ['a', 'A_1', 'a_1_1', 'b']
    """
    unique: dict[str, str] = {}
    for name in names:
        one, number = name, 0
        while one.casefold() in unique:
            number += 1
            one = f"{name}_{number}"
        unique[one.casefold()] = one
    return list(unique.values())


def polars_types(columns: Iterable[Column]) -> dict[Any, Any]:
    """Return the Polars types of the columns for which DuckDB returns other types."""
    types: dict[Any, Any] = {}
    for column in columns:
        if column.words:
            types[column.name] = pl.Enum(list(column.words))
        elif column.width > 1:
            types[column.name] = pl.Array(getattr(pl, POLARS_TYPES[column.type]), column.width)
    return types


class ResultStream:
    """A result as an Arrow C stream, which Polars reads.

    Polars never releases the object that it reads. If this were DuckDB's own object, DuckDB would warn about
    a leak when the process ends.
    """

    def __init__(self, relation: Any) -> None:
        self._relation = relation

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._relation.__arrow_c_stream__(requested_schema)


_UNFINISHED: Final = ".unfinished"
"""Name of a file that marks the folder of an export as incomplete."""


def export(connection: Connection, target: str) -> dict[str, int]:
    """Write every table; see `Database.export`."""
    check_unicode(os.path.abspath(target))
    unfinished = os.path.join(target, _UNFINISHED)
    with system_errors(target):
        os.makedirs(target, exist_ok=True)
        if os.path.exists(unfinished):
            _clear(target)
        elif os.listdir(target):
            problem, advice = "this folder is not empty", "name a new folder"
            raise HanalyzeError(problem, rule="folder_not_empty", file=target, advice=advice)
        with open(unfinished, "wb"):
            pass
    try:
        with duckdb_errors(target):
            rows = {name: _export(connection, name, target) for name in TABLES}
    except HanalyzeError as error:
        # Free the space of the files that were written so far.
        _clear(target)
        if error.rule == "disk_full":
            error.advice = "free some space, and try again"
        elif error.rule == "no_files":
            error.advice = "open the database again, with this folder in `files_in`"
        raise
    os.remove(unfinished)
    return rows


def _export(connection: Connection, name: str, target: str) -> int:
    """Write a table into its own folder; return its number of rows."""
    columns = TABLES[name]
    place = os.path.join(target, name)
    options = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 122880"
    query = f"SELECT * FROM {name}"
    if name in ("seats", "turns", "clues", "cards"):
        query = f"SELECT players, {name}.* FROM {name} JOIN games USING (game_id)"
    if name == "games" or query != f"SELECT * FROM {name}":
        options += ", PARTITION_BY (players), WRITE_PARTITION_COLUMNS false"
    else:
        with system_errors(target):
            os.makedirs(place)
        place = os.path.join(place, "part.parquet")
    if columns[0].name == "game_id":
        query += " ORDER BY game_id" + (", turn" if "turn" in (c.name for c in columns) else "")
    connection.execute(f"COPY ({query}) TO ? ({options})", [place])
    [(rows,)] = connection.execute(f"SELECT count(*) FROM {name}").fetchall()
    return int(rows)


def _clear(folder: str) -> None:
    with system_errors(folder):
        for name in TABLES:
            with suppress(FileNotFoundError):
                shutil.rmtree(os.path.join(folder, name))
        os.remove(os.path.join(folder, _UNFINISHED))
