"""`hanalyze convert`: logs in another format.

In: logs in any format, and the name of the one that is wanted. Out: a file in it; on standard error what has
no place there.
"""

from __future__ import annotations

import os
from typing import Annotated, Final

import typer

EXAMPLES: Final = """\b
Examples:
  hanalyze convert games.jsonl -o games.hle.jsonl --to hle
  hanalyze convert games.jsonl --to share
"""


def convert(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Logs in any format that `hanalyze formats` lists; - for standard"
            " input; numbers of games on hanab.live, and links to them.",
        ),
    ],
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help="The format to write; `hanalyze formats` lists them.")
    ] = "hanab-live",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The file to write; - for standard output.")
    ] = "-",
) -> None:
    """Convert logs from one format to another.

    Says on standard error what of the games has no place in the new format. Games that it cannot hold at all
    are listed and left out; the exit code is then 2. An existing file is replaced.
    """
    from hanalyze.cli.exits import Problems, complain
    from hanalyze.conversion import convert as converted
    from hanalyze.errors import HanalyzeError
    from hanalyze.logs.files import read, written
    from hanalyze.logs.formats.registry import format_named
    from hanalyze.logs.sources.file_search import find_files

    format_named(to)
    files = find_files(paths)
    there = [file for file in files if os.path.exists(file) and os.path.exists(output)]
    if any(os.path.samefile(file, output) for file in there):
        advice = "give -o another file"
        raise HanalyzeError("this file is being read", rule="usage", file=output, advice=advice)
    problems = Problems()
    with written(output) as stream:
        done = converted(read(files, on_error=problems.add), stream, to, on_error=problems.add)
    if done.lost:
        listed = ", ".join(f"{what} ({count:,})" for what, count in done.lost.items())
        games = "1 game" if done.games == 1 else f"{done.games:,} games"
        complain(f"{games} written; without what has no place in the format: {listed}")
    raise typer.Exit(problems.code)
