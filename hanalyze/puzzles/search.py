"""Search for puzzles in a random sample of games, from a database or from logs."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.resources import files
from itertools import islice
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.meanings import Convention
from hanalyze.lazy import duckdb, polars as pl
from hanalyze.logs.record import GameRecord
from hanalyze.puzzles.moves import turns_of
from hanalyze.puzzles.selection import FORMS, LEAST_DECK, MOST_READINGS, STUDY, make_puzzle, study
from hanalyze.puzzles.verdicts import Judge, Puzzle
from hanalyze.replaying import Replay, replay_deals
from hanalyze.store import Database
from hanalyze.store.batches import stored_deals
from hanalyze.store.definitions import definitions
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.levels import show_levels
from hanalyze.store.listings import check_name, level_read
from hanalyze.store.materialise import only_games
from hanalyze.store.mistakes import prepare_decisions, show_mistakes
from hanalyze.store.records import records_by_key
from hanalyze.store.results import as_frame
from hanalyze.store.rows import registered
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.quiz import QUIZ
from hanalyze.text import known_names, nearest, plural
from hanalyze.words import GameNames

MOST_GAMES: Final = 1280  # maximum number of games that a quiz searches
_KEYS: Final = 2**63  # upper bound of the keys of games; these are digests, so their order is random
_STORED: Final = """
SELECT g.game_id, count(*) OVER () AS games FROM games g SEMI JOIN convention_games c USING (game_id)
WHERE $player IS NULL OR g.game_id IN (SELECT game_id FROM seats WHERE player = $player)
ORDER BY
    $theme IS NOT NULL
        AND g.game_id NOT IN (SELECT game_id FROM conventions WHERE convention::VARCHAR = $theme),
    g.game_id < $start, g.game_id
LIMIT $most
"""


def level_of(db: Database) -> int:
    """Return the highest level up to which games were read for conventions.

    Raises `HanalyzeError` (rule `no_conventions`) if no game was read.
    """
    read_to = level_read(db)
    if read_to is None:
        what = "the games were not read for conventions"
        advice = "run `hanalyze conventions` on the database first"
        raise HanalyzeError(what, rule="no_conventions", file=db.file, advice=advice)
    return read_to


def _start_of(seed: int) -> int:
    """Return the key at which the sample starts (0 for seed 0); it continues in the order of the keys."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _KEYS if seed else 0


class StoredGames:
    """Up to `MOST_GAMES` games read for conventions, of one `player` if given.

    Games with the convention `theme` come first; apart from that, `seed` determines their random order.
    Raises the errors of `level_of`, and `UnknownName` if `player` has no game.
    """

    def __init__(
        self, db: Database, seed: int = 0, *, player: str | None = None, theme: str | None = None
    ) -> None:
        level_of(db)
        if player is not None:
            check_name(db.connection, "player", player)
        values = {"player": player, "theme": theme, "start": _start_of(seed), "most": MOST_GAMES}
        rows = db.sql(_STORED, values)
        self.db, self.seed, self.player = db, seed, player
        self.total: int = rows["games"][0] if rows.height else 0
        self._keys: list[int] = rows["game_id"].to_list()

    def first(self, count: int) -> list[int]:
        """Return the keys of at most `count` games."""
        return self._keys[:count]


class LoggedGames:
    """Games of logs; sampled games are stored in the empty database `db` and read for conventions.

    All records are read, but at most `2 * MOST_GAMES` are in memory at a time. `on_error` is called with the
    error of each game that cannot be dealt. Raises `UnknownName` if `player` has no game.
    """

    def __init__(
        self,
        db: Database,
        records: Iterable[GameRecord],
        seed: int,
        on_error: Callable[[HanalyzeError], object],
        *,
        player: str | None = None,
        level: int | None = None,
    ) -> None:
        self.db, self.seed, self.player, self._level = db, seed, player, level
        start = _start_of(seed)
        sample: dict[int, GameRecord] = {}
        keys: set[int] = set()
        names: set[str] = set()
        stream = iter(records)
        while batch := list(islice(stream, MOST_GAMES)):
            for key, record in records_by_key(batch, on_error):
                names.update(record.players)
                if player is None or player in record.players:
                    sample.setdefault(key, record)
                    keys.add(key)
            sample = {
                key: sample[key] for key in sorted(sample, key=lambda key: (key - start) % _KEYS)[:MOST_GAMES]
            }
        if names and not keys:
            raise UnknownName("player", str(player), nearest(str(player), names), advice=known_names(names))
        self.total = len(keys)
        self._keys, self._records, self._added = [*sample], [*sample.values()], 0

    def first(self, count: int) -> list[int]:
        """Return the keys of at most `count` games, after storing them and reading them for conventions."""
        if new := self._records[self._added : count]:
            self.db.add(new)
            self.db.read_conventions(self._level)
            self._added = count
        return self._keys[:count]


