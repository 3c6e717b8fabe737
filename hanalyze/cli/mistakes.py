"""`hanalyze mistakes`: list the mistakes in games, judged by what the players could know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Final

import typer

from hanalyze.cli.exits import UsageError
from hanalyze.cli.frame_text import frame_output, severities_in_words, table_lines
from hanalyze.cli.inputs import complain_of_unread, complain_of_unreadable, one_game, open_database
from hanalyze.cli.options import (
    Definitions,
    Game,
    GamePaths,
    JsonRows,
    Judge,
    Kinds,
    Level,
    MemoryLimit,
    Minimum,
    Nth,
    PlayThreshold,
    System,
    follows_other_system,
    highest_level,
    others_of,
)
from hanalyze.cli.parameters import examples, flag, option
from hanalyze.conventions.run import HIGHEST_LEVEL, Output, read_records
from hanalyze.errors import UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import (
    Row,
    came_to_nothing,
    game_name,
    judge_game,
    named_rows,
    worst_first,
)
from hanalyze.report.game.sentence_parts import mark_title, plain_text
from hanalyze.report.game.summary import (
    TITLES,
    Meaning,
    headline,
    meanings_of,
    player_rows,
    points_of,
    solution_of,
    turns_in_words,
)
from hanalyze.store.definitions import Definition, chosen, definition, definitions
from hanalyze.store.judging_options import PLAY
from hanalyze.store.levels import GroupLevel, sentence_of
from hanalyze.store.listings import check_name, costliest, judged_game, kinds_found, levels_shown
from hanalyze.store.mistakes import BLAMELESS, SEVERITY_WORDS
from hanalyze.store.moves import in_words
from hanalyze.store.wording import luck_of, sentence, worded
from hanalyze.text import (
    apart,
    games_apart,
    known_names,
    nearest,
    plural,
    printable,
    printable_json,
    shorten,
)
from hanalyze.words import GameNames, costs_in_words, listed


@examples(
    "hanalyze mistakes game.json",
    "hanalyze mistakes games.jsonl --game p3v1s2",
    "hanalyze mistakes games.duckdb",
    "hanalyze mistakes games.duckdb --by player --kind discard",
    "hanalyze mistakes games.duckdb --list 20 --kind misplay",
    "hanalyze mistakes games.duckdb --player Alice",
    "hanalyze mistakes --explain discard_last_copy",
)
def mistakes(
    paths: GamePaths = None,
    game: Game = None,
    nth: Nth = None,
    by: Annotated[
        str | None,
        option("GROUP", "Show rates by player, team, month, turn and so on, as in `hanalyze stats`."),
    ] = None,
    kind: Kinds = None,
    player: Annotated[str | None, option("NAME", "Only this player's own decisions.")] = None,
    list_: Annotated[int | None, option("N", "List the N costliest mistakes.", "--list", min=1)] = None,
    show_all: Annotated[
        bool,
        flag(
            "--all",
            "For one game and with --list: also list blameless moves; with --by: every kind, with interval.",
        ),
    ] = False,
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

    For one game, lists every turn with a mistake: the player, the evidence, and the better move. For several
    games, counts each kind. Blameless losses (could not know, forced, nothing to lose) have rows for their
    points, but do not count in rates.

    Logs are read for conventions first, so that a move does not count as a mistake if its meaning explains
    it; in games of another system, only plays and discards count, and only if deduction rules them out. A
    database is judged by conventions if `hanalyze conventions` has read its games, as in every command.
    `--system none` ignores conventions.
    """
    if explain is not None:
        text = definition(explain, folder).text
        typer.echo("".join(printable(line) + "\n" for line in text.splitlines()), nl=False)
        return
    if player is not None and by not in (None, "player", "partner"):
        raise UsageError("--player counts or lists the mistakes of one player", "give it without --by")
    kinds = list(chosen(kind or [], folder))
    is_one = by is None and list_ is None and memory_limit is None
    if (game is not None or nth is not None) and not is_one:
        raise UsageError(
            "--game and --nth show one game", "give them without --by, --list and --memory-limit"
        )
    # One game needs no database.
    if is_one and (only := one_game(paths or [], game, nth)) is not None:
        replay, _ = only
        other_system = system is None and follows_other_system(replay)
        level = 0 if other_system else highest_level(system, level)
        read_to = HIGHEST_LEVEL if level is None else level
        with ThreadPoolExecutor(2) as pool:  # DuckDB works while Python reads and solves
            read = partial(read_records, [replay.record], level=read_to, fast=False, cards=True)
            reading = pool.submit(read) if read_to else None
            options = {"moves": as_json, "other_system": other_system}
            judging = pool.submit(_judged, replay, folder, level, reading, play_threshold, **options)
            if reading is not None:
                reading.exception()  # judging waits for this, so the solver starts only afterwards
            _, hindsight = (None, []) if as_json else solution_of(replay)
            judgement = judging.result()
        _show_game(*judgement, kinds, player, folder, as_json, show_all)
        if not as_json:
            names = GameNames(replay.variant, replay.suit_names, replay.record.players)
            typer.echo(plain_text(hindsight, names))
        return
    with open_database(paths, memory_limit=memory_limit) as db:
        games = db.count("games")
        if player is not None:
            check_name(db.connection, "player", player)
        level = highest_level(system, level)
        if db.file is None and level != 0:
            db.read_conventions(level)
        others = others_of(db) if system is None else {}
        by_logic = True if system == Judge.NONE else others
        db.judge(by_logic=by_logic, play_threshold=play_threshold, level=level)
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
            _show_game(*judged_game(db, folder), kinds, player, folder, as_json, show_all)
        elif list_ is not None:
            _show_list(
                costliest(db, kinds, list_, folder, player, with_blameless=show_all),
                definitions(folder),
                as_json,
            )
        else:
            found = kinds_found(db, kinds, folder, player)
            if found.is_empty() and not as_json:
                typer.echo(f"{plural(games, 'game')}: no mistakes found")
            else:
                typer.echo(frame_output(found if as_json else severities_in_words(found), as_json), nl=False)
            levels = [] if as_json else levels_shown(db)
            for group in [group for group in levels if player is None or player in group.players][:_GROUPS]:
                players = "".join(listed(apart(group.players, _NAME)))
                typer.echo(f"{players} ({plural(group.games, 'game')}): {group}")
        complain_of_unreadable(db)
        if system is None and not as_json:
            complain_of_unread(db)


