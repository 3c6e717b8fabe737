"""Cache of mistakes and opportunities per decision, in temporary tables of a database's connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from hanalyze.analysis.group_sums import Fraction, total_sums
from hanalyze.analysis.judged_turns import READ, STORED, TABLE, judged_turns
from hanalyze.analysis.statistics.ratios import Total
from hanalyze.errors import HanalyzeError
from hanalyze.lazy import duckdb
from hanalyze.store import Database
from hanalyze.store.definition_queries import wants_chances
from hanalyze.store.definitions import FAMILIES, Definition, definitions
from hanalyze.store.mistake_cache import Folder, numbered
from hanalyze.store.mistakes import BLAMED_SQL
from hanalyze.store.sums import games_without_sums

_MOST: Final = 62
"""Maximum number of kinds that fit into a 64-bit mask."""
_MOST_GAMES: Final = 10_000
"""Maximum number of games that are copied to be judged differently from the stored sums."""


class DecisionTables(NamedTuple):
    """Names of the tables, and the bit of each kind in the masks `chances` and `found`.

    * `decisions` has the columns `game_id`, `turn`, `seat`, `rank`, `suit`, `phase`, `chances` (mask of the
      kinds that were possible) and `found` (mask of the kinds that were made and blamed on the player). The
      masks leave out kinds with nothing to lose. For decisions with one sensible choice they also leave out
      kinds with `Definition.weighs_forced`. None if not needed.
    * `seats` has a row per game and seat. Measure 0 has the columns `o0` (decisions in which it was possible)
      and `f0` (decisions in which it was found), measure 1 `o1` and `f1`, and so on. A measure is a kind or a
      family; a family counts each decision once.
    * `games` has the same columns by game.
    * `lost` has a row for each decision and kind that lost points or tokens: the first six columns of
      `decisions`, `number` (bit of the kind), `points`, `tokens`, and `blamed`, whether a player is to blame.

    `seats`, `games` and `lost` are tables, or queries in brackets.
    """

    decisions: str | None
    seats: str
    games: str
    lost: str
    bits: dict[str, int]
    measures: dict[str, tuple[int, int]]
    """For each measure: its number in `seats` and its mask."""
    totals: list[Total] | None = None
    """Sums over all games, indexed by the number of the measure; None for stored tables."""


_made: Final[WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[str, DecisionTables]]] = WeakKeyDictionary()
"""The temporary tables of each connection."""
_unchanged: Final[WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[tuple[Folder, bool], DecisionTables]]] = (
    WeakKeyDictionary()
)
"""The tables of each connection within `unchanged_games`, by folder of definitions and `decisions`."""


@contextmanager
def unchanged_games(db: Database) -> Iterator[None]:
    """Reuse `decision_tables` within the block, in which no games are added or judged."""
    _unchanged[db.connection] = {}
    try:
        yield
    finally:
        _unchanged.pop(db.connection, None)


def decision_tables(db: Database, folder: Folder = None, *, decisions: bool = False) -> DecisionTables:
    """Return the tables of a database, which are built at the first call and after games were added.

    Stored sums (`hanalyze.store.sums`) are used if they exist. Games that the database judges differently
    from the sums are counted from their turns; if there are any, so are `decisions`.
    """
    ready = _unchanged.get(db.connection, {})
    if (folder, decisions) not in ready:
        ready[folder, decisions] = _tables(db, folder, decisions)
    return ready[folder, decisions]


def _tables(db: Database, folder: Folder, decisions: bool) -> DecisionTables:
    known = definitions(folder)
    if len(known) > _MOST:
        raise HanalyzeError(
            f"{len(known)} kinds of mistakes, but at most {_MOST} are possible", rule="bad_definition"
        )
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
            return DecisionTables(turns, seats, f"({_by_game(known, seats)})", lost, *_numbers(known))
    return _counted(db, known, folder)


def _counted(
    db: Database,
    known: Mapping[str, Definition],
    folder: Folder,
    games: Sequence[int] | None = None,
) -> DecisionTables:
    """Return the tables of all or some games, counted from their turns."""
    mistakes = db.mistakes_table(folder, games)
    ready = _made.setdefault(db.connection, {})
    if mistakes not in ready:
        for old in ready.values():
            for table in (old.decisions, old.seats, old.games, old.lost):
                db.sql(f"DROP TABLE IF EXISTS {table}", temporary=True)
        ready.clear()
        where = "" if games is None else f" WHERE game_id IN ({', '.join(map(str, games))})"
        ready[mistakes] = _make(db, known, folder, mistakes, where)
    return ready[mistakes]


def _numbers(known: Mapping[str, Definition]) -> tuple[dict[str, int], dict[str, tuple[int, int]]]:
    """Return the bit of each kind, and the number and mask of each measure; kinds come before families."""
    bits = {kind: number for number, kind in enumerate(known)}
    masks = {kind: 1 << bit for kind, bit in bits.items()}
    for family in FAMILIES:
        masks[family] = sum(1 << bits[kind] for kind, one in known.items() if one.family == family)
    return bits, {name: (number, mask) for number, (name, mask) in enumerate(masks.items())}


def _queries(
    known: Mapping[str, Definition], rows: str, decisions: str, where: str = ""
) -> tuple[str, str, str]:
    """Return the queries for `decisions`, `seats` and `lost`.

    `rows` is the table with the result of `numbered`, and `decisions` the name of the first result. `where`
    restricts the games.
    """
    bits, measures = _numbers(known)
    found = (
        "(SELECT game_id, turn, number, severity, points::INTEGER AS points, tokens::DOUBLE AS tokens,"
        f" {BLAMED_SQL} AS blamed FROM {rows})"
    )
    with_chances = any(wants_chances(definition, definition.where) for definition in known.values())
    view = "decisions" if with_chances else "plain_decisions"
    chances = " | ".join(
        f"CASE WHEN {one.where} THEN {1 << bits[kind]}::BIGINT ELSE 0 END" for kind, one in known.items()
    )
    elsewhere = sum(1 << bits[kind] for kind, one in known.items() if not one.weighs_forced)
    counts = ", ".join(
        f"count_if(chances & {mask} <> 0)::USMALLINT AS o{number},"
        f" count_if(found & {mask} <> 0)::USMALLINT AS f{number}"
        for number, mask in measures.values()
    )
    return (
        f"""
        SELECT
            d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase,
            d.chances & ~coalesce(f.idle, 0) | coalesce(f.found, 0) & d.counted AS chances,
            coalesce(f.found, 0) & d.counted AS found
        FROM (
            SELECT
                game_id, turn, seat, rank, suit, phase,
                CASE WHEN one_choice IS NULL THEN {chances} ELSE 0 END AS chances,
                CASE WHEN one_choice IS NULL THEN -1 ELSE {elsewhere} END AS counted
            FROM {view}{where}
        ) d
        LEFT JOIN (
            SELECT game_id, turn, coalesce(bit_or(1::BIGINT << number) FILTER (blamed), 0) AS found,
                coalesce(bit_or(1::BIGINT << number) FILTER (NOT blamed), 0) AS idle
            FROM {found} f WHERE blamed OR severity = 'nothing_to_lose' GROUP BY ALL
        ) f USING (game_id, turn)""",
        f"SELECT game_id, seat, {counts} FROM {decisions} GROUP BY ALL",
        f"""
        SELECT
            d.game_id, d.turn, d.seat, d.rank, d.suit, d.phase, f.number, f.points, f.tokens, f.blamed
        FROM {found} f JOIN {decisions} d USING (game_id, turn)
        WHERE f.points <> 0 OR f.tokens > 0""",
    )


def _make(
    db: Database,
    known: Mapping[str, Definition],
    folder: Folder,
    found: str,
    where: str,
) -> DecisionTables:
    state = found.rpartition("_")[2]
    names = ("judged", "seats", "lost", "games")
    decisions, seats, lost, games = tables = tuple(f"_{name}_{state}" for name in names)
    db.prepare_decisions(folder)
    queries = (*_queries(known, found, decisions, where), _by_game(known, seats))
    for table, query in zip(tables, queries, strict=True):
        db.sql(f"CREATE OR REPLACE TEMP TABLE {table} AS\n{query}", temporary=True)
    bits, measures = _numbers(known)
    totals = total_sums(db, games, rate_fractions(number for number, _ in measures.values()))
    return DecisionTables(decisions, seats, games, lost, bits, measures, totals)


def rate_fractions(numbers: Iterable[int]) -> list[Fraction]:
    """Return the fractions of the measures with these numbers, over rows with the columns of `seats`."""
    return [Fraction(f"r.f{number}", f"r.o{number}") for number in numbers]


def _by_game(known: Mapping[str, Definition], seats: str) -> str:
    numbers = range(len(known) + len(FAMILIES))
    sums = ", ".join(f"sum({x}{number})::USMALLINT AS {x}{number}" for number in numbers for x in "of")
    return f"SELECT game_id, {sums} FROM {seats} GROUP BY game_id"


_SUMMED: Final = ("judged_seats", "judged_lost")


class DecisionSums:
    """The tables `seats` and `lost` of `DecisionTables` and the rows of `judged_turns`, stored with games."""

    name: Final = "judged"

    @property
    def version(self) -> str:
        """The text of the queries; a changed text makes stored sums outdated."""
        decisions, tables = _stored_queries()
        return "\n".join([decisions, *tables.values(), numbered("seen")])

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
    """Return the source of `judged_turns`, a query in brackets, and `DecisionTables.measures`."""
    if folder is None and games_without_sums(db, DecisionSums()) == []:
        return READ, _numbers(definitions())[1]
    tables = decision_tables(db, folder, decisions=True)
    return f"({judged_turns(str(tables.decisions), tables.lost)})", tables.measures


@contextmanager
def mark_decisions(connection: duckdb.DuckDBPyConnection, rows: str) -> Iterator[str]:
    """Provide a table with the columns of `DecisionTables.decisions`, from the table `rows` of mistakes."""
    try:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE _found AS\n{numbered(rows)}")
        decisions, *_ = _queries(definitions(), "_found", "_judged")
        connection.execute(f"CREATE OR REPLACE TEMP TABLE _judged AS\n{decisions}")
        yield "_judged"
    finally:
        for table in ("_found", "_judged"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