Games: TypeAlias = StoredGames | LoggedGames


COUNT: Final = 60  # default number of puzzles
APART: Final = 10  # minimum difference of the turns of two puzzles of one game
_FIRST_GAMES: Final = 40  # number of games searched first; it is doubled until the quiz is full
_FORM_GAMES: Final = 160  # number of games up to which a search continues because a form has too few puzzles
_FORM_SHARE: Final = 0.1  # minimum share of each form of puzzles except `known`, which needs a mistake
_THEMES: Final = (*FORMS, "known_play", "discard", *definitions(), *(one.label for one in Convention))
"""Allowed values of `theme`: forms, their themes, kinds of mistakes, and conventions."""

_CHOSEN: Final = """
WITH c AS MATERIALIZED (
{candidates}
),
marks AS (
    SELECT game_id, turn, seat, arg_min(kind, (-points, kind)) AS kind FROM found_mistakes
    WHERE severity IN ('knew', 'could_tell') GROUP BY ALL
),
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
FROM n ORDER BY lot
"""
_MESSAGES: Final = """
SELECT m.* REPLACE (m.convention::VARCHAR AS convention), t.action::VARCHAR AS action, t.clue_value,
    t.touched_slots, c.newly_touched, c.saved
FROM conventions m SEMI JOIN {} USING (game_id)
JOIN turns t USING (game_id, turn) LEFT JOIN clues c USING (game_id, turn)
WHERE m.number = 0
"""
_CHANCES: Final = "SELECT game_id, turn, playable, critical FROM chances SEMI JOIN {} USING (game_id)"


class FoundPuzzle(NamedTuple):
    """A puzzle with its game."""

    puzzle: Puzzle
    replay: Replay
    names: GameNames


class Search(NamedTuple):
    """Puzzles, the number of games searched for them, and the number of all games."""

    puzzles: list[FoundPuzzle]
    searched_games: int
    games: int

    def __str__(self) -> str:
        """Return the numbers in words.

        >>> print(Search([], 40, 2000))
        0 puzzles from 40 of 2,000 games
        """
        of = f"{self.searched_games:,} of " if self.searched_games < self.games else ""
        return f"{plural(len(self.puzzles), 'puzzle')} from {of}{plural(self.games, 'game')}"


def find_puzzles(
    games: Games,
    *,
    theme: str | None = None,
    level: int | None = None,
    mistakes: bool = False,
    count: int = COUNT,
) -> Search:
    """Return at most `count` puzzles from a random sample of games; the options are those of `quiz`."""
    check_theme(theme)
    judged: dict[tuple[int, int, str], FoundPuzzle | None] = {}
    searched, wanted = 0, _FIRST_GAMES
    while True:
        keys = games.first(min(wanted, MOST_GAMES))
        if not keys:
            return Search([], 0, games.total)
        read_to = level_of(games.db)
        with _see_games(games.db, keys) as cursor:
            rows = _candidates(cursor, games.player, theme, level, games.seed)
            # In a quiz of mistakes, other turns only fill gaps; a few games have enough of them.
            all_turns = not mistakes or searched < _FORM_GAMES
            new = [row for row in rows if _place(row) not in judged and (all_turns or row["kind"])]
            judged.update(dict.fromkeys(map(_place, new)))
            for one in _judged(games.db, cursor, new, read_to):
                judged[one.puzzle.game_id, one.puzzle.turn, one.puzzle.form] = one
        # The shares of puzzles found earlier were computed from fewer games, so they are updated.
        found = (
            known._replace(puzzle=replace(known.puzzle, share=round(row["share"], 3)))
            for row in rows
            if (known := judged.get(_place(row))) is not None
        )
        puzzles = _choose(found, count, level, mistakes)
        is_last = len(keys) in (searched, games.total, MOST_GAMES)
        searched = len(keys)
        if is_last or _is_enough(puzzles, count, mistakes, theme is not None or searched >= _FORM_GAMES):
            return Search(puzzles, searched, games.total)
        wanted *= 2


