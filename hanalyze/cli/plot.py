"""`hanalyze plot`: one figure of the dashboard, as a file.

In: the name of a figure, a database. Out: a page, or a picture where Kaleido and a browser are installed.
"""

from __future__ import annotations

import os
from typing import Annotated, Final

import typer

from hanalyze.cli.options import Definitions
from hanalyze.errors import HanalyzeError

EXAMPLES: Final = """\b
Examples:
  hanalyze plot scores games.duckdb -o scores.html
  hanalyze plot discards games.duckdb --players 3 --variant "No Variant" -o discards.svg
"""


def plot(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The figure: scores, losses, discards, ...")],
    database: Annotated[str, typer.Argument(metavar="DB", help="The database.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PATH", help="The file: .html, .png or .svg.")
    ],
    players: Annotated[int | None, typer.Option(metavar="N", help="Only games of this team size.")] = None,
    variant: Annotated[str | None, typer.Option(metavar="NAME", help="Only games of this variant.")] = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only decisions, and games, of this player.")
    ] = None,
    definitions: Definitions = None,
) -> None:
    """Draw one figure of the dashboard. The database is only read.

    An unknown name lists all names. Pictures (.png, .svg) need Kaleido (pip install 'hanalyze[image]') and
    Chrome or Chromium, either installed or named by BROWSER_PATH.
    """
    from hanalyze.lazy import needed
    from hanalyze.output import check_target, write_bytes
    from hanalyze.report.dashboard.figures import figure
    from hanalyze.report.dashboard.picture import PICTURES, kaleido, picture
    from hanalyze.store import connect

    ending = os.path.splitext(output)[1].lower().lstrip(".")
    if ending not in ("html", *PICTURES):
        raise HanalyzeError(
            "a figure is written as .html, .png or .svg",
            rule="bad_output",
            file=output,
            advice="use one of these endings",
        )
    # What is missing is said before the games are counted.
    check_target(output)
    if ending in PICTURES:
        kaleido()
    needed("plotly")
    with connect(database, read_only=True, files_in=()) as db:
        filters = {"players": players, "variant": variant, "player": player}
        drawn = figure(name, db, filters, mistakes=definitions)
    if ending in PICTURES:
        data = picture(drawn, ending)
    else:
        from hanalyze.report.dashboard.plotly_page import figure_page

        data = figure_page(drawn).encode("utf-8", "backslashreplace")
    write_bytes(data, output)
