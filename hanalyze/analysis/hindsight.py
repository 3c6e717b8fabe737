"""Points lost in hindsight, with all cards open, by cause, kind of move and phase."""

from __future__ import annotations

from typing import Final

from hanalyze.analysis.columns import schema, select_columns
from hanalyze.analysis.group_sums import Fraction, grouped_rows, kind_rows, ratio_columns
from hanalyze.analysis.grouping import BY_GAME, DECISIONS, PHASES, Groups, by_name
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES, FEWEST_MIXED, check_confidence
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.tables.solved import LOSS_CAUSES, LOSS_KINDS

HINDSIGHT_BY: Final = ("player", "partner", "seat", *BY_GAME, "score")

_PARTS: Final = (
    ("all", "all"),
    *(("cause", cause) for cause in LOSS_CAUSES),
    *(("kind", kind) for kind in LOSS_KINDS),
    *(("phase", phase) for phase in PHASES),
)
_STRIKES: Final = _PARTS.index(("cause", "strikes"))
_FEWEST: Final = tuple(
    FEWEST_MIXED if split in ("all", "phase") or part == "misplay" else FEWEST_GAMES for split, part in _PARTS
)
"""Minimum number of games for the interval of each part; higher if some losses come from last strikes."""


def hindsight_losses(db: Database, by: Groups = None, *, confidence: float = 0.95) -> pl.DataFrame:
    """Return the points that moves put out of reach, with all cards open, by cause, kind and phase.

    `by` is one of `HINDSIGHT_BY`, a list of two of them, or None. By player, partner and seat, a move counts
    for the player who made it, and the end of a game for nobody (seat null); otherwise all moves of a game
    count for its group. Unsolved games are left out; of partly solved games, only the points known to be lost
    count.

    The columns are those of the groups and of `FRAMES`. The points of the causes add up to the points of
    `all`, and so do the points of the kinds; the phases leave out points lost by ending the game. A part
    without a loss has no row, except `all`. Intervals of means are null for fewer than 20 games, or 200 for
    `all`, misplays and phases, which contain losses by last strikes (`FEWEST_MIXED`). Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     solved = db.solve()
    ...     frame = hindsight_losses(db)
    ...     frame["points"][0] == db.losses()["points"].sum()
    True
    """
    check_confidence(confidence)
    grouping = by_name(by, DECISIONS, HINDSIGHT_BY, two=True)
    numbers = range(len(_PARTS))
    if not db.sql("SELECT count(open_points) FROM solved_games").item():
        return pl.DataFrame(schema=schema("hindsight_losses", grouping.columns))
    db.prepare_decisions()
    sums = ", ".join(
        f"sum(l.points) FILTER ({_where(*part)}) AS p{number}, count(*) FILTER ({_where(*part)}) AS m{number}"
        for number, part in enumerate(_PARTS)
    )
    query = sql_text("hindsight_losses").format(
        by=grouping,
        sums=sums,
        totals="".join(f"coalesce(sum(d.{x}{n}), 0)::DOUBLE AS {x}{n}, " for n in numbers for x in "pm"),
        strikes=_STRIKES,
    )
    fractions = [
        *(Fraction(f"r.p{n}", share=False, fewest=_FEWEST[n]) for n in numbers),
        *(Fraction(f"r.p{n}", "1 - r._struck", share=False) for n in numbers),
        Fraction("r._struck"),
        Fraction("r._impossible", "r._decided"),
    ]
    with grouped_rows(db, query, grouping) as rows:
        *both, struck, impossible = rows.ratios(fractions, confidence=confidence)
        results, others = both[: len(_PARTS)], both[len(_PARTS) :]
        counts = ", ".join(f"sum(r.m{n})::BIGINT AS m{n}" for n in numbers)
        moves = rows.frame(f"avg(r._open) AS open, {counts}")
    of_games = [*ratio_columns("struck_out", struck), *ratio_columns("impossible", impossible), moves["open"]]
    empty = [pl.Series(column.name, [None] * len(column), pl.Float64) for column in of_games]
    columns = [
        [
            pl.Series("split", [split] * rows.groups.height, pl.String),
            pl.Series("games", result.games),
            moves[f"m{number}"].alias("moves"),
            pl.Series("points", result.found),
            *ratio_columns("per_game", result, ""),
            (pl.Series("share", result.found) / pl.Series(results[0].found)).fill_nan(None),
            *ratio_columns("finished", others[number]),
            *(empty if number else of_games),
        ]
        for number, ((split, _), result) in enumerate(zip(_PARTS, results, strict=True))
    ]
    frame = kind_rows(rows.groups, "part", [part for _, part in _PARTS], columns)
    frame = frame.filter((pl.col("_kind") == 0) | (pl.col("points") > 0))
    return select_columns(frame, "hindsight_losses", grouping.columns)


def _where(split: str, part: str) -> str:
    return {"all": "true", "phase": f"p.phase = '{part}'"}.get(split, f"l.{split} = '{part}'")
