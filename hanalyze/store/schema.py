"""SQL that creates the tables of `hanalyze.tables.store.TABLES`, and names of tables in statements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import Connection
from hanalyze.tables import TABLES_VERSION, Column
from hanalyze.tables.store import TABLES
from hanalyze.version import __version__

VIEWS: Final = {
    "mistakes": "One row per mistake: the columns of `hanalyze.store.definition_queries.COLUMNS`.",
    "found_mistakes": "`mistakes` with better moves only if a definition gives them; quicker to query.",
    "better_moves": "One row per decision: the best other move that its player knew of, in the columns"
    " `better_...` of `mistakes`.",
    "decisions": "`turns` on which a player acted, with further columns that definitions of mistakes use;"
    " `hanalyze/store/sql/decisions.sql` explains these columns.",
    "findings": "One row per finding: the columns of `conventions` and of `convention_outcomes`.",
    "game_names": "One row per game: `game` (its number, seed or key) and `names` (the players by seat).",
    "turns_in_words": "`turns` with `touched_slots` as a list of slots.",
    "findings_in_words": "`findings` with `seats` as a list of players, `readings` as a list of cards and"
    " `reasons` as a list of words.",
    "opportunities_in_words": "`convention_opportunities` with `available` and `available_more` as lists of"
    " conventions.",
    "detector_findings_in_words": "`detector_findings` with `seats` as a list of players.",
    "judged_losses": "`losses`, each charged to the player in `seat`. `knowable` tells whether a row of"
    " `mistakes` blames that player for the loss; `mistake`, `severity` and `basis` are from the costliest"
    " of these rows.",
}

SQL_TYPES: Final = {
    "bool": "BOOLEAN",
    "int8": "TINYINT",
    "uint8": "UTINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "float32": "FLOAT",
    "float64": "DOUBLE",
    "str": "VARCHAR",
    "datetime": "TIMESTAMP",
}
"""For each type of a column: the name of its type in the database."""


def sql_text(name: str) -> str:
    """Return the text of the query `sql/NAME.sql`."""
    return (Path(__file__).parent / "sql" / f"{name}.sql").read_text("utf-8")


def identifier(name: str) -> str:
    """Return a name as an identifier of SQL, such as `"my table"`."""
    return '"' + name.replace('"', '""') + '"'


def quoted(text: str) -> str:
    """Return a text as a literal of SQL.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def home(connection: Connection) -> str:
    """Return the prefix of the database's tables, which selects a table even if a view has its name."""
    [(name,)] = connection.execute("SELECT current_database()").fetchall()
    return f"{identifier(name)}.main"


def tables_in(connection: Connection, schema: str) -> set[str]:
    """Return the names of the tables and views of a schema, such as `sums` or `later.sums`."""
    catalog, _, name = schema.rpartition(".")
    query = (
        f"SELECT table_name FROM information_schema.tables WHERE table_schema = {quoted(name)}"
        f" AND table_catalog = {quoted(catalog) if catalog else 'current_database()'}"
    )
    return {table for (table,) in connection.execute(query).fetchall()}


def restrict(connection: Connection, tables: Iterable[str], condition: str) -> None:
    """Restrict a connection to the rows that meet a condition: a temporary view hides each table."""
    prefix = home(connection)
    for table in tables:
        query = f"SELECT * FROM {prefix}.{table} WHERE {condition}"
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS {query}")


@contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Run statements as one transaction: all take effect, or none."""
    connection.execute("BEGIN")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _enums() -> dict[tuple[str, ...], str]:
    """Return a type name for each set of words, derived from the first column that has these words."""
    names: dict[tuple[str, ...], str] = {}
    for table, columns in TABLES.items():
        for column in columns:
            if column.words:
                names.setdefault(column.words, f"{table}_{column.name.removesuffix('_before')}")
    return names


_ENUMS: Final = _enums()


def sql_type(column: Column) -> str:
    """Return the type that a column has in the database.

    >>> sql_type(Column("pace", "int16", "", "", ""))
    'SMALLINT'
    """
    if column.words:
        return _ENUMS[column.words]
    return SQL_TYPES[column.type] + ("[]" if column.width > 1 else "")


def enum_statements(present: Collection[str] = ()) -> list[str]:
    """Return the statements that create all types except those in `present`."""
    return [
        f"CREATE TYPE {name} AS ENUM ({', '.join(map(quoted, words))})"
        for words, name in _ENUMS.items()
        if name not in present
    ]


_PACKED_TABLES: Final = ("turns", "clues", "cards", "seats")
_RUNS: Final = {
    *("game_id", "forced", "duplicates_hidden"),
    *("blind_plays_after", "misplays_after", "double_discard_after"),
    *(f"{name}_before" for name in ("max_score", "strikes", "pace_risk", "final_round")),
    *(f"{name}_after" for name in ("max_score", "strikes", "pace_risk", "final_round")),
}
"""Columns of `_PACKED_TABLES` in which most rows have the value of the row before."""


def _compression(table: str, column: Column) -> str:
    """Return the compression of a column of integers in a large table; "" lets DuckDB try out the methods."""
    if table not in _PACKED_TABLES or column.type == "str" or column.type.startswith("float"):
        return ""
    return f" USING COMPRESSION {'RLE' if column.name in _RUNS else 'BITPACKING'}"


def table_statement(table: str, *, compressed: bool = False) -> str:
    """Return the statement that creates a table, whose types must exist; `compressed` sets compressions."""
    lines = ",\n".join(
        f'    "{column.name}" {sql_type(column)}{_compression(table, column) if compressed else ""}'
        for column in TABLES[table]
    )
    return f"CREATE TABLE {table} (\n{lines}\n)"


def statements(present: Collection[str] = ()) -> list[str]:
    """Return the statements that create all types and tables except those in `present`."""
    missing = (table for table in TABLES if table not in present)
    return [*enum_statements(present), *(table_statement(table, compressed=True) for table in missing)]


STORAGE_VERSION: Final = "v1.4.0"
"""Format of database files, which is the format of the oldest supported DuckDB."""

VERSIONS_STATEMENT: Final = (
    f"CREATE TABLE hanalyze AS SELECT {TABLES_VERSION}::INTEGER AS tables_version,"
    f" {quoted(__version__)} AS package_version"
)


def check_version(tables_version: int, file: str | None) -> None:
    """Raise `HanalyzeError` (rule `other_version`) for a database with another version of the tables."""
    if tables_version != TABLES_VERSION:
        problem = f"made with tables version {tables_version}, but this hanalyze has {TABLES_VERSION}"
        is_newer = tables_version > TABLES_VERSION
        advice = "update hanalyze" if is_newer else "run `hanalyze ingest --rebuild` with the same logs"
        raise HanalyzeError(problem, rule="other_version", file=file, advice=advice)


LATER: Final = "later"
"""Name of the attached database `found.duckdb` in a connection to a folder."""

CONVENTION_TABLES: Final = (
    "convention_games",
    "conventions",
    "convention_outcomes",
    "convention_opportunities",
    "chances",
)
DETECTOR_TABLES: Final = ("detector_games", "detector_findings", "detector_problems")
DERIVED_TABLES: Final = (*CONVENTION_TABLES, *DETECTOR_TABLES, "solved_games", "best_scores", "losses")
"""Tables that are computed from stored games: by reading conventions, by detectors or by the solver."""


def writable_name(connection: Connection, table: str) -> str:
    """Return the name of a table for statements that write; for a folder, it may be in `found.duckdb`."""
    if table not in DERIVED_TABLES:
        return table
    query = f"SELECT 1 FROM duckdb_databases() WHERE database_name = '{LATER}'"
    return f"{LATER}.main.{table}" if connection.execute(query).fetchall() else table
