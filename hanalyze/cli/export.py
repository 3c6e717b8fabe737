"""`hanalyze export`: a database as a folder of Parquet.

In: a database and a folder. Out: a folder for each table, the large ones divided by number of players.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from hanalyze.cli.options import DB

EXAMPLES: Final = """\b
Examples:
  hanalyze export games.duckdb parquet/
"""


def export(
    database: DB,
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A new or empty folder.")],
) -> None:
    """Write all tables as Parquet; the large ones are partitioned by number of players."""
    from hanalyze.store import connect

    with connect(database, read_only=True, files_in=[folder]) as db:
        rows = db.export(folder)
    width = max(map(len, rows))
    for table, count in rows.items():
        typer.echo(f"{table:{width}}  {count:>13,} rows")
