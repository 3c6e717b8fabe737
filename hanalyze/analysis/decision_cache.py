"""Mistakes and opportunities per decision, in temporary tables or from stored sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from hanalyze.analysis.group_sums import create_table, drop
from hanalyze.conventions.classes import MESSAGES, conventions_in
from hanalyze.errors import HanalyzeError
from hanalyze.game.meanings import SETTLED
from hanalyze.lazy import duckdb
from hanalyze.store import Database
from hanalyze.store.definition_queries import wants_chances
from hanalyze.store.definitions import FAMILIES, Definition, Folder, definitions
from hanalyze.store.mistake_cache import numbered
from hanalyze.store.mistakes import BLAMED_SQL
from hanalyze.store.schema import quoted
from hanalyze.store.sums import games_without_sums

_MOST: Final = 62
"""Maximum number of kinds that fit into a 64-bit mask."""
_MOST_GAMES: Final = 10_000
"""Maximum number of games counted from their turns because their sums use other judging options.

In databases with fewer than twice as many games, the maximum is half of the games.
"""


class DecisionTables(NamedTuple):
    """Names of the tables, and the number and mask of each measure.

    * `decisions` has the columns `game_id`, `turn`, `seat`, `rank`, `suit`, `phase`, `chances` (mask of the
      kinds that were possible) and `found` (mask of the kinds that were made and blamed on the player). Both
      masks leave out kinds found with severity `nothing_to_lose`. For a decision with one sensible choice,
      they contain at most the kinds found whose definition is not `weighs_forced`. `decisions` may be None if
      it was not requested.
    * `seats` has a row per game and seat. Measure 0 has the columns `o0` (decisions in which it was possible)
      and `f0` (decisions in which it was found), measure 1 `o1` and `f1`, and so on. A measure is a kind or a
      family. The number of a kind is its bit in the masks; families come after the kinds, and count each
      decision once.
    * `games` has the same columns by game.
    * `lost` has a row for each decision and kind that lost points or tokens: the first six columns of
      `decisions`, `number` (bit of the kind), `points`, `tokens`, and `blamed`, whether a player is to blame.

    `seats`, `games` and `lost` are tables, or queries in brackets.
    """

    decisions: str | None
    seats: str
    games: str
    lost: str
    measures: dict[str, tuple[int, int]]

    @property
    def kinds(self) -> list[str]:
        """The kinds of mistakes, in the order of their numbers."""
        return [name for name in self.measures if name not in FAMILIES]


_cache: Final[WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[str, DecisionTables]]] = WeakKeyDictionary()
"""The tables of each connection, by the name of the table of mistakes that they count."""
_in_block: Final[WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[tuple[Folder, bool], DecisionTables]]] = (
    WeakKeyDictionary()
)
"""The tables of each connection within `unchanged_games`, by folder of definitions and `decisions`."""


@contextmanager
def unchanged_games(db: Database) -> Iterator[None]:
    """Reuse `decision_tables` within the block; no games may be added or judged in it."""
    _in_block[db.connection] = {}
    try:
        yield
    finally:
        _in_block.pop(db.connection, None)


def decision_tables(db: Database, folder: Folder = None, *, decisions: bool = False) -> DecisionTables:
    """Return the tables of a database.

    Without a `folder` of definitions, stored sums (`hanalyze.store.sums`) are used if they exist. Games that
    the database judges by other options are counted from their turns. If these are more than `_MOST_GAMES` or
    half of the games (with `decisions`: any), all games are counted from their turns. Raises `HanalyzeError`
    (rule `bad_definition`) for more than 62 kinds of mistakes.
    """
    ready = _in_block.get(db.connection, {})
    if (folder, decisions) not in ready:
        ready[folder, decisions] = _tables(db, folder, decisions)
    return ready[folder, decisions]


def _tables(db: Database, folder: Folder, decisions: bool) -> DecisionTables:
    known = definitions(folder)
    if folder is None:
        otherwise = games_without_sums(db, DecisionSums())
        most = 0 if decisions else min(_MOST_GAMES, db.count("games") // 2)
        if otherwise is not None and len(otherwise) <= most:
            seats, lost = (f"sums.{table}" for table in _SUMMED)
            if otherwise:
                own = _counted(db, known, None, otherwise)
                seats, lost = (
                    f"(SELECT * EXCLUDE (part) FROM {stored} ANTI JOIN {own.games} USING (game_id)"
                    f" UNION ALL BY NAME FROM {counted})"
                    for stored, counted in ((seats, own.seats), (lost, own.lost))
                )
            turns = READ if decisions else None
            return DecisionTables(turns, seats, f"({_by_game(known, seats)})", lost, _numbers(known))
    return _counted(db, known, folder)


def _counted(
    db: Database,
    known: Mapping[str, Definition],
    folder: Folder,
    games: Sequence[int] | None = None,
) -> DecisionTables:
    """Return the tables of all or some games, counted from their turns."""
    mistakes = db.mistakes_table(folder, games)
    ready = _cache.setdefault(db.connection, {})
    if mistakes not in ready:
        for old in ready.values():
            drop(db, str(old.decisions), old.seats, old.games, old.lost)
        ready.clear()
        state = mistakes.rpartition("_")[2]
        names = ("judged", "seats", "lost", "games")
        decisions, seats, lost, by_game = tables = tuple(f"_{name}_{state}" for name in names)
        where = "" if games is None else f" WHERE game_id IN ({', '.join(map(str, games))})"
        db.prepare_decisions(folder)
        queries = (*_queries(known, mistakes, decisions, where), _by_game(known, seats))
        for table, query in zip(tables, queries, strict=True):
            create_table(db, table, query)
        ready[mistakes] = DecisionTables(decisions, seats, by_game, lost, _numbers(known))
    return ready[mistakes]


def _numbers(known: Mapping[str, Definition]) -> dict[str, tuple[int, int]]:
    """Return the number and mask of each measure; kinds come before families."""
    masks = {kind: 1 << bit for bit, kind in enumerate(known)}
    for family in FAMILIES:
        masks[family] = sum(masks[kind] for kind, one in known.items() if one.family == family)
    return {name: (number, mask) for number, (name, mask) in enumerate(masks.items())}


def judged_decisions(known: Mapping[str, Definition], rows: str, where: str = "") -> str:
    """Return the query for `DecisionTables.decisions`; bit n of a mask means the nth of the `known` kinds.

    `rows` is a table, or a query in brackets, with the columns of `numbered`. `where` restricts the games.
    Raises `HanalyzeError` (rule `bad_definition`) for more than 62 kinds.
    """
    if len(known) > _MOST:
        problem = f"{len(known)} kinds of mistakes, but at most {_MOST} are possible"
        raise HanalyzeError(problem, rule="bad_definition")
    with_chances = any(wants_chances(definition, definition.where) for definition in known.values())
    view = "decisions" if with_chances else "plain_decisions"
    chances = " | ".join(
        f"CASE WHEN {_opportunities(one)} THEN {1 << bit}::BIGINT ELSE 0 END"
        for bit, one in enumerate(known.values())
    )
    if_forced = sum(1 << bit for bit, one in enumerate(known.values()) if not one.weighs_forced)
    return f"""
        SELECT
            d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase,
            d.chances & ~coalesce(f.idle, 0) | coalesce(f.found, 0) & d.counted AS chances,
            coalesce(f.found, 0) & d.counted AS found
        FROM (
            SELECT
                game_id, turn, seat, rank, suit, phase,
                CASE WHEN one_choice IS NULL THEN {chances} ELSE 0 END AS chances,
                CASE WHEN one_choice IS NULL THEN -1 ELSE {if_forced} END AS counted
            FROM {view}{where}
        ) d
        LEFT JOIN (
            SELECT game_id, turn, coalesce(bit_or(1::BIGINT << number) FILTER ({BLAMED_SQL}), 0) AS found,
                coalesce(bit_or(1::BIGINT << number) FILTER (severity = 'nothing_to_lose'), 0) AS idle
            FROM {rows} WHERE {BLAMED_SQL} OR severity = 'nothing_to_lose' GROUP BY ALL
        ) f USING (game_id, turn)"""


def _queries(
    known: Mapping[str, Definition], rows: str, decisions: str, where: str = ""
) -> tuple[str, str, str]:
    """Return the queries for `decisions`, `seats` and `lost`; `rows` has the columns of `numbered`."""
    counts = ", ".join(
        f"count_if(chances & {mask} <> 0)::USMALLINT AS o{number},"
        f" count_if(found & {mask} <> 0)::USMALLINT AS f{number}"
        for number, mask in _numbers(known).values()
    )
    return (
        judged_decisions(known, rows, where),
        f"SELECT game_id, seat, {counts} FROM {decisions} GROUP BY ALL",
        f"""
        SELECT
            d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase, f.number,
            f.points::INTEGER AS points, f.tokens::DOUBLE AS tokens, {BLAMED_SQL} AS blamed
        FROM {rows} f JOIN {decisions} d USING (game_id, turn)
        WHERE f.points <> 0 OR f.tokens > 0""",
    )


def _opportunities(one: Definition) -> str:
    """Return the condition that a decision is an opportunity; clues of other convention systems are not."""
    return f"({one.where}) AND is_judged(game_id, false)" if one.family == "clue" else one.where


def _by_game(known: Mapping[str, Definition], seats: str) -> str:
    numbers = range(len(known) + len(FAMILIES))
    sums = ", ".join(f"sum({x}{number})::USMALLINT AS {x}{number}" for number in numbers for x in "of")
    return f"SELECT game_id, {sums} FROM {seats} GROUP BY game_id"


TABLE: Final = "judged_turns"
"""Name of the stored table of turns."""
CONVENTIONS: Final = conventions_in(MESSAGES)
"""Conventions that are counted: those that send a message. Bit n of a mask means `CONVENTIONS[n]`."""

STORED: Final = """SELECT * REPLACE (
    chances::VARCHAR AS chances, found::VARCHAR AS found,
    coalesce(rank, -1)::TINYINT AS rank, coalesce(suit, -1)::TINYINT AS suit)"""
"""SELECT clause of the stored columns: masks as texts, which DuckDB stores once each, and -1 for null."""
READ: Final = f"""(SELECT * EXCLUDE (part) REPLACE (
    chances::BIGINT AS chances, found::BIGINT AS found, nullif(rank, -1) AS rank, nullif(suit, -1) AS suit)
FROM sums.{TABLE})"""
"""The stored rows with the columns of `judged_turns`."""
READ_TEXTS: Final = f"(SELECT * EXCLUDE (part) FROM sums.{TABLE})"
"""The stored rows with masks as texts."""


def judged_turns(decisions: str, losses: str) -> str:
    """Return the query for all turns, with their mistakes and results.

    The columns are those of `DecisionTables.decisions`, and `result`, `gotten` (cards gotten by a clue) and
    `points` (charged to mistakes that somebody is to blame for). `decisions` and `losses` are tables with the
    columns of `DecisionTables.decisions` and `lost`.
    """
    return f"""
