"""`hanalyze fetch`: games of hanab.live into a file.

In: numbers of games, ranges of them, players, a seed or a tag. Out: JSON lines, appended to a file or on
standard output; a bar on standard error while it works, and a line at the end, where the games do not go.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hanalyze.errors import HanalyzeError

if TYPE_CHECKING:
    from hanalyze.logs.sources.bulk_fetch import FetchCounts
    from hanalyze.logs.sources.http import RequestLimits
    from hanalyze.logs.sources.site_lists import ListedGame

EXAMPLES: Final = """\b
Examples:
  hanalyze fetch 101785 102000..102100 -o games.jsonl
  hanalyze fetch --player Alice --player Bob -o games.jsonl
  hanalyze fetch --seed p3v0s1 -o games.jsonl
"""

_RANGE: Final = re.compile(r"([0-9]{1,12})(?:\.\.([0-9]{1,12}))?")


def fetch(
    numbers: Annotated[
        list[str] | None,
        typer.Argument(metavar="NUMBER", help="Numbers of games on the site, or ranges like 1..500."),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option("--player", metavar="NAME", help="All games of a player; of several: those together."),
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="SEED", help="All games on a seed.")] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="All games under a tag.")] = None,
    first: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="With --player: only games from this number on.")
    ] = None,
    last: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="With --player: only games up to this number.")
    ] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="The file to append to; - for standard output."),
    ] = "-",
    rate: Annotated[
        float, typer.Option(metavar="R", min=0.01, max=10, help="Requests per second, at most.")
    ] = 1.0,
    address: Annotated[
        str | None,
        typer.Option(
            "--site", metavar="URL", help="Another site of the kind (default: HANALYZE_SITE, or hanab.live)."
        ),
    ] = None,
) -> None:
    """Fetch games from hanab.live into a file that every command reads.

    Asks once a second unless --rate says otherwise, waits when the site says so, and asks for no game that
    the file or the cache already has: run the same command again to continue after an interruption, or to add
    new games. Of a player or a seed, score, dates and tags are added to the games, and the score is checked
    when a game is replayed. Tested against a local server that answers as hanab.live does, and badly in many
    ways; not against hanab.live itself.
    """
    from hanalyze.cli.exits import Problems, complain
    from hanalyze.logs.sources.bulk_fetch import collect, limits_of
    from hanalyze.logs.sources.site import site

    here = site(address)
    limits = limits_of(rate)
    given = [name for name, one in (("a player", players), ("a seed", seed), ("a tag", tag)) if one]
    if len(given) + bool(numbers) != 1:
        advice = "give numbers of games, --player, --seed or --tag, and only one of these"
        raise HanalyzeError("no games, or several kinds of them, were asked for", rule="usage", advice=advice)
    if (first or last) and not players:
        raise HanalyzeError(
            "--first and --last are for --player", rule="usage", advice="give a range of numbers"
        )
    wanted: Iterable[ListedGame]
    if numbers:
        total, wanted = _numbered(numbers)
    else:
        wanted = games = _listed(here, limits, players or [], seed, tag, (first, last))
        total = len(games)
    problems = Problems()
    with _bar(total) as show:
        done = collect(wanted, output, here, limits, on_error=problems.add, on_progress=show)
    if output == "-":
        complain(_summary(done))
    else:
        typer.echo(_summary(done))
    raise typer.Exit(problems.code)


def _numbered(texts: list[str]) -> tuple[int, Iterable[ListedGame]]:
    """Return how many numbers and ranges name, and the games."""
    from hanalyze.logs.sources.site_lists import ListedGame

    ranges = []
    for text in texts:
        found = _RANGE.fullmatch(text)
        begin = int(found[1]) if found else 0
        end = int(found[2] or begin) if found else 0
        if not 1 <= begin <= end:
            advice = "use a number, or a range like 1..500"
            raise HanalyzeError(f'"{text}" names no games of the site', rule="usage", advice=advice)
        ranges.append(range(begin, end + 1))
    return sum(map(len, ranges)), (ListedGame(number) for one in ranges for number in one)


def _listed(
    here: str,
    limits: RequestLimits,
    players: list[str],
    seed: str | None,
    tag: str | None,
    bounds: tuple[int | None, int | None],
) -> list[ListedGame]:
    """Return the games of the list that was asked for. Raises `LogError`."""
    from hanalyze.logs.sources import site_lists as histories
    from hanalyze.logs.sources.bulk_fetch import way_on
    from hanalyze.logs.sources.http import RefusedError
    from hanalyze.logs.sources.site import refusal

    try:
        if players:
            return histories.games_of_players(here, players, limits, first=bounds[0], last=bounds[1])
        if seed:
            return histories.games_on_seed(here, seed, limits)
        return histories.games_with_tag(here, tag or "", limits)
    except (RefusedError, OSError) as error:
        problem = refusal(error, here, way_on(0))
    raise problem


def _summary(done: FetchCounts) -> str:
    """Return what came of it as a line."""
    parts = [f"{done.added:,} added"]
    if done.cached:
        parts[0] += f" ({done.cached:,} from the cache)"
    counts = ((done.there, "already there"), (done.missing, "not on the site"), (done.failed, "not given"))
    parts += [f"{count:,} {what}" for count, what in counts if count]
    return f"{'1 game' if done.done == 1 else f'{done.done:,} games'}: {', '.join(parts)}"


@contextmanager
def _bar(total: int) -> Iterator[Callable[[FetchCounts], object]]:
    """Give what shows the progress, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda done: progress.update(task, completed=done.done)
