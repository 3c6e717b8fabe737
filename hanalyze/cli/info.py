"""`hanalyze info`: what a database holds.

In: a database. Out: its tables and rows, versions, size, and what the games are.
"""

from __future__ import annotations

import os
from typing import Annotated, Final

import typer

__all__ = ["EXAMPLES", "info"]

EXAMPLES: Final = """\b
Examples:
  hanalyze info games.duckdb
"""


def info(database: Annotated[str, typer.Argument(metavar="DB", help="The database.")]) -> None:
    """Show what a database holds: rows, versions, size, games by number of players, variants, defects."""
    from hanalyze.store import connect
    from hanalyze.tables.store import TABLES
    from hanalyze.text import printable, shorten

    width = max(map(len, (*TABLES, *_QUESTIONS)))

    def say(title: str, text: str) -> None:
        typer.echo(f"{title:{width}}  {text}")

    with connect(database, read_only=True, files_in=()) as db:
        say("file", f"{shorten(database, 100)}, {os.path.getsize(database) / 1e6:,.1f} MB")
        [(tables, package)] = db.sql("SELECT * FROM hanalyze").rows()
        say("made by", f"hanalyze {printable(package)}, tables version {tables}")
        for table in TABLES:
            say(table, f"{db.sql(f'SELECT count(*) FROM {table}').item():,}")
        for title, query in _QUESTIONS.items():
            found = [f"{shorten(str(what))}: {count:,}" for what, count in db.sql(query).rows()]
            if found:
                say(title, ", ".join(found))


_QUESTIONS: Final = {
    "players": "SELECT players, count(*) FROM games GROUP BY ALL ORDER BY ALL",
    "variants": "SELECT variant, count(*) AS n FROM games GROUP BY ALL ORDER BY n DESC, variant LIMIT 5",
    "editions": "SELECT edition, count(*) AS n FROM games GROUP BY ALL ORDER BY n DESC, edition LIMIT 5",
    "defects by rule": "SELECT rule, count(*) AS n FROM defects GROUP BY ALL ORDER BY n DESC, rule LIMIT 5",
    "rejects by rule": "SELECT rule, count(*) AS n FROM rejects GROUP BY ALL ORDER BY n DESC, rule LIMIT 5",
}
