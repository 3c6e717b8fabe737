"""A database of simulated games, and its rows as plain Python for slow second implementations."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from hanalyze.agents import simulate
from hanalyze.logs import write
from hanalyze.store import Database, connect

STRANGE = ("O'Brien", '"; DROP TABLE games; --', "<b>Zoe</b>", "🎆 fire", "花火", "%s {0} $kinds")
"""Names that would change a query or a page that does not escape them."""

Row = dict[str, Any]


@functools.cache
def played() -> Database:
    """Return a database of 62 games: 2 to 5 players, three agents, two variants, seats that change."""
    plans: list[tuple[str, int, int, Row]] = [
        ("cautious", 3, 20, {}),
        ("random", 3, 14, {}),
        ("cautious", 2, 10, {"variant": "6 Suits"}),
        ("cheating", 4, 10, {}),
        ("random", 5, 8, {"edition": "abacus"}),
    ]
    records = []
    for agent, players, games, how in plans:
        for number, record in enumerate(simulate(agent, players=players, games=games, seed=5, **how)):
            names = [STRANGE[(number * step + step) % len(STRANGE)] for step in range(players)]
            # Players of a game can share a name, and the date can be missing or unreadable.
            date = (None, "2024-01-15T10:00:00Z", "2024-01-31 23:59:59", "last May")[number % 4]
            records.append(msgspec.structs.replace(record, players=tuple(names), started=date))
    db = connect()
    with TemporaryDirectory() as folder:
        write(records, Path(folder) / "games.jsonl")
        db.ingest(Path(folder) / "games.jsonl", jobs=1)
    return db


@functools.cache
def rows(query: str) -> list[Row]:
    """Return the rows of a query."""
    return played().sql(query).to_dicts()


@functools.cache
def games() -> dict[int, Row]:
    """Return the games by their key, with `names` by seat and `band` of the score."""
    found = {row["game_id"]: {**row, "names": []} for row in rows("SELECT * FROM games")}
    for row in rows("SELECT * FROM seats ORDER BY game_id, seat"):
        found[row["game_id"]]["names"].append(row["player"])
    for one in found.values():
        share = one["score"] / one["full_score"]
        if share == 1:
            one["band"] = "perfect"
        elif share >= 0.9:
            one["band"] = "90%+"
        elif share >= 0.75:
            one["band"] = "75-90%"
        else:
            one["band"] = "50-75%" if share >= 0.5 else "below 50%"
    return found


def groups_of(row: Row, by: str | None) -> set[tuple[Any, ...]]:
    """Return the groups that a row with a game, a seat and a turn belongs to."""
    game = games()[row["game_id"]]
    names = game["names"]
    if by is None:
        return {()}
    if by == "player":
        return {(names[row["seat"]],)}
    if by == "partner":
        return {(names[row["seat"]], name) for seat, name in enumerate(names) if seat != row["seat"]}
    if by in ("players", "variant", "edition"):
        return {(game[by],)}
    if by in ("before", "after"):
        return {(names[(row["seat"] + (1 if by == "after" else -1)) % len(names)],)}
    if by == "family":
        return {(game["variant"].partition(" (")[0],)}
    if by in ("date", "month", "year"):
        known = (game["started"] or "").startswith("2024")
        return {(game["started"][: {"date": 10, "month": 7, "year": 4}[by]] if known else "no date",)}
    if by == "team":
        quoted = (json.dumps(name, ensure_ascii=False) if name[0] == '"' else name for name in sorted(names))
        return {(", ".join(quoted),)}
    if by == "score":
        return {(game["band"],)}
    if by == "turn":
        first = row["turn"] // 10 * 10
        return {(f"{first}-{first + 9}",)}
    return set() if row[by] is None else {(row[by],)}


def table_groups(game: Row, by: str | None) -> set[tuple[Any, ...]]:
    """Return the groups that a whole game belongs to."""
    names = game["names"]
    if by == "player":
        return {(name,) for name in names}
    if by == "partner":
        return {(a, b) for i, a in enumerate(names) for j, b in enumerate(names) if i != j}
    return groups_of({"game_id": game["game_id"]}, by)
