"""`hanalyze sums`: keeps in a database what the dashboard and the rates are made of.

In: a database. Out: its tables of sums; a line that says what was done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import typer

from hanalyze.cli.options import DB, MemoryLimit

if TYPE_CHECKING:
    from hanalyze.store import Database
    from hanalyze.store.part_sums import Maker

EXAMPLES: Final = """\b
Examples:
  hanalyze sums games.duckdb
  hanalyze sums games/
"""


def sums(database: DB, memory_limit: MemoryLimit = None) -> None:
    """Keep the sums that the dashboard and the rates of mistakes are made of, so that they take seconds.

    dashboard, stats and mistakes --by then add up sums instead of judging every turn; the numbers are the
    same. What sums do not have is counted from the turns: rates by turn, rank, suit, phase or severity,
    definitions or thresholds of your own, the effects of conventions. After new games, or after reading games
    for conventions, run it again: until then the sums are not used. Only the new games are counted.

    Of a folder, those are counted that `hanalyze ingest --sums` has not counted as it stored them.
    """
    from hanalyze.store import connect

    connect(database, read_only=True, files_in=()).close()  # it must be there
    with connect(database, files_in=(), memory_limit=memory_limit) as db:
        typer.echo(told_sums(db))


def makers_of_units() -> tuple[Maker, ...]:
    """Return what units of work count as they store games."""
    from hanalyze.report.dashboard.aggregates import MAKERS

    return MAKERS


def told_sums(db: Database) -> str:
    """Make the sums of a database, and say what was done."""
    from hanalyze.report.dashboard.aggregates import sum_up

    made = sum_up(db)
    return f"{made}; {made.seconds:.1f} s"
