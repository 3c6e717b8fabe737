"""`hanalyze quiz`: make a page of puzzles from games."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from hanalyze.cli.exits import FAILED, Problems, UsageError, complain
from hanalyze.cli.inputs import holds_database, named_files, open_database, refuse_memory_limit
from hanalyze.cli.options import GamePaths, MemoryLimit
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import HanalyzeError
from hanalyze.logs.files import read
from hanalyze.output import check_target
from hanalyze.store.listings import level_read
from hanalyze.text import plural, printable

if TYPE_CHECKING:
    from hanalyze.puzzles.drawing import Games


@examples(
    "hanalyze quiz games.jsonl",
    "hanalyze quiz games.duckdb --player Alice --mistakes -o alice.html",
    "hanalyze quiz games.duckdb --theme finesse --level 5 --count 20",
)
def quiz(
    paths: GamePaths = None,
    output: Annotated[
        str, option("FILE", "The file to write; - for standard output.", "--output", "-o")
    ] = "quiz.html",
    player: Annotated[str | None, option("NAME", "Only turns of this player.")] = None,
    theme: Annotated[
        str | None,
        option("NAME", "Only a convention, a kind of mistake, or play, known, save, get, quiet, cards."),
    ] = None,
    level: Annotated[
        int | None, option("N", "Only conventions up to this H-Group level.", min=1, max=25)
    ] = None,
    mistakes: Annotated[bool, flag("--mistakes", "Turns with a mistake first.")] = False,
    count: Annotated[int | None, option("N", "Number of puzzles (default: 60).", min=1, max=1000)] = None,
    seed: Annotated[int, option("N", "Another seed gives other puzzles.")] = 0,
    open_: Annotated[bool, flag("--open", "Open the page in the browser.")] = False,
    memory_limit: MemoryLimit = None,
) -> None:
    """Make a page of puzzles from games: what would you do, what are your cards.

    A turn is a puzzle only if the moves that the evidence allows are clearly apart from the rest. The page is
    one HTML file that works without a network; it judges every answer and repeats what was answered wrongly.

    Games are searched in an order by --seed until there are enough puzzles, at most 1,280. Logs are read for
    conventions; a database must have been read by `hanalyze conventions`.
    """
    from hanalyze.puzzles.drawing import MOST_GAMES
    from hanalyze.puzzles.making import COUNT, check_theme, find_puzzles
    from hanalyze.report.quiz.build import write_quiz

    if open_ and output == "-":
        raise UsageError("--open needs a file to open", "give -o FILE")
    check_target(output)
    check_theme(theme)
    problems = Problems()
    with _games(paths, seed, player, theme, level, memory_limit, problems) as games:
        search = find_puzzles(games, theme=theme, level=level, mistakes=mistakes, count=count or COUNT)
        if search.puzzles:
            write_quiz(search.puzzles, output, level=level_read(games.db) or HIGHEST_LEVEL)
        elif not problems.code:
            filtered = player is not None or theme is not None or level is not None
            advice = "drop a filter" if filtered else "give more games: not every game has one"
            raise HanalyzeError(f"{search}: no turn is a puzzle", rule="no_puzzles", advice=advice)
    if output != "-" and search.puzzles:
        typer.echo(printable(output))
        typer.echo(f"{search}")
    if search.puzzles and len(search.puzzles) < (count or COUNT) and search.searched_games == MOST_GAMES:
        complain(f"a quiz searches {MOST_GAMES:,} games at most; with another --seed, others")
    elif count is not None and len(search.puzzles) < count:
        complain(f"only {plural(len(search.puzzles), 'puzzle')} found")
    if problems.code:
        raise typer.Exit(FAILED)
    if open_:
        import webbrowser  # slow to import

        webbrowser.open(pathlib.Path(output).resolve().as_uri())


@contextmanager
def _games(
    paths: Sequence[str] | None,
    seed: int,
    player: str | None,
    theme: str | None,
    level: int | None,
    memory_limit: str | None,
    problems: Problems,
) -> Iterator[Games]:
    """Yield the games of a database or of logs; only the drawn games of logs are replayed."""
    from hanalyze.puzzles.drawing import LoggedGames, StoredGames
    from hanalyze.store import connect

    if not paths or any(map(holds_database, paths)):
        with open_database(paths, memory_limit=memory_limit) as db:
            yield StoredGames(db, seed, player=player, theme=theme)
        return
    refuse_memory_limit(memory_limit)
    records = read(named_files(paths), on_error=problems.add)
    with connect(files_in=()) as db:
        yield LoggedGames(db, records, seed, problems.add, player=player, level=level)