_GROUPS: Final = 3
"""Maximum number of sets of players whose level is printed."""
_NAME: Final = 20  # maximum length of a player's name in the line of such a set


def _show_list(rows: list[Row], definitions_of_kinds: Mapping[str, Definition], as_json: bool) -> None:
    if as_json:
        _print_json(rows)
        return
    if not rows:
        typer.echo("no mistakes found")
    names = games_apart((row["game_id"], row["game"]) for row in rows)
    for row in rows:
        typer.echo(_entry([row], definitions_of_kinds, f"game {names[row['game_id']]}, "))


def _judged(
    replay: Replay,
    folder: str | None,
    level: int | None,
    reading: Future[Output] | None,
    play_threshold: float,
    **options: bool,
) -> tuple[Row, list[Row], list[Row], list[Meaning], GroupLevel | None]:
    """Judge a game without a database, with `options` of `judge_game`; return what `judged_game` returns."""
    record = replay.record
    inferences = None if reading is None else reading.result
    decisions, mistakes, group = judge_game(replay, folder, level, inferences, play_threshold, **options)
    game = {
        **points_of(replay),
        "variant": replay.variant.name,
        "names": list(record.players),
        "game": game_name(replay),
    }
    return game, decisions, named_rows(replay, mistakes), meanings_of(inferences and inferences()), group


