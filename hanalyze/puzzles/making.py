"""Puzzles of a database: candidates by SQL, in an order by seed, judged until there are enough."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.meanings import Convention
from hanalyze.lazy import polars as pl
from hanalyze.puzzles.judging import Judge, Puzzle
from hanalyze.puzzles.moves import turns_of
from hanalyze.puzzles.selection import FORMS, LEAST_DECK, MOST_READINGS, make_puzzle
from hanalyze.replaying import Replay, replay_deals
from hanalyze.store.batches import stored_deals
from hanalyze.store.definitions import definitions
from hanalyze.store.judging_options import PLAY
from hanalyze.store.listings import level_read
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.quiz import QUIZ
from hanalyze.text import nearest
from hanalyze.words import GameNames

if TYPE_CHECKING:
    from hanalyze.store import Database

COUNT: Final = 60
"""Default number of puzzles."""
APART: Final = 10
"""Puzzles of one game are at least this many turns apart."""
_PIECE: Final = 120
"""Candidates judged at a time."""
_MOST_GAMES: Final = 2000
"""Mistakes are looked for only in databases with at most this many games, unless a filter asks for them."""
_THEMES: Final = (*FORMS, "known_play", "discard", *definitions(), *(one.label for one in Convention))
"""Names that `theme` may have: forms, their themes, kinds of mistakes, and conventions."""

_CHOSEN: Final = """
WITH c AS MATERIALIZED (
{candidates}
),
marks AS ({marks}),
s AS (SELECT form, theme, avg(did_right::INTEGER) AS share FROM c GROUP BY ALL),
n AS (
    SELECT c.*, s.share, p.player, m.kind, md5(g.digest || ' ' || c.turn || c.form || $seed) AS lot
    FROM c
    JOIN s USING (form, theme)
    JOIN games g USING (game_id)
    JOIN seats p USING (game_id, seat)
    LEFT JOIN marks m USING (game_id, turn, seat)
    WHERE (c.form <> 'known' OR m.kind IS NOT NULL)
        AND ($player IS NULL OR p.player = $player)
        AND ($theme IS NULL OR c.theme = $theme OR c.form = $theme OR m.kind = $theme)
        AND ($level IS NULL OR c.level IS NULL OR c.level <= $level)
)
FROM n
ORDER BY
    $mistakes AND kind IS NULL,
    row_number() OVER (PARTITION BY form, theme ORDER BY lot)
        / CASE form WHEN 'quiet' THEN 16 WHEN 'save' THEN 6 WHEN 'known' THEN 3 ELSE 1 END,
    lot
"""
_MARKS: Final = """
SELECT game_id, turn, seat, arg_min(kind, (-points, kind)) AS kind FROM mistakes
WHERE severity IN ('knew', 'could_tell') GROUP BY ALL
"""
_NO_MARKS: Final = """
SELECT 0::BIGINT AS game_id, 0::SMALLINT AS turn, 0::TINYINT AS seat, NULL::VARCHAR AS kind WHERE false
"""
_MESSAGES: Final = """
SELECT m.* REPLACE (m.convention::VARCHAR AS convention), t.action::VARCHAR AS action, t.clue_value,
    t.touched_slots, c.newly_touched, c.saved
