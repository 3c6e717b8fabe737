"""`hanalyze stats`: statistics of many games, optionally grouped."""

from __future__ import annotations

from typing import Annotated

import typer

from hanalyze.analysis.calibration import MOST_GAMES
from hanalyze.analysis.reports import STATS_REPORTS
from hanalyze.cli.exits import UsageError
from hanalyze.cli.options import DB, Csv, Definitions, JsonRows, Kinds, MemoryLimit, Minimum, Raw, Rows
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.cli.reports import check_outputs, print_report, what_option, write_csv
from hanalyze.output import write_bytes
from hanalyze.store import connect
from hanalyze.text import printable_json

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
    show_all: Annotated[bool, flag("--all", "Of mistakes: each kind of each group, with its rate.")] = False,
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
    kinds = [one.replace("-", "_") for one in kind or []]
    most = MOST_GAMES if judged is None else judged or None
    with connect(database, read_only=True, files_in=(), memory_limit=memory_limit) as db:
        games = db.count("games")
        frame = report.make(db, *kinds, by=by, minimum=minimum, folder=folder, most=most)
    if as_json:
        write_bytes(printable_json(frame.write_ndjson()).encode(), "-")
    elif csv is not None:
        write_csv([frame], csv, raw)
    else:
        print_report(report, frame, rows=rows, by=by, games=games, minimum=minimum, every=show_all)
        if what == "calibration" and most is not None and games > most:
            typer.echo(f"judged: {most:,} games drawn at random; --games 0 judges all")
