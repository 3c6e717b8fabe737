"""`hanalyze fetch`, `convert` and `formats`: fetch games from hanab.live, convert logs, list formats."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Annotated, Final

import typer

from hanalyze.cli.exits import Problems, UsageError, complain, say_written
from hanalyze.cli.options import Output
from hanalyze.cli.parameters import argument, examples, option
from hanalyze.cli.screen import games_bar
from hanalyze.logs.files import read, written
from hanalyze.logs.formats.registry import WritableFormat, format_named, formats as all_formats
from hanalyze.logs.sources.bulk_fetch import (
    PATIENCE,
    TRIES,
    FetchCounts,
    ListedGame,
    collect,
    games_of_players,
    games_on_seed,
    games_with_tag,
    how_to_continue,
)
from hanalyze.logs.sources.file_search import find_files
from hanalyze.logs.sources.http import RefusedError, RequestLimits
from hanalyze.logs.sources.site import refusal, site
from hanalyze.output import temporary_target
from hanalyze.text import plural, printable

_RANGE: Final = re.compile(r"([0-9]{1,12})(?:\.\.([0-9]{1,12}))?")


@examples(
    "hanalyze fetch 101785 102000..102100 -o games.jsonl",
    "hanalyze fetch --player Alice --player Bob -o games.jsonl",
    "hanalyze fetch --seed p3v0s1 -o games.jsonl",
)
def fetch(
    numbers: Annotated[
        list[str] | None, argument("NUMBER", "Game numbers on the site, or ranges like 1..500.")
    ] = None,
    players: Annotated[
        list[str] | None,
        option("NAME", "All games of this player; repeat for games of several players together.", "--player"),
    ] = None,
    seed: Annotated[str | None, option("SEED", "All games with this seed.")] = None,
    tag: Annotated[str | None, option("TAG", "All games with this tag.")] = None,
    first: Annotated[int | None, option("N", "With --player: only games from this number on.", min=1)] = None,
    last: Annotated[int | None, option("N", "With --player: only games up to this number.", min=1)] = None,
    output: Annotated[
        str, option("FILE", "The file to append to; - for standard output.", "--output", "-o")
    ] = "-",
    rate: Annotated[float, option("R", "Maximum number of requests per second.", min=0.01, max=10)] = 1.0,
    address: Annotated[
        str | None, option("URL", "Another site (default: HANALYZE_SITE, or hanab.live).", "--site")
    ] = None,
) -> None:
    """Fetch games from hanab.live into a file that every command reads.

    Sends one request per second (see --rate), waits if the site requests it, and requests only games that are
    neither in the file nor in the cache: run the same command again to continue after an interruption, or to
    add new games. With --player or --seed, score, dates and tags are added to the games, and the score is
    checked when a game is replayed. Tested against a local imitation of hanab.live and its failures, not
    against hanab.live itself.
    """
    address = site(address)
    limits = RequestLimits(tries=TRIES, patience=PATIENCE, spacing=1 / rate, reconnects=True)
    if sum(map(bool, (numbers, players, seed, tag))) != 1:
        advice = "give exactly one of game numbers, --player, --seed and --tag"
        raise UsageError("games must be named in exactly one way", advice)
    if (first or last) and not players:
        raise UsageError("--first and --last are for --player", "give a range of numbers")
    entries: Iterable[ListedGame]
    if numbers:
        total, entries = _numbered(numbers)
    else:
        try:
            if players:
                games = games_of_players(address, players, limits, first=first, last=last)
            elif seed:
                games = games_on_seed(address, seed, limits)
            else:
                games = games_with_tag(address, tag or "", limits)
        except (RefusedError, OSError) as error:
            raise refusal(error, address, how_to_continue(0)) from None
        entries, total = games, len(games)
    problems = Problems()
    with games_bar(total) as show:
        counts = collect(
            entries, output, address, limits, on_error=problems.add, on_progress=lambda done: show(done.done)
        )
    (complain if output == "-" else typer.echo)(_summary(counts, output))
    raise typer.Exit(problems.code)


def _numbered(texts: list[str]) -> tuple[int, Iterable[ListedGame]]:
    """Return the number of games that numbers and ranges name, and the games. Raises `UsageError`."""
    ranges = []
    for text in texts:
        match = _RANGE.fullmatch(text)
        begin = int(match[1]) if match else 0
        end = int(match[2] or begin) if match else 0
        if not 1 <= begin <= end:
            raise UsageError(f'"{text}" is not a game number', "use a number, or a range like 1..500")
        ranges.append(range(begin, end + 1))
    return sum(map(len, ranges)), (ListedGame(number) for one in ranges for number in one)


def _summary(counts: FetchCounts, output: str) -> str:
    place = "" if output == "-" else f" to {printable(output)}"
    parts = [f"{counts.added:,} added{place}"]
    if counts.cached:
        parts[0] += f" ({counts.cached:,} from the cache)"
    others = ((counts.there, "already there"), (counts.missing, "not on the site"), (counts.failed, "failed"))
    parts += [f"{count:,} {what}" for count, what in others if count]
    return f"{plural(counts.done, 'game')}: {', '.join(parts)}"


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

    Lists on standard error what the new format cannot store. Games that it cannot store at all are listed and
    left out; the exit code is then 2. An existing file is replaced.
    """
    from hanalyze.conversion import convert as write_converted  # slow to import

    format_named(to)
    files = find_files(paths)
    existing = [file for file in files if os.path.exists(file) and os.path.exists(output)]
    if any(os.path.samefile(file, output) for file in existing):
        raise UsageError("this file is being read", "give -o another file", file=output)
    problems = Problems()
    with temporary_target(output) as path, written(path) as stream:
        result = write_converted(read(files, on_error=problems.add), stream, to, on_error=problems.add)
    lacks = ", ".join(f"{what} ({count:,})" for what, count in result.lost.items())
    say_written(plural(result.games, "game"), output, lacks and f"not stored by this format: {lacks}")
    raise typer.Exit(problems.code)


@examples("hanalyze formats")
def formats() -> None:
    """List the formats of logs, which are recognised by content, and whether they can be written."""
    for one in all_formats():
        can = "read, write" if isinstance(one, WritableFormat) else "read"
        typer.echo(f"{printable(one.name):<12} {can:<12} {printable(one.title)}")
