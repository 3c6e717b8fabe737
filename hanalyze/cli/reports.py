"""Print the reports of `hanalyze.analysis.reports`, or write them as CSV; shared by several commands."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final

import typer

from hanalyze.analysis.columns import FRAMES, GROUPS
from hanalyze.analysis.frame_column import SHARE
from hanalyze.analysis.reports import Report
from hanalyze.cli.exits import UsageError, say_written
from hanalyze.cli.frame_text import csv_bytes, frame_table, number, severities_in_words, small
from hanalyze.cli.parameters import one_of, option
from hanalyze.lazy import polars as pl
from hanalyze.output import check_target, write_bytes
from hanalyze.text import plural
from hanalyze.words import ENOUGH_CARDS, chance_in_words

_UNORDERED: Final = ("player", "partner", "variant", "edition", "team")
"""Groupings without a natural order, whose largest groups come first."""


def check_outputs(as_json: bool, csv: str | None, raw: bool) -> None:
    """Raise `UsageError` if output options contradict each other, and check the path of the CSV file."""
    if as_json and csv is not None:
        raise UsageError("--json and --csv exclude each other", "give one of them")
    if raw and csv is None:
        raise UsageError("--raw is for CSV", "give --csv PATH")
    if csv is not None:
        check_target(csv)


def what_option(reports: Mapping[str, Report], before: str = "", former: Container[str] = ()) -> Any:
    """Return the option `--what`, which accepts the names of reports, and `former` names.

    `before` precedes its help.
    """
    texts = (f"{name}: {one.subject}" if one.subject else name for name, one in reports.items())
    return option("WHAT", f"{before}{'; '.join(texts)}.", **one_of(reports, former))


def write_csv(frames: Iterable[pl.DataFrame], path: str, raw: bool) -> None:
    """Write one frame as CSV. Raises `UsageError` for several frames."""
    frame, *others = frames
    if others:
        raise UsageError("CSV holds one table", "choose one with --what, or use --json")
    write_bytes(csv_bytes(frame, raw=raw), path)
    say_written(plural(frame.height, "row"), path)


def print_report(
    report: Report,
    frame: pl.DataFrame,
    *,
    rows: int,
    by: str | None = None,
    games: int | None = None,
    minimum: int = 0,
    every: bool = False,
) -> None:
    """Print a report for people: its title, at most `rows` rows (0 for all), and its notes.

    A report with a short form has one row per group, unless `every` row is requested or there is only one
    group or kind.
    """
    count_text = [] if games is None else [plural(games, "game")]
    if frame.is_empty():
        typer.echo("\n".join([*count_text, report.empty or "no such games"]))
        return
    if report.title:
        typer.echo(report.title if isinstance(report.title, str) else report.title(frame))
    details = report.details(frame)
    visible = report.selected(frame)
    groups = frame.columns[: len(frame.columns) - len(FRAMES[report.frame])]
    several = bool(groups) and frame.select(groups).n_unique() > 1
    is_short = bool(report.short) and several and not every and frame["kind"].n_unique() > 1
    if report.rated and not is_short:
        visible = visible.filter(pl.any_horizontal(pl.col(report.rated).is_not_null()))
        if few := frame.height - visible.height:
            left_out = f"{plural(few, 'row')} with fewer than {minimum} {report.unit} left out (--min)"
            count_text = [f"{count_text[0]}; {left_out}"]
    if by in _UNORDERED and "games" in visible.columns:
        size = pl.col("games").max().over(groups)
        visible = visible.sort(size, *groups, descending=[True] + [False] * len(groups), maintain_order=True)
    if report.columns:
        visible = with_ends(visible, [*groups, *report.columns])
    if visible.height:
        table = kinds_of_groups(visible, groups) if is_short else _cells(report.frame, visible)
        typer.echo(frame_table(table, rows, _WHOLE))
    notes = (report.short if is_short else report.note, details) if visible.height else ()
    if lines := [*count_text, *filter(None, notes)]:
        typer.echo("\n".join(lines))


_COSTLIEST: Final = 3  # number of kinds of mistakes that a cell of the short form lists
_CLEAR: Final = 0.05  # largest q-value at which the short form lists a kind as different
_WHOLE: Final = ("costliest", "higher", "lower")  # columns of the short form whose cells are not cut


def kinds_of_groups(frame: pl.DataFrame, groups: Sequence[str]) -> pl.DataFrame:
    """Return the short form of `rates`: a row per group with its mistakes, points and costliest kinds.

    `higher` and `lower` name kinds whose rate differs clearly from that of all other groups.

    >>> import polars as pl
    >>> rows = [("Ann", "misplay", 4, 9, 8, 5, 0.5, 0.01), ("Ann", "call_missed", 1, 9, 9, 0, 0.1, 0.9)]
    >>> rows += [("Bob", "misplay", 0, 9, 9, 0, 0.0, 0.01)]
    >>> names = ["player", "kind", "found", "opportunities", "games", "points", "rate", "q_value"]
    >>> for row in kinds_of_groups(pl.DataFrame(rows, names, orient="row"), ["player"]).rows():
    ...     print(row)
    ('Ann', 9, 5, 0.56, 5, 'misplay 5 (4), call_missed 0 (1)', 'misplay', '')
    ('Bob', 9, 0, 0.0, 0, '', '', 'misplay')
    """
    found, possible = pl.col("found"), pl.col("opportunities")
    others = (found.sum().over("kind") - found) / (possible.sum().over("kind") - possible)
    clear = pl.col("q_value") <= _CLEAR
    marked = frame.with_columns(
        costliest=pl.when(found > 0).then(pl.format("{} {} ({})", "kind", "points", "found")),
        higher=pl.when(clear & (pl.col("rate") > others)).then("kind"),
        lower=pl.when(clear & (pl.col("rate") < others)).then("kind"),
    )
    ordered = marked.sort("points", "found", descending=True, maintain_order=True)
    sums = ordered.group_by(groups).agg(
        pl.col("games").max(),
        found.sum().alias("mistakes"),
        (found.sum() / pl.col("games").max()).round(2).alias("per game"),
        pl.col("points").sum(),
        pl.col("costliest").drop_nulls().head(_COSTLIEST).str.join(", "),
        *(_first(pl.col(name).drop_nulls()).alias(name) for name in ("higher", "lower")),
    )
    by_group = frame.select(groups).unique(maintain_order=True)
    short = by_group.join(sums, on=groups, how="left", nulls_equal=True, maintain_order="left")
    unused = [name for name in ("higher", "lower") if not short[name].str.len_bytes().sum()]
    return readable(by_group, "rates").hstack(short.drop(*groups, *unused))


def _first(kinds: pl.Expr) -> pl.Expr:
    """Return the first kinds of a group as a text, with the number of the others."""
    others = kinds.len().cast(pl.Int64) - _COSTLIEST
    rest = pl.when(others > 0).then(pl.format(" and {} more", others)).otherwise(pl.lit(""))
    return pl.concat_str(kinds.head(_COSTLIEST).str.join(", "), rest)


def _cells(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the printed table of a frame; `name` is its name in `FRAMES`."""
    if name == "calibration":
        groups = frame.columns[: frame.columns.index("question")]
        return pl.DataFrame([_calibration_row(row, groups) for row in frame.iter_rows(named=True)])
    return measure_table(frame) if name == "same_deal" else readable(frame, name)


