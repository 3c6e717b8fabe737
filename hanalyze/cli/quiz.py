"""`hanalyze quiz`: make a page of puzzles from games."""

from __future__ import annotations

import pathlib
from typing import Annotated

import typer

from hanalyze.cli.exits import UsageError, complain
from hanalyze.cli.inputs import complain_of_rejects, open_database
from hanalyze.cli.options import GamePaths, MemoryLimit
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.errors import HanalyzeError
from hanalyze.output import check_target
from hanalyze.store.listings import level_read
from hanalyze.text import plural, printable


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

    Logs are read for conventions first; a database must have been read by `hanalyze conventions`.
    """
    from hanalyze.puzzles.making import COUNT, find_puzzles
    from hanalyze.report.quiz.build import write_quiz

    if open_ and output == "-":
        raise UsageError("--open needs a file to open", "give -o FILE")
    check_target(output)
    with open_database(paths, memory_limit=memory_limit) as db:
        if db.file is None:
            db.read_conventions(level)
        found = find_puzzles(
            db, player=player, theme=theme, level=level, mistakes=mistakes, count=count or COUNT, seed=seed
        )
        if not found:
            filtered = player is not None or theme is not None or level is not None
            advice = "drop a filter" if filtered else "give more games: not every game has one"
            raise HanalyzeError("no turn of these games is a puzzle", rule="no_puzzles", advice=advice)
        write_quiz(found, output, level=level_read(db) or HIGHEST_LEVEL)
        complain_of_rejects(db)
    if count is not None and len(found) < count:
        complain(f"only {plural(len(found), 'puzzle')} found")
    if output != "-":
        typer.echo(printable(output))
    if open_:
        import webbrowser  # slow to import

        webbrowser.open(pathlib.Path(output).resolve().as_uri())
