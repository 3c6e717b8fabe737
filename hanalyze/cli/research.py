"""`hanalyze research`: the metrics of the research literature.

In: a database, or logs for their notes. Out: tables, one JSON object, or a page with heat maps.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.text import plural

if TYPE_CHECKING:
    from hanalyze.cli.exits import Problems
    from hanalyze.store import Database

EXAMPLES: Final = """\b
Examples:
  hanalyze research games.duckdb
  hanalyze research games.duckdb --what dominated --what hints
  hanalyze research games.duckdb --html research.html
  hanalyze research games.jsonl --what notes
  hanalyze research games.duckdb --json
"""

_ROWS: Final = 20
"""Rows of a table that are shown; JSON has all."""


class Subject(StrEnum):
    """What the numbers are about."""

    SCORES = "scores"
    PLAYERS = "players"
    HINTS = "hints"
    DIVERSITY = "diversity"
    DOMINATED = "dominated"
    INFORMATION = "information"
    MATRIX = "matrix"
    CROSS_PLAY = "cross-play"
    READINGS = "readings"
    NOTES = "notes"


_FRAMES: Final = {
    Subject.SCORES: "research_scores",
    Subject.PLAYERS: "research_players",
    Subject.HINTS: "hint_response",
    Subject.DIVERSITY: "action_diversity",
    Subject.DOMINATED: "dominated_moves",
    Subject.INFORMATION: "action_information",
    Subject.MATRIX: "action_matrix",
    Subject.CROSS_PLAY: "cross_play",
    Subject.READINGS: "misreadings",
    Subject.NOTES: "note_accuracy",
}
"""The functions of `hanalyze.analysis`."""


def research(
    database: Annotated[
        str,
        typer.Argument(
            metavar="DB", help="A database made by `hanalyze ingest`; for --what notes, a log or a folder."
        ),
    ],
    what: Annotated[
        list[Subject] | None,
        typer.Option(
            metavar="WHAT",
            help="Only this, repeatable: scores; players: who tells and knows; hints: what followed them;"
            " diversity: entropy of actions and responses, coordination; dominated: moves that another is"
            " sure to beat; information: of consecutive actions; matrix: which action follows which;"
            " cross-play; readings: cards read wrongly, after `hanalyze conventions DB`; notes: players'"
            " notes against the truth (from logs, not part of the others).",
        ),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Write a page with scores and heat maps to this file instead."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object with all rows of all tables.")
    ] = False,
) -> None:
    """Show the metrics by which research papers judge agents.

    Scores with and without the points of lost games, communicativeness, information per play, risk aversion,
    knowledge at play, critical discards, hint response, diversity and coordination, dominated moves, which
    action follows which and how much it tells, cross-play of the agents that seats are named for, readings
    against truth, and players' notes. `hz.analysis.research_players` and its like give the sources.
    """
    wanted = list(dict.fromkeys(what or [one for one in Subject if one != Subject.NOTES]))
    if Subject.NOTES in wanted and len(wanted) > 1:
        raise HanalyzeError(
            "notes are in logs, the others in databases", rule="usage", advice="give --what notes alone"
        )
    if html is not None and (as_json or what):
        raise HanalyzeError(
            "--html makes a page of its own", rule="usage", advice="give it without --json and --what"
        )
    if html is not None:
        _write_page(database, html)
        return
    problems = None
    if wanted == [Subject.NOTES]:
        frames, problems = _notes(database)
    else:
        from hanalyze.store import connect

        with connect(database, read_only=True, files_in=()) as db:
            frames = {_FRAMES[one]: _frame(db, one) for one in wanted}
    if as_json:
        _show_json(frames)
    else:
        _show_tables(frames)
    if problems is not None:
        raise typer.Exit(problems.code)


def _frame(db: Database, subject: Subject) -> pl.DataFrame:
    from hanalyze import analysis

    frame: pl.DataFrame = getattr(analysis, _FRAMES[subject])(db)
    return frame


def _notes(path: str) -> tuple[dict[str, pl.DataFrame], Problems]:
    """Return the frame of the notes of logs, and what could not be read or dealt."""
    from hanalyze.analysis import note_accuracy
    from hanalyze.cli.exits import Problems
    from hanalyze.logs.files import read
    from hanalyze.replaying import replay_many

    problems = Problems()
    records = (one for one in read([path], on_error=problems.add) if any(map(any, one.notes)))
    games = replay_many(records, on_error=lambda _, error: problems.add(error), measured=False)
    return {"note_accuracy": note_accuracy(games)}, problems


def _write_page(database: str, path: str) -> None:
    from hanalyze.lazy import needed
    from hanalyze.output import check_target, write_bytes
    from hanalyze.report.dashboard.research import research_page
    from hanalyze.store import connect

    check_target(path)
    needed("jinja2")
    with connect(database, read_only=True, files_in=()) as db:
        page = research_page(db)
    write_bytes(page.encode("utf-8", "backslashreplace"), path)


def _means(frames: dict[str, pl.DataFrame]) -> dict[str, float | None]:
    from hanalyze.analysis.research import cross_play_means

    return cross_play_means(frames["cross_play"]) if "cross_play" in frames else {}


def _show_json(frames: dict[str, pl.DataFrame]) -> None:
    from hanalyze.cli.screen import show_json

    found: dict[str, Any] = {name: frame.to_dicts() for name, frame in frames.items()}
    if "cross_play" in frames:
        found["cross_play_means"] = _means(frames)
    show_json(found)


def _show_tables(frames: dict[str, pl.DataFrame]) -> None:
    for name, frame in frames.items():
        _show(name, frame, alone=len(frames) == 1)
    means = _means(frames)
    said = [
        f"{name.replace('_', '-')} {means[name]:.2f} ({plural(means[f'{name}_pairs'] or 0, 'pair')})"
        for name in _MEANS
        if means.get(name) is not None
    ]
    if said:
        typer.echo("mean over pairs: " + ", ".join(said))


_MEANS: Final = ("self_play", "cross_play")
_TITLES: Final = {
    "research_scores": "Scores: strict (a game lost by strikes counts 0) and kept; SEM with ddof 1",
    "research_players": "Players",
    "hint_response": "After a hint, the receiver's next turn; response: plays or discards a card it was the"
    " first to touch",
    "action_diversity": "Entropy of actions and of the next player's responses; coordination: their mutual"
    " information, in bits",
    "dominated_moves": "Dominated moves: another move was sure to be better, by the cards alone; dominant:"
    " sure plays that were taken",
    "action_information": "Mutual information of consecutive actions",
    "action_matrix": "Which action follows which, the most frequent pairs"
    " (P1: play slot 1, D: discard, C2+1: second colour to the next player, R5+1: rank 5)",
    "cross_play": "Cross-play: mean scores of agents at the first and second seat, two players; an agent"
    " with itself is self-play",
    "misreadings": "Cards that messages let their holder read wrongly, by pair and first such move",
    "note_accuracy": "Players' notes on their own cards against the truth, and against what logic allowed",
}
_NONE: Final = {
    "cross_play": "no games of two players whose log names them",
    "misreadings": "no game was read for conventions: run `hanalyze conventions` on this database first",
    "note_accuracy": "no notes in these games",
}


def _show(name: str, frame: pl.DataFrame, *, alone: bool) -> None:
    """Print a table under its title; one without rows is left out, if it was not asked for alone."""
    from hanalyze.cli.frame_table import frame_table, readable

    if not frame.height:
        if alone:
            typer.echo(_NONE.get(name, "no such games"))
        return
    if name == "action_matrix":
        frame = frame.sort("pairs", descending=True, maintain_order=True)
    if name == "misreadings":
        frame = frame.sort("wrong", descending=True, maintain_order=True)
    typer.echo(_TITLES[name])
    typer.echo(frame_table(readable(frame.head(_ROWS), name), _ROWS), nl=False)
    if frame.height > _ROWS:
        typer.echo(f"... {frame.height - _ROWS:,} more rows; --json has all")
    typer.echo("")
