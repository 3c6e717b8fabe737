"""`hanalyze compact`: the many small files of a folder joined into few large ones.

In: a folder that is a database. Out: the same rows in fewer files, and a line that says how many.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from hanalyze.cli.options import DB

EXAMPLES: Final = """\b
Examples:
  hanalyze compact games/
  hanalyze compact games/ --grace 0
"""


def compact(
    database: DB,
    grace: Annotated[
        int,
        typer.Option(metavar="HOURS", min=0, help="Remove old files only when they are this old."),
    ] = 24,
) -> None:
    """Join the small files of a folder that `hanalyze ingest` wrote, and drop what does not count any more.

    Queries are faster over files of 64 to 256 MB. Old files stay for a while, since somebody may still be
    reading them: give --grace 0 only where nobody reads or writes the folder.
    """
    from hanalyze.errors import HanalyzeError
    from hanalyze.store import connect
    from hanalyze.store.folder.opening import holds_folder
    from hanalyze.store.opening import is_folder

    if not is_folder(database) or not holds_folder(database):
        raise HanalyzeError(
            "this is not a folder that hanalyze wrote",
            rule="not_a_database",
            file=database,
            advice="make one with `hanalyze ingest LOGS --db games/`",
        )
    with connect(database, files_in=()) as db:
        typer.echo(str(db.compact(grace=grace * 3600.0)))
