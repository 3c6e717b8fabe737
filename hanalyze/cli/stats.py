"""`hanalyze stats`, `research` and `compare`: statistics, metrics from papers, and comparisons of games."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from typing import Annotated, Any, TypeAlias

import typer

from hanalyze import analysis
from hanalyze.analysis import Comparison
from hanalyze.analysis.calibration import MOST_GAMES
from hanalyze.analysis.reports import RESEARCH_REPORTS, SAME_DEAL_REPORTS, STATS_REPORTS, Report
from hanalyze.analysis.same_deal import SAME_DEAL
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES, FEWEST_MIXED
from hanalyze.analysis.statistics.multiplicity import Q_MEANS
from hanalyze.cli.exits import Problems, UsageError
from hanalyze.cli.frame_text import frame_table
from hanalyze.cli.inputs import complain_of_different_judging, complain_of_unread
from hanalyze.cli.options import DB, Csv, Definitions, JsonRows, Kinds, MemoryLimit, Minimum, Raw, Rows
from hanalyze.cli.parameters import argument, examples, flag, option
from hanalyze.cli.reports import (
    check_outputs,
    measure_table,
    print_report,
    readable,
    what_option,
    with_ends,
    write_csv,
)
from hanalyze.cli.screen import show_json
from hanalyze.lazy import needed, polars as pl
from hanalyze.output import check_target, write_text
from hanalyze.store import Database, connect
from hanalyze.text import plural, printable, printable_json, shorten

_FORMER = {"losses": "points-short", "lost": "hindsight-losses", "tokens": "wasted-tokens"}
"""Names of reports by their former names."""


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
        str | None, option("GROUP", "Group by one of the groups above (default: all games together).")
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

    Rates leave out most decisions with only one sensible choice (docs/mistakes.md). Groups with fewer
    opportunities than --min have no rate. JSON and CSV have all columns and all groups.

    Groups, where --what allows them: player, partner, before and after (who acts before or after the player),
    seat, team, players, variant, family (of variants), edition, date, month, year, turn, rank, suit, phase,
    score, severity, kind (of clue), level and receiver (of conventions), game (luck, systems), source
    (systems). Overview, mistakes, scores, points-short, hindsight-losses, clues and cards also take two
    groups: --by player,phase.
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
        if report is STATS_REPORTS["mistakes"] and not as_json and csv is None:
            complain_of_unread(db)
    if as_json:
        write_text(printable_json(frame.write_ndjson()), "-")
    elif csv is not None:
        write_csv([frame], csv, raw)
    else:
        print_report(report, frame, rows=rows, by=by, games=games, minimum=minimum, every=show_all)
        if what == "calibration" and most is not None and games > most:
            typer.echo(f"judged: {most:,} games drawn at random; --games 0 judges all")


Frames: TypeAlias = "list[tuple[Report, pl.DataFrame]]"  # a string, as Polars is slow to import


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
    if path != "-":
        typer.echo(f"{printable(path)}\n{games}")


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
    if len(frames) > 1 and not any(frame.height for _, frame in frames):
        typer.echo("no games")
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


_ROWS = 20  # maximum number of rows printed per table of `--same-deal`; JSON has all rows


@examples(
    "hanalyze compare ours.duckdb theirs.duckdb",
    'hanalyze compare games.duckdb --a "players=2" --b "players=3"',
    'hanalyze compare games.duckdb --a "player=Alice and players=3" --measure score --measure misplays',
    'hanalyze compare games.duckdb --a "player=Alice" --same-deal',
    "hanalyze compare games.duckdb --a edition=hle --b edition=hanab-live --match players,difficulty --json",
)
def compare(
    databases: Annotated[list[str], argument("DB [DB]", "Two databases, or one database and filters.")],
    where_a: Annotated[
        str | None,
        option("FILTER", "The first group, such as player=Alice,players=3,score>=20; | means or.", "--a"),
    ] = None,
    where_b: Annotated[
        str | None,
        option("FILTER", "The second group (default: all other games, or the second database).", "--b"),
    ] = None,
    match: Annotated[
        str | None,
        option(
            "WORDS",
            "Match games by players, variant, difficulty or deal; none: no matching (default:"
            " players,variant,difficulty, as far as the groups have any value in common).",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None, option("NAME", "Only this measure (such as score) or kind of mistake; repeatable.")
    ] = None,
    minimum: Annotated[
        int, option("N", "Compare only rates with N or more opportunities in both groups.", "--min", min=1)
    ] = 30,
    same_deal: Annotated[
        bool, flag("--same-deal", "Compare deal by deal, and rank each game among the games of its deal.")
    ] = False,
    folder: Definitions = None,
    as_json: Annotated[bool, flag("--json", "Print one JSON object: sentence, games, measures.")] = False,
    csv: Csv = None,
    raw: Raw = False,
) -> None:
    """Compare scores, mistakes and clues of two groups of games, with intervals of the differences.

    Games are matched with similar games (--match), so that both groups have the same mix of team sizes,
    variants and deals; --match difficulty matches identical deals, or else deals of similar difficulty. Games
    without a counterpart are counted and left out. Conditions of a filter, such as player=Alice,
    variant="No Variant", edition=hle or score>=20, are joined by commas or `and`.
    """
    check_outputs(as_json, csv, raw)
    if len(databases) > 2:
        raise UsageError(f"{len(databases)} databases were given", "give one or two")
    if len({os.path.realpath(path) for path in databases}) == 1:
        databases = databases[:1]  # DuckDB opens a file once
    if not same_deal and len(databases) == 1 and where_a is None and where_b is None:
        raise UsageError("nothing to compare with", "give another database, or a filter with --a")
    words = None if match is None else [word.strip() for word in match.split(",") if word.strip()]
    effects = None
    tables: dict[str, pl.DataFrame] = {}
    with ExitStack() as stack:
        dbs = [stack.enter_context(connect(path, read_only=True, files_in=())) for path in databases]
        complain_of_different_judging(dbs)
        if same_deal:
            tables = _same_deal(dbs, where_a, where_b, measure, folder)
        else:
            comparison = analysis.compare(
                dbs[0],
                dbs[-1],
                a=where_a,
                b=where_b,
                match=[] if words == ["none"] else words,
                measure=measure or None,
                minimum=minimum,
                folder=folder,
            )
            if comparison.note.conventions and len(dbs) == 1:
                effects = analysis.convention_effects(dbs[0], *comparison.note.conventions)
            tables["measures"] = comparison.frame
    if csv is not None:
        write_csv([*tables.values()][:1], csv, raw)
    elif as_json:
        rows = {name: frame.to_dicts() for name, frame in tables.items()}
        show_json(rows if same_deal else _about(comparison, effects) | rows)
    elif same_deal:
        for name, frame in tables.items():
            print_report(SAME_DEAL_REPORTS[name], frame, rows=_ROWS)
            typer.echo("")
    else:
        _print_comparison(comparison, minimum)
        _print_effects(comparison.note.caution, effects)


def _same_deal(
    dbs: list[Database], a: str | None, b: str | None, measure: Sequence[str] | None, folder: str | None
) -> dict[str, pl.DataFrame]:
    """Return the tables of `--same-deal` by name; `measures` needs two databases or a filter."""
    tables = {}
    if len(dbs) > 1 or a is not None or b is not None:
        tables["measures"] = analysis.same_deal(*dbs, a=a, b=b, measure=measure or SAME_DEAL, folder=folder)
    if len(dbs) == 1:
        tables["games"] = analysis.deal_results(dbs[0])
        tables["partings"] = analysis.partings(dbs[0], a=a, b=b)
    return tables


def _about(comparison: Comparison, effects: pl.DataFrame | None) -> dict[str, Any]:
    note = comparison.note
    about = {"headline": comparison.headline, **asdict(note), "caution": note.caution}
    return about if effects is None else {**about, "effects": effects.to_dicts()}


def _print_effects(caution: str | None, effects: pl.DataFrame | None) -> None:
    """Print the caution about filters by convention, if any, and the effect of the convention's clues."""
    if not caution:
        return
    typer.echo(f"\ncaution: {printable(caution)}")
    if effects is None or not effects["effect"].count():
        typer.echo("clue by clue: hanalyze stats DB --what effects")
        return
    typer.echo("clue by clue (hanalyze stats DB --what effects):")
    table = readable(with_ends(effects, STATS_REPORTS["effects"].columns), "convention_effects")
    typer.echo(frame_table(table), nl=False)


