"""`hanalyze compare`: two groups of games side by side.

In: two databases, or one and two filters. Out: a sentence that the interval supports, which games were
matched and left out, and a table of what differs; or all of it as JSON.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hanalyze.cli.options import Definitions
from hanalyze.lazy import polars as pl
from hanalyze.text import plural, printable, shorten

if TYPE_CHECKING:
    from hanalyze.analysis import Comparison

EXAMPLES: Final = """\b
Examples:
  hanalyze compare ours.duckdb theirs.duckdb
  hanalyze compare games.duckdb --a "player=Alice" --b "player=Bob"
  hanalyze compare games.duckdb --a "player=Alice and players=3" --measure score --measure misplays
  hanalyze compare games.duckdb --a "player=Alice" --same-deal
  hanalyze compare games.duckdb --a edition=hle --b edition=hanab-live --match players,difficulty --json
"""


def compare(
    databases: Annotated[
        list[str], typer.Argument(metavar="DB [DB]", help="Two databases, or one and filters.")
    ],
    where_a: Annotated[
        str | None,
        typer.Option(
            "--a",
            metavar="FILTER",
            help='Games of the first group: player=Alice, players=3, variant="No Variant", edition=hle,'
            " score>=20 and so on, joined by commas or `and`; | separates several values.",
        ),
    ] = None,
    where_b: Annotated[
        str | None,
        typer.Option(
            "--b",
            metavar="FILTER",
            help="The same for the second group. Within one database, a group without a filter has all"
            " other games.",
        ),
    ] = None,
    match: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="What matched games share: players, variant (with edition and options), difficulty"
            " (identical or else similar deals), deal (identical deals only), or none.",
        ),
    ] = "players,variant,difficulty",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this measure: score, perfect, misplays, clue_value and so on, a kind of mistake,"
            " or mistakes for all kinds; repeatable.",
        ),
    ] = None,
    minimum: Annotated[
        int,
        typer.Option(
            "--min", metavar="N", min=1, help="Compare a rate only if both groups have N opportunities."
        ),
    ] = 30,
    same_deal: Annotated[
        bool,
        typer.Option(
            "--same-deal",
            help="Compare deal by deal, on the deals that both groups played, and show how each game did"
            " among the games of its deal.",
        ),
    ] = False,
    folder: Definitions = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object: the sentence, the games, the measures.")
    ] = False,
) -> None:
    """Compare two groups of games: scores, mistakes, clues, each difference with its interval.

    Games are matched with games of the same kind (--match), so that both groups have the same mix of team
    sizes, variants and deals. Games without a counterpart are left out and counted.
    """
    from contextlib import ExitStack

    from hanalyze import analysis
    from hanalyze.errors import HanalyzeError
    from hanalyze.store import connect

    if len(databases) > 2:
        raise HanalyzeError(f"{len(databases)} databases", rule="usage", advice="give one or two")
    if len({os.path.realpath(path) for path in databases}) == 1:
        databases = databases[:1]  # DuckDB opens a file once
    if same_deal:
        from hanalyze.cli.same_deal import show_same_deal

        show_same_deal(databases, (where_a, where_b), measure, folder, as_json)
        return
    if len(databases) == 1 and where_a is None and where_b is None:
        raise HanalyzeError(
            "nothing to compare with", rule="usage", advice="give another database, or a filter with --a"
        )
    words = [word.strip() for word in match.split(",") if word.strip()]
    with ExitStack() as stack:
        opened = [stack.enter_context(connect(path, read_only=True, files_in=())) for path in databases]
        found = analysis.compare(
            opened[0],
            opened[-1],
            a=where_a,
            b=where_b,
            match=[] if words == ["none"] else words,
            measure=measure or None,
            minimum=minimum,
            folder=folder,
        )
        effects = None
        if found.note.conventions and len(opened) == 1:
            effects = analysis.convention_effects(opened[0], *found.note.conventions)
    if as_json:
        _put_json(found, effects)
        return
    _show(found, minimum)
    if found.note.caution:
        _show_effects(found.note.caution, effects)


def _put_json(found: Comparison, effects: pl.DataFrame | None) -> None:
    from dataclasses import asdict

    from hanalyze.cli.screen import show_json

    shown = {"headline": found.headline, **asdict(found.note), "caution": found.note.caution}
    if effects is not None:
        shown["effects"] = effects.to_dicts()
    show_json({**shown, "measures": found.frame.to_dicts()})


def _show_effects(caution: str, effects: pl.DataFrame | None) -> None:
    """Say what the comparison cannot know, and what is known turn by turn."""
    from hanalyze.cli.frame_table import frame_table, readable, with_ends
    from hanalyze.cli.stats import EFFECT_COLUMNS

    typer.echo("")
    typer.echo(f"caution: {printable(caution)}")
    if effects is None or not effects["effect"].count():
        typer.echo("its effect, turn by turn: hanalyze stats DB --what effects")
        return
    typer.echo("its effect, turn by turn (hanalyze stats DB --what effects):")
    shown = readable(with_ends(effects, EFFECT_COLUMNS), "convention_effects")
    typer.echo(frame_table(shown, shown.height), nl=False)


def _show(found: Comparison, minimum: int) -> None:
    """Print a comparison for people."""
    from hanalyze.analysis.statistics.intervals import FEWEST_GAMES
    from hanalyze.analysis.statistics.multiplicity import Q_MEANS
    from hanalyze.cli.frame_table import frame_table

    note = found.note
    a, b = (shorten(name) for name in note.names)
    typer.echo(printable(found.headline))
    typer.echo("")
    typer.echo(f"a: {a}, {_games(note.matched[0], note.games[0])}")
    typer.echo(f"b: {b}, {_games(note.matched[1], note.games[1])}")
    typer.echo(_matched(found))
    shown = found.frame.filter(pl.col("difference").is_not_null())
    if shown.height:
        typer.echo("")
        typer.echo(frame_table(_readable(shown), shown.height), nl=False)
        typer.echo("")
    few = found.frame.height - shown.height
    if few:
        typer.echo(
            f"{plural(few, 'measure')} with fewer than {minimum} opportunities in a group left out (--min)"
        )
    if shown.height:
        typer.echo("difference: a - b over the matched games; unmatched: the same over all games")
        typer.echo(Q_MEANS)
        typer.echo(
            f"[in brackets]: {100 * note.confidence:g}% interval, from the variation between whole games"
            " (means: Student's; shares: Newcombe; identical deals as pairs), adjusted for the number of"
            f" measures: without 0 where q is at most {1 - note.confidence:.2g}"
        )
    if shown["matching_low"].null_count():
        typer.echo(
            f"no interval: too few games (means need {FEWEST_GAMES} deals in each group), all games alike, or"
            " it would reach beyond what is possible"
        )


def _games(matched: int, games: int) -> str:
    left = games - matched
    return f"{plural(matched, 'game')} matched, {left:,} left out"


def _matched(found: Comparison) -> str:
    note = found.note
    by = ", ".join(note.match) if note.match else "nothing"
    parts = [f"matched by {by}: {plural(note.strata, 'stratum', 'strata')}"]
    if note.deals:
        parts.append(f"{note.deals:,} of them identical deals")
    if note.lone_strata:
        parts.append(f"{note.lone_strata:,} with games of one group left out")
    if note.common:
        parts.append(f"{plural(note.common, 'game')} that are in both groups left out")
    return ", ".join(parts)


def _readable(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame for people: shares in per cent, the difference and its interval in one column."""
    from hanalyze.cli.frame_table import number, small

    rows = []
    for row in frame.iter_rows(named=True):
        share = row["unit"] in ("", "of full score")
        shown = {name: number(row[name], share) for name in ("a", "b", "difference", "unmatched")}
        if row["matching_low"] is not None:
            ends = (number(row[f"matching_{end}"], share) for end in ("low", "high"))
            shown["difference"] += f" [{' to '.join(ends)}]"
        unit = f"% {row['unit']}".rstrip() if share else row["unit"]
        rows.append({"measure": row["measure"], "unit": unit, **shown, "q": small(row["q_value"])})
    return pl.DataFrame(rows).select("measure", "unit", "a", "b", "difference", "q", "unmatched")
