"""`hanalyze conventions`: what moves meant, and whether that worked.

In: a database, or logs, which are played again in memory. Out: of one game the meaning of each action and
what became of it; of many games how each convention fares, by any group.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.cli.databases import complain_of_rejects, opened
from hanalyze.cli.exits import FAILED, complain
from hanalyze.cli.one_game import detected_rows, finding_rows, only_game
from hanalyze.game.cards import card_name
from hanalyze.lazy import polars as pl
from hanalyze.text import games_apart, printable, printable_json, shorten

if TYPE_CHECKING:
    from hanalyze.detectors.plugin import Plan
    from hanalyze.errors import LogError
    from hanalyze.replaying import Replay
    from hanalyze.store import Database

EXAMPLES: Final = """\b
Examples:
  hanalyze conventions game.json
  hanalyze conventions games.duckdb
  hanalyze conventions games.duckdb --by player --convention finesse
  hanalyze conventions games.duckdb --list 20 --convention bluff
  hanalyze conventions --explain bluff
"""


class System(StrEnum):
    """Which games are taken for games of the H-Group's conventions."""

    H_GROUP = "h_group"
    GUESS = "guess"


def conventions(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="A database, or logs: a game, an array, a game per line."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="GROUP",
            help="Group by level, player, receiver (who misreads prompts?), partner, players, variant,"
            " edition or score.",
        ),
    ] = None,
    convention: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this convention; repeatable.")
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=25,
            help="Highest H-Group level to read (default: the last one used, or 25).",
        ),
    ] = None,
    list_: Annotated[
        int | None, typer.Option("--list", metavar="N", min=1, help="List N uses instead of counting them.")
    ] = None,
    minimum: Annotated[
        int, typer.Option("--min", metavar="N", min=1, help="Show a rate only if there are N uses.")
    ] = 30,
    explain: Annotated[
        str | None, typer.Option(metavar="NAME", help="Explain a convention, or all of them with `all`.")
    ] = None,
    system: Annotated[
        System,
        typer.Option(
            help="h_group treats every game as H-Group; guess leaves out games that clearly follow"
            " another system (`hanalyze stats --what systems`)."
        ),
    ] = System.H_GROUP,
    detectors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A Python file with your own detectors. It runs with your permissions; repeatable.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines, one object per row.")] = False,
) -> None:
    """Show what moves meant under the H-Group's conventions, and whether they worked.

    The meaning of a move is judged only by the turns before it, as the player who made it saw them; its
    outcome by the turns after. For one game, lists every action; for several, counts how often each
    convention was used, understood and successful. Unread games in a database are read first, and the result
    is stored.
    """
    from hanalyze.words import named_convention

    if explain is not None:
        typer.echo(_explained(explain))
        return
    names = [named_convention(name).label for name in convention or []]
    alone = None if by is not None else only_game(paths or [])
    if alone is not None:
        _show_alone(*alone, names, level, detectors or [], list_, as_json)
        return
    from hanalyze.analysis.effectiveness import convention_stats, detector_stats
    from hanalyze.detectors.loading import load_detectors
    from hanalyze.store.listings import detector_problems, detector_rows, finding_rows, level_read

    with opened(paths, read_only=False) as db:
        db.read_conventions(level, detectors=load_detectors(detectors or []))
        games = db.count("games")
        if list_ is not None or (games == 1 and by is None):
            rows = finding_rows(db, names, list_)
            read_to = level_read(db)
            _show_list(rows, read_to if games == 1 else None, as_json)
            if games == 1 and not names:
                _show_detected(detector_rows(db), rows, as_json)
        else:
            kept = _of_the_system(db) if system == System.GUESS else None
            frame = convention_stats(db, *names, by=by, games=kept, minimum=minimum)
            if as_json:
                for rows_of in (frame, detector_stats(db, minimum=minimum)):
                    typer.echo(printable_json(rows_of.write_ndjson()), nl=False)
            else:
                _show_numbers(db, frame, minimum)
                _show_system(db, games, kept)
        _complain_of(detector_problems(db))
        complain_of_rejects(db)


