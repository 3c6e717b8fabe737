"""`hanalyze conventions`: what moves meant under the H-Group's conventions, and whether they worked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from importlib.metadata import entry_points
from typing import Annotated, Any

import typer

from hanalyze.cli.exits import FAILED, complain
from hanalyze.cli.findings import detection_words, detector_findings, finding_words, game_findings
from hanalyze.cli.inputs import complain_of_rejects, only_game, open_database
from hanalyze.cli.options import GamePaths, JsonRows, Minimum
from hanalyze.cli.parameters import examples, option
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.detectors.detecting import detect
from hanalyze.detectors.loading import load_detectors
from hanalyze.errors import LogError
from hanalyze.game.explained import explained
from hanalyze.game.meanings import Convention
from hanalyze.replaying import Replay
from hanalyze.store.listings import detector_problems, detector_rows, finding_rows, level_read
from hanalyze.text import games_apart, printable_json, shorten
from hanalyze.words import named_convention


class System(StrEnum):
    """Which games are read by the H-Group's conventions."""

    H_GROUP = "h_group"
    GUESS = "guess"


@examples(
    "hanalyze conventions game.json",
    "hanalyze conventions games.duckdb",
    "hanalyze conventions games.duckdb --by player --convention finesse",
    "hanalyze conventions games.duckdb --list 20 --convention bluff",
    "hanalyze conventions --explain bluff",
)
def conventions(
    paths: GamePaths = None,
    by: Annotated[
        str | None,
        option(
            "GROUP",
            "Group by level, player, receiver (who misreads prompts?), partner, players, variant,"
            " edition or score.",
        ),
    ] = None,
    convention: Annotated[list[str] | None, option("NAME", "Only this convention; repeatable.")] = None,
    level: Annotated[
        int | None,
        option("N", "Highest H-Group level to read (default: the last one used, or 25).", min=1, max=25),
    ] = None,
    list_: Annotated[
        int | None, option("N", "List N uses instead of counting them.", "--list", min=1)
    ] = None,
    minimum: Minimum = 30,
    explain: Annotated[str | None, option("NAME", "Explain a convention, or all of them with `all`.")] = None,
    system: Annotated[
        System,
        typer.Option(
            help="h_group treats every game as H-Group; guess leaves out games that clearly follow"
            " another system (`hanalyze stats --what systems`)."
        ),
    ] = System.H_GROUP,
    detectors: Annotated[
        list[str] | None,
        option("FILE", "A Python file with your own detectors. It runs with your permissions; repeatable."),
    ] = None,
    as_json: JsonRows = False,
) -> None:
    """Show what moves meant under the H-Group's conventions, and whether they worked.

    The meaning of a move is judged only by the turns before it, as the player who made it saw them; its
    outcome by the turns after. For one game, lists every action; for several, counts how often each
    convention was used, understood and successful. Unread games in a database are read first, and the result
    is stored.
    """
    if explain is not None:
        typer.echo(_explanation(explain))
        return
    names = [named_convention(name).label for name in convention or []]
    only = None if by is not None else only_game(paths or [])
    if only is not None:
        _show_game(*only, names, level or HIGHEST_LEVEL, detectors or [], list_, as_json)
        return
    with open_database(paths, read_only=False) as db:
        db.read_conventions(level, detectors=load_detectors(detectors or []))
        games = db.count("games")
        if list_ is not None or (games == 1 and by is None):
            rows = finding_rows(db, names, list_)
            _show_findings(rows, level_read(db) if games == 1 else None, as_json)
            if games == 1 and not names:
                _show_detections(detector_rows(db), rows, as_json)
        else:
            from hanalyze.cli.convention_numbers import print_numbers  # needs all of the analysis

            only_h_group = system == System.GUESS
            print_numbers(db, names, by=by, minimum=minimum, only_h_group=only_h_group, as_json=as_json)
        _complain_of(detector_problems(db))
        complain_of_rejects(db)


def _complain_of(problems: Iterable[tuple[str, str, int, int, str]]) -> None:
    """Print where detectors failed: each problem once, with its number and its first place."""
    for detector, message, times, turn, game in problems:
        often = f", and {times - 1:,} times more" if times > 1 else ""
        where = f"game {shorten(game)}, turn {turn + 1}{often}"
        complain(f"detector {shorten(detector)}: {message} ({where})")


def _explanation(name: str) -> str:
    """Return the definition of a convention, an example and the H-Group's page, or a table of all."""
    if name != "all":
        one = named_convention(name)
        more = explained(one)
        lines = [f"{one.label} (level {one.level}): {one.definition}"]
        lines += [f"example: {more.example}"] if more.example else []
        lines += [f"H-Group: {more.address}"] if more.address else []
        return "\n".join(lines)
    width = max(len(one.label) for one in Convention)
    return "\n".join(f"{one.label:{width}}  level {one.level:2}  {one.definition}" for one in Convention)


def _show_game(
    replay: Replay,
    errors: list[LogError],
    names: list[str],
    level: int,
    detectors: Sequence[str],
    count: int | None,
    as_json: bool,
) -> None:
    """Show one game without a database, as from a database with this game alone."""
    rows = game_findings(replay, level)
    selected = [row for row in rows if not names or row["convention"] in names][:count]
    _show_findings(selected, level, as_json)
    if detectors or entry_points(group="hanalyze.detectors"):
        detections, problems = detector_findings(detect(replay, load_detectors(detectors), level=level))
        if not names:
            _show_detections(detections, rows, as_json)
        _complain_of([(*problem, rows[0]["game"]) for problem in problems])
    for error in errors:
        complain(str(error))
    if errors:
        raise typer.Exit(FAILED)


def _show_findings(rows: list[dict[str, Any]], level: int | None, as_json: bool) -> None:
    """Print findings; `level` is given if they are of one game."""
    if as_json:
        for row in rows:
            _print_json(
                {name: row[name] for name in row if name not in ("deck", "letters")}, finding_words(row)
            )
        return
    if level is not None and rows:
        typer.echo(f"game {shorten(rows[0]['game'])}, read up to level {level}")
    names = games_apart((row["game_id"], row["game"]) for row in rows)
    for row in rows:
        typer.echo(("" if level is not None else f"game {names[row['game_id']]}, ") + finding_words(row))


def _show_detections(detections: list[dict[str, Any]], findings: list[dict[str, Any]], as_json: bool) -> None:
    """Print the findings of detectors in a game, whose built-in `findings` name the game."""
    for row in detections:
        game = findings[0]
        text = detection_words(row, game)
        if as_json:
            about = {name: game[name] for name in ("game", "variant", "players")}
            values = {"game_id": game["game_id"], **row, "reasons": json.loads(row["reasons"]), **about}
            _print_json(values, text)
        else:
            typer.echo(text)


def _print_json(row: dict[str, Any], text: str) -> None:
    typer.echo(printable_json(json.dumps({**row, "text": text}, ensure_ascii=False)))
