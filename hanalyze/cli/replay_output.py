"""Output of `hanalyze replay`: games turn by turn, or a position, printed as soon as they are replayed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final

import typer

from hanalyze.cli.exits import Problems
from hanalyze.cli.game_text import board, edition_name, heading, outcome, turns_table
from hanalyze.cli.screen import Line, Screen, Words, attributes, show_json
from hanalyze.cli.selection import seat_named, selected_games, turn_index
from hanalyze.errors import HanalyzeError
from hanalyze.game.editions import edition as named_edition
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.site import turn_of
from hanalyze.position import ClueMark, HeldCard, Position
from hanalyze.replaying import Replay, replay_many

_FIRST_CHUNKS: Final = (1, 10, 100)  # sizes of the first chunks, so that the first games appear immediately
_CHUNK: Final = 1000  # size of the later chunks; large chunks are faster per game


def show_replays(
    selected: tuple[list[str], str | None, int | None],
    turn: int | None,
    hide: Sequence[str],
    seats: str | None,
    edition: str | None,
    strict: bool,
    forgive: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Print the games selected by paths, name and number; exit with the code of the problems found."""
    if turn is None and len(selected[0]) == 1:
        turn = turn_of(selected[0][0])
    forgiven = tuple(name.replace("-", "_") for name in forgive)
    problems = Problems()
    screen = Screen()
    # Report wrong options once, not for every game.
    if edition is not None:
        named_edition(edition)
    list(replay_many([], forgive=forgiven))
    # JSON has all columns of the turns, which are computed faster for many games together.
    measured = as_json and turn is None
    settings = {"edition": edition, "strict": strict, "forgive": forgiven, "measured": measured}
    records = selected_games(*selected, problems)
    for number, played in enumerate(_replays(records, settings, problems)):
        try:
            hidden = _hidden_seats(hide, seats, played.record.players)
            if as_json:
                _show_json(played, turn, hidden, edition)
            else:
                _show(played, turn, hidden, edition, screen, first=not number)
        except HanalyzeError as error:
            problems.add(error.at(file=played.record.file, line=played.record.line, game=played.record.name))
    raise typer.Exit(problems.code)


def _replays(records: Iterator[GameRecord], settings: dict[str, Any], problems: Problems) -> Iterator[Replay]:
    sizes = _FIRST_CHUNKS[: 1 if settings["measured"] else None]
    for size in itertools.chain(sizes, itertools.repeat(_CHUNK)):
        chunk = list(itertools.islice(records, size))
        if not chunk:
            return
        yield from replay_many(chunk, on_error=lambda _, error: problems.add(error), **settings)


def _hidden_seats(hide: Sequence[str], seats: str | None, players: tuple[str, ...]) -> frozenset[int]:
    hidden = {seat_named(text, players) for text in hide}
    if seats is not None:
        open_seats = {seat_named(text, players) for text in seats.split(",")}
        hidden |= set(range(len(players))) - open_seats
    return frozenset(hidden)


def _position(replay: Replay, turn: int, hidden: frozenset[int]) -> Position:
    return replay.state(turn_index(replay, turn, from_end=True)).seen_by(*hidden)


def _show(
    replay: Replay, turn: int | None, hidden: frozenset[int], edition: str | None, screen: Screen, first: bool
) -> None:
    def words(name_width: int = 40) -> Words:
        return Words(replay.variant, replay.suit_names, replay.record.players, name_width)

    width = screen.width
    lines: list[Line] = [] if first else [[], []]
    lines += [*heading(replay, words(), edition, width), []]
    if turn is None:
        lines += [*turns_table(replay, words, width, hidden), [], *outcome(replay, width)]
    else:
        lines += board(replay, _position(replay, turn, hidden), words(), width)
    screen.show(lines)


def _show_json(replay: Replay, turn: int | None, hidden: frozenset[int], edition: str | None) -> None:
    """Print a game as JSON with its turns (columns of `hanalyze.tables.TURNS`) or one position."""
    game = {
        "game": replay.record.name,
        "players": replay.record.players,
        "variant": replay.variant.name,
        "edition": edition_name(replay, edition),
        "seed": replay.record.seed,
        **attributes(replay, "score max_score end_condition rating"),
        "defects": [
            {"rule": defect.rule.label, **attributes(defect, "turn seat found")} for defect in replay.defects
        ],
    }
    if turn is None:
        game["turns"] = list(replay.rows())
    else:
        game["position"] = _position_json(_position(replay, turn, hidden))
    show_json(game)


def _position_json(position: Position) -> dict[str, Any]:
    """Return a position as JSON values; hidden cards have null for suit and rank."""

    def mark_json(mark: ClueMark) -> dict[str, Any]:
        return attributes(mark, "turn giver kind value touched") | {"kind": mark.kind.name.lower()}

    def card_json(card: HeldCard) -> dict[str, Any]:
        suit, rank = card.card or (None, None)
        return {"order": card.order, "suit": suit, "rank": rank, "clues": list(map(mark_json, card.clues))}

    hands = [list(map(card_json, hand)) for hand in position.hands]
    names = "stacks discards clue_tokens strikes deck score max_score pace end_condition"
    return {**attributes(position, "turn seat"), "hands": hands, **attributes(position, names)}