def readable(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return a frame of `hanalyze.analysis` for people; `name` is its name in `hanalyze.analysis.FRAMES`.

    Each rate shares a column with its interval. Shares are in per cent, severities in words; turns, seats and
    suits count from 1, as on pages. p-values, end conditions that no game has, and, if empty, the
    columns of shrunken values and of the q-values of rates are left out.
    """
    declared = GROUPS | {column.name: column for column in FRAMES[name]}
    columns = []
    for counted in severities_in_words(frame).get_columns():
        series = _from_one(counted) if counted.name in ("turn", "seat", "suit") else counted
        column = declared[series.name]
        share = column.unit == SHARE
        unused = series.name.startswith("ended_") and not series.sum()
        optional = series.name == "shrunk" or (series.name, name) == ("q_value", "rates")
        unused |= optional and series.null_count() == series.len()
        if column.is_end or unused or series.name == "p_value":
            continue
        if column.ends in frame.columns:
            ends = (frame[column.ends], frame[column.ends.removesuffix("low") + "high"])
            texts = [_interval(*values, share) for values in zip(series, *ends, strict=True)]
        elif series.name == "q_value":
            texts = [small(value) for value in series]
        elif share:
            texts = [_interval(value, None, None, share) for value in series]
        else:
            columns.append((series.round(3) if series.dtype.is_float() else series).alias(column.heading))
            continue
        columns.append(pl.Series(column.heading, texts, pl.String))
    return pl.DataFrame(columns)


def with_ends(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return some columns of a frame and the ends of their intervals, in the frame's order.

    >>> import polars as pl
    >>> with_ends(pl.DataFrame({"a": [1], "a_low": [0], "b": [2], "c": [3]}), ["c", "a"]).columns
    ['a', 'a_low', 'c']
    """
    return frame.select(
        name for name in frame.columns if name.removesuffix("_low").removesuffix("_high") in names
    )


def _from_one(numbers: pl.Series) -> pl.Series:
    """Convert numbers, or bands of turns, from 0-based to 1-based.

    >>> import polars as pl
    >>> _from_one(pl.Series([0, 7])).to_list(), _from_one(pl.Series(["0-9"])).to_list()
    ([1, 8], ['1-10'])
    """
    if numbers.dtype.is_integer():
        return numbers + 1
    bands = ("-".join(str(int(turn) + 1) for turn in band.split("-")) for band in numbers)
    return pl.Series(numbers.name, list(bands), pl.String)


def _interval(rate: float | None, low: float | None, high: float | None, share: bool) -> str:
    """Return a rate as text, followed by its interval if it has one.

    >>> _interval(0.1234, 0.1, 0.15, True), _interval(1.5, None, None, False)
    ('12.3% [10.0-15.0]', '1.50')
    >>> _interval(-0.5, -0.75, -0.25, False)
    '-0.50 [-0.75 to -0.25]'
    """
    if rate is None:
        return ""
    text = number(rate, share) + "%" * share
    if low is None or high is None:
        return text
    to = " to " if low < 0 else "-"
    return f"{text} [{number(low, share, rate)}{to}{number(high, share, rate)}]"


def measure_table(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the printed table of measures of two groups: shares in per cent, differences with intervals."""
    rows = []
    for row in frame.iter_rows(named=True):
        share = row["unit"] in ("", "of full score")
        unit = f"% {row['unit']}".rstrip() if share else row["unit"]
        texts = {"measure": row["measure"], "unit": unit}
        texts |= {name: number(row[name], share) for name in ("a", "b", "difference")}
        if row["low"] is not None:
            low, high = (number(row[name], share, row["difference"]) for name in ("low", "high"))
            texts["difference"] += f" [{low} to {high}]"
        if "q_value" in row:
            texts |= {"q": small(row["q_value"]), "unmatched": number(row["unmatched"], share)}
        else:
            texts |= {name.replace("_", " "): row[name] for name in ("a_higher", "b_higher", "deals")}
        rows.append(texts)
    return pl.DataFrame(rows)


def _calibration_row(row: dict[str, Any], groups: list[str]) -> dict[str, Any]:
    """Return a row of the printed table of `hanalyze.analysis.calibration`: group columns, then texts."""
    everything = row["tenth"] is None
    chances = {
        "card counting": ("said_cards", "cards"),
        "by the model": ("said_state", "fitted"),
        "by the act": ("said_act", "fitted"),
    }
    losses = [row[name] for name in ("loss_cards", "loss_state", "loss_act")]
    return {
        **{name: row[name] for name in groups},
        "question": row["question"].replace("_", " ") if everything else "",
        "said": "all" if everything else f"{10 * row['tenth']}-{10 * row['tenth'] + 9}%",
        "cards": row["cards"],
        **{
            heading: "" if row[name] is None else chance_in_words(row[name], row[cards])
            for heading, (name, cards) in chances.items()
        },
        "was": _share_with_error(row),
        "training cards": row["fitted"],
        "log loss": " / ".join(f"{loss:.3f}" for loss in losses if loss is not None),
    }


def _share_with_error(row: dict[str, Any]) -> str:
    """Return the observed share with its standard error, or counts for few cards.

    >>> _share_with_error({"was": 0.25, "standard_error": 0.021, "cards": 400})
    '25% ± 2.1'
    >>> _share_with_error({"was": 0.25, "standard_error": 0.21, "cards": 4})
    '1 of 4'
    """
    if row["cards"] < ENOUGH_CARDS:
        return f"{row['was'] * row['cards']:.0f} of {row['cards']}"
    return f"{100 * row['was']:.{1 if row['was'] < 0.1 else 0}f}% ± {100 * row['standard_error']:.1f}"