def _show_game(
    game: Row,
    decisions: list[Row],
    every: list[Row],
    meanings: list[Meaning],
    group: GroupLevel | None,
    kinds: list[str],
    player: str | None,
    folder: str | None,
    as_json: bool,
    show_all: bool,
) -> None:
    seats = [seat for seat, name in enumerate(game["names"]) if player is None or player == name]
    if player is not None and not seats:
        advice = known_names(game["names"])
        raise UnknownName("player", player, nearest(player, game["names"]), advice=advice)
    rows = [row for row in every if row["kind"] in kinds and row["seat"] in seats]
    if as_json:
        _print_json(rows)
        return
    definition_of = definitions(folder)
    name = f"{shorten(game['game'])}, {printable(game['variant'])}"
    typer.echo(f"Game {name}: {headline(game, every, definition_of)}\n")
    players = player_rows(apart(game["names"]), decisions, every, meanings)
    body = [[str(cell) for cell in players[seat]] for seat in seats]
    lines = table_lines(TITLES, body, [title != "player" for title in TITLES])
    typer.echo("\n".join(lines) + "\n")
    visible = [row for row in rows if show_all or row["severity"] not in BLAMELESS]
    for _, of_turn in groupby(visible, key=itemgetter("turn")):
        typer.echo(_entry(sorted(of_turn, key=worst_first), definition_of) + "\n")
    marked = {row["turn"] for row in visible}
    if unmarked := [row for row in rows if row["turn"] not in marked and not came_to_nothing(row)]:
        typer.echo(_not_blamed(unmarked))
    if (luck := luck_of([row for row in decisions if row["seat"] in seats], every)) is not None:
        typer.echo(f"Luck: {luck.points} points. {luck.explained}")
    if text := sentence_of(group):
        typer.echo(text)


def _entry(rows: list[Row], kinds: Mapping[str, Definition], game: str = "") -> str:
    """Return the mistakes of one turn as text: the first with its evidence, the others as titles."""
    titles = [_title(row, kinds[row["kind"]]) for row in rows]
    row = rows[0]
    evidence, better = worded(row)
    player = apart(row["names"])[row["seat"]]
    lines = [f"{game}{'turn' if game else 'Turn'} {row['turn'] + 1}, {player}: {titles[0]}"]
    lines.append(f"  By {row['basis']}: {evidence}")
    if row["came_true"] is not None:
        lines.append(f"  The risk {'failed' if row['came_true'] else 'paid off'}.")
    if titles[1:]:
        lines.append(f"  Also: {'; '.join(titles[1:])}")
    if better:
        lines.append(f"  Better: {better}")
    return "\n".join(lines)


def title_in_words(row: Row, kind: Definition) -> str:
    """Return the title of a mistake as it follows a player's name."""
    title = sentence(mark_title(kind, row, row["fault_rule"]), apart(row["names"])) or printable(kind.title)
    return title[:1].lower() + title[1:]


def _title(row: Row, kind: Definition) -> str:
    """Return the title of a mistake with its cost, and the reason if the move is blameless."""
    cost = costs_in_words(row["points"], row["tokens"], row["pace"])
    blame = SEVERITY_WORDS[row["severity"]] if row["severity"] in BLAMELESS else ""
    details = ", ".join(filter(None, (cost, blame)))
    return title_in_words(row, kind) + (f" ({details})" if details else "")


def _not_blamed(rows: list[Row]) -> str:
    """Return a sentence with the turns of blameless moves, by reason."""
    turns: dict[str, set[int]] = {}
    for row in rows:
        turns.setdefault(SEVERITY_WORDS[row["severity"]], set()).add(row["turn"])
    parts = [f"{word} ({turns_in_words(sorted(numbers))})" for word, numbers in turns.items()]
    return f"Blameless moves: {'; '.join(parts)}. List them with --all.\n"


def _print_json(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        evidence, better = worded(row)
        evidence_values = json.loads(row["evidence_values"] or "{}")
        values = {**row, "evidence_values": evidence_values, "text": evidence, "better": better or None}
        if "moves" in values:
            values["moves"] = in_words(row["moves"], row["names"])
        del values["names"]
        typer.echo(printable_json(json.dumps(values, ensure_ascii=False)))