def _complain_of(problems: Iterable[tuple[str, str, int, int, str]]) -> None:
    """Say where detectors failed: each kind of problem once, with how often and the first place."""
    for detector, message, times, turn, game in problems:
        often = f", and {times - 1:,} times more" if times > 1 else ""
        where = f"game {shorten(game)}, turn {turn + 1}{often}"
        complain(f"detector {shorten(detector)}: {message} ({where})")


def _explained(name: str) -> str:
    """Return what a convention is, with an example and the H-Group's page, or a table of all."""
    from hanalyze.game.explained import explained
    from hanalyze.game.meanings import Convention
    from hanalyze.words import named_convention

    if name != "all":
        one = named_convention(name)
        more = explained(one)
        lines = [f"{one.label} (level {one.level}): {one.definition}"]
        lines += [f"example: {more.example}"] if more.example else []
        lines += [f"H-Group: {more.address}"] if more.address else []
        return "\n".join(lines)
    width = max(len(one.label) for one in Convention)
    return "\n".join(f"{one.label:{width}}  level {one.level:2}  {one.definition}" for one in Convention)


def _show_alone(
    replay: Replay,
    unread: list[LogError],
    names: list[str],
    level: int | None,
    detectors: Sequence[str],
    count: int | None,
    as_json: bool,
) -> None:
    """Show one game, without a database, as one with this game alone would be."""
    from importlib.metadata import entry_points

    from hanalyze.conventions.run import HIGHEST_LEVEL

    level = level or HIGHEST_LEVEL
    plans: Sequence[Plan] = ()
    if detectors or entry_points(group="hanalyze.detectors"):
        from hanalyze.detectors.loading import load_detectors

        plans = load_detectors(detectors)
    rows = finding_rows(replay, level)
    shown = [row for row in rows if not names or row["convention"] in names][:count]
    _show_list(shown, level, as_json)
    if plans:
        from hanalyze.detectors.detecting import detect

        found, problems = detected_rows(detect(replay, plans, level=level))
        if not names:
            _show_detected(found, rows, as_json)
        _complain_of([(*problem, rows[0]["game"]) for problem in problems])
    for error in unread:
        complain(str(error))
    if unread:
        raise typer.Exit(FAILED)


def _show_list(rows: list[dict[str, Any]], level: int | None, as_json: bool) -> None:
    """Print findings; `level` where they are of one game."""
    if as_json:
        for row in rows:
            _put_json(
                {name: value for name, value in row.items() if name not in ("deck", "letters")}, _said(row)
            )
        return
    if level is not None and rows:
        typer.echo(f"game {shorten(rows[0]['game'])}, read up to level {level}")
    names = games_apart((row["game_id"], row["game"]) for row in rows)
    for row in rows:
        head = "" if level is not None else f"game {names[row['game_id']]}, "
        typer.echo(head + _said(row))


def _put_json(row: dict[str, Any], text: str) -> None:
    typer.echo(printable_json(json.dumps({**row, "text": text}, ensure_ascii=False)))


def _show_detected(found: list[dict[str, Any]], rows: list[dict[str, Any]], as_json: bool) -> None:
    """Print what detectors of one's own found in a game; `rows` are its built-in findings."""
    from hanalyze.words import outcome_words

    for row in found:
        game = rows[0]
        cards = ", ".join(_card(game, order) for order in row["cards"] if order >= 0)
        what = [row["detector"], *([row["label"]] if row["label"] != row["detector"] else [])]
        said = ": ".join([*map(shorten, what), *([cards] if cards else [])])
        became = outcome_words({**row, "deferrals": 0, "strikes": 0})
        player = shorten(game["players"][row["seat"]])
        text = f"turn {row['turn'] + 1}, {player}, {said}" + (f"; {became}" if became else "")
        if as_json:
            about = {name: game[name] for name in ("game", "variant", "players")}
            shown = {"game_id": game["game_id"], **row, "reasons": json.loads(row["reasons"]), **about}
            _put_json(shown, text)
        else:
            typer.echo(text)


def _card(game: dict[str, Any], order: int) -> str:
    """Return a card, and who held it."""
    held = game["deck"][order]
    name = card_name((held["suit"], held["rank"]), game["letters"])
    return name if held["holder"] is None else f"{shorten(game['players'][held['holder']])}'s {name}"


