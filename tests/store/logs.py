"""Valid and broken logs for the tests of the database, and functions that compare databases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from hanalyze.agents import simulate
from hanalyze.logs import GameRecord, to_json, write
from hanalyze.store import Database
from hanalyze.tables.store import TABLES

COMPARED = [table for table in TABLES if table != "ingests"]
"""The tables that the same logs always make alike."""


def games(
    count: int, players: int = 3, seed: int = 1, agent: str = "cautious", **how: Any
) -> list[GameRecord]:
    return list(simulate(agent, players=players, games=count, seed=seed, **how))


def log(path: Path, count: int = 20, **how: Any) -> Path:
    write(games(count, **how), path)
    return path


def content(db: Database) -> dict[str, pl.DataFrame]:
    """Return all tables, with sorted rows."""
    return {table: db.sql(f"SELECT * FROM {table} ORDER BY ALL") for table in COMPARED}


def _edited(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    def edit(line: bytes) -> bytes:
        game = json.loads(line)
        change(game)
        return json.dumps(game).encode()

    return edit


def _all_red(game: dict[str, Any]) -> None:
    game["deck"] = [{"suitIndex": 0, "rank": 1}] * 50


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda line: line[: len(line) // 2],
    "not_json": lambda line: line[:-1] + b",,}",
    "not json at all": lambda line: b"Dear diary, " + line[:20].replace(b"{", b"("),
    "bad encoding": lambda line: line.replace(b'"Alice"', b'"Al\xffce"'),
    "no players": _edited(lambda game: game.pop("players")),
    "no actions": _edited(lambda game: game.pop("actions")),
    "wrong type": _edited(lambda game: game.update(players="Alice")),
    "number too large": _edited(lambda game: game.update(id=2**70)),
    "unknown option": _edited(lambda game: game.update(options={"flying": True})),
    "unknown variant": _edited(lambda game: game.update(options={"variant": "No Such Variant"})),
    "unknown edition": _edited(lambda game: game.update(edition="no-such-edition")),
    "one player": _edited(lambda game: game.update(players=["Alice"])),
    "short deck": _edited(lambda game: game.update(deck=game["deck"][:40])),
    "wrong deck": _edited(_all_red),
    "nothing to deal": _edited(lambda game: [game.pop("deck"), game.pop("seed")]),
}
"""Fifteen ways to break a log so that it cannot be read or dealt."""


def mixed(path: Path, sound: int, broken: int) -> Path:
    """Write valid logs, with broken logs of all kinds in turn at equal distances."""
    kinds = list(BROKEN.values())
    lines = [to_json(record) for record in games(sound)]
    spoiled = [to_json(record) for record in games(broken, seed=10_000_000)]
    every = max(sound // broken, 1)
    with path.open("wb") as file:
        for number, line in enumerate(lines):
            file.write(line + b"\n")
            if number % every == every - 1 and number // every < broken:
                file.write(kinds[number // every % len(kinds)](spoiled[number // every]) + b"\n")
    return path
