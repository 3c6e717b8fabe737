"""The written schema is what the columns say, and DuckDB takes it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from hanalyze.tables.store import TABLES
from tools.write_schemas import TABLE_MEANINGS, columns_text, tables_text

SCHEMAS = Path(__file__).parents[2] / "schemas"


def test_the_written_schema_is_up_to_date() -> None:
    for name, text in (("tables.sql", tables_text()), ("columns.md", columns_text())):
        assert (SCHEMAS / name).read_text(encoding="utf-8") == text, "run python -m tools.write_schemas"


def test_duckdb_takes_it_and_knows_the_meanings() -> None:
    with duckdb.connect() as connection:
        connection.execute(tables_text())
        for table, columns in TABLES.items():
            rows = connection.execute(
                "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = ?", [table]
            ).fetchall()
            assert [name for name, _ in rows] == [column.name for column in columns]
            assert all(comment for _, comment in rows)


def test_every_column_says_what_it_is() -> None:
    for table, columns in TABLES.items():
        assert table in TABLE_MEANINGS
        names = [column.name for column in columns]
        assert len(set(names)) == len(names)
        for column in columns:
            assert column.meaning, column.name
            assert column.name.isidentifier()