def _said(row: dict[str, Any]) -> str:
    """Return a finding in words."""
    from hanalyze.words import meaning_words, outcome_words, reason_words

    players = [shorten(player) for player in row["players"]]
    parts = [meaning_words(row, partial(_card, row)), reason_words(row), outcome_words(row)]
    what = "; ".join(part for part in parts if part)
    return printable(f"turn {row['turn'] + 1}, {players[row['seat']]} {_action(row, players)}: {what}")


def _action(row: dict[str, Any], players: list[str]) -> str:
    """Return what was done, in short."""
    if row["result"] == "clued":
        value = row["clue_value"]
        kind = f"rank {value}"
        if row["action"] == "colour_clue":
            from hanalyze.game.variants import variant

            kind = variant(row["variant"]).clue_colours[value]
        return f"clues {players[row['clued']]} {kind}"
    held = row["deck"][row["order"]]
    name = card_name((held["suit"], held["rank"]), row["letters"])
    verb = {"played": "plays", "misplayed": "misplays", "discarded": "discards"}[row["result"]]
    return f"{verb} {name}"


def _of_the_system(db: Database) -> list[int]:
    """Return the games that may be of the H-Group's conventions, by a guess."""
    from hanalyze.analysis import system_guess

    guess = system_guess(db, by="game")
    kept: list[int] = guess.filter(pl.col("system").cast(pl.String).is_in(["h_group", "unknown"]))[
        "game_id"
    ].to_list()
    return kept


def _show_system(db: Database, games: int, kept: list[int] | None) -> None:
    """Say which system the games look like: what is found in those of another one is chance."""
    from hanalyze.analysis import system_guess

    if kept is not None:
        typer.echo(f"{games - len(kept):,} games left out that clearly follow another system (a guess)")
        return
    counts = system_guess(db, by="game")["system"].value_counts(sort=True).rows()
    listed = ", ".join(f"{system} {count:,}" for system, count in counts)
    typer.echo(f"guessed system per game: {listed}; in games of other systems, findings are coincidence")


def _show_numbers(db: Database, frame: pl.DataFrame, minimum: int) -> None:
    """Print how conventions fare, and what the numbers are."""
    from hanalyze.analysis.effectiveness import convention_coverage, detector_stats
    from hanalyze.cli.frame_table import INTERVALS, frame_table, readable

    shown = frame.filter(pl.col("uses") >= minimum)
    kept = {"uses", "per_100", "null_cautious", "null_success", "points", "points_without"}
    kept |= {
        name + end
        for name in ("taken", "read", "success", "cards", "played", "cards_more", "strikes")
        for end in ("", "_low", "_high")
        if shown[name].abs().sum()
    }
    groups = set(frame.columns[: frame.columns.index("uses")])
    shown_columns = shown.select(name for name in frame.columns if name in kept | groups)
    table = readable(shown_columns, "convention_stats")
    if table.height:
        typer.echo(frame_table(table, table.height), nl=False)
    own = detector_stats(db, minimum=minimum)
    if own.height:
        typer.echo("\n" + frame_table(readable(own, "detector_stats"), own.height))
    covered = convention_coverage(db).row(0, named=True)
    few = frame.height - shown.height
    left = f"; {few:,} rows with fewer than {minimum} uses left out (--min)" if few else ""
    explained = ""
    if covered["actions"]:
        shares = (f"{100 * covered[name]:.1f}% {name}" for name in ("unexplained", "uncertain"))
        explained = "; " + ", ".join(shares)
    read = f"{covered['games']:,} games, {covered['actions']:,} actions, read up to level {covered['level']}"
    typer.echo(read + explained + left)
    typer.echo(
        "per 100: actions; taken: share of the opportunities; read, success: share of the settled uses;"
        " promised: cards newly touched, called or saved per token; played: because of it; more: played,"
        " compared with other clues at the same need; strikes: per use;"
        " points: mean final score of games with a use, and without; null: uses per 100 actions, and"
        " success, by chance in games of an agent without conventions; --json has every interval"
    )
    typer.echo(INTERVALS)
