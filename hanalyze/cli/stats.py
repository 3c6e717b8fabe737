"""`hanalyze stats` and `research`: statistics of many games, and metrics from Hanabi papers."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from hanalyze import analysis
from hanalyze.analysis.calibration import MOST_GAMES
from hanalyze.analysis.reports import RESEARCH_REPORTS, STATS_REPORTS, Report
from hanalyze.cli.exits import Problems, UsageError, say_written
from hanalyze.cli.options import DB, Csv, Definitions, JsonRows, Kinds, MemoryLimit, Minimum, Raw, Rows
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.cli.reports import check_outputs, print_report, what_option, write_csv
from hanalyze.cli.screen import show_json
from hanalyze.lazy import needed, polars as pl
from hanalyze.output import check_target, write_text
from hanalyze.store import connect
from hanalyze.text import plural, printable_json

_FORMER = {"losses": "points-short", "lost": "hindsight-losses", "tokens": "wasted-tokens"}
"""Former names of reports."""


@examples(
    "hanalyze stats games.duckdb",
    "hanalyze stats games.duckdb --by players",
    "hanalyze stats games.duckdb --by player --what mistakes --kind discard --min 100",
    "hanalyze stats games.duckdb --what clues --by phase,player --json",
    "hanalyze stats games.duckdb --what calibration --games 0",
    "hanalyze stats games.duckdb --what luck --by player",
    "hanalyze stats games.duckdb --what hindsight-losses --by players",
    "hanalyze stats games.duckdb --what effects",
    "hanalyze stats games.duckdb --what conventions --by receiver",
)
def stats(
    database: DB,
    by: Annotated[
        str | None, option("GROUP", "Group by one of the columns below (default: all games together).")
    ] = None,
    what: Annotated[str, what_option(STATS_REPORTS, former=_FORMER)] = "overview",
    kind: Kinds = None,
    minimum: Minimum = 30,
    judged: Annotated[
        int | None,
        option("N", "calibration: judge N random games (default: 2000; 0: all).", "--games", min=0),
    ] = None,
    folder: Definitions = None,
    show_all: Annotated[bool, flag("--all", "For mistakes: each kind of each group, with its rate.")] = False,
    rows: Rows = 100,
    as_json: JsonRows = False,
    csv: Csv = None,
    raw: Raw = False,
    memory_limit: MemoryLimit = None,
) -> None:
    """Show statistics of many games: scores, rates of mistakes, efficiency, each with its interval.

    Rates count only decisions with several sensible choices. Groups with fewer opportunities than --min have
    no rate. JSON and CSV have all columns and all groups.

    Groups, where --what allows them: player, partner, before and after (who acts before or after the player),
    seat, team, players, variant, family (of variants), edition, date, month, year, turn, rank, suit, phase,
    score, severity, kind (of clue), receiver (of conventions). Scores, mistakes, clues and cards also take
    two groups: --by player,phase.
    """
    if kind and what == "overview":
        what = "mistakes"
    if kind and what != "mistakes":
        raise UsageError("--kind is for mistakes", "give --what mistakes")
    if judged is not None and what != "calibration":
        raise UsageError("--games is for calibration", "give --what calibration")
    check_outputs(as_json, csv, raw)
    report = STATS_REPORTS[_FORMER.get(what, what)]
    most = MOST_GAMES if judged is None else judged or None
    with connect(database, read_only=True, files_in=(), memory_limit=memory_limit) as db:
        games = db.count("games")
        frame = report.make(db, *(kind or ()), by=by, minimum=minimum, folder=folder, most=most)
    if as_json:
        write_text(printable_json(frame.write_ndjson()), "-")
    elif csv is not None:
        write_csv([frame], csv, raw)
    else:
        print_report(report, frame, rows=rows, by=by, games=games, minimum=minimum, every=show_all)
        if what == "calibration" and most is not None and games > most:
            typer.echo(f"judged: {most:,} games drawn at random; --games 0 judges all")


Frames = list[tuple[Report, pl.DataFrame]]


@examples(
    "hanalyze research games.duckdb",
    "hanalyze research games.duckdb --what dominated --what hints",
    "hanalyze research games.duckdb --html research.html",
    "hanalyze research games.jsonl --what notes",
    "hanalyze research games.duckdb --json",
    "hanalyze research games.duckdb --what players --csv players.csv",
)
def research(
    database: Annotated[
        str, argument("DB", "A database made by `hanalyze ingest`; for --what notes, a log or log folder.")
    ],
    what: Annotated[list[str] | None, what_option(RESEARCH_REPORTS, "Only this table, repeatable: ")] = None,
    html: Annotated[str | None, option("PATH", "Write a page with scores and heat maps instead.")] = None,
    rows: Rows = 20,
    as_json: Annotated[bool, flag("--json", "Print one JSON object with all rows of all tables.")] = False,
    csv: Csv = None,
    raw: Raw = False,
) -> None:
    """Show metrics from Hanabi papers.

    Scores with and without the points of lost games, communicativeness, information per play, risk aversion,
    knowledge at play, critical discards, hint response, diversity and coordination, dominated moves, pairs of
    consecutive actions and their mutual information, cross-play of agents (identified by player names),
    misread cards, and players' notes. The docstrings of `hz.analysis.research_players` and similar functions
    give the sources.
    """
    names = list(dict.fromkeys(what or [name for name in RESEARCH_REPORTS if name != "notes"]))
    if "notes" in names and len(names) > 1:
        raise UsageError("--what notes needs logs, other tables a database", "give --what notes alone")
    if html is not None and (as_json or what or csv is not None):
        raise UsageError("--html writes a page instead of tables", "give it without --json, --csv and --what")
    check_outputs(as_json, csv, raw)
    if html is not None:
        _write_page(database, html)
        return
    problems = Problems()
    if names == ["notes"]:
        frames = _notes(database, problems)
    else:
        with connect(database, read_only=True, files_in=()) as db:
            frames = [(RESEARCH_REPORTS[name], RESEARCH_REPORTS[name].make(db)) for name in names]
    if as_json:
        _print_json(frames)
    elif csv is not None:
        write_csv([frame for _, frame in frames], csv, raw)
    else:
        _print_tables(frames, rows)
    raise typer.Exit(problems.code)


def _notes(path: str, problems: Problems) -> Frames:
    """Return the report on players' notes in logs; add errors of reading and dealing to `problems`."""
    from hanalyze.logs.files import read  # slow to import, and not needed for databases
    from hanalyze.replaying import replay_many

    records = (record for record in read([path], on_error=problems.add) if any(map(any, record.notes)))
    games = replay_many(records, on_error=lambda _, error: problems.add(error), measured=False)
    return [(RESEARCH_REPORTS["notes"], analysis.note_accuracy(games))]