def _print_comparison(comparison: Comparison, minimum: int) -> None:
    note = comparison.note
    lines = [printable(comparison.headline), ""]
    for group, name, matched, games in zip("ab", note.names, note.matched, note.games, strict=True):
        counts = f"{plural(matched, 'game')} matched, {games - matched:,} left out"
        lines.append(f"{group}: {shorten(name)}, {counts}")
    lines.append(_matched(comparison))
    measures = comparison.frame.filter(pl.col("difference").is_not_null())
    if measures.height:
        lines += ["", frame_table(measure_table(measures))]  # a table ends with a line break
    if few := comparison.frame.height - measures.height:
        rates = plural(few, "measure")
        lines.append(f"{rates} with fewer than {minimum} opportunities in a group left out (--min)")
    if measures.height:
        lines += [
            "difference: a - b over the matched games; unmatched: the same over all games",
            Q_MEANS,
            f"[in brackets]: {100 * note.confidence:g}% interval, from the variation between whole games"
            " (means: Student's; shares: Newcombe; identical deals as pairs), adjusted for the number of"
            f" measures; it excludes 0 where q is at most {1 - note.confidence:.2g}",
        ]
    if measures["low"].null_count():
        lines.append(
            f"no interval: too few games (means need {FEWEST_GAMES} deals in each group, {FEWEST_MIXED} if"
            " struck-out games count; see the measures finished and strikeout), no variation between games,"
            " or the interval would exceed the possible range"
        )
    typer.echo("\n".join(lines))


def _matched(comparison: Comparison) -> str:
    note = comparison.note
    by = ", ".join(note.match) if note.match else "nothing"
    parts = [f"matched by {by}: {plural(note.strata, 'stratum', 'strata')}"]
    if note.deals:
        parts.append(f"{note.deals:,} of them identical deals")
    if note.lone_strata:
        parts.append(f"{note.lone_strata:,} with games of one group left out")
    if note.common:
        parts.append(f"{plural(note.common, 'game')} in both groups left out")
    return ", ".join(parts)