SELECT d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase, t.result, d.chances, d.found,
    coalesce(c.cards_gotten, 0)::TINYINT AS gotten, coalesce(l.points, 0)::SMALLINT AS points
FROM {decisions} d
JOIN turns t ON t.game_id = d.game_id AND t.turn = d.turn AND t.action <> 'end_game'
LEFT JOIN clues c ON c.game_id = d.game_id AND c.turn = d.turn
LEFT JOIN (SELECT game_id, turn, sum(points) AS points FROM {losses} WHERE blamed GROUP BY ALL) l
    ON l.game_id = d.game_id AND l.turn = d.turn"""


_BITS: Final = " ".join(f"WHEN {quoted(one.label)} THEN {n}" for n, one in enumerate(CONVENTIONS))
_MASK: Final = "coalesce(bit_or(1::BIGINT << b.bit) FILTER ({}), 0)"
_SETTLED: Final = f"o.outcome IN ({', '.join(map(quoted, SETTLED))})"
CONVENTIONS_BY_TURN: Final = f"""
SELECT b.game_id, b.turn, {_MASK.format("true")} AS uses, {_MASK.format(_SETTLED)} AS settled,
    {_MASK.format("o.outcome = 'success'")} AS worked
FROM (SELECT game_id, turn, number, CASE convention {_BITS} END AS bit FROM conventions) b
LEFT JOIN convention_outcomes o ON o.game_id = b.game_id AND o.turn = b.turn AND o.number = b.number
WHERE b.bit IS NOT NULL GROUP BY ALL"""
"""Query for the conventions of each turn as masks: those used (`uses`), of these `settled` and `worked`."""

_SUMMED: Final = ("judged_seats", "judged_lost")


class DecisionSums:
    """Stored sums (a `Maker`): `seats` and `lost` of `DecisionTables`, and the rows of `judged_turns`."""

    name: Final = "judged"

    @property
    def version(self) -> str:
        """The text of the queries; a changed text makes stored sums outdated."""
        decisions, tables = _stored_queries()
        return "\n".join([decisions, *tables.values(), numbered("seen", definitions())])

    @contextmanager
    def queries(self, connection: duckdb.DuckDBPyConnection) -> Iterator[Mapping[str, str]]:
        """Provide the query for the rows of each table."""
        with mark_decisions(connection, "seen"):
            yield _stored_queries()[1]


def _stored_queries() -> tuple[str, dict[str, str]]:
    """Return the query for the decisions, and the query for the rows of each stored table."""
    decisions, *queries = _queries(definitions(), "_found", "_judged")
    losses = f"(SELECT game_id, turn, points, {BLAMED_SQL} AS blamed FROM _found)"
    turns = f"{STORED} FROM ({judged_turns('_judged', losses)})"
    return decisions, dict(zip((*_SUMMED, TABLE), (*queries, turns), strict=True))


def source_of_turns(db: Database, folder: Folder = None) -> tuple[str, dict[str, tuple[int, int]]]:
    """Return the rows of `judged_turns`, as a query in brackets, and `DecisionTables.measures`."""
    if folder is None and games_without_sums(db, DecisionSums()) == []:
        return READ, _numbers(definitions())
    tables = decision_tables(db, folder, decisions=True)
    return f"({judged_turns(str(tables.decisions), tables.lost)})", tables.measures


@contextmanager
def mark_decisions(connection: duckdb.DuckDBPyConnection, rows: str) -> Iterator[str]:
    """Provide a table with the columns of `DecisionTables.decisions`, from the table `rows` of mistakes."""
    try:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE _found AS\n{numbered(rows, definitions())}")
        decisions, *_ = _queries(definitions(), "_found", "_judged")
        connection.execute(f"CREATE OR REPLACE TEMP TABLE _judged AS\n{decisions}")
        yield "_judged"
    finally:
        for table in ("_found", "_judged"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
