"""Mistakes as queries: the view `decisions` has one row per decision, `mistakes` the rows of all definitions.

All rows of a turn show the same better move. It is the move of the costliest mistake whose definition gives a
move; otherwise, if a player is to blame for one of the rows, the move of `better_moves`.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, NamedTuple

from hanalyze.game.cards import START, rank_letter
from hanalyze.game.meanings import Reason
from hanalyze.lazy import duckdb
from hanalyze.store.definition_queries import COLUMNS, OPTIONAL, columns_of, completed_query
from hanalyze.store.definitions import Definition, definitions
from hanalyze.store.judging_options import USUAL, Judging, judge_by, judging_macro
from hanalyze.store.levels import GroupLevel, show_levels
from hanalyze.store.lookups import AT_FAULT, LOOKUPS, candidates, create_lookups, create_views
from hanalyze.store.materialise import RowQuery, materialise
from hanalyze.store.schema import quoted, sql_text


class Severity(NamedTuple):
    """Severity of a mistake, by what the player could know: a short name and a definition."""

    short: str
    definition: str


SEVERITIES: Final = {
    "knew": Severity("knew", "the player knew it was wrong, by clues, visible cards and the hand as a whole"),
    "could_tell": Severity("could tell", "by what the player knew, it was likely to be wrong"),
    "gamble": Severity("gamble", "by what the player knew, it was a considerable risk"),
    "uncalled": Severity("nothing called it", "no message had called for the play"),
    "misled": Severity("misled by a clue", "what the clues seemed to say was wrong"),
    "hit": Severity("risk that failed", "the player took a risk, and it failed"),
    "lucky": Severity("risk that paid off", "the player took a risk, and it paid off"),
    "could_not_know": Severity("could not know", "the player had little reason to expect that it was wrong"),
    "forced": Severity("forced", "there was only one sensible choice"),
    "nothing_to_lose": Severity("nothing to lose", "the misplay cost nothing"),
}
"""Every severity, worst first."""

SEVERITY_WORDS: Final = {name: severity.short for name, severity in SEVERITIES.items()}
"""Short name of each severity."""

BLAMELESS: Final = frozenset({"could_not_know", "forced", "nothing_to_lose"})
"""Severities that do not count as mistakes; their rows only record the points lost."""

BLAMED_SQL: Final = f"severity NOT IN ({', '.join(map(quoted, sorted(BLAMELESS)))})"
"""SQL condition that a player is to blame for a row of `mistakes`."""

PLAYERS_TO_CHARGE: Final = ("not_awaited", "unclear_call")
"""Fault rules of misplays whose points are charged to the misplaying player, even if the fault is shared."""

_FEW: Final = 300
"""Maximum number of games for which decisions are computed into a table; binding views would take longer."""

_MISSED_SAVES: Final = {
    "game_id": "BIGINT",
    "turn": "SMALLINT",
    "seat": "TINYINT",
    "card": "VARCHAR",
    "points": "TINYINT",
    "lucky": "BOOLEAN",
    "saver": "TINYINT",
    "save_turn": "SMALLINT",
    "savers": "TINYINT",
    "put_there": "BOOLEAN",
    "answer_turn": "SMALLINT",
    "kept": "BOOLEAN",
}
"""Columns of the table `missed_saves`."""

_VIEWS: Final = (
    *("mistakes", "found_mistakes", "found_rows", "better_moves"),
    *("legal_meanings", "convention_decisions", "decisions", "nameless_decisions"),
)


def prepare_decisions(
    connection: duckdb.DuckDBPyConnection,
    folder: str | os.PathLike[str] | None = None,
    *,
    as_table: bool = False,
    names: bool = False,
    judging: Judging = USUAL,
    levels: list[GroupLevel] | None = None,
) -> list[GroupLevel]:
    """Create the macros and the views from which mistakes are computed: `decisions`, `findings` and others.

    The arguments and the result are those of `prepare`. If the connection is restricted to some games,
    `levels` passes the result of an earlier call for all games.
    """
    if folder is not None:
        _forbid_files(connection)
    made = "TABLE" if as_table else "VIEW"
    _drop(connection, _VIEWS)
    create_views(connection, ("findings", "chop_moves", "game_names"))
    connection.execute(";\n".join(f"CREATE OR REPLACE TEMP MACRO {one}" for one in _MACROS))
    judge_by(connection, judging)
    levels = show_levels(connection, judging.level) if levels is None else levels
    whole = "nameless_decisions" if names else "decisions"
    plain = f"FROM {whole}" if as_table else sql_text("plain_decisions")
    create_plain = f"CREATE OR REPLACE TEMP VIEW plain_decisions AS\n{plain}"
    creations = _decisions(whole, f"TEMP {made}", as_table=as_table)
    connection.execute(";\n".join([*creations, create_plain] if as_table else [create_plain, *creations]))
    if names:
        connection.execute(f"CREATE TEMP VIEW decisions AS {_NAMED.format(whole)}")
    return levels


def _decisions(name: str, kind: str, *, as_table: bool) -> list[str]:
    """Return the statements that create decisions (`name`), `convention_decisions` and `legal_meanings`."""
    decisions = sql_text("decisions")
    if as_table:  # the view `plain_decisions` then reads this table
        decisions = decisions.replace("FROM plain_decisions", f"FROM (\n{sql_text('plain_decisions')}\n)")
    queries = {
        name: decisions,
        "convention_decisions": sql_text("convention_decisions").replace("$decisions", name),
        "legal_meanings": _MEANINGS,
    }
    return [f"CREATE {kind} {one} AS\n{query}" for one, query in queries.items()]


def are_few(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a connection sees so few games that their decisions should be computed into a table."""
    [(games,)] = connection.execute("SELECT count(*) FROM games").fetchall()
    return bool(games <= _FEW)