def _write_page(database: str, path: str) -> None:
    from hanalyze.report.dashboard.research import research_page  # slow to import

    check_target(path)
    needed("jinja2")
    with connect(database, read_only=True, files_in=()) as db:
        page = research_page(db)
        games = plural(db.count("games"), "game")
    write_text(page, path)
    say_written(f"page of {games}", path)


def _cross_play_means(frames: Frames) -> dict[str, float | None] | None:
    from hanalyze.analysis.research import cross_play_means  # slow to import

    return next((cross_play_means(frame) for report, frame in frames if report.frame == "cross_play"), None)


def _print_json(frames: Frames) -> None:
    tables: dict[str, Any] = {report.frame: frame.to_dicts() for report, frame in frames}
    if (means := _cross_play_means(frames)) is not None:
        tables["cross_play_means"] = means
    show_json(tables)


def _print_tables(frames: Frames, rows: int) -> None:
    """Print the tables; skip empty ones unless there is only one table."""
    for report, frame in frames:
        if frame.height or len(frames) == 1:
            print_report(report, frame, rows=rows)
    means = _cross_play_means(frames) or {}
    parts = [
        f"{name.replace('_', '-')} {means[name]:.2f} ({plural(means[f'{name}_pairs'] or 0, 'pair')})"
        for name in ("self_play", "cross_play")
        if means.get(name) is not None
    ]
    if parts:
        typer.echo("mean over pairs: " + ", ".join(parts))
