"""The written schema is what the columns say, and DuckDB takes it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from hanalyze.analysis.schema import columns_text
from hanalyze.store import schema
from hanalyze.tables.store import TABLES

SCHEMAS = Path(__file__).parents[2] / "schemas"


def test_the_written_schema_is_up_to_date() -> None:
    for name, text, module in (
        ("tables.sql", schema.tables_text(), "hanalyze.store.schema"),
        ("columns.md", columns_text(), "hanalyze.analysis.schema"),
    ):
        assert (SCHEMAS / name).read_text(encoding="utf-8") == text, f"run python -m {module}"


def test_duckdb_takes_it_and_knows_the_meanings() -> None:
    with duckdb.connect() as connection:
        connection.execute(schema.tables_text())
        for table, columns in TABLES.items():
            rows = connection.execute(
                "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = ?", [table]
            ).fetchall()
            assert [name for name, _ in rows] == [column.name for column in columns]
            assert all(comment for _, comment in rows)


def test_every_column_says_what_it_is() -> None:
    for table, columns in TABLES.items():
        assert table in schema.TABLE_MEANINGS
        names = [column.name for column in columns]
        assert len(set(names)) == len(names)
        for column in columns:
            assert column.meaning, column.name
            assert column.name.isidentifier()