FROM conventions m JOIN turns t USING (game_id, turn) LEFT JOIN clues c USING (game_id, turn)
WHERE m.number = 0 AND m.game_id IN (SELECT unnest($games))
"""
_CHANCES: Final = (
    "SELECT game_id, turn, playable, critical FROM chances WHERE game_id IN (SELECT unnest($games))"
)


class Found(NamedTuple):
    """A puzzle with the game that it is from."""

    puzzle: Puzzle
    replay: Replay
    names: GameNames


def find_puzzles(
    db: Database,
    *,
    player: str | None = None,
    theme: str | None = None,
    level: int | None = None,
    mistakes: bool = False,
    count: int = COUNT,
    seed: int = 0,
) -> list[Found]:
    """Return the puzzles of a database; see `quiz`."""
    read_to = level_read(db)
    if read_to is None:
        raise HanalyzeError(
            "the games were not read for conventions",
            rule="no_conventions",
            file=db.file,
            advice="run `hanalyze conventions` on the database first",
        )
    if theme is not None and theme not in _THEMES:
        raise UnknownName(
            "theme", theme, nearest(theme, _THEMES), advice="give a form, convention or mistake"
        )
    rows = _candidates(db, player, theme, level, mistakes, seed)
    found: list[Found] = []
    keys: set[str] = set()
    taken: dict[int, list[int]] = {}
    for first in range(0, len(rows), _PIECE):
        piece = rows[first : first + _PIECE]
        judged = {
            (one.puzzle.game_id, one.puzzle.turn, one.puzzle.form): one for one in _judged(db, piece, read_to)
        }
        for row in piece:
            one = judged.get((row["game_id"], row["turn"], row["form"]))
            if one is None or one.puzzle.key in keys or (level and one.puzzle.level > level):
                continue
            others = taken.setdefault(row["game_id"], [])
            if any(abs(row["turn"] - other) < APART for other in others):
                continue
            others.append(row["turn"])
            keys.add(one.puzzle.key)
            found.append(one)
            if len(found) == count:
                return found
    return found


def _candidates(
    db: Database, player: str | None, theme: str | None, level: int | None, mistakes: bool, seed: int
) -> list[dict[str, Any]]:
    candidates = (files("hanalyze.puzzles") / "candidates.sql").read_text("utf-8")
    judged = mistakes or theme in definitions() or db.count("games") <= _MOST_GAMES
    query = _CHOSEN.format(candidates=candidates, marks=_MARKS if judged else _NO_MARKS)
    values = {"deck": LEAST_DECK, "readings": MOST_READINGS, "mistakes": mistakes}
    filters = {"seed": str(seed), "player": player, "theme": theme, "level": level}
    return db.sql(query, {**values, **filters}).to_dicts()


def _judged(db: Database, rows: Sequence[dict[str, Any]], level: int) -> Iterator[Found]:
    """Yield the puzzles among some candidates."""
    games = sorted({row["game_id"] for row in rows})
    chances = {(row["game_id"], row["turn"]): row for row in db.sql(_CHANCES, {"games": games}).to_dicts()}
    messages: dict[int, dict[int, dict[str, Any]]] = {}
    for row in db.sql(_MESSAGES, {"games": games}).to_dicts():
        messages.setdefault(row["game_id"], {})[row["turn"]] = row
    deals = stored_deals(db.connection, np.array(games, np.int64), len(games))
    keys, dealt = zip(*deals, strict=True)
    for key, replay in zip(keys, replay_deals(dealt, fast=False), strict=True):
        names = GameNames(replay.variant, replay.suit_names, replay.record.players)
        by_turn: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            if row["game_id"] == key:
                by_turn.setdefault(row["turn"], []).append(row)
        deck = [(card.suit, card.rank) for card in replay.deck]
        for index, turn in turns_of(replay, set(by_turn), level):
            for row in by_turn[index]:
                values = {**row, **chances.get((key, index), {})}
                judge = Judge(values, turn, names, deck, messages[key], PLAY)
                puzzle = make_puzzle(judge, replay.state(index))
                if puzzle is not None:
                    yield Found(puzzle, replay, names)


def quiz(
    db: Database,
    *,
    player: str | None = None,
    theme: str | None = None,
    level: int | None = None,
    mistakes: bool = False,
    count: int = COUNT,
    seed: int = 0,
) -> pl.DataFrame:
    """Return puzzles from the games of a database, one row per puzzle.

    The columns are `hanalyze.tables.quiz.QUIZ`. The games must have been read for conventions. `player` keeps
    the turns of one player; `theme` a form, a convention or a kind of mistake; `level` conventions up to an
    H-Group level. With `mistakes`, turns with a mistake come first. The same `seed` gives the same puzzles in
    the same order. Raises `HanalyzeError` (rule `no_conventions`), and `UnknownName` for a
    theme that does not exist.
    """
    found = find_puzzles(
        db, player=player, theme=theme, level=level, mistakes=mistakes, count=count, seed=seed
    )
    return pl.DataFrame(
        [_row(one) for one in found],
        schema={column.name: getattr(pl, POLARS_TYPES[column.type]) for column in QUIZ},
        orient="row",
    )


def _row(found: Found) -> dict[str, Any]:
    puzzle = found.puzzle
    answers = [{"move": one.label, "verdict": one.verdict, "why": one.why} for one in puzzle.alternatives]
    return {
        "game_id": puzzle.game_id,
        "turn": puzzle.turn,
        "seat": puzzle.seat,
        "player": found.replay.record.players[puzzle.seat],
        "form": puzzle.form,
        "theme": puzzle.theme,
        "mistake": puzzle.mistake,
        "phase": puzzle.phase,
        "level": puzzle.level,
        "difficulty": puzzle.difficulty,
        "share": puzzle.share,
        "key": puzzle.key,
        "question": puzzle.question,
        "right": "; ".join(one.label for one in puzzle.right),
        "explained": puzzle.explained,
        "answers": json.dumps(answers, ensure_ascii=False),
    }
