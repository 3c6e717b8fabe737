"""`hanalyze mistakes`: list the mistakes in games, judged by what the players could know."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanalyze.cli.exits import UsageError, complain
from hanalyze.cli.inputs import complain_of_rejects, only_game, open_database
from hanalyze.cli.options import (
    Definitions,
    GamePaths,
    JsonRows,
    Judge,
    Kinds,
    Level,
    MemoryLimit,
    Minimum,
    PlayThreshold,
    System,
    highest_level,
)
from hanalyze.cli.parameters import examples, option
from hanalyze.cli.systems import judge_of, others_of
from hanalyze.conventions.run import Output, read_records
from hanalyze.lazy import polars as pl
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import Row, judge_game
from hanalyze.report.game.hindsight import account_of_points, points_of, solution_of
from hanalyze.report.game.sentence_parts import plain_text
from hanalyze.store.definitions import chosen, definition
from hanalyze.store.judging_options import PLAY
from hanalyze.store.listings import costliest, kinds_found, luck_of_game, mistakes_of_game
from hanalyze.store.records import game_key
from hanalyze.store.wording import Luck, luck_of, worded
from hanalyze.text import games_apart, printable, printable_json, shorten
from hanalyze.words import GameNames, costs_in_words

if TYPE_CHECKING:
    from hanalyze.store import Database


@examples(
    "hanalyze mistakes game.json",
    "hanalyze mistakes games.duckdb",
    "hanalyze mistakes games.duckdb --by player --kind discard",
    "hanalyze mistakes games.duckdb --list 20 --kind misplay",
    "hanalyze mistakes --explain discard_last_copy",
)
def mistakes(
    paths: GamePaths = None,
    by: Annotated[
        str | None,
        option("GROUP", "Show rates by player, players, turn and so on, as in `hanalyze stats`."),
    ] = None,
    kind: Kinds = None,
    list_: Annotated[int | None, option("N", "List the N costliest mistakes.", "--list", min=1)] = None,
    minimum: Minimum = 30,
    explain: Annotated[str | None, option("KIND", "Show the definition of a kind, with its query.")] = None,
    folder: Definitions = None,
    system: System = None,
    level: Level = None,
    play_threshold: PlayThreshold = PLAY,
    memory_limit: MemoryLimit = None,
    as_json: JsonRows = False,
) -> None:
    """List the mistakes in games, judged by what the players could know.

    For one game, lists every mistake: turn, player, what the player knew, the odds, and the better move. For
    several games, counts each kind. Unavoidable losses (could_not_know, forced, nothing_to_lose) are listed
    for their points but do not count in rates.

    Logs are read for conventions first, so that a move does not count as a mistake if its meaning explains
    it. A database is judged by conventions only if `hanalyze conventions` has read its games;
    `--system none` ignores conventions.
    """
    if explain is not None:
        text = definition(explain, folder).text
        typer.echo("".join(printable(line) + "\n" for line in text.splitlines()), nl=False)
        return
    kinds = list(chosen(kind or [], folder))
    # One game needs no database.
    if by is None and list_ is None and memory_limit is None and (only := only_game(paths or [])) is not None:
        game, _ = only
        level = highest_level(judge_of(game) if system is None else system, level)
        with ThreadPoolExecutor(2) as pool:  # DuckDB works while Python reads and solves
            read = partial(read_records, [game.record], level=level, fast=False, cards=True)
            reading = pool.submit(read) if level else None
            judge = pool.submit(_mistakes_of, game, folder, level, reading, play_threshold)
            _, hindsight = (None, []) if as_json else solution_of(game)
            found = judge.result()
        _show_game(*found, kinds, as_json)
        if not as_json:
            names = GameNames(game.variant, game.suit_names, game.record.players)
            typer.echo(plain_text(hindsight, names))
        return
    with open_database(paths, memory_limit=memory_limit) as db:
        games = db.count("games")
        _read_moves(db, system, level)
        _judge(db, system, play_threshold)
        if by is not None:
            from hanalyze.analysis.reports import STATS_REPORTS  # needs all of the analysis
            from hanalyze.cli.reports import print_report

            report = STATS_REPORTS["mistakes"]
            frame = report.make(db, *kinds, by=by, minimum=minimum, folder=folder)
            if as_json:
                _print_rows(frame, as_json)
            else:
                print_report(report, frame, rows=0, by=by, games=games, minimum=minimum)
        elif games == 1 and list_ is None:
            game_facts, rows = mistakes_of_game(db, folder)
            _show_game(game_facts, rows, None if as_json else luck_of_game(db, rows), kinds, as_json)
        elif list_ is not None:
            _show_list(costliest(db, kinds, list_, folder), as_json)
        else:
            _print_rows(kinds_found(db, kinds, folder), as_json)
        complain_of_rejects(db)
        if system is None and not as_json and games and db.file and not db.count("convention_games"):
            complain(
                "these games were not read for conventions, and are judged by logic and chance alone;"
                " `hanalyze conventions DB` reads them"
            )


def _read_moves(db: Database, system: Judge | None, level: int | None) -> None:
    """Read logs for conventions; reject `level` for a database, whose games are not read again."""
    if db.file is None:
        if read_to := highest_level(system, level):
            db.read_conventions(read_to)
    elif level is not None:
        raise UsageError(
            "--level is for logs: the games of a database are judged as they were read",
            "read them again with `hanalyze conventions --level`",
            file=db.file,
        )


def _judge(db: Database, system: Judge | None, play_threshold: float) -> None:
    """Judge the games; without `system`, those that clearly follow another system are judged by logic."""
    others = others_of(db) if system is None else {}
    db.judge(by_logic=True if system == Judge.NONE else others, play_threshold=play_threshold)


def _print_rows(frame: pl.DataFrame, as_json: bool) -> None:
    from hanalyze.cli.frame_text import frame_table  # one game needs no frames

    text = printable_json(frame.write_ndjson()) if as_json else frame_table(frame)
    typer.echo(text, nl=False)


def _show_list(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        _print_json(rows)
        return
    names = games_apart((row["game_id"], row["game"]) for row in rows)
    for row in rows:
        typer.echo(f"game {names[row['game_id']]}, {_sentences(row)}")


def _mistakes_of(
    replay: Replay, folder: str | None, level: int, reading: Future[Output] | None, play_threshold: float
) -> tuple[Row, list[Row], Luck | None]:
    """Return what `mistakes_of_game` and `luck_of_game` return, for a game without a database."""
    record, key = replay.record, game_key(replay.record)
    read = None if reading is None else reading.result
    decisions, mistakes = judge_game(replay, folder, level, read, play_threshold)
    name = str(record.id if record.id is not None else key if record.seed is None else record.seed)
    game = {
        **points_of(replay),
        "variant": replay.variant.name,
        "players": len(record.players),
        "game": name,
    }
    names = dict(enumerate(record.players))
    rows = [
        {"game": name, "player": names.get(row["seat"]), **row, "names": list(record.players)}
        for row in sorted(mistakes, key=_by_turn)
    ]
    return game, rows, luck_of(decisions, mistakes)


def _by_turn(row: Row) -> tuple[Any, ...]:
    """Return the key by which the mistakes of a game are listed: missing texts come last, as in DuckDB."""
    texts = (row["evidence"], row["evidence_values"])
    return (row["turn"], row["kind"], *((text is None, text or "") for text in texts))


def _show_game(game: Row, every: list[Row], luck: Luck | None, kinds: list[str], as_json: bool) -> None:
    rows = [row for row in every if row["kind"] in kinds]
    if as_json:
        _print_json(rows)
        return
    typer.echo(
        f"game {shorten(game['game'])}: {printable(game['variant'])}, {game['players']} players,"
        f" score {game['score']} of {game['full_score']}, {game['end_condition']}\n"
    )
    for row in rows:
        typer.echo(_sentences(row) + "\n")
    typer.echo(account_of_points(game, every))
    if luck is not None:
        typer.echo(f"Luck: {luck.points} points ({luck.explained}).")


def _sentences(row: dict[str, Any]) -> str:
    cost = costs_in_words(row["points"], row["tokens"], row["pace"])
    evidence, better = worded(row)
    lines = [
        f"turn {row['turn'] + 1}, {shorten(row['player'])}: {row['kind']}, {printable(row['severity'] or '')}"
        + (f" (costs {cost})" if cost else ""),
        f"  by {row['basis']}: {evidence}",
    ]
    if row["came_true"] is not None:
        lines.append(f"  outcome: the risk {'failed' if row['came_true'] else 'paid off'}")
    if better:
        lines.append(f"  better: {better}")
    return "\n".join(lines)


def _print_json(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        evidence, better = worded(row)
        evidence_values = json.loads(row["evidence_values"] or "{}")
        values = {**row, "evidence_values": evidence_values, "text": evidence, "better": better or None}
        del values["names"]
        typer.echo(printable_json(json.dumps(values, ensure_ascii=False)))
