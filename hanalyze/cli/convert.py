"""`hanalyze convert` and `formats`: convert logs, and list their formats."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from hanalyze.cli.exits import Problems, UsageError, say_written
from hanalyze.cli.options import Output
from hanalyze.cli.parameters import argument, examples, option
from hanalyze.conversion import convert as write_converted
from hanalyze.logs.files import read, written
from hanalyze.logs.formats.registry import WritableFormat, format_named, formats as all_formats
from hanalyze.logs.sources.file_search import find_files
from hanalyze.text import plural, printable


@examples(
    "hanalyze convert games.jsonl -o games.hle.jsonl --to hle", "hanalyze convert games.jsonl --to share"
)
def convert(
    paths: Annotated[
        list[str], argument("PATH", "Logs; - for standard input; numbers or links of games on hanab.live.")
    ],
    to: Annotated[
        str, option("FORMAT", "The format to write; `hanalyze formats` lists them.")
    ] = "hanab-live",
    output: Output = "-",
) -> None:
    """Convert logs from one format to another.

    Lists on standard error the data that the new format cannot store. Games that it cannot store at all are
    listed and left out; the exit code is then 2. An existing file is replaced.
    """
    format_named(to)
    files = find_files(paths)
    existing = [file for file in files if os.path.exists(file) and os.path.exists(output)]
    if any(os.path.samefile(file, output) for file in existing):
        raise UsageError("this file is being read", "give -o another file", file=output)
    problems = Problems()
    with written(output) as stream:
        result = write_converted(read(files, on_error=problems.add), stream, to, on_error=problems.add)
    lost = ", ".join(f"{what} ({count:,})" for what, count in result.lost.items())
    say_written(plural(result.games, "game"), output, lost and f"not stored by this format: {lost}")
    raise typer.Exit(problems.code)


@examples("hanalyze formats")
def formats() -> None:
    """List the formats of logs, which are recognised by content, and whether they can be written."""
    for one in all_formats():
        can = "read, write" if isinstance(one, WritableFormat) else "read"
        typer.echo(f"{printable(one.name):<12} {can:<12} {printable(one.title)}")
