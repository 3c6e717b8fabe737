"""`hanalyze info`: what a database holds.

In: a database. Out: its tables and rows, versions, size, and what the games are.
"""

from __future__ import annotations

from typing import Final

import typer

from hanalyze.cli.options import DB

EXAMPLES: Final = """\b
Examples:
  hanalyze info games.duckdb
"""


def info(database: DB) -> None:
    """Show the contents of a database: rows, versions, size, games by team size, variants, defects."""
    from hanalyze.store import connect
    from hanalyze.store.listings import contents, size_of
    from hanalyze.text import printable, shorten

    with connect(database, read_only=True, files_in=()) as db:
        held = contents(db)
        size = size_of(db)
    lines = {
        "folder" if db.is_folder else "file": f"{shorten(database, 100)}, {size / 1e6:,.1f} MB",
        "made by": f"hanalyze {printable(held.package_version)}, tables version {held.tables_version}",
        **{table: f"{rows:,}" for table, rows in held.rows.items()},
        **{
            title: ", ".join(f"{shorten(str(value))}: {count:,}" for value, count in found)
            for title, found in held.kinds.items()
            if found
        },
    }
    width = max(map(len, (*held.rows, *held.kinds)))
    for title, text in lines.items():
        typer.echo(f"{title:{width}}  {text}")