def check_theme(theme: str | None) -> None:
    """Raise `UnknownName` for an unknown theme; None is allowed."""
    if theme is not None and theme not in _THEMES:
        advice = f"give a form ({', '.join(FORMS)}), a kind of mistake or a convention"
        raise UnknownName("theme", theme, nearest(theme, _THEMES), advice=advice)


def find_positions(db: Database, positions: pl.DataFrame) -> list[FoundPuzzle]:
    """Return a puzzle for each position, in order; it has the form `STUDY` if the position allows no other.

    `positions` has the columns of `hanalyze.analysis.player_positions`; rows of the same turn count once.
    Raises `HanalyzeError` (rule `usage`) for a turn that the database does not have.
    """
    read_to = level_of(db)
    requests = positions.unique(["game_id", "turn"], keep="first", maintain_order=True).to_dicts()
    with _see_games(db, sorted({row["game_id"] for row in requests})) as cursor:
        turns = set(cursor.execute("SELECT game_id, turn FROM turns").fetchall())
        for row in requests:
            if _turn(row) not in turns:
                what = f"this database has no game {row['game_id']} with a turn {row['turn'] + 1}"
                raise HanalyzeError(what, rule="usage", file=db.file, advice="give positions of its games")
        # The form `cards` asks for the identity of a card, not for a move.
        rows = [
            row
            for row in _candidates(cursor, None, None, None, 0)
            if row["form"] != "cards" and any(_turn(row) == _turn(request) for request in requests)
        ]
        rows += [{"form": STUDY, **row} for row in requests]
        puzzles: dict[tuple[int, int], FoundPuzzle] = {}
        for one in _judged(db, cursor, rows, read_to):
            puzzles.setdefault((one.puzzle.game_id, one.puzzle.turn), one)
    return [puzzles[_turn(row)] for row in requests]


_turn: Final = itemgetter("game_id", "turn")
_place: Final = itemgetter("game_id", "turn", "form")


def _choose(
    puzzles: Iterable[FoundPuzzle], count: int, level: int | None, mistakes: bool
) -> list[FoundPuzzle]:
    """Return at most `count` of the puzzles, no two of them alike or close together in one game.

    Forms alternate, and so do the themes of a form; with `mistakes`, turns with a mistake come first.
    """
    ranks: Counter[tuple[object, ...]] = Counter()

    def rank(*group: object) -> int:
        ranks[group] += 1
        return ranks[group]

    by_theme = []
    for one in puzzles:
        puzzle = one.puzzle
        if not level or (puzzle.level or 0) <= level:
            late = mistakes and puzzle.mistake is None
            by_theme.append((late, rank(late, puzzle.form, puzzle.theme), one))
    by_theme.sort(key=itemgetter(0, 1))
    by_form = [(late, rank(late, one.puzzle.form), one) for late, _, one in by_theme]
    chosen: list[FoundPuzzle] = []
    keys: set[str] = set()
    taken: dict[int, list[int]] = {}
    for *_, one in sorted(by_form, key=itemgetter(0, 1)):
        others = taken.setdefault(one.puzzle.game_id, [])
        if one.puzzle.key in keys or any(abs(one.puzzle.turn - other) < APART for other in others):
            continue
        others.append(one.puzzle.turn)
        keys.add(one.puzzle.key)
        chosen.append(one)
        if len(chosen) == count:
            break
    return chosen


def _is_enough(puzzles: Sequence[FoundPuzzle], count: int, mistakes: bool, any_form: bool) -> bool:
    """Return whether there are `count` puzzles and, unless `any_form`, enough of every form but `known`.

    If `mistakes`, each of them must be about a turn with a mistake.
    """
    if len(puzzles) < count or (mistakes and any(one.puzzle.mistake is None for one in puzzles)):
        return False
    forms = [one.puzzle.form for one in puzzles]
    return any_form or all(forms.count(form) >= count * _FORM_SHARE for form in FORMS if form != "known")


