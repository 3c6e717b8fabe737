"""`hanalyze mistakes`: what went wrong in games, by what the players could know.

In: a database, or logs, which are played again in memory. Out: of one game each mistake with the turn, the
player, what was known, the odds and the better move; of many games how often, by any group.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.cli.databases import complain_of_rejects, opened
from hanalyze.cli.exits import complain
from hanalyze.cli.frame_table import frame_table
from hanalyze.cli.options import Judge, Level, MemoryLimit, PlayThreshold, System, level_of
from hanalyze.cli.stats import What, show
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import polars as pl
from hanalyze.store.judging_options import PLAY
from hanalyze.text import games_apart, printable, printable_json, shorten

if TYPE_CHECKING:
    from hanalyze.store import Database

EXAMPLES: Final = """\b
Examples:
  hanalyze mistakes game.json
  hanalyze mistakes games.duckdb
  hanalyze mistakes games.duckdb --by player --kind discard
  hanalyze mistakes games.duckdb --list 20 --kind misplay
  hanalyze mistakes --explain discard_last_copy
"""


def mistakes(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="A database, or logs: a game, an array, a game per line."),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="GROUP",
            help="Rates by player, partner, seat, players, variant, edition, turn, rank, suit, phase, score.",
        ),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="Only this kind, or family: discard, play, clue; repeatable."),
    ] = None,
    list_: Annotated[
        int | None, typer.Option("--list", metavar="N", min=1, help="List the N costliest mistakes.")
    ] = None,
    minimum: Annotated[
        int, typer.Option("--min", metavar="N", min=1, help="Show a rate only if there are N opportunities.")
    ] = 30,
    explain: Annotated[
        str | None, typer.Option(metavar="KIND", help="Show the definition of a kind, with its query.")
    ] = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--mistakes",
            metavar="DIR",
            help="A folder with more definitions of mistakes (.sql), which can only query the database.",
        ),
    ] = None,
    system: System = None,
    level: Level = None,
    play_threshold: PlayThreshold = PLAY,
    memory_limit: MemoryLimit = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines, one object per row.")] = False,
) -> None:
    """List the mistakes in games, judged by what the players could know.

    For one game, lists every mistake: the turn, the player, what was known, the odds, and the better move.
    For several games, counts each kind. Unavoidable losses (could_not_know, forced, nothing_to_lose) are
    listed for their points but count in no rate.

    Logs are read for conventions first, so that no move counts as a mistake that its meaning explains. A
    database is judged as it is: by conventions once `hanalyze conventions` has read its games, unless
    `--system none` is given.
    """
    from hanalyze.store.definitions import chosen, definition
    from hanalyze.store.listings import kinds_found

    if explain is not None:
        typer.echo(printable_lines(definition(explain, folder).text), nl=False)
        return
    kinds = list(chosen(kind or [], folder))
    with opened(paths, memory_limit=memory_limit) as db:
        games = db.count("games")
        _read_moves(db, system, level)
        _judge(db, system, play_threshold)
        if by is not None:
            from hanalyze.analysis import rates

            frame = rates(db, *kinds, by=by, minimum=minimum, folder=folder)
            if as_json:
                _show(frame, as_json)
            else:
                show(frame, What.MISTAKES, by, games, minimum, 0)
        elif games == 1 and list_ is None:
            _show_game(db, kinds, folder, as_json)
            if not as_json and db.file is None:
                _show_lost(paths or [])
        elif list_ is not None:
            _show_list(db, kinds, folder, list_, as_json)
        else:
            _show(kinds_found(db, kinds, folder), as_json)
        complain_of_rejects(db)
        if system is None and not as_json and games and db.file and not db.count("convention_games"):
            complain(
                "these games were not read for conventions, and are judged by logic and chance alone;"
                " `hanalyze conventions DB` reads them"
            )


def _read_moves(db: Database, system: Judge | None, level: int | None) -> None:
    """Read what moves meant, of logs; the games of a database are judged as they were read."""
    if db.file is None:
        if read_to := level_of(system, level):
            db.read_conventions(read_to)
    elif level is not None:
        raise HanalyzeError(
            "--level is for logs: the games of a database are judged as they were read",
            rule="usage",
            file=db.file,
            advice="read them again with `hanalyze conventions --level`",
        )


def _judge(db: Database, system: Judge | None, play_threshold: float) -> None:
    """Judge games by logic where asked for, and those of another system, if sure, unless told otherwise."""
    others: dict[int, str] = {}
    if system is None and (games := db.count("convention_games")):
        from hanalyze.analysis.systems import games_of_others

        others = games_of_others(db)
        if others:
            what = "the players do" if games == 1 else f"the players of {len(others):,} of {games:,} games do"
            why = f" ({next(iter(others.values()))})" if games == 1 else ""
            complain(
                f"{what} not seem to follow the H-Group's conventions{why}:"
                " judged by logic; --system h_group judges by conventions"
            )
    db.judge(by_logic=True if system == Judge.NONE else others, play_threshold=play_threshold)


def printable_lines(text: str) -> str:
    """Return text that is safe on a terminal, with its lines."""
    return "".join(printable(line) + "\n" for line in text.splitlines())


def _show(frame: pl.DataFrame, as_json: bool) -> None:
    if as_json:
        typer.echo(printable_json(frame.write_ndjson()), nl=False)
    else:
        typer.echo(frame_table(frame, frame.height), nl=False)


def _show_list(db: Database, kinds: list[str], folder: str | None, count: int, as_json: bool) -> None:
    from hanalyze.store.listings import costliest

    rows = costliest(db, kinds, count, folder)
    if as_json:
        _put_json(rows)
        return
    names = games_apart((row["game_id"], row["game"]) for row in rows)
    for row in rows:
        typer.echo(f"game {names[row['game_id']]}, {_said(row)}")


def _show_game(db: Database, kinds: list[str], folder: str | None, as_json: bool) -> None:
    from hanalyze.store.listings import luck_of_game, mistakes_of_game

    # All of its mistakes, for the account is of all.
    game, every = mistakes_of_game(db, folder)
    rows = [row for row in every if row["kind"] in kinds]
    if as_json:
        _put_json(rows)
        return
    typer.echo(
        f"game {shorten(game['game'])}: {printable(game['variant'])}, {game['players']} players,"
        f" score {game['score']} of {game['full_score']}, {game['end_condition']}"
    )
    for row in rows:
        typer.echo("")
        typer.echo(_said(row))
    typer.echo("")
    typer.echo(_account(every, game))
    if (luck := luck_of_game(db)) is not None:
        typer.echo(f"luck: {luck.points} points ({luck.explained})")


def _show_lost(paths: list[str]) -> None:
    """Say in a line which move put the best score of a deal out of reach, all cards open."""
    from hanalyze.cli.one_game import only_game
    from hanalyze.cli.words import Words
    from hanalyze.report.game.hindsight import NODES, open_question
    from hanalyze.solver.losses import solve

    only = only_game(paths)
    if only is None:
        return
    game = only[0]
    try:
        solution = solve(game, nodes=NODES, fast=False)
    except HanalyzeError as error:
        if error.rule != "not_covered":
            raise
        typer.echo(f"in hindsight: {error.message}")
        return
    said = [open_question(solution)]
    loss = solution.first_loss
    if loss is not None:
        best = (
            "the maximum" if loss.before == solution.full else f"the best score of the deal, {loss.before},"
        )
        words = Words(game.variant, game.suit_names, game.record.players)
        if loss.kind == "end":
            deed = "ended the game"
        elif loss.kind == "clue":
            deed = f"clue to {words.players[loss.action.target]}"
        else:
            deed = f"{loss.kind} of {words.card(game.deck[loss.action.target])[0]}"
        said.insert(0, f"{best} was lost at turn {loss.turn + 1} by {words.players[loss.seat]} ({deed})")
    if any(said):
        typer.echo(f"in hindsight: {'; '.join(filter(None, said))}")


def _said(row: dict[str, Any]) -> str:
    """Return a mistake in words."""
    from hanalyze.store import worded

    player = shorten(row["player"])
    costs = [
        _plural(row["points"], "point"),
        _plural(row["tokens"], "clue token"),
        _plural(row["pace"], "pace", "pace"),
    ]
    cost = ", ".join(one for one in costs if one)
    evidence, better = worded(row)
    lines = [
        f"turn {row['turn'] + 1}, {player}: {row['kind']}, {printable(row['severity'] or '')}"
        + (f" (costs {cost})" if cost else ""),
        f"  by {row['basis']}: {evidence}",
    ]
    if row["came_true"] is not None:
        lines.append(f"  what came of it: the risk {'failed' if row['came_true'] else 'paid off'}")
    if better:
        lines.append(f"  better: {better}")
    return "\n".join(lines)


def _plural(number: float, one: str, more: str | None = None) -> str:
    if not number:
        return ""
    return f"{number:g} {one if number == 1 else more or one + 's'}"


def _account(rows: list[dict[str, Any]], game: dict[str, Any]) -> str:
    """Say where the points of a game went: the parts add up to what is missing."""
    from hanalyze.store.mistakes import BLAMELESS

    helpless = sum(row["points"] for row in rows if row["severity"] in BLAMELESS)
    blamed = sum(row["points"] for row in rows) - helpless
    return (
        f"of {game['full_score']} points: {blamed} lost by mistakes, {helpless} lost without one,"
        f" {game['raw_score'] - game['score']} forfeited,"
        f" {game['max_score'] - game['raw_score']} left unplayed, {game['score']} scored"
    )


def _put_json(rows: list[dict[str, Any]]) -> None:
    from hanalyze.store import worded

    for row in rows:
        evidence, better = worded(row)
        values = json.loads(row["evidence_values"] or "{}")
        shown = {**row, "evidence_values": values, "text": evidence, "better": better or None}
        del shown["names"]
        typer.echo(printable_json(json.dumps(shown, ensure_ascii=False)))
