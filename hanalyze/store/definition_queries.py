"""Queries of mistake definitions: columns, checks of users' queries, and defaults for missing columns.

The query of a definition (`hanalyze.store.definitions`) returns the columns `COLUMNS` except `kind`, which is
the name of the file; it may leave out the columns `OPTIONAL`. A row is about one decision, by `seat` on
`turn`. `evidence` is a sentence; `{slot}` in it stands for the value of that name in the struct
`evidence_values`. The columns `better_...` describe a better move, which the page of a game shows on the
board. Leave them out unless the query knows more about the better move than the view `better_moves`. Example:

    'played {card} from slot {slot}, {p_playable} likely to be playable' AS evidence,
    {'card': card, 'slot': slot, 'p_playable': p_playable} AS evidence_values,
    'discard' AS better_kind, best_trash_slot AS better_slot, 'trash' AS better_value

`hanalyze.store.wording` fills in the values by their names: `seat` (or `seat_...`) becomes the player's name,
`turn` a turn counted from 1, `card` a card that a page can hide from its holder, `p_...` a percentage, and
`rule` the cause of a fault (`FaultRule`); `{n:card}` becomes "1 card" or "2 cards". The macro
`card_name(letters, suit, rank)` returns the name of a card, and `play_threshold(strikes)` the least chance at
which a play is not a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from hanalyze.lazy import Connection, duckdb
from hanalyze.store.definitions import Definition, bad_definition
from hanalyze.store.errors import first_words
from hanalyze.store.schema import quoted
from hanalyze.text import shorten

COLUMNS: Final = {
    "game_id": "BIGINT",
    "turn": "SMALLINT",
    "seat": "TINYINT",
    "kind": "VARCHAR",
    "severity": "VARCHAR",
    "points": "TINYINT",
    "tokens": "FLOAT",
    "pace": "TINYINT",
    "evidence": "VARCHAR",
    "evidence_values": "JSON",
    "basis": "VARCHAR",
    "came_true": "BOOLEAN",
    "fault": "VARCHAR",
    "fault_seat": "TINYINT",
    "fault_rule": "VARCHAR",
    "fault_turn": "SMALLINT",
    "charged_turn": "SMALLINT",
    "charged_seat": "TINYINT",
    "better_kind": "VARCHAR",
    "better_slot": "TINYINT",
    "better_seat": "TINYINT",
    "better_clue": "VARCHAR",
    "better_value": "VARCHAR",
    "better_convention": "VARCHAR",
    "better_gets": "VARCHAR[]",
    "better_chance": "FLOAT",
    "better_model": "VARCHAR",
}
"""Columns of the view `mistakes`, and their types. Each lost point is counted in one row only.

Points: `points` are charged to this row. If this turn lost points, `charged_turn` and `charged_seat` identify
the decision to which the points are charged, such as a missed save; null if no point was lost or nobody is to
blame.

Evidence: `basis` is logic (deduction from clues, visible cards and the hand as a whole), convention (messages
to the player) or chance (probabilities). `came_true` tells whether a risk came true; null without a risk.
`fault`, `fault_seat`, `fault_rule` and `fault_turn` describe the fault for a misplay, as in
`convention_outcomes`; null without conventions.

Better move: `better_kind` is play, discard or clue. `better_slot` is the slot of the card to play or discard.
`better_seat` is the receiver of the clue, and `better_clue` the colour or rank (red, 3). `better_value` is
the card that the move is about, `trash` if the card to discard is known trash, or `called` if messages called
the card to play. `better_convention` is the meaning of the clue, and `better_gets` lists the further cards
that it would call. `better_chance` is the chance that the card to discard is critical, or that the called
card is playable, and `better_model` the shipped model that gives this chance, null for card counting.
"""

OPTIONAL: Final = frozenset(
    name
    for name in COLUMNS
    if name.startswith(("evidence_", "basis", "came_", "fault", "charged_", "better_"))
)
"""Columns that a definition may leave out."""

_DEDUCED: Final = ("knew", "could_not_know", "forced", "nothing_to_lose")
"""Severities that do not depend on what messages said."""
_BY_MESSAGES: Final = frozenset({"discard_unsaved"})
"""Kinds outside the family clue that never count as deduced: `discard_unsaved` presupposes a chop."""
_CHANCES: Final = re.compile(r"\b(?:\w+_in_games|place|model|features)\b")
"""Pattern for the columns of `decisions` that `plain_decisions` does not have."""


def wants_chances(one: Definition, text: str) -> bool:
    """Return whether SQL `text` of a definition may need chances of `decisions`; True for a user's file."""
    return one.file is not None or _CHANCES.search(text) is not None


