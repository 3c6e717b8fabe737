"""`hanalyze deals`: check which deals can be won with all cards open, and how hard they are."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from typing import Annotated, Final

import typer

from hanalyze.cli.exits import UsageError, say_written
from hanalyze.cli.frame_text import frame_output
from hanalyze.cli.options import Jobs, SeedPlayers, SeedVariant
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.errors import HanalyzeError
from hanalyze.output import write_bytes
from hanalyze.solver.deals import deals as solved_deals
from hanalyze.text import plural

_RANGE: Final = re.compile(r"(?P<head>.*?)(?P<first>\d{1,18})\.\.(?P<again>.*?)(?P<last>\d{1,18})")


@examples(
    "hanalyze deals p3v0s1..p3v0s1000 -o deals.parquet",
    "hanalyze deals p2v0s1 p2v0s2 p2v0s3",
    "hanalyze deals seeds.txt --players 4 -o deals.jsonl",
)
def deals(
    seeds: Annotated[
        list[str], argument("SEED", "Seeds, ranges like p3v0s1..p3v0s1000, or files of seeds; - for stdin.")
    ],
    output: Annotated[
        str | None,
        option("FILE", "The .parquet or .jsonl file to write (default: a table).", "--output", "-o"),
    ] = None,
    runs: Annotated[int, option("N", "Noisy beam searches (width 1) per deal.", min=0)] = 20,
    players: SeedPlayers = None,
    variant: SeedVariant = None,
    nodes: Annotated[int, option("N", "Search at most N positions for each score.", min=1)] = 1_000_000,
    jobs: Jobs = None,
    as_json: Annotated[bool, flag("--json", "Print JSON lines, one object per deal.")] = False,
) -> None:
    """Check which deals can be won with all cards open, and how hard they are.

    Prints one row per deal: whether the full score can be reached, the best score, the number of searched
    positions, and the share of noisy runs of a narrow beam search that reach the full score. The lower the
    share, the harder the deal. schemas/columns.md describes the columns.
    """
    ending = None if output is None else os.path.splitext(output)[1].lower()
    if ending not in (None, ".parquet", ".jsonl"):
        advice = "use one of these endings: .parquet, .jsonl"
        raise UsageError("unknown file ending", advice, file=output)
    frame = solved_deals(_seeds(seeds), players=players, variant=variant, runs=runs, nodes=nodes, jobs=jobs)
    if output is not None:
        data = io.BytesIO()
        if ending == ".parquet":
            frame.write_parquet(data)
        else:
            frame.write_ndjson(data)
        write_bytes(data.getvalue(), output)
        say_written(plural(frame.height, "deal"), output)
    else:
        typer.echo(frame_output(frame, as_json), nl=False)


def _seeds(texts: list[str]) -> Iterator[str]:
    """Yield the seeds of arguments that are seeds, ranges or files."""
    for text in texts:
        if text == "-" or os.path.isfile(text):
            yield from _of_file(text)
        elif (match := _RANGE.fullmatch(text)) is not None:
            yield from _of_range(text, match)
        else:
            yield text


def _of_range(text: str, match: re.Match[str]) -> Iterator[str]:
    first, last = int(match["first"]), int(match["last"])
    if match["head"] == match["again"] and last < first:
        raise UsageError(f'the range "{text}" ends before it begins', "write the lower seed first")
    if match["head"] != match["again"]:
        raise UsageError(f'"{text}" is not a range of seeds', "write it like p3v0s1..p3v0s1000")
    for number in range(first, last + 1):
        yield f"{match['head']}{number}"


def _of_file(path: str) -> Iterator[str]:
    """Yield the seeds of a file, one per line; empty lines are skipped."""
    try:
        if path == "-":
            lines = sys.stdin.read().splitlines()
        else:
            with open(path, encoding="utf-8") as file:
                lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise HanalyzeError(f"cannot be read: {error}", rule="unreadable", file=path) from None
    yield from (line.strip() for line in lines if line.strip())