def prepare(
    connection: duckdb.DuckDBPyConnection,
    folder: str | os.PathLike[str] | None = None,
    *,
    as_table: bool = False,
    names: bool = False,
    judging: Judging = USUAL,
    found: str | None = None,
) -> list[GroupLevel]:
    """Create the temporary views `mistakes` and `found_mistakes`, and those of `prepare_decisions`.

    Mistakes are computed immediately into the table `found_rows`, one kind after the other, because a single
    query would need memory for all kinds together. With `as_table`, decisions and better moves are computed
    into tables, too; for few games, this is faster than binding the views. With `names`, the views begin with
    the columns `game` and `player` and end with `names` (of all players, by seat). `found` is a table with
    the rows of `found_rows` from an earlier call. Returns the levels of the groups of players
    (`hanalyze.store.levels.show_levels`).

    Raises `HanalyzeError` (rule `bad_definition`) for a definition in `folder` that DuckDB does not accept.
    With a `folder`, queries of this database can no longer access files.
    """
    levels = prepare_decisions(connection, folder, as_table=as_table, names=names, judging=judging)
    show_mistakes(connection, folder, as_table=as_table, names=names, found=found)
    return levels


def show_mistakes(
    connection: duckdb.DuckDBPyConnection,
    folder: str | os.PathLike[str] | None = None,
    *,
    as_table: bool = False,
    names: bool = False,
    found: str | None = None,
) -> None:
    """Create the views `mistakes` and `found_mistakes` like `prepare`; call `prepare_decisions` first."""
    table = None if not as_table else "nameless_decisions" if names else "decisions"
    if found is None:
        found = "found_rows"
        # Definitions read the decisions without names.
        cte = "WITH decisions AS NOT MATERIALIZED (FROM nameless_decisions)\n" if names else ""
        queries = queries_of_kinds(connection, folder, table=table)
        materialise(connection, found, COLUMNS, [RowQuery(cte + one.query, one.by_game) for one in queries])
        _complete_rows(connection)
    advised = _advised(f"FROM {found}", _better_moves("FROM judged_turns", table))
    for view, query in (("found_mistakes", f"FROM {found}"), ("mistakes", advised)):
        rows = f"(\n{query}\n)"
        form = "TABLE" if as_table and view == "mistakes" else "VIEW"
        connection.execute(f"CREATE TEMP {form} {view} AS {_NAMED.format(rows) if names else f'FROM {rows}'}")


