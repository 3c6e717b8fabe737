"""`hanalyze plot`: one figure of the dashboard, as a file.

In: the name of a figure, a database. Out: a page, or a picture where Kaleido is installed.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from hanalyze.errors import HanalyzeError

__all__ = ["EXAMPLES", "plot"]

EXAMPLES: Final = """\b
Examples:
  hanalyze plot scores games.duckdb -o scores.html
  hanalyze plot discards games.duckdb --players 3 --variant "No Variant" -o discards.svg
"""

_PICTURES: Final = ("png", "svg")


def plot(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The figure: scores, losses, discards, ...")],
    database: Annotated[str, typer.Argument(metavar="DB", help="The database.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PATH", help="The file: .html, .png or .svg.")
    ],
    players: Annotated[int | None, typer.Option(metavar="N", help="Only games of this team size.")] = None,
    variant: Annotated[str | None, typer.Option(metavar="NAME", help="Only games of this variant.")] = None,
    player: Annotated[str | None, typer.Option(metavar="NAME", help="Only games of this player.")] = None,
) -> None:
    """Draw one figure of the dashboard. The database is only read.

    An unknown name shows all names. Pictures (.png, .svg) want Kaleido and a Chrome or Chromium.
    """
    from hanalyze.report.figures import figure
    from hanalyze.store import open as open_database

    ending = os.path.splitext(output)[1].lower().lstrip(".")
    if ending not in ("html", *_PICTURES):
        raise HanalyzeError(
            "a figure is written as .html, .png or .svg", rule="bad_output", file=output, advice="name it so"
        )
    if ending in _PICTURES:
        try:
            import_module("kaleido")
        except ImportError:
            raise HanalyzeError(
                "Kaleido is not installed",
                rule="no_kaleido",
                advice="pip install kaleido, or write .html",
            ) from None
    with open_database(database, read_only=True) as db:
        drawn = figure(name, db, {"players": players, "variant": variant, "player": player})
    _write(drawn, output, ending)


def _write(drawn: Any, output: str, ending: str) -> None:
    try:
        if ending == "html":
            with open(output, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(drawn.to_html(include_plotlyjs=True, config={"displayModeBar": False}))
            return
        data = _picture(drawn, ending)
        with open(output, "wb") as stream:
            stream.write(data)
    except OSError as error:
        problem = HanalyzeError(error.strerror or str(error), rule="unwritable", file=output)
    else:
        return
    raise problem


def _picture(drawn: Any, ending: str) -> bytes:
    """Return a picture; Kaleido's errors are of many kinds."""
    try:
        data: bytes = drawn.to_image(format=ending, scale=2 if ending == "png" else 1)
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        problem = HanalyzeError(
            f"Kaleido makes no picture: {first[:200]}", rule="no_kaleido", advice="write .html instead"
        )
    else:
        return data
    raise problem