def query_of(one: Definition) -> str:
    """Return the query of a definition; a built-in definition joins the chances only if it needs them."""
    if wants_chances(one, one.query):
        return one.query
    return f"WITH decisions AS NOT MATERIALIZED (FROM plain_decisions)\nSELECT * FROM (\n{one.query}\n)"


def columns_of(connection: Connection, one: Definition) -> Collection[str]:
    """Return the names of the columns of a definition's query.

    Raises `HanalyzeError` (rule `bad_definition`) for a user's definition that DuckDB does not accept.
    """
    if one.file is not None:
        return _checked(connection, one.file, one)
    words = set(re.findall(r"\w+", one.query))
    return {name for name in COLUMNS if name not in OPTIONAL or name in words}


def completed_query(
    one: Definition, given: Collection[str], columns: Collection[str] = COLUMNS, *, table: str | None = None
) -> str:
    """Return the query of a definition with its kind, and with defaults for basis, risk and costs.

    In games whose players follow another system, mistakes that are not deduced are left out, or get the
    severity `could_not_know` if they lost points. `given` are the columns that the query has, and `columns`
    those to return. `table` is the table of decisions, which already has the chances; None if decisions are a
    view. Only `evidence_values`, a struct, is cast to its type in `COLUMNS`; the others are cast on insert.
    """
    values = {name: name for name in COLUMNS if name in given or name not in OPTIONAL}
    values["kind"] = quoted(one.kind)
    if "evidence_values" in values:
        values["evidence_values"] = "evidence_values::JSON"
    values |= {name: f"coalesce({name}, 0)" for name in ("points", "tokens", "pace")}
    basis, fault = values.get("basis", "NULL"), values.get("fault", "NULL")
    values["basis"] = f"basis_of({basis}, severity, {fault})"
    values["came_true"] = f"came_true({values.get('came_true', 'NULL')}, severity)"
    judged = "false" if one.kind in _BY_MESSAGES or one.family == "clue" else f"severity IN {_DEDUCED}"
    values["severity"] = f"CASE WHEN is_judged(game_id, {judged}) THEN severity ELSE 'could_not_know' END"
    listed = ", ".join(
        name if value == name else f"{value} AS {name}" for name, value in values.items() if name in columns
    )
    rows = query_of(one) if table is None else one.query.replace("plain_decisions", table)
    return f"SELECT {listed} FROM (\n{rows}\n) WHERE is_judged(game_id, {judged}) OR points > 0"


def _checked(connection: Connection, file: str, one: Definition) -> Collection[str]:
    """Return the columns of a user's definition. Raises `HanalyzeError` (rule `bad_definition`)."""
    try:
        for query in (one.query, f"SELECT 1 FROM decisions WHERE (\n{one.where}\n)"):
            types = [statement.type.name for statement in connection.extract_statements(query)]
            if types != ["SELECT"]:
                raise bad_definition(file, "this is not a single query", _LIKE)
        connection.execute(f"EXPLAIN SELECT 1 FROM decisions WHERE {one.where}")
        described = connection.execute(f"DESCRIBE SELECT * FROM (\n{one.query}\n)").fetchall()
        given = {name for name, *_ in described}
        if unknown := min(given - set(COLUMNS), default=None):
            raise bad_definition(file, f"`mistakes` has no column {shorten(unknown)}", _LIKE)
        columns = ", ".join(f"{name}::{COLUMNS[name]}" for name in COLUMNS.keys() - OPTIONAL | given)
        connection.execute(f"EXPLAIN SELECT {columns} FROM (\n{completed_query(one, given)}\n)")
    except duckdb.Error as error:
        raise bad_definition(file, first_words(error), _LIKE) from None
    return given


_LIKE: Final = "`hanalyze mistakes --explain misplay` shows what a definition looks like"
