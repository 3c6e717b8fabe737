"""`hanalyze compare --same-deal`: games of the same deal side by side.

In: one database or two, and filters. Out: what differs between two groups deal by deal, how each game did
among the games of its deal, and the turns at which games part; as tables or as one JSON object.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import typer

from hanalyze.lazy import polars as pl
from hanalyze.text import plural

_ROWS: Final = 20
"""Games and pairs that are shown; JSON has all."""


def show_same_deal(
    paths: Sequence[str],
    filters: tuple[str | None, str | None],
    measure: Sequence[str] | None,
    folder: str | None,
    as_json: bool,
) -> None:
    """Compare groups deal by deal and print what is found.

    Without a filter and with one database there are no groups: only games and pairs are shown.
    """
    from contextlib import ExitStack

    from hanalyze import analysis
    from hanalyze.analysis.same_deal import SAME_DEAL
    from hanalyze.store import connect

    a, b = filters
    frames: dict[str, pl.DataFrame] = {}
    with ExitStack() as stack:
        opened = [stack.enter_context(connect(path, read_only=True, files_in=())) for path in paths]
        if len(opened) > 1 or a is not None or b is not None:
            frames["measures"] = analysis.same_deal(
                *opened, a=a, b=b, measure=measure or SAME_DEAL, folder=folder
            )
        if len(opened) == 1:
            frames["games"] = analysis.deal_results(opened[0])
            frames["partings"] = analysis.partings(opened[0], a=a, b=b)
    if as_json:
        from hanalyze.cli.screen import show_json

        show_json({name: frame.to_dicts() for name, frame in frames.items()})
        return
    for place, (name, frame) in enumerate(frames.items()):
        if place:
            typer.echo("")
        _SHOW[name](frame)


def _show_measures(frame: pl.DataFrame) -> None:

    from hanalyze.cli.frame_table import frame_table, number

    rows: list[dict[str, Any]] = []
    for row in frame.iter_rows(named=True):
        share = row["unit"] in ("", "of full score")
        shown = {name: number(row[name], share) for name in ("a", "b", "difference")}
        if row["low"] is not None:
            shown["difference"] += f" [{number(row['low'], share)} to {number(row['high'], share)}]"
        unit = f"% {row['unit']}".rstrip() if share else row["unit"]
        rows.append(
            {"measure": row["measure"], "unit": unit, **shown}
            | {"a higher": row["a_higher"], "b higher": row["b_higher"], "deals": row["deals"]}
        )
    typer.echo(frame_table(pl.DataFrame(rows), len(rows)), nl=False)
    typer.echo(
        "difference: a - b, mean over the deals that both played; [in brackets]: 95% interval over deals"
        " (Student), none of fewer than 20 deals"
    )


def _show_games(frame: pl.DataFrame) -> None:

    from hanalyze.cli.frame_table import frame_table, readable

    shared = frame.filter(pl.col("games") > 1)
    deals = shared["deal"].n_unique()
    typer.echo(f"{plural(deals, 'deal')} played more than once, {plural(shared.height, 'game')} on them")
    if shared.height:
        typer.echo(frame_table(readable(shared.head(_ROWS), "deal_results"), _ROWS), nl=False)
        _say_more(shared)
        typer.echo("matchpoints: 2 for each game of the deal beaten, 1 for each tied")


def _show_partings(frame: pl.DataFrame) -> None:
    from hanalyze.cli.frame_table import frame_table, readable

    same = frame["turn"].null_count()
    typer.echo(f"{plural(frame.height, 'pair')} of games of one deal, {same:,} of them with the same actions")
    if frame.height:
        typer.echo(frame_table(readable(frame.head(_ROWS), "partings"), _ROWS), nl=False)
        _say_more(frame)
        typer.echo("turn: the first with different actions")


def _say_more(frame: pl.DataFrame) -> None:
    if frame.height > _ROWS:
        typer.echo(f"... {frame.height - _ROWS:,} more; --json has all")


_SHOW: Final = {"measures": _show_measures, "games": _show_games, "partings": _show_partings}
