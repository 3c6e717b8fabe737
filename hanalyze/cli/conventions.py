"""`hanalyze conventions`: meanings of moves under the H-Group's conventions, and their outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.cli.exits import FAILED, UsageError, complain
from hanalyze.cli.frame_text import frame_output, frame_table
from hanalyze.cli.inputs import complain_of_unreadable, one_game, open_database
from hanalyze.cli.options import Game, GamePaths, JsonRows, Minimum, Nth
from hanalyze.cli.parameters import examples, option
from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.detectors.plugin import load_detectors
from hanalyze.game.cards import card_name
from hanalyze.game.explained import explained
from hanalyze.game.meanings import Convention
from hanalyze.game.variants import variant
from hanalyze.lazy import polars as pl
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import game_name, meaning_rows
from hanalyze.store.listings import detector_problems, detector_rows, finding_rows, level_read
from hanalyze.text import games_apart, printable, printable_json, shorten
from hanalyze.words import meaning_words, named_convention, outcome_words, rank_clue_name, reason_words

if TYPE_CHECKING:
    from hanalyze.store import Database


class System(StrEnum):
    """Games to count: all, or all except those that seem to follow another system or none."""

    H_GROUP = "h_group"
    GUESS = "guess"


@examples(
    "hanalyze conventions game.json",
    "hanalyze conventions games.jsonl --game p3v1s2",
    "hanalyze conventions games.duckdb",
    "hanalyze conventions games.duckdb --by player --convention finesse",
    "hanalyze conventions games.duckdb --list 20 --convention bluff",
    "hanalyze conventions --explain bluff",
)
def conventions(
    paths: GamePaths = None,
    game: Game = None,
    nth: Nth = None,
    by: Annotated[
        str | None,
        option(
            "GROUP",
            "Group by level, player, receiver, partner, team, players, variant, edition, date, month or"
            " score.",
        ),
    ] = None,
    convention: Annotated[list[str] | None, option("NAME", "Only this convention; repeatable.")] = None,
    level: Annotated[
        int | None, option("N", "Highest H-Group level (default: the last one used, or 25).", min=1, max=25)
    ] = None,
    list_: Annotated[int | None, option("N", "List N uses, instead of counts.", "--list", min=1)] = None,
    minimum: Minimum = 30,
    explain: Annotated[str | None, option("NAME", "Explain a convention, or all of them with `all`.")] = None,
    system: Annotated[
        System,
        typer.Option(help="h_group counts all games; guess counts only games that may follow the H-Group."),
    ] = System.H_GROUP,
    detectors: Annotated[
        list[str] | None, option("FILE", "A Python file with your own detectors (it is run); repeatable.")
    ] = None,
    as_json: JsonRows = False,
) -> None:
    """Show what moves meant under the H-Group's conventions, and whether they worked.

    The meaning of a move follows from what its player saw before it, its outcome from the turns after it. For
    one game, lists every action; for several, counts how often each convention was used, understood and
    successful. Unread games in a database are read first, and the result is stored.
    """
    if explain is not None:
        typer.echo(_explanation(explain))
        return
    names = [named_convention(name).label for name in convention or []]
    chooses = game is not None or nth is not None
    if chooses and (by is not None or detectors):
        raise UsageError("--game and --nth show one game", "give them without --by and --detectors")
    # One game without detectors needs no database.
    needs_database = by is not None or detectors or entry_points(group="hanalyze.detectors")
    if (chooses or not needs_database) and (only := one_game(paths or [], game, nth)) is not None:
        replay, errors = only
        rows = game_findings(replay, level or HIGHEST_LEVEL)
        selected = [row for row in rows if not names or row["convention"] in names][:list_]
        _show_findings(selected, level or HIGHEST_LEVEL, as_json)
        for error in errors:
            complain(str(error))
        raise typer.Exit(FAILED if errors else 0)
    with open_database(paths, read_only=False) as db:
        db.read_conventions(level, detectors=load_detectors(detectors or []))
        games = db.count("games")
        if list_ is not None or (games == 1 and by is None):
            rows = finding_rows(db, names, list_)
            _show_findings(rows, level_read(db) if games == 1 else None, as_json)
            if games == 1 and not names:
                _show_detections(detector_rows(db), rows, as_json)
        else:
            _print_numbers(db, names, by, minimum, only_h_group=system == System.GUESS, as_json=as_json)
        _complain_of(detector_problems(db))
        complain_of_unreadable(db)


def _complain_of(problems: Iterable[tuple[str, str, int, int, str]]) -> None:
    """Print each problem of a detector once, with its count, first game and first turn."""
    for detector, message, times, turn, game in problems:
        often = f", and {times - 1:,} times more" if times > 1 else ""
        where = f"game {shorten(game)}, turn {turn + 1}{often}"
        complain(f"detector {shorten(detector)}: {message} ({where})")


def _explanation(name: str) -> str:
    if name != "all":
        meaning = named_convention(name)
        more = explained(meaning)
        lines = [f"{meaning.label} (level {meaning.level}): {meaning.definition}"]
        lines += [f"example: {more.example}"] if more.example else []
        lines += [f"H-Group: {more.address}"] if more.address else []
        return "\n".join(lines)
    width = max(len(convention.label) for convention in Convention)
    return "\n".join(f"{one.label:{width}}  level {one.level:2}  {one.definition}" for one in Convention)


def _show_findings(rows: list[dict[str, Any]], level: int | None, as_json: bool) -> None:
    """Print findings; `level` is given only if all findings belong to one game."""
    if as_json:
        for row in rows:
            values = {name: row[name] for name in row if name not in ("deck", "letters", "colours")}
            _print_json(values, finding_words(row))
        return
    if level is not None and rows:
        typer.echo(f"game {shorten(rows[0]['game'])}, read up to level {level}")
    names = games_apart((row["game_id"], row["game"]) for row in rows)
    for row in rows:
        typer.echo(("" if level is not None else f"game {names[row['game_id']]}, ") + finding_words(row))


def _show_detections(detections: list[dict[str, Any]], findings: list[dict[str, Any]], as_json: bool) -> None:
    """Print the findings of detectors in a game; `findings` are the built-in ones of the same game."""
    for row in detections:
        game = findings[0]
        text = detection_words(row, game)
        if as_json:
            about = {name: game[name] for name in ("game", "variant", "players")}
            values = {"game_id": game["game_id"], **row, "reasons": json.loads(row["reasons"]), **about}
            _print_json(values, text)
        else:
            typer.echo(text)


def _print_json(row: dict[str, Any], text: str) -> None:
    typer.echo(printable_json(json.dumps({**row, "text": text}, ensure_ascii=False)))


Row = dict[str, Any]


def game_findings(replay: Replay, level: int) -> list[Row]:
    """Return the rows of `finding_rows` for one game, without a database."""
    game = {
        "game": game_name(replay),
        "letters": "".join(replay.deal.letters),
        "colours": ",".join(replay.deal.clue_colours),
        "variant": replay.variant.name,
        "players": list(replay.record.players),
        "deck": [{name: card[name] for name in ("suit", "rank", "holder")} for card in replay.card_rows()],
    }
    turns = [
        {
            "action": row["action"],
            "clued": row["receiver"],
            **{name: row[name] for name in ("clue_value", "order", "slot", "result")},
        }
        for row in replay.facts()
    ]
    return [{**row, **turns[row["turn"]], **game} for row in meaning_rows(replay, level)]


def finding_words(row: Row) -> str:
    """Return a finding of the built-in conventions in words."""
    players = [shorten(player) for player in row["players"]]
    parts = [meaning_words(row, partial(_card, row)), reason_words(row), outcome_words(row)]
    what = "; ".join(filter(None, parts))
    return printable(f"turn {row['turn'] + 1}, {players[row['seat']]} {_action(row, players)}: {what}")


def detection_words(row: Row, game: Row) -> str:
    """Return a finding of a detector in words; `game` is any built-in finding of the same game."""
    cards = ", ".join(_card(game, order) for order in row["cards"] if order >= 0)
    labels = [row["detector"], *([row["label"]] if row["label"] != row["detector"] else [])]
    what = ": ".join([*map(shorten, labels), *([cards] if cards else [])])
    outcome = outcome_words({**row, "deferrals": 0, "strikes": 0})
    player = shorten(game["players"][row["seat"]])
    return f"turn {row['turn'] + 1}, {player}, {what}" + (f"; {outcome}" if outcome else "")


def _card(game: Row, order: int) -> str:
    """Return the name of a card, preceded by its holder, if any."""
    card = game["deck"][order]
    name = card_name((card["suit"], card["rank"]), game["letters"])
    return name if card["holder"] is None else f"{shorten(game['players'][card['holder']])}'s {name}"


def _action(row: Row, players: Sequence[str]) -> str:
    if row["result"] == "clued":
        value = row["clue_value"]
        if row["action"] == "colour_clue":
            clue = row["colours"].split(",")[value].lower()
        else:
            clue = rank_clue_name(value, variant(row["variant"]))
        return f"clues {players[row['clued']]} {clue}"
    card = row["deck"][row["order"]]
    verb = {"played": "plays", "misplayed": "misplays", "discarded": "discards"}[row["result"]]
    return f"{verb} {card_name((card['suit'], card['rank']), row['letters'])}"


# --- statistics of many games -------------------------------------------------------------------------------

_ALWAYS: Final = ("uses", "per_100", "null_cautious", "null_success")
_UNLESS_ZERO: Final = ("taken", "read", "success", "cards", "played", "strikes")
"""Columns of the printed table. Those in `_UNLESS_ZERO` have intervals; a column of zeros is left out."""

_NOTE: Final = (
    "per 100: uses per 100 actions; taken: share of the opportunities; read, success: shares of the settled"
    " uses; promised: cards newly touched, called or saved, per token; played: touched or called cards played"
    " within two rounds, per token; strikes: misplays per use; null: uses per 100 actions, and success, in"
    " games of agents that know no conventions; --json: all intervals"
)


def _print_numbers(
    db: Database, names: list[str], by: str | None, minimum: int, *, only_h_group: bool, as_json: bool
) -> None:
    """Print the statistics of conventions (all, or these names) and of the user's detectors."""
    from hanalyze import analysis  # slow to import
    from hanalyze.analysis.reports import INTERVALS
    from hanalyze.cli.reports import readable

    systems = analysis.system_guess(db, by="game") if only_h_group or not as_json else pl.DataFrame()
    games = None
    if only_h_group:
        # A game of an unknown system may follow the H-Group.
        may_be = pl.col("system").cast(pl.String).is_in(["h_group", "unknown"])
        games = systems.filter(may_be)["game_id"].to_list()
    frame = analysis.convention_stats(db, *names, by=by, games=games, minimum=minimum)
    detections = analysis.detector_stats(db, minimum=minimum)
    if as_json:
        for rows in (frame, detections):
            typer.echo(frame_output(rows, as_json), nl=False)
        return
    rated = frame.filter(pl.col("uses") >= minimum)
    table = readable(_columns(rated), "convention_stats")
    if table.height:
        typer.echo(frame_table(table), nl=False)
    if detections.height:
        typer.echo("\n" + frame_table(readable(detections, "detector_stats")))
    few = frame.height - rated.height
    left_out = f"; {few:,} rows with fewer than {minimum} uses left out (--min)" if few else ""
    row = analysis.convention_coverage(db).row(0, named=True)
    read = f"{row['games']:,} games, {row['actions']:,} actions, read up to level {row['level']}"
    if row["actions"]:
        read += f"; {100 * row['unexplained']:.1f}% unexplained, {100 * row['uncertain']:.1f}% uncertain"
    typer.echo(read + left_out)
    typer.echo(f"{_NOTE}\n{INTERVALS}")
    if games is not None:
        others = db.count("games") - len(games)
        typer.echo(f"{others:,} games left out: guessed to follow another system, or none")
        return
    counts = systems["system"].value_counts(sort=True).rows()
    summary = ", ".join(f"{system} {count:,}" for system, count in counts)
    typer.echo(f"guessed system per game: {summary}; in games of other systems, findings are coincidental")


def _columns(frame: pl.DataFrame) -> pl.DataFrame:
    shown = {name for name in _UNLESS_ZERO if frame[name].abs().sum()}
    columns = {*_ALWAYS, *shown, *(f"{name}_{end}" for name in shown for end in ("low", "high"))}
    groups = frame.columns[: frame.columns.index("uses")]
    return frame.select(name for name in frame.columns if name in columns or name in groups)