@contextmanager
def _see_games(db: Database, games: Sequence[int]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Provide a cursor that sees only some games, and their mistakes in the table `found_mistakes`."""
    with duckdb_errors(db.file), closing(db.connection.cursor()) as cursor:
        mistakes = db.kept_mistakes()
        levels = show_levels(cursor, db.judging.level) if mistakes is None else []
        with registered(cursor, {"game_id": np.array(games, np.int64)}) as source:
            cursor.execute(f"CREATE TEMP TABLE _searched AS FROM {source}")
        only_games(cursor, "_searched")
        if mistakes is not None:
            searched = f"FROM {mistakes} SEMI JOIN _searched USING (game_id)"
            cursor.execute(f"CREATE TEMP VIEW found_mistakes AS {searched}")
        else:
            prepare_decisions(cursor, as_table=True, judging=db.judging, levels=levels)
            show_mistakes(cursor)
        yield cursor


def _candidates(
    cursor: duckdb.DuckDBPyConnection, player: str | None, theme: str | None, level: int | None, seed: int
) -> list[dict[str, Any]]:
    query = _CHOSEN.format(candidates=(files("hanalyze.puzzles") / "candidates.sql").read_text("utf-8"))
    values = {"deck": LEAST_DECK, "readings": MOST_READINGS}
    filters = {"seed": str(seed), "player": player, "theme": theme, "level": level}
    return as_frame(cursor, query, {**values, **filters}).to_dicts()


def _judged(
    db: Database, cursor: duckdb.DuckDBPyConnection, rows: Sequence[dict[str, Any]], level: int
) -> Iterator[FoundPuzzle]:
    """Yield the puzzles among candidates; one of the form `STUDY` only if its turn has no other puzzle."""
    games: dict[int, dict[int, list[dict[str, Any]]]] = {}
    for row in rows:
        games.setdefault(row["game_id"], {}).setdefault(row["turn"], []).append(row)
    keys = np.array(sorted(games), np.int64)
    with registered(cursor, {"game_id": keys}) as source:
        chances = {_turn(row): row for row in as_frame(cursor, _CHANCES.format(source)).to_dicts()}
        messages: dict[int, dict[int, dict[str, Any]]] = {key: {} for key in games}
        for row in as_frame(cursor, _MESSAGES.format(source)).to_dicts():
            messages[row["game_id"]][row["turn"]] = row
    for key, deal in stored_deals(db.connection, keys, len(keys)):
        [replay] = replay_deals([deal], fast=False)
        names = GameNames(replay.variant, replay.suit_names, replay.record.players)
        deck = [(card.suit, card.rank) for card in replay.deck]
        for index, turn in turns_of(replay, set(games[key]), level):
            is_found = False
            for row in games[key][index]:
                if is_found and row["form"] == STUDY:
                    continue
                judge = Judge({**row, **chances.get((key, index), {})}, turn, names, deck, messages[key])
                puzzle = study(judge) if row["form"] == STUDY else make_puzzle(judge)
                if puzzle is not None:
                    is_found = True
                    yield FoundPuzzle(puzzle, replay, names)


def quiz(
    db: Database,
    *,
    player: str | None = None,
    theme: str | None = None,
    level: int | None = None,
    mistakes: bool = False,
    count: int = COUNT,
    seed: int = 0,
    positions: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return puzzles from the games of a database, one row per puzzle.

    The columns are those of `hanalyze.tables.quiz.QUIZ`. The games must have been read for conventions.
    `player` selects the turns of one player, `theme` a form, a convention or a kind of mistake, and `level`
    conventions up to an H-Group level. With `mistakes`, turns with a mistake come first. Games are searched
    in a random order that `seed` determines, at most `hanalyze.puzzles.search.MOST_GAMES`, until there
    are enough puzzles; at most `count` are returned.

    With `positions`, such as `hz.me(db, "Alice").positions`, the rows are these positions, and the other
    parameters are ignored; positions that are not puzzles have the form `study` and only open answers.

    Raises `HanalyzeError` if no game was read for conventions (rule `no_conventions`) or a position is not in
    the database (`usage`), and `UnknownName` for a theme or a player that does not exist.
    """
    if positions is not None:
        puzzles = find_positions(db, positions)
    else:
        check_theme(theme)
        games = StoredGames(db, seed, player=player, theme=theme)
        puzzles = find_puzzles(games, theme=theme, level=level, mistakes=mistakes, count=count).puzzles
    schema = {column.name: getattr(pl, POLARS_TYPES[column.type]) for column in QUIZ}
    return pl.DataFrame([_row(one) for one in puzzles], schema, orient="row")


def _row(found: FoundPuzzle) -> dict[str, Any]:
    puzzle = found.puzzle
    answers = [{"move": one.label, "verdict": one.verdict, "why": one.why} for one in puzzle.alternatives]
    row = {column.name: getattr(puzzle, column.name, None) for column in QUIZ}
    return row | {
        "player": found.replay.record.players[puzzle.seat],
        "right": "; ".join(answer.label for answer in puzzle.right),
        "answers": json.dumps(answers, ensure_ascii=False),
    }
