"""`hanalyze sql`: a query, and its result as a table, CSV, JSON or Parquet.

In: a database and a query. Out: the result on standard output or in a file.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hanalyze.cli.csv_cells import RAW, csv_bytes
from hanalyze.cli.frame_table import frame_table

if TYPE_CHECKING:
    import polars as pl

__all__ = ["EXAMPLES", "sql"]

EXAMPLES: Final = """\b
Examples:
  hanalyze sql games.duckdb "SELECT players, avg(score) FROM games GROUP BY ALL ORDER BY ALL"
  hanalyze sql games.duckdb "FROM turns WHERE result = 'misplayed'" --format parquet -o misplays.parquet
"""


class Format(StrEnum):
    """How a result is written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


def sql(
    database: Annotated[str, typer.Argument(metavar="DB", help="The database.")],
    query: Annotated[str, typer.Argument(metavar="QUERY", help="SQL, as DuckDB speaks it.")],
    format_: Annotated[
        Format, typer.Option("--format", help="How the result is written; json is an object per line.")
    ] = Format.TABLE,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PATH", help="The file to write; - for output.")
    ] = "-",
    rows: Annotated[
        int, typer.Option(metavar="N", min=0, help="Rows of a table that are shown; 0 for all.")
    ] = 100,
    raw: Annotated[bool, typer.Option("--raw", help=RAW)] = False,
) -> None:
    """Ask the database, and show the result. The database is only read."""
    from hanalyze.errors import HanalyzeError
    from hanalyze.output import write_bytes
    from hanalyze.store import open as open_database

    if format_ == Format.PARQUET and output == "-" and sys.stdout.isatty():
        raise HanalyzeError("Parquet is nothing for a terminal", rule="bad_output", advice="give -o FILE")
    if raw and format_ != Format.CSV:
        raise HanalyzeError("--raw is for CSV", rule="usage", advice="give --format csv")
    with open_database(database, read_only=True) as db:
        frame = db.sql(query)
    write_bytes(_written(frame, format_, rows, raw), output)


def _written(frame: pl.DataFrame, format_: Format, rows: int, raw: bool) -> bytes:
    import io

    from hanalyze.text import printable_json

    stream = io.BytesIO()
    if format_ == Format.CSV:
        stream.write(csv_bytes(_flat(frame), raw=raw))
    elif format_ == Format.JSON:
        stream.write(printable_json(frame.write_ndjson()).encode())
    elif format_ == Format.PARQUET:
        frame.write_parquet(stream)
    else:
        return frame_table(frame, rows or frame.height).encode("utf-8", "backslashreplace")
    return stream.getvalue()


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with lists as text, for CSV has none."""
    import polars as pl

    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List | pl.Array)]
    return frame.with_columns(
        pl.format("[{}]", pl.col(name).cast(pl.List(pl.String)).list.join(" ")).alias(name) for name in lists
    )
