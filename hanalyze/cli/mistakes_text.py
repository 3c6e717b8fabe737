"""Output of `hanalyze mistakes`: one game turn by turn, and lists of mistakes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import typer

from hanalyze.cli.frame_text import table_lines
from hanalyze.conventions.run import Output
from hanalyze.errors import UnknownName
from hanalyze.replaying import Replay
from hanalyze.report.game.game_mistakes import Row, game_name, named_rows, worst_first
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
from hanalyze.store.definitions import Definition, definitions
from hanalyze.store.levels import GroupLevel, sentence_of
from hanalyze.store.mistakes import BLAMELESS, SEVERITIES
from hanalyze.store.moves import in_words
from hanalyze.store.wording import luck_of, sentence, worded
from hanalyze.text import apart, games_apart, nearest, printable, printable_json, shorten
from hanalyze.words import GameNames, costs_in_words


def show_judged(
    replay: Replay,
    judged: tuple[list[Row], list[Row], GroupLevel | None],
    read: Output | None,
    kinds: list[str],
    player: str | None,
    folder: str | None,
    as_json: bool,
    show_all: bool,
) -> None:
    """Print what `judge_game` returns about a game, and its reading by conventions, as `show_game` does."""
    decisions, mistakes, group = judged
    names = list(replay.record.players)
    game = {**points_of(replay), "variant": replay.variant.name, "names": names, "game": game_name(replay)}
    rows, meanings = named_rows(replay, mistakes), meanings_of(read)
    show_game(game, decisions, rows, meanings, group, kinds, player, folder, as_json, show_all)


def hindsight_of(replay: Replay) -> str:
    """Return the sentence on the best score of a game with all cards open."""
    _, hindsight = solution_of(replay)
    return plain_text(hindsight, GameNames(replay.variant, replay.suit_names, replay.record.players))


def show_list(rows: list[Row], definitions_of_kinds: Mapping[str, Definition], as_json: bool) -> None:
    """Print mistakes of several games."""
    if as_json:
        _print_json(rows)
        return
    names = games_apart((row["game_id"], row["game"]) for row in rows)
    for row in rows:
        typer.echo(_entry([row], definitions_of_kinds, f"game {names[row['game_id']]}, "))


def show_game(
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
    """Print what `judged_game` returns about a game, as its options in `hanalyze mistakes` say."""
    seats = [seat for seat, name in enumerate(game["names"]) if player is None or player == name]
    if player is not None and not seats:
        raise UnknownName("player", player, nearest(player, game["names"]), advice="it is not in this game")
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
    if unmarked := [row for row in rows if row["turn"] not in marked]:
        typer.echo(_not_blamed(unmarked))
    if (luck := luck_of([row for row in decisions if row["seat"] in seats], every)) is not None:
        typer.echo(f"Luck: {luck.points} points. {luck.explained}")
    if text := sentence_of(group):
        typer.echo(text)


def _entry(rows: list[Row], kinds: Mapping[str, Definition], game: str = "") -> str:
    """Return the mistakes of one turn as text: the worst with evidence, the others as titles."""
    titles = [_title(row, kinds[row["kind"]]) for row in rows]
    row = rows[0]
    evidence, better = worded(row)
    lines = [f"{game}{'turn' if game else 'Turn'} {row['turn'] + 1}, {shorten(row['player'])}: {titles[0]}"]
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
    """Return the title of a mistake with its cost, and the reason if nobody is blamed."""
    cost = costs_in_words(row["points"], row["tokens"], row["pace"])
    blame = "" if row["severity"] not in BLAMELESS else SEVERITIES[row["severity"]].short
    details = ", ".join(filter(None, (cost, blame)))
    return title_in_words(row, kind) + (f" ({details})" if details else "")


def _not_blamed(rows: list[Row]) -> str:
    """Return a sentence on the blameless turns."""
    turns: dict[str, set[int]] = {}
    for row in rows:
        turns.setdefault(SEVERITIES[row["severity"]].short, set()).add(row["turn"])
    parts = [f"{word} ({turns_in_words(sorted(numbers))})" for word, numbers in turns.items()]
    return f"Nobody is blamed for: {'; '.join(parts)}. List them with --all.\n"


def _print_json(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        evidence, better = worded(row)
        evidence_values = json.loads(row["evidence_values"] or "{}")
        values = {**row, "evidence_values": evidence_values, "text": evidence, "better": better or None}
        if "moves" in values:
            values["moves"] = in_words(row["moves"], row["names"])
        del values["names"]
        typer.echo(printable_json(json.dumps(values, ensure_ascii=False)))
