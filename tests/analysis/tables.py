"""Databases made by hand: games, seats, turns, clues and cards with the columns that a test is about.

In: rows as dictionaries. Out: an open database in memory. What a test does not say has a plain value. Besides
there is a folder with definitions of mistakes whose counts can be told from the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hanalyze.store import Database, connect
from hanalyze.tables.store import TABLES

PLAIN: dict[str, dict[str, Any]] = {
    "games": {
        "variant": "No Variant",
        "edition": "hanab-live",
        "players": 2,
        "score": 20,
        "raw_score": 20,
        "max_score": 25,
        "full_score": 25,
        "full_tokens": 8,
        "end_condition": "normal",
        "letters": "rygbp",
    },
    "seats": {},
    "turns": {
        "action": "play",
        "result": "played",
        "could_clue": True,
        "could_discard": True,
        "forced": False,
        "locked": False,
        "known_playable": 0,
        "known_trash": 0,
        "deck_before": 20,
        "pace_risk_before": "Low",
        "max_score_before": 25,
        "max_score_after": 25,
    },
    "clues": {
        "receiver": 1,
        "kind": "colour",
        "value": 0,
        "touched": 1,
        "trash": 0,
        "duplicates": 0,
        "critical": 0,
        "chop_touched": False,
        "bits": 1.0,
        "plays_followed": 0,
        "cards_gotten": 0,
    },
    "cards": {"suit": 0, "rank": 1, "holder": 0, "colour_clues": 0, "rank_clues": 0, "fate": "played"},
}

SLIP = """-- A slip
--
-- definition: a misplay; known_trash says how bad: 1 is forced, 2 could not be known
-- opportunity: plays
-- where: action = 'play'
SELECT
    game_id, turn, seat, 'slip' AS kind,
    CASE known_trash WHEN 1 THEN 'forced' WHEN 2 THEN 'could_not_know' ELSE 'knew' END AS severity,
    max_score_before - max_score_after AS points, 0.5 AS tokens, 0 AS pace, '' AS evidence
FROM decisions
WHERE result = 'misplayed'
"""

DROP = """-- A drop
--
-- definition: two rows for every discard of a one
-- opportunity: discards with cards in the deck
-- where: result = 'discarded' AND deck_before > $cards
-- threshold cards = 0: cards that must be left
SELECT
    game_id, turn, seat, 'drop' AS kind, 'gamble' AS severity, n AS points, 0.0 AS tokens, 0 AS pace,
    '' AS evidence
FROM decisions, (VALUES (0), (1)) twice(n)
WHERE result = 'discarded' AND rank = 1
"""


def definitions(folder: Path) -> Path:
    """Write the definitions `slip` and `drop` into a folder, and return the folder."""
    (folder / "slip.sql").write_text(SLIP)
    (folder / "drop.sql").write_text(DROP)
    return folder


def database(**tables: Iterable[Mapping[str, Any]]) -> Database:
    """Return a database in memory with these rows."""
    db = connect()
    for table, rows in tables.items():
        types = {column.name: column for column in TABLES[table]}
        for row in rows:
            values = {**PLAIN.get(table, {}), **row}
            # Flags of a game are off unless a test is about them.
            for name, column in types.items():
                if table == "games" and column.type == "bool":
                    values.setdefault(name, False)
            names = ", ".join(f'"{name}"' for name in values)
            places = ", ".join("?" * len(values))
            db.connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", list(values.values()))
    return db


def game(number: int, *players: str, **facts: Any) -> dict[str, Any]:
    """Return the row of a game; the seats are `seats_of` the same players."""
    return {"game_id": number, "players": len(players), **facts}


def seats(number: int, *players: str) -> list[dict[str, Any]]:
    return [{"game_id": number, "seat": seat, "player": player} for seat, player in enumerate(players)]


def turns(number: int, words: str, first: int = 0, players: int = 2, **facts: Any) -> list[dict[str, Any]]:
    """Return the rows of consecutive turns, one for each letter.

    p a play, m a misplay, f a misplay that was forced, n one that could not be known, d a discard, o a
    discard of a one, c a clue, x a play with one sensible choice.
    """
    kinds: dict[str, dict[str, Any]] = {
        "p": {},
        "m": {"result": "misplayed", "max_score_after": 24},
        "f": {"result": "misplayed", "known_trash": 1},
        "n": {"result": "misplayed", "known_trash": 2, "max_score_after": 23},
        "d": {"action": "discard", "result": "discarded", "rank": 3},
        "o": {"action": "discard", "result": "discarded", "rank": 1},
        "c": {"action": "colour_clue", "result": "clued"},
        "x": {"forced": True, "could_clue": False, "could_discard": False},
    }
    return [
        {"game_id": number, "turn": first + i, "seat": (first + i) % players, **kinds[letter], **facts}
        for i, letter in enumerate(words)
    ]
