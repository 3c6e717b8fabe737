"""`hanalyze stats`: many games in numbers, by any group.

In: a database. Out: a table with intervals, or the same rows as JSON or CSV.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, NamedTuple

import typer

from hanalyze.cli.csv_cells import csv_bytes
from hanalyze.cli.options import DB, Definitions, JsonRows, MemoryLimit, Raw, Rows
from hanalyze.lazy import polars as pl
from hanalyze.tables.solved import LOSS_CAUSES
from hanalyze.text import plural

EXAMPLES: Final = """\b
Examples:
  hanalyze stats games.duckdb
  hanalyze stats games.duckdb --by players
  hanalyze stats games.duckdb --by player --what mistakes --kind discard --min 100
  hanalyze stats games.duckdb --what clues --by phase --json
  hanalyze stats games.duckdb --what calibration --games 0
  hanalyze stats games.duckdb --what luck --by player
  hanalyze stats games.duckdb --what lost --by players
  hanalyze stats games.duckdb --what difficulty
  hanalyze stats games.duckdb --what effects
  hanalyze stats games.duckdb --what conventions --by receiver
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
    LOST = "lost"
    SYSTEMS = "systems"
    CONVENTIONS = "conventions"
    EFFECTS = "effects"
    CALIBRATION = "calibration"
    LUCK = "luck"
    DIFFICULTY = "difficulty"


def stats(
    database: DB,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="GROUP",
            help="Group by player, partner, seat, players, variant, edition, turn, rank, suit, phase,"
            " score, severity, kind (of clue) or receiver (of conventions), where --what allows it; default:"
            " all games together.",
        ),
    ] = None,
    what: Annotated[
        What,
        typer.Option(
            metavar="WHAT",
            help="overview: scores and mistakes (default); mistakes: each kind; clues: what they brought in;"
            " tokens: lost to mistakes; cards: where played cards came from; curve: efficiency by turn;"
            " scores; losses: where points were lost; lost: by what moves with all cards open, after"
            " `hanalyze solve`; systems: the guessed system of conventions (also by"
            " game and source); conventions: how often each was understood and worked (by receiver: who"
            " misreads them?); effects: what using a convention brought, turn by turn; calibration: what"
            " chances said of cards, and what came; luck: what plays and discards lost, and would lose on"
            " average (also by game); difficulty: how much of the variance of scores the deals explain.",
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
    judged: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            min=0,
            help="With --what calibration: judge at most N games, drawn at random; 0 for all (default:"
            " 2000).",
        ),
    ] = None,
    folder: Definitions = None,
    rows: Rows = 100,
    as_json: JsonRows = False,
    csv: Annotated[
        str | None,
        typer.Option("--csv", metavar="PATH", help="Write CSV to this file; - for standard output."),
    ] = None,
    raw: Raw = False,
    memory_limit: MemoryLimit = None,
) -> None:
    """Show statistics of many games: scores, rates of mistakes, efficiency, each with its interval.

    Rates count only decisions with several sensible choices. Groups with fewer opportunities than --min have
    no rate. JSON and CSV have all columns and all groups.
    """
    from hanalyze import analysis
    from hanalyze.errors import HanalyzeError
    from hanalyze.output import write_bytes
    from hanalyze.store import connect
    from hanalyze.text import printable_json

    if kind and what == What.OVERVIEW:
        what = What.MISTAKES
    if kind and what != What.MISTAKES:
        raise HanalyzeError("--kind is for mistakes", rule="usage", advice="give --what mistakes")
    if as_json and csv is not None:
        raise HanalyzeError("--json and --csv exclude each other", rule="usage", advice="give one of them")
    if raw and csv is None:
        raise HanalyzeError("--raw is for CSV", rule="usage", advice="give --csv PATH")
    if judged is not None and what != What.CALIBRATION:
        raise HanalyzeError("--games is for calibration", rule="usage", advice="give --what calibration")
    most = {"most": judged or None} if judged is not None else {}
    with connect(database, read_only=True, files_in=(), memory_limit=memory_limit) as db:
        games = db.count("games")
        options = {"minimum": minimum, "folder": folder}
        frame = getattr(analysis, _SUBJECTS[what].frame)(
            db,
            *(one.replace("-", "_") for one in kind or []),
            by=by,
            **{name: options[name] for name in _SUBJECTS[what].options},
            **most,
        )
    if as_json:
        write_bytes(printable_json(frame.write_ndjson()).encode(), "-")
    elif csv is not None:
        write_bytes(csv_bytes(frame, raw=raw), csv)
    else:
        show(frame, what, by, games, minimum, rows)
        if what == What.CALIBRATION:
            from hanalyze.analysis.calibration import MOST_GAMES

            sample = MOST_GAMES if judged is None else judged or games
            if games > sample:
                typer.echo(f"judged: {sample:,} games drawn at random; --games 0 judges all")


