"""The written schema is what the columns say, and DuckDB takes it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from hanalyze.agents import simulate
from hanalyze.conventions.run import HIGHEST_LEVEL, read_records
from hanalyze.replaying import replay_many
from hanalyze.store import schema
from hanalyze.store.opening import connection_for_few
from hanalyze.store.records import GAME_TABLES, create_convention_tables, create_game_tables
from hanalyze.store.schema import CONVENTION_TABLES
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


def test_tables_from_arrays_have_these_types() -> None:
    [game] = simulate("conventional", seed=1)
    output = read_records([game], fast=False, cards=True)

    def types(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[str, str]]]:
        tables = (*GAME_TABLES, *CONVENTION_TABLES)
        return {one: [row[:2] for row in connection.execute(f"DESCRIBE {one}").fetchall()] for one in tables}

    with connection_for_few((*GAME_TABLES, *CONVENTION_TABLES)) as declared, connection_for_few(()) as made:
        key = create_game_tables(made, next(replay_many([game], measured=True, fast=False)))
        create_convention_tables(made, key, output, HIGHEST_LEVEL)
        assert types(made) == types(declared)


def test_columns_of_runs_exist() -> None:
    names = {column.name for table in schema._PACKED_TABLES for column in TABLES[table]}
    assert names >= schema._RUNS
    with duckdb.connect() as connection:
        connection.execute(";".join(schema.statements()))
        [(statement,)] = connection.execute(
            "SELECT sql FROM duckdb_tables() WHERE table_name = 'cards'"
        ).fetchall()
    assert "game_id BIGINT USING COMPRESSION RLE" in statement
    assert "holder TINYINT USING COMPRESSION BitPacking" in statement
