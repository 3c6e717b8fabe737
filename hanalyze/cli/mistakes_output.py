"""Flow of `hanalyze mistakes`: one game without a database, several in one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from typing import TYPE_CHECKING, Final

import typer

from hanalyze.cli.exits import complain
from hanalyze.cli.frame_text import frame_output
from hanalyze.cli.inputs import complain_of_rejects, only_game, open_database
from hanalyze.cli.options import Judge, highest_level, judge_of, others_of
from hanalyze.conventions.run import HIGHEST_LEVEL, read_records
from hanalyze.lazy import polars as pl
from hanalyze.report.game.game_mistakes import judge_game
from hanalyze.store.definitions import definitions
from hanalyze.store.listings import check_name, costliest, judged_game, kinds_found, levels_shown
from hanalyze.text import apart, plural
from hanalyze.words import listed

if TYPE_CHECKING:
    from hanalyze.store import Database


def show_mistakes(
    paths: list[str] | None,
    kinds: list[str],
    by: str | None,
    player: str | None,
    list_: int | None,
    minimum: int,
    options: tuple[str | None, Judge | None, int | None, float],
    memory_limit: str | None,
    as_json: bool,
    show_all: bool,
) -> None:
    """Print the mistakes of one game, or those of several as the options say.

    `options` are the folder of definitions, the system, the level and the play threshold.
    """
    folder, system, level, play_threshold = options
    # One game needs no database.
    if by is None and list_ is None and memory_limit is None and (only := only_game(paths or [])) is not None:
        game, _ = only
        level = highest_level(judge_of(game) if system is None else system, level)
        read_to = HIGHEST_LEVEL if level is None else level
        with ThreadPoolExecutor(2) as pool:  # DuckDB works while Python reads and solves
            read = partial(read_records, [game.record], level=read_to, fast=False, cards=True)
            reading = pool.submit(read) if read_to else None
            inferences = None if reading is None else reading.result
            judge = partial(judge_game, game, folder, level, inferences, play_threshold, moves=as_json)
            judging = pool.submit(judge)
            wait([reading] if reading else [])  # DuckDB waits for it: nothing else must slow it down
            from hanalyze.cli.mistakes_text import hindsight_of, show_judged

            hindsight = "" if as_json else hindsight_of(game)
            judged = judging.result()
        show_judged(game, judged, inferences and inferences(), kinds, player, folder, as_json, show_all)
        if not as_json:
            typer.echo(hindsight)
        return
    from hanalyze.cli.mistakes_text import show_game, show_list

    with open_database(paths, memory_limit=memory_limit) as db:
        games = db.count("games")
        if player is not None:
            check_name(db.connection, "player", player)
        level = highest_level(system, level)
        if db.file is None and level != 0:
            db.read_conventions(level)
        _judge(db, system, play_threshold, level)
        if by is not None:
            from hanalyze.analysis.reports import STATS_REPORTS  # needs all of the analysis
            from hanalyze.cli.reports import print_report

            report = STATS_REPORTS["mistakes"]
            frame = report.make(db, *kinds, by=by, minimum=minimum, folder=folder)
            if player is not None:
                frame = frame.filter(pl.col("player") == player)
            if as_json:
                typer.echo(frame_output(frame, as_json), nl=False)
            else:
                print_report(report, frame, rows=0, by=by, games=games, minimum=minimum, every=show_all)
        elif games == 1 and list_ is None:
            show_game(*judged_game(db, folder), kinds, player, folder, as_json, show_all)
        elif list_ is not None:
            show_list(costliest(db, kinds, list_, folder, player), definitions(folder), as_json)
        else:
            typer.echo(frame_output(kinds_found(db, kinds, folder, player), as_json), nl=False)
            levels = [] if as_json else levels_shown(db)
            for group in [group for group in levels if player is None or player in group.players][:_GROUPS]:
                players = "".join(listed(apart(group.players, _NAME)))
                typer.echo(f"{players} ({plural(group.games, 'game')}): {group}")
        complain_of_rejects(db)
        if system is None and not as_json and games and db.file and not db.count("convention_games"):
            complain(
                "these games were not read for conventions, and are judged only by logic and odds;"
                " `hanalyze conventions DB` reads them"
            )


_GROUPS: Final = 3
"""Maximum number of sets of players whose level is printed."""
_NAME: Final = 20  # maximum length of a name in this line


def _judge(db: Database, system: Judge | None, play_threshold: float, level: int | None) -> None:
    """Judge the games by the options; without `system`, those of `others_of` by logic."""
    others = others_of(db) if system is None else {}
    db.judge(by_logic=True if system == Judge.NONE else others, play_threshold=play_threshold, level=level)