class _Subject(NamedTuple):
    """What is asked for, and how it is shown."""

    frame: str
    """The function of `hanalyze.analysis`."""
    explained: str
    options: tuple[str, ...] = ()
    """Those of the command's options that the function takes."""
    rates: tuple[str, ...] = ()
    """Columns of which a row must have one to be shown."""
    of: str = "opportunities"
    shown: tuple[str, ...] = ()
    """Columns that people are shown besides those of the groups; all where it is empty."""


_Q: Final = (
    "q: of the differences from all other groups with this q or a lower one, at most this share is expected"
    " to be luck"
)
EFFECT_COLUMNS: Final = (
    *("convention", "outcome", "taken", "declined", "effect", "placebo", "cautious"),
    *("q_value", "verdict"),
)
"""What people are shown of the effects of conventions."""

_SUBJECTS: Final = {
    What.OVERVIEW: _Subject(
        "overview",
        "mistakes: share of the opportunities with a mistake",
        ("minimum", "folder"),
        ("discard", "play", "clue"),
    ),
    What.MISTAKES: _Subject(
        "rates",
        "rate: share of the opportunities; shrunk: drawn towards all players, the more the less is known\n"
        + _Q,
        ("minimum", "folder"),
        ("rate",),
    ),
    What.CLUES: _Subject(
        "clue_values",
        "per clue; saves: share of the clues; bad touch: share of the touched cards",
        ("minimum",),
        ("gotten",),
        "clues",
    ),
    What.TOKENS: _Subject(
        "wasted_tokens",
        "clue tokens lost to mistakes, per game; any: each decision counted once",
        ("folder",),
    ),
    What.CARDS: _Subject(
        "card_origins",
        "share of the cards played: never clued (of these, deduced without a clue), clued once, clued"
        " more often",
        ("minimum",),
        ("blind",),
        "cards",
    ),
    What.CURVE: _Subject(
        "efficiency_curve",
        "cards per clue in the games that reached the turn: achieved so far, and needed from then on",
    ),
    What.SCORES: _Subject("scores", "points, and how games ended\n" + _Q),
    What.LOSSES: _Subject(
        "losses",
        "points lost per game; forfeited: lost with the game; unplayed: still possible at its end",
        ("folder",),
    ),
    What.LOST: _Subject(
        "lost_points",
        "points that a move put out of reach, seen with all cards open: its player may not have known\n"
        + "".join(f"cause {name}: {said}\n" for name, said in LOSS_CAUSES.items())
        + "kind: the move; a play is one that fitted\n"
        "phase: early until the first discard, late once pace is short\n"
        "struck out: the last strike cost points; finished: points per game in the other games\n"
        "impossible deals: nobody could have won them\n"
        "games still open: part of their losses is unknown; a larger --budget of `hanalyze solve` may tell",
    ),
    What.SYSTEMS: _Subject(
        "system_guess",
        "a guess from the moves; margin: how far the weakest evidence exceeds its threshold\noldest,"
        " leftmost: of the discards of unclued cards; focus: clues about a card to play or save\ntrusted:"
        " plays of cards not known to be playable; right, odds: how many succeeded, and how many should by"
        " chance; blind, called: trusted plays of unclued cards, and how many of them followed a clue",
    ),
    What.CONVENTIONS: _Subject(
        "convention_stats",
        "of the settled uses: read, the called players did their part; success, everything called for"
        " happened; strikes per use\nreceiver: the player called first (of a prompt, who holds the card)",
        ("minimum",),
        ("success",),
        "uses",
        ("uses", "settled", "read", "success", "strikes"),
    ),
    What.EFFECTS: _Subject(
        "convention_effects",
        "effect: of a clue that used the convention, against other actions in like positions that offered it;"
        " points and\n  plays of that turn and the next 6, and the final score; unlike the difference of the"
        " means, it minds the position\nplacebo: the same for a word put on such turns at random; by chance:"
        " the same in games of agents without conventions\nq: p-value that it differs from 0,"
        " from the placebo and"
        " from what is found by chance, adjusted for the number of rows\nmore, less: said only"
        " where q is below 0.05",
        ("minimum",),
        ("effect",),
        "turns that took it or declined it",
        EFFECT_COLUMNS,
    ),
    What.CALIBRATION: _Subject("calibration", ""),
    What.LUCK: _Subject(
        "luck",
        "last copy: critical cards discarded; misplay: plays that did not fit; points: of the maximum score,"
        " lost by both\nexpected: what such plays and discards lose on average; luck: expected - counted",
    ),
    What.DIFFICULTY: _Subject(
        "deal_difficulty",
        "explained: share of the variance of scores within a team size and variant, in games of other deals"
        "\n  than it was fitted on; below 0 where deals tell nothing"
        "\ndeck: how early the copies of each rank come"
        "\nsearch: with all cards open: whether the first line at hand wins, and how often one with some luck"
        "\n  does, the positions looked at, the points out of reach",
    ),
}