def create_macros(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the macros that `prepare_game` needs."""
    connection.execute(";\n".join(f"CREATE MACRO {one}" for one in _MACROS))


def prepare_game(connection: duckdb.DuckDBPyConnection, judging: Judging) -> list[GroupLevel]:
    """Create the tables of `prepare` in a new database of one game, after `create_macros`; return the levels.

    A second connection runs some of the queries at the same time, because binding them takes longest.
    """
    kinds = definitions().values()
    of_saves = [one for one in kinds if "missed_saves" in one.query]
    judge_by(connection, judging)
    levels = show_levels(connection, judging.level, is_shared=True)
    connection.execute(";\n".join(_decisions("decisions", "TABLE", as_table=True)))
    with connection.cursor() as second, ThreadPoolExecutor(1) as pool:
        saves = pool.submit(_find_saves, second, judging, of_saves)
        materialise(connection, "missed_saves", _MISSED_SAVES, [])  # no other definition needs the rows
        others = _queries(connection, [one for one in kinds if one not in of_saves], COLUMNS, "decisions")
        materialise(connection, "found_rows", COLUMNS, others)
        moves = _better_moves("SELECT game_id, turn FROM decisions", "decisions")
        connection.execute(f"CREATE TEMP TABLE all_better_moves AS {moves}")
        saves.result()
    connection.execute("INSERT INTO found_rows FROM rows_of_saves")
    _complete_rows(connection)
    advised = _advised("FROM found_rows", "FROM judged_turns JOIN all_better_moves USING (game_id, turn)")
    connection.execute(
        f"CREATE TEMP VIEW found_mistakes AS FROM found_rows; CREATE TEMP TABLE mistakes AS {advised}"
    )
    return levels


def _find_saves(
    connection: duckdb.DuckDBPyConnection, judging: Judging, kinds: Collection[Definition]
) -> None:
    """Create the table `rows_of_saves` with the rows of `kinds`, which need `missed_saves`."""
    judge_by(connection, judging)
    find_missed_saves(connection, "decisions")
    materialise(
        connection, "memory.rows_of_saves", COLUMNS, _queries(connection, kinds, COLUMNS, "decisions")
    )


def _complete_rows(connection: duckdb.DuckDBPyConnection) -> None:
    """Charge lost points to the blamed decisions, and name the clues of better moves, in `found_rows`."""
    [(uncharged, nameless)] = connection.execute(_INCOMPLETE).fetchall()
    if uncharged:
        connection.execute(_CHARGE)
    if nameless:
        connection.execute(sql_text("named_clues").replace("$found", "found_rows"))


_CHARGE: Final = f"""UPDATE found_rows
SET charged_turn = coalesce(charged_turn, turn), charged_seat = coalesce(charged_seat, seat)
WHERE points > 0 AND {BLAMED_SQL}"""
"""Statement that charges lost points to the blamed decision itself if its definition charges no other."""

_INCOMPLETE: Final = """SELECT bool_or(points > 0), bool_or(better_kind = 'clue' AND better_clue IS NULL)
FROM found_rows"""
"""Query that returns whether a row lost points, and whether a better clue lacks its colour or rank."""


def show_better_moves(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the view `better_moves`, with names; call this after `prepare_decisions`."""
    rows = f"(\nFROM (\n{_better_moves('SELECT game_id, turn, seat FROM turns')}\n)\n)"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW better_moves AS {_NAMED.format(rows)}")


def materialise_mistakes(
    connection: duckdb.DuckDBPyConnection,
    folder: str | os.PathLike[str] | None = None,
    found: str | None = None,
) -> None:
    """Compute all mistakes into the table `seen`, shown as `mistakes`; call this after `prepare_decisions`.

    Evidence, risks, faults and better moves are left out. `found` is a table, or a query in brackets, with
    the rows of `found_rows` from an earlier call of `prepare`.
    """
    columns_needed = COLUMNS.keys() - OPTIONAL | {"basis", "charged_turn", "charged_seat"}
    columns = {name: kind for name, kind in COLUMNS.items() if name in columns_needed}
    del columns["evidence"]
    if found is None:
        materialise(connection, "seen", columns, queries_of_kinds(connection, folder, columns))
        _drop(connection, ["missed_saves"])
    else:
        connection.execute(f"CREATE OR REPLACE TEMP TABLE seen AS SELECT {', '.join(columns)} FROM {found}")
    connection.execute("CREATE OR REPLACE TEMP VIEW mistakes AS FROM seen")


def find_missed_saves(connection: duckdb.DuckDBPyConnection, table: str | None = None) -> None:
    """Create the table `missed_saves`; call this after `prepare_decisions`.

    `table` is the table of decisions, None if they are a view.
    """
    exposed, are_any = _query_over("exposed_chops", table), True
    if table is not None:  # few games have exposed chops
        are_any = bool(connection.execute(_ENDANGERED_CHOPS.format(table)).fetchall())
        if are_any:
            create_views(connection, ["findings"])
            connection.execute(f"CREATE OR REPLACE TEMP TABLE exposed_chops AS\n{exposed}")
            exposed = "FROM exposed_chops"
            are_any = bool(connection.execute(f"{exposed} LIMIT 1").fetchall())
    query = _query_over("missed_saves", table).replace("$exposed", exposed)
    materialise(connection, "missed_saves", _MISSED_SAVES, [RowQuery(query)] * are_any)


_ENDANGERED_CHOPS: Final = """SELECT d.game_id, d.turn
FROM {} d LEFT JOIN turns before ON before.game_id = d.game_id AND before.turn = d.turn - 1
WHERE NOT d.locked AND d.known_playable + d.known_trash = 0 AND (
    d.result = 'discarded' AND d.max_score_after < d.max_score_before AND d.p_critical < 1 - 1e-9
    OR before.next_chop_critical AND NOT d.could_clue AND d.deck_before > 0 AND d."order" <> d.chop
) LIMIT 1"""
"""Query that returns a row if `exposed_chops` may have one; DuckDB binds it faster than `exposed_chops`."""

CHARGED_ELSEWHERE: Final = f"""
SELECT game_id, turn FROM missed_saves WHERE NOT lucky AND NOT kept
UNION
SELECT game_id, turn FROM convention_outcomes WHERE {AT_FAULT} AND charges_cause(fault, fault_rule)
"""
"""Query for the turns whose lost points are charged to an earlier move; it needs `find_missed_saves`."""


def queries_of_kinds(
    connection: duckdb.DuckDBPyConnection,
    folder: str | os.PathLike[str] | None,
    columns: Collection[str] = COLUMNS,
    *,
    table: str | None = None,
) -> list[RowQuery]:
    """Return a query for each definition, with those of `columns` that it returns or that have a default.

    `table` is the table of decisions, None if they are a view. With a table, built-in definitions that no
    decision can match are left out. Only built-in queries may run in parts; a user's query sees all games.
    Creates the table `missed_saves` and the macros of `LOOKUPS`, which several definitions use.
    """
    find_missed_saves(connection, table)
    return _queries(connection, definitions(folder).values(), columns, table)


def _queries(
    connection: duckdb.DuckDBPyConnection,
    kinds: Collection[Definition],
    columns: Collection[str],
    table: str | None,
) -> list[RowQuery]:
    if table is not None:
        kinds = candidates(connection, kinds)
    else:
        create_lookups(connection)
    return [
        RowQuery(completed_query(one, columns_of(connection, one), columns, table=table), one.file is None)
        for one in kinds
    ]


def definitions_as_text() -> str:
    """Return the SQL of decisions, missed saves, definitions and macros; a change of it makes sums stale."""
    views = map(sql_text, ("findings", "chop_moves", "plain_decisions", "decisions", "convention_decisions"))
    saves = map(sql_text, ("exposed_chops", "missed_saves"))
    queries = (one.query for one in definitions().values())
    texts = (_MEANINGS, *_MACROS, repr(LOOKUPS), repr(judging_macro(USUAL)), repr(COLUMNS))
    return "\n".join([*views, *saves, *queries, *texts])


def _drop(connection: duckdb.DuckDBPyConnection, names: Collection[str]) -> None:
    """Drop the views and tables with these names, without looking up which they are: that would be slower."""
    for kind in ("VIEW", "TABLE"):
        drops = [f"DROP {kind} IF EXISTS temp.{name}" for name in names]
        try:
            connection.execute("; ".join(drops))
        except duckdb.CatalogException:  # one of the names is a view instead of a table, or the reverse
            for drop in drops:
                with suppress(duckdb.CatalogException):
                    connection.execute(drop)


def _query_over(name: str, table: str | None) -> str:
    """Return a query from the folder `sql` over `plain_decisions`, or over `table` to bind fewer columns."""
    return sql_text(name).replace("plain_decisions", table or "plain_decisions")


_NAMED: Final = """SELECT n.game, n.names[one.seat + 1] AS player, one.*, n.names
FROM {} one LEFT JOIN game_names n USING (game_id)"""

_MACROS: Final = (
    f"""basis_of(basis, severity, fault) AS coalesce(basis, CASE
    WHEN severity IN ('could_tell', 'gamble', 'hit', 'lucky') THEN 'chance'
    WHEN severity IN ('misled', 'uncalled') OR fault IS NOT NULL THEN 'convention'
    WHEN NOT ({BLAMED_SQL}) THEN 'chance'
    ELSE 'logic'
END)""",
    """came_true(risk, severity) AS
coalesce(risk, CASE severity WHEN 'hit' THEN true WHEN 'lucky' THEN false END)""",
    f"""card_name(letters, suit, rank) AS
substr(letters, suit + 1, 1) || CASE rank WHEN {START} THEN '{rank_letter(START)}' ELSE rank::VARCHAR END""",
    """oldest_slot(chances, chance) AS
CASE WHEN chance IS NOT NULL THEN len(chances) + 1 - list_position(list_reverse(chances), chance) END""",
    """likely(what, p_in_games) AS
CASE WHEN p_in_games IS NULL OR p_in_games IN (0, 1) THEN '{p_' || what || '} likely to be ' || what
    ELSE '{p_' || what || '_in_games} likely to be ' || what || ' ({p_' || what || '} by card counting)'
END""",
    """only_bad(touched, trash, duplicates, duplicates_hidden) AS
touched > 0 AND trash + duplicates - duplicates_hidden >= touched""",
    "of_others(fault) AS fault IN ('giver', 'third', 'shared')",
    f"""charges_cause(fault, fault_rule) AS
fault IN ('giver', 'third') OR (fault = 'shared' AND fault_rule NOT IN {PLAYERS_TO_CHARGE})""",
    """calls_likely_play(slots, last_plays, chances, strikes) AS coalesce(strikes < 2 AND len(list_filter(
    range(1, 7),
    lambda slot: ((slots & coalesce(last_plays, 63)) >> (slot - 1)::INTEGER) & 1 = 1
        AND chances[slot] >= play_threshold(strikes)
)) > 0, false)""",
    f"""left_play(reasons, slots, last_plays, chances, strikes) AS
coalesce((reasons >> {int(Reason.PLAYABLE_HELD)}) & 1 = 1
    AND calls_likely_play(slots, last_plays, chances, strikes), false)""",
)
"""Macros for definitions.

`basis_of`, `came_true`: the columns `basis` and `came_true`, derived from other columns if a definition lacks
them. `card_name`: the name of a card. `oldest_slot`: the oldest slot whose chance is `chance`. `likely`:
evidence with chances by the model and by card counting. `only_bad`: a clue touched only trash and duplicates,
not counting hidden duplicates. `of_others`: another player has or shares the fault for a misplay.
`charges_cause`: that player is charged with the points. `calls_likely_play`: before the second strike, a card
in one of `slots` (and of `last_plays`, if not null) reaches the play threshold. `left_play`: messages called
such a card, and the action is against the conventions because it is not the play of that card.
"""
_MEANINGS: Final = """SELECT game_id, turn, enum_code(convention) AS meaning
FROM conventions ANTI JOIN unmet_signals USING (game_id, turn) WHERE number = 0 AND legal"""
"""Query for the main meanings of legal moves, without unanswered signals above the players' level."""


def _better_moves(rows: str, table: str | None = None) -> str:
    """Return the query that adds the columns of better moves to the turns in `rows`."""
    return _query_over("better_moves", table).replace("$rows", rows)


def _advised(rows: str, moves: str) -> str:
    """Return the query for the mistakes in `rows`, each with the better move of its turn.

    `moves` is a query that adds the columns of better moves to the table `judged_turns`.
    """
    names = [name for name in COLUMNS if name.startswith("better_")]
    move = f"{{{', '.join(f'{name!r}: {name}' for name in names)}}}"
    turns = f"""SELECT game_id, turn,
    arg_min({move}, (-points, -tokens, kind, better_seat, better_value))
        FILTER (better_kind IS NOT NULL) AS own,
    bool_or(coalesce({BLAMED_SQL}, true)) AS blamed
FROM found GROUP BY game_id, turn HAVING blamed OR own IS NOT NULL"""
    # If a definition names only the card to save or to fix, the clue that conventions advise is more precise.
    fits = "(better_saves OR better_value = own.better_value) AND better_seat = own.better_seat"
    use = f"own IS NULL OR (own.better_kind = 'clue' AND {fits})"
    move_type = f"STRUCT({', '.join(f'{name} {COLUMNS[name]}' for name in names)})"
    columns = ", ".join(
        f"advice.move.{name} AS {name}" if name in names else f"found.{name}" for name in COLUMNS
    )
    return f"""SELECT * FROM (
WITH found AS NOT MATERIALIZED ({rows}),
judged_turns AS NOT MATERIALIZED ({turns})
SELECT {columns}
FROM found LEFT JOIN (
SELECT game_id, turn, CASE WHEN {use} THEN {move} ELSE own END::{move_type} AS move FROM (
{moves}
)) advice ON advice.game_id = found.game_id AND advice.turn = found.turn
)"""


def _forbid_files(connection: duckdb.DuckDBPyConnection) -> None:
    """Forbid queries to access files; DuckDB cannot allow it again."""
    [(allowed,)] = connection.execute("SELECT current_setting('enable_external_access')").fetchall()
    if allowed:
        connection.execute("SET enable_external_access = false")
