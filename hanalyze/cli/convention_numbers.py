"""Output of `hanalyze conventions` for many games: uses, understanding and success of each convention."""

from __future__ import annotations

from typing import Final

import typer

from hanalyze.analysis import convention_coverage, convention_stats, detector_stats, system_guess
from hanalyze.analysis.reports import INTERVALS
from hanalyze.cli.frame_text import frame_table
from hanalyze.cli.reports import readable
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.text import printable_json

_ALWAYS: Final = ("uses", "per_100", "null_cautious", "null_success")
_UNLESS_ZERO: Final = ("taken", "read", "success", "cards", "played", "strikes")
"""Columns of the printed table; those of `_UNLESS_ZERO` have intervals and are omitted if all are 0."""

_NOTE: Final = (
    "per 100: uses per 100 actions; taken: share of the opportunities; read, success: shares of the settled"
    " uses; promised: cards newly touched, called or saved, per token; played: touched or called cards played"
    " within two rounds, per token; strikes: misplays per use; null: uses per 100 actions, and success, in"
    " games of agents that know no conventions; --json: all intervals"
)


def print_numbers(
    db: Database, names: list[str], *, by: str | None, minimum: int, only_h_group: bool, as_json: bool
) -> None:
    """Print the statistics of conventions (all, or these names) and of the user's detectors."""
    systems = system_guess(db, by="game") if only_h_group or not as_json else pl.DataFrame()
    games = None
    if only_h_group:
        # A game of an unknown system may follow the H-Group.
        may_be = pl.col("system").cast(pl.String).is_in(["h_group", "unknown"])
        games = systems.filter(may_be)["game_id"].to_list()
    frame = convention_stats(db, *names, by=by, games=games, minimum=minimum)
    detections = detector_stats(db, minimum=minimum)
    if as_json:
        for rows in (frame, detections):
            typer.echo(printable_json(rows.write_ndjson()), nl=False)
        return
    rated = frame.filter(pl.col("uses") >= minimum)
    table = readable(_columns(rated), "convention_stats")
    if table.height:
        typer.echo(frame_table(table), nl=False)
    if detections.height:
        typer.echo("\n" + frame_table(readable(detections, "detector_stats")))
    few = frame.height - rated.height
    left_out = f"; {few:,} rows with fewer than {minimum} uses left out (--min)" if few else ""
    typer.echo(_coverage(db) + left_out)
    typer.echo(f"{_NOTE}\n{INTERVALS}")
    if games is not None:
        others = db.count("games") - len(games)
        typer.echo(f"{others:,} games left out: guessed to follow another system, or none")
        return
    counts = systems["system"].value_counts(sort=True).rows()
    listed = ", ".join(f"{system} {count:,}" for system, count in counts)
    typer.echo(f"guessed system per game: {listed}; in games of other systems, findings are coincidence")


def _columns(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with the group columns and the columns of the printed table."""
    used = {name for name in _UNLESS_ZERO if frame[name].abs().sum()}
    columns = {*_ALWAYS, *used, *(f"{name}_{end}" for name in used for end in ("low", "high"))}
    groups = frame.columns[: frame.columns.index("uses")]
    return frame.select(name for name in frame.columns if name in columns or name in groups)


def _coverage(db: Database) -> str:
    """Describe how many games and actions were read, and the shares of unexplained and uncertain actions."""
    row = convention_coverage(db).row(0, named=True)
    text = f"{row['games']:,} games, {row['actions']:,} actions, read up to level {row['level']}"
    if row["actions"]:
        text += f"; {100 * row['unexplained']:.1f}% unexplained, {100 * row['uncertain']:.1f}% uncertain"
    return text