_NAMED: Final = ("player", "partner", "variant", "edition")
"""Groups without an order of their own: the largest come first."""


def show(frame: pl.DataFrame, what: What, by: str | None, games: int, minimum: int, rows: int) -> None:
    """Print a frame of numbers for people, and what they are."""
    from hanalyze.analysis import FRAMES
    from hanalyze.cli.frame_table import INTERVALS, frame_table, readable, with_ends

    subject = _SUBJECTS[what]
    few = 0
    if subject.rates:
        shown = frame.filter(pl.any_horizontal(pl.col(subject.rates).is_not_null()))
        few, frame = frame.height - shown.height, shown
    if by in _NAMED and "games" in frame.columns:
        groups = ["player", "partner"] if by == "partner" else [by]
        size = pl.col("games").max().over(groups)
        frame = frame.sort(size, *groups, descending=[True, *(False for _ in groups)], maintain_order=True)
    if what == What.CALIBRATION:
        from hanalyze.cli.calibration import calibration_notes, readable_calibration

        typer.echo(frame_table(readable_calibration(frame), rows or frame.height))
        typer.echo("\n".join([plural(games, "game"), *calibration_notes(frame)]))
        return
    notes = []
    if what == What.LUCK:
        frame, notes = frame.drop("method", "model", "corpus"), _chances_of(frame)
    if what == What.LOST and frame.is_empty():
        notes = ["no game was solved: run `hanalyze solve` on this database first"]
    if notes and frame.is_empty():
        typer.echo("\n".join([plural(games, "game"), *notes]))
        return
    if subject.shown:
        groups = frame.columns[: len(frame.columns) - len(FRAMES[subject.frame])]
        frame = with_ends(frame, [*groups, *subject.shown])
    if frame.height:
        typer.echo(frame_table(readable(frame, subject.frame), rows or frame.height))
    left = f"; {plural(few, 'row')} with fewer than {minimum} {subject.of} left out (--min)" if few else ""
    typer.echo(plural(games, "game") + left)
    typer.echo("\n".join([subject.explained, *notes]))
    if what == What.EFFECTS:
        typer.echo("[in brackets]: 95% interval, games as clusters")
    elif what not in (What.CURVE, What.SYSTEMS):
        typer.echo(INTERVALS)


def _chances_of(frame: pl.DataFrame) -> list[str]:
    """Return which chances the luck of a frame is by, or what to do where there are none."""
    if frame.is_empty():
        return ["no chances: read the games with `hanalyze conventions` first"]
    first = frame.row(0, named=True)
    return [f'chances: model "{first["model"]}", fitted on {first["corpus"]}']
