"""`hanalyze research`: the metrics of the research literature.

In: a database. Out: tables of scores, players, consecutive actions and cross-play, or one JSON object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    import polars as pl

__all__ = ["EXAMPLES", "research"]

EXAMPLES: Final = """\b
Examples:
  hanalyze research games.duckdb
  hanalyze research games.duckdb --json
"""

_ROWS: Final = 20
"""Rows of a table that are shown; JSON has all."""


def research(
    database: Annotated[str, typer.Argument(metavar="DB", help="A database made by `hanalyze ingest`.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object with all rows of all tables.")
    ] = False,
) -> None:
    """Show the metrics by which research papers judge agents.

    Scores with and without the points of lost games, communicativeness, information per play, risk aversion,
    knowledge at play, critical discards, which action follows which and how much it tells, and cross-play of
    the agents that seats are named for. `hz.analysis.research_players` and its like explain each.
    """
    from hanalyze import analysis
    from hanalyze.analysis.research import cross_play_means
    from hanalyze.store import connect

    with connect(database, read_only=True, files_in=()) as db:
        frames = {
            "research_scores": analysis.research_scores(db),
            "research_players": analysis.research_players(db),
            "action_information": analysis.action_information(db),
            "action_matrix": analysis.action_matrix(db),
            "cross_play": analysis.cross_play(db),
        }
    means = cross_play_means(frames["cross_play"])
    if as_json:
        from hanalyze.cli.screen import show_json

        show_json({**{name: frame.to_dicts() for name, frame in frames.items()}, "cross_play_means": means})
        return
    for name, frame in frames.items():
        _show(name, frame)
    said = [f"{name.replace('_', '-')} {means[name]:.2f}" for name in _MEANS if means[name] is not None]
    if said:
        typer.echo("mean over pairs: " + ", ".join(said))


_MEANS: Final = ("self_play", "cross_play")
_TITLES: Final = {
    "research_scores": "Scores: strict (a game lost by strikes counts 0) and kept; SEM with ddof 1",
    "research_players": "Players",
    "action_information": "Mutual information of consecutive actions",
    "action_matrix": "Which action follows which, the most frequent pairs"
    " (P1: play slot 1, D: discard, C2+1: second colour to the next player, R5+1: rank 5)",
    "cross_play": "Cross-play: mean scores of the names at the first and the second seat, two players",
}


def _show(name: str, frame: pl.DataFrame) -> None:
    """Print a table under its title; one without rows is left out."""
    from hanalyze.cli.frame_table import frame_table, readable

    if not frame.height:
        return
    if name == "action_matrix":
        frame = frame.sort("pairs", descending=True, maintain_order=True)
    typer.echo(_TITLES[name])
    typer.echo(frame_table(readable(frame.head(_ROWS), name), _ROWS), nl=False)
    if frame.height > _ROWS:
        typer.echo(f"... {frame.height - _ROWS:,} more rows; --json has all")
    typer.echo("")
