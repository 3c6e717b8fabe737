"""`hanalyze stats`: many games in numbers, by any group.

In: a database. Out: a table with intervals, or the same rows as JSON or CSV.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.cli.csv_cells import RAW, csv_bytes

if TYPE_CHECKING:
    import polars as pl

    from hanalyze.store import Database

__all__ = ["EXAMPLES", "What", "readable", "show", "stats"]

EXAMPLES: Final = """\b
Examples:
  hanalyze stats games.duckdb
  hanalyze stats games.duckdb --by players
  hanalyze stats games.duckdb --by player --what mistakes --kind discard --min 100
  hanalyze stats games.duckdb --what clues --by phase --json
"""


class What(StrEnum):
    """What the numbers are about."""

    OVERVIEW = "overview"
    MISTAKES = "mistakes"
    CLUES = "clues"
    TOKENS = "tokens"
    CARDS = "cards"
    CURVE = "curve"
    SCORES = "scores"
    LOSSES = "losses"
    SYSTEMS = "systems"


def stats(
    database: Annotated[str, typer.Argument(metavar="DB", help="The database.")],
    by: Annotated[
        str | None,
        typer.Option(
            metavar="GROUP",
            help="Group by player, partner, seat, players, variant, edition, turn, rank, suit, phase, score,"
            " severity or kind (of clue), where --what allows it; without it, all games together.",
        ),
    ] = None,
    what: Annotated[
        What,
        typer.Option(
            help="Scores and mistakes in short; each kind of mistake; what clues brought in; tokens that"
            " mistakes cost; where played cards came from; efficiency by turn; scores; where points went; a"
            " guess of the system of conventions (also by game and source)."
        ),
    ] = What.OVERVIEW,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND", help="Only this kind of mistake, or family: discard, play, clue; repeatable."
        ),
    ] = None,
    minimum: Annotated[
        int,
        typer.Option(
            "--min", metavar="N", min=1, help="Show a rate only if there are N opportunities (clues, cards)."
        ),
    ] = 30,
    folder: Annotated[
        str | None,
        typer.Option(
            "--mistakes",
            metavar="DIR",
            help="A folder with more definitions of mistakes (.sql), which can only query the database.",
        ),
    ] = None,
    rows: Annotated[int, typer.Option(metavar="N", min=0, help="Rows to show of a table; 0 for all.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object per row, one per line.")] = False,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="PATH", help="Write CSV to this file; - for output.")
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help=RAW)] = False,
) -> None:
    """Show statistics of many games: scores, rates of mistakes, efficiency, each with its interval.

    Rates count only decisions with several sensible choices. Groups with fewer opportunities than --min have
    no rate. JSON and CSV have all columns and all groups.
    """
    from hanalyze.errors import HanalyzeError
    from hanalyze.output import write_bytes
    from hanalyze.store import connect
    from hanalyze.text import printable_json

    if kind and what == What.OVERVIEW:
        what = What.MISTAKES
    if kind and what != What.MISTAKES:
        raise HanalyzeError("--kind is for mistakes", rule="usage", advice="give --what mistakes")
    if as_json and csv is not None:
        raise HanalyzeError("--json and --csv are two ways to write", rule="usage", advice="give one of them")
    if raw and csv is None:
        raise HanalyzeError("--raw is for CSV", rule="usage", advice="give --csv PATH")
    with connect(database, read_only=True, files_in=()) as db:
        games = db.sql("SELECT count(*) FROM games").item()
        frame = _asked(db, what, by, kind or [], minimum, folder)
    if as_json:
        write_bytes(printable_json(frame.write_ndjson()).encode(), "-")
    elif csv is not None:
        write_bytes(csv_bytes(frame, raw=raw), csv)
    else:
        show(frame, what, by, games, minimum, rows)


def _asked(
    db: Database, what: What, by: str | None, kinds: list[str], minimum: int, folder: str | None
) -> pl.DataFrame:
    """Return what was asked for."""
    from hanalyze import analysis

    if what == What.MISTAKES:
        words = [kind.replace("-", "_") for kind in kinds]
        return analysis.rates(db, *words, by=by, minimum=minimum, folder=folder)
    if what == What.CLUES:
        return analysis.clue_values(db, by, minimum=minimum)
    if what == What.CARDS:
        return analysis.card_origins(db, by, minimum=minimum)
    if what == What.TOKENS:
        return analysis.wasted_tokens(db, by, folder=folder)
    if what == What.CURVE:
        return analysis.efficiency_curve(db, by)
    if what == What.SCORES:
        return analysis.scores(db, by)
    if what == What.LOSSES:
        return analysis.losses(db, by, folder=folder)
    if what == What.SYSTEMS:
        return analysis.system_guess(db, by)
    return analysis.overview(db, by, minimum=minimum, folder=folder)


_LOW: Final = {"rate": "low", "per_game": "low"}
"""The column with an interval's lower end, where it is not the rate's name with `_low`."""

_SHARES: Final = {
    "rate",
    "taken",
    "null_success",
    "read",
    "success",
    "perfect",
    "discard",
    "play",
    "clue",
    "saves",
    "bad_touch",
    "blind",
    "known",
    "once",
    "more",
    "oldest",
    "leftmost",
    "focus",
    "only_trash",
    "trusted",
    "right",
    "called",
}
"""Columns that are shown in per cent."""

_HEADS: Final = {
    "mean": "mean score",
    "discard": "discard mistakes",
    "play": "play mistakes",
    "clue": "clue mistakes",
    "q_value": "q",
    "gotten": "cards gotten",
    "followed": "plays followed",
    "bad_touch": "bad touch",
    "per_game": "per game",
    "per_100": "per 100",
    "null_cautious": "null",
    "cards_more": "more",
    "points_without": "points without",
}

_NAMED: Final = ("player", "partner", "variant", "edition")
"""Groups without an order of their own: the largest come first."""


def show(frame: pl.DataFrame, what: What, by: str | None, games: int, minimum: int, rows: int) -> None:
    """Print a frame of numbers for people, and what they are."""
    import polars as pl

    from hanalyze.cli.frame_table import frame_table

    known = {
        What.OVERVIEW: ("discard", "play", "clue"),
        What.MISTAKES: ("rate",),
        What.CLUES: ("gotten",),
        What.CARDS: ("blind",),
    }.get(what, ())
    few = 0
    if known:
        shown = frame.filter(pl.any_horizontal(pl.col(known).is_not_null()))
        few, frame = frame.height - shown.height, shown
    if by in _NAMED and "games" in frame.columns:
        groups = ["player", "partner"] if by == "partner" else [by]
        size = pl.col("games").max().over(groups)
        frame = frame.sort(size, *groups, descending=[True, *(False for _ in groups)], maintain_order=True)
    table = readable(frame)
    if table.height:
        typer.echo(frame_table(table, rows or table.height))
    typer.echo(f"{games:,} game{'' if games == 1 else 's'}" + _left_out(few, minimum, what))
    typer.echo(_EXPLAINED[what])
    if what not in (What.CURVE, What.SYSTEMS):
        typer.echo(_INTERVAL + (_WILSON if "perfect" in frame.columns else ""))


def _left_out(few: int, minimum: int, what: What) -> str:
    if not few:
        return ""
    of = {What.CLUES: "clues", What.CARDS: "cards"}.get(what, "opportunities")
    return f"; {few:,} row{'' if few == 1 else 's'} with fewer than {minimum} {of} left out (--min)"


_EXPLAINED: Final = {
    What.OVERVIEW: "mistakes: share of the decisions in which one could be made",
    What.MISTAKES: "rate: found of the opportunities; q: chance of such a difference to all others by luck,"
    " adjusted for the number of rows",
    What.CLUES: "per clue; saves: share of the clues; bad touch: share of the touched cards",
    What.TOKENS: "clue tokens that mistakes cost, per game; any: each decision once",
    What.CARDS: "of the cards played: never clued (and of these known all the same), clued once, and more",
    What.CURVE: "cards per clue over the games that had the turn: gotten so far, and needed from there on",
    What.SCORES: "points, and how games ended",
    What.LOSSES: "points per game; forfeited: lost with the game; unplayed: still possible at its end",
    What.SYSTEMS: "a guess from what was done; margin: by how much its weakest ground is beyond a threshold\n"
    "oldest, leftmost: of the discards of cards never clued; focus: clues about a card to play or to save\n"
    "trusted: plays not known to be right; right, odds: how many were, and would be by luck; blind, called:"
    " of cards never clued, and after a clue",
}
_INTERVAL: Final = "[in brackets]: 95 % interval, games resampled (cluster bootstrap)"
_WILSON: Final = "; of perfect games Wilson's"


def readable(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame for people: each rate and its interval in one column, shares in per cent."""
    import polars as pl

    ends = {low for name in frame.columns if (low := _LOW.get(name, f"{name}_low")) in frame.columns}
    ends |= {end.removesuffix("low") + "high" for end in ends}
    columns = []
    for name in frame.columns:
        if name in ends or name == "p_value":
            continue
        column = frame[name]
        low = _LOW.get(name, f"{name}_low")
        share = name in _SHARES or name.startswith("ended_")
        if name.startswith("ended_") and not column.sum():
            continue
        head = _HEADS.get(name, name.replace("_", " "))
        if low in frame.columns:
            high = low.removesuffix("low") + "high"
            values = zip(column, frame[low], frame[high], strict=True)
            column = pl.Series(head, [_interval(*value, share) for value in values], pl.String)
        elif name == "q_value":
            column = pl.Series(head, [_small(value) for value in column], pl.String)
        elif share:
            column = pl.Series(head, [_number(value, True) for value in column], pl.String)
        elif column.dtype.is_float():
            column = column.round(3).alias(head)
        columns.append(column.alias(head))
    return pl.DataFrame(columns)


def _number(value: float | None, share: bool) -> str:
    """Return a number, or a share in per cent with a digit more where it is small.

    >>> _number(0.1234, True), _number(0.00123, True), _number(1.5, False)
    ('12.3%', '0.12%', '1.50')
    """
    if value is None:
        return ""
    return f"{100 * value:.{_digits(value)}f}%" if share else f"{value:.2f}"


def _digits(share: float) -> int:
    return 1 if share >= 0.01 else 2


def _interval(rate: float | None, low: float | None, high: float | None, share: bool) -> str:
    """Return a rate with its interval.

    >>> _interval(0.1234, 0.1, 0.15, True)
    '12.3% [10.0-15.0]'
    """
    if rate is None or low is None or high is None:
        return _number(rate, share)
    scale, digits = (100, _digits(rate)) if share else (1, 2)
    return f"{_number(rate, share)} [{scale * low:.{digits}f}-{scale * high:.{digits}f}]"


def _small(value: Any) -> str:
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"
