"""Select the game, turn and player that a command names."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from hanalyze.cli.exits import Problems
from hanalyze.errors import HanalyzeError, LogError
from hanalyze.logs.files import read
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import Replay
from hanalyze.text import shorten


def matching(records: Iterable[GameRecord], game: str | None, nth: int | None) -> Iterator[GameRecord]:
    """Yield the records with id, seed or name `game` (None: all); with `nth`, only record `nth`, from 1."""
    if nth is not None:
        records = itertools.islice(records, nth - 1, nth)
    return (one for one in records if game is None or game in (str(one.id), one.seed, one.name))


def selected_games(
    paths: Iterable[str], game: str | None, nth: int | None, problems: Problems
) -> Iterator[GameRecord]:
    """Yield the matching records of logs; add their errors to `problems`, or one if no game matches."""

    def on_error(error: LogError) -> None:
        # Skip errors of games that were not selected.
        if game is None or error.line is None or error.game == game:
            problems.add(error)

    count = 0
    for record in matching(read(paths, on_error=on_error), game, nth):
        count += 1
        yield record
    if count or problems.code:
        return
    if game is not None:
        problems.add(HanalyzeError("not found", rule="no_such_game", game=game, advice="give its id or seed"))
    elif nth is not None:
        problems.add(HanalyzeError(f"there are fewer than {nth} games", rule="no_such_game"))
    else:
        problems.add(no_game(paths))


def no_game(paths: Iterable[str]) -> HanalyzeError:
    """Return the error for logs that can be read but have no game, such as an empty array."""
    return HanalyzeError("there is no game", rule="no_such_game", file=shorten(", ".join(paths)))


def selected_game(path: str, game: str | None, nth: int | None) -> GameRecord:
    """Return the only matching record of a log. Raises `HanalyzeError` unless exactly one matches."""
    records = list(itertools.islice(matching(read([path]), game, nth), 2))
    if not records:
        if game is None and nth is None:
            raise no_game([path])
        advice = "`hanalyze replay` shows the games"
        raise HanalyzeError("no such game", rule="no_such_game", file=path, game=game, advice=advice)
    if len(records) > 1:
        same = records[0].name == records[1].name
        names = " and ".join(record.name + f" (line {record.line})" * same for record in records)
        problem = f"several games, among them {names}"
        advice = "choose one with --nth" if game is not None else "choose one with --game or --nth"
        raise HanalyzeError(problem, rule="not_one_game", file=path, advice=advice)
    return records[0]


def seat_named(text: str, players: tuple[str, ...]) -> int:
    """Return the seat, from 0, of a player given by name or by number from 1. Raises `HanalyzeError`."""
    name = text.strip()
    if name.isascii() and name.isdecimal() and 1 <= int(name[:9]) <= len(players):
        return int(name[:9]) - 1
    same = [seat for seat, player in enumerate(players) if player == name]
    alike = [seat for seat, player in enumerate(players) if player.casefold() == name.casefold()]
    for seats in (same, alike):
        if len(seats) == 1:
            return seats[0]
    names = ", ".join(f"{number} {shorten(player, 20)}" for number, player in enumerate(players, 1))
    problem = f'there is no player "{shorten(name)}"'
    raise HanalyzeError(problem, rule="no_such_seat", advice=f"players are {names}")


def turn_index(replay: Replay, turn: int, *, from_end: bool = False) -> int:
    """Convert a turn from 1-based to 0-based; with `from_end`, -1 is the end. Raises `HanalyzeError`."""
    last = replay.turn_count + 1
    if not (1 <= turn <= last or (from_end and -last <= turn <= -1)):
        problem = f"there is no turn {turn}"
        advice = f"turns are 1 to {last} (the end)"
        raise HanalyzeError(problem, rule="no_such_turn", game=replay.record.name, advice=advice)
    return replay.turn_number(turn - 1 if turn > 0 else turn)
