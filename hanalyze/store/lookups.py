"""Macros with which definitions of mistakes look up other rows; choice of the definitions that can match."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from hanalyze.game.meanings import Reason
from hanalyze.lazy import duckdb
from hanalyze.store.definitions import Definition, means
from hanalyze.store.schema import sql_text

_ELSEWHERE: Final = (
    1 << Reason.PLAYABLE_HELD
    | 1 << Reason.SAVE_MISSED
    | 1 << Reason.SAVE_LEFT
    | 1 << Reason.LATE
    | 1 << Reason.LEGAL_DEFERRAL
)
"""Reasons against a discard that do not concern the discarded card."""

AT_FAULT: Final = "number = 0 AND of_others(fault) AND turn > fault_turn"
"""SQL condition on a row of `convention_outcomes`: another player's earlier move has or shares the fault."""


class Lookup(NamedTuple):
    """A macro for definitions that looks up other rows: its parameters, and the arguments for a decision `d`.

    `needs` is a necessary condition on the decision, like `rows` of a definition.
    """

    name: str
    parameters: str
    arguments: str
    needs: str
    body: str

    def macro(self, body: str) -> str:
        """Return the definition of the macro with this body, without `CREATE MACRO`."""
        return f"{self.name}({self.parameters}) AS {body}"


LOOKUPS: Final = (
    Lookup(
        "led_to_strike",
        "game, turn_, seat_",
        "d.game_id, d.turn, d.seat",
        "list_contains(at_fault.turns, d.turn)",
        f"""EXISTS (
    FROM convention_outcomes
    WHERE game_id = game AND fault_turn = turn_ AND fault_seat = seat_ AND {AT_FAULT}
)""",
    ),
    Lookup(
        "left_no_copy",
        "game, turn_, seat, place, suit_, rank_, players",
        'd.game_id, d.turn, d.seat, d."order", d.suit, d.rank, d.players',
        "d.result = 'discarded'",
        """NOT EXISTS (
    FROM cards c
    WHERE c.game_id = game AND c.suit = suit_ AND c.rank = rank_ AND c."order" <> place
        AND coalesce(c.fate_turn, 32000) > turn_
        AND (
            c.first_clue_turn < turn_
            OR (c.holder <> seat AND c.drawn_turn < turn_ AND c.fate = 'played'
                AND c.fate_turn <= turn_ + players)
        )
)""",
    ),
    Lookup(
        "kept_silently",
        "game, turn_, place",
        'd.game_id, d.turn, d."order"',
        "d.result = 'discarded' AND list_contains(meanings.kept, d.\"order\")",
        """EXISTS (
    FROM findings m
    WHERE m.game_id = game AND m.turn < turn_ AND list_contains(m.cards, place)
        AND (m.convention = 'generation_discard' OR m.convention IN ('scream_discard', 'shout_discard')
            AND NOT EXISTS (
                FROM turns a WHERE a.game_id = game AND a.turn = m.turn + 1 AND a.result = 'clued'
            ))
)""",
    ),
    Lookup(
        "risked_next_chop",
        "game, turn_",
        "d.game_id, d.turn",
        f"""o.clue_saves AND o.clue_focus = n.chop AND (m.reasons >> {int(Reason.SAVE_MISSED)}) & 1 = 1
AND NOT (n.result = 'discarded' AND n."order" = n.chop)
AND CASE d.result
    WHEN 'discarded' THEN NOT (d.clued AND d.status <> 'trash') AND d.known_playable > 0
    ELSE m.convention = 'plain_play' AND n.result IN ('misplayed', 'discarded')
END""",
        f"""EXISTS (
    FROM convention_opportunities o
    JOIN conventions m ON m.game_id = o.game_id AND m.turn = o.turn AND m.number = 0
    JOIN turns own ON own.game_id = o.game_id AND own.turn = o.turn
    JOIN turns n ON n.game_id = o.game_id AND n.turn = o.turn + 1
    JOIN convention_opportunities b ON b.game_id = n.game_id AND b.turn = n.turn
    JOIN conventions answer ON answer.game_id = n.game_id AND answer.turn = n.turn AND answer.number = 0
    WHERE o.game_id = game AND o.turn = turn_ AND o.clue_saves AND o.clue_focus = n.chop
        AND own.next_chop_critical
        AND m.reasons & {1 << Reason.SAVE_MISSED} <> 0
        AND NOT (n.result = 'discarded' AND n."order" = n.chop)
        AND CASE own.result
            WHEN 'discarded' THEN NOT (own.clued AND own.status <> 'trash') AND own.known_playable > 0
            WHEN 'played' THEN m.convention = 'plain_play'
                AND b.known_playable + b.known_trash + b.stall_severity = 0 AND coalesce(b.clue_stalls, true)
                AND (n.result = 'misplayed' OR (n.result = 'discarded' AND NOT answer.legal))
        END
)""",
    ),
    Lookup(
        "left_to_savers",
        "game, turn_, place, chop",
        'd.game_id, d.turn, d."order", d.chop',
        "m.convention = 'plain_discard'",
        f"""EXISTS (
    FROM conventions m
    WHERE m.game_id = game AND m.turn = turn_ AND m.number = 0 AND m.convention = 'plain_discard'
        AND (m.legal OR (
            place = chop AND m.reasons & ~{_ELSEWHERE | 1 << Reason.OUT_OF_ORDER} = 0
            AND (m.reasons & {1 << Reason.OUT_OF_ORDER} = 0 OR kept_silently(game, turn_, place))
        ))
)""",
    ),
)
"""Macros for definitions that look up other rows.

`led_to_strike`: by the conventions, an action is at fault for a later misplay of a teammate (strike_caused).
`left_no_copy`: no other copy in a hand was clued, and no teammate played a held copy within a round.
`kept_silently`: the card was protected by a generation discard, or by a scream or shout discard that its
holder did not answer with a clue; the holder may not have noticed. `risked_next_chop`: instead of saving a
last copy on the next player's chop, the player discarded despite a sure play, or played a card that could
wait; the next player was expected to discard the last copy, but did not. `left_to_savers`: the other players
had to prevent this discard of the chop, because conventions allow the discard, or forbid it only because of
other cards or because the card was kept silently.
"""


def create_views(connection: duckdb.DuckDBPyConnection, names: Collection[str]) -> None:
    """Create the views with these names, whose queries are files in the folder `sql`."""
    views = (f"CREATE OR REPLACE TEMP VIEW {name} AS\n{sql_text(name)}" for name in names)
    connection.execute(";\n".join(views))


def create_lookups(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the macros of `LOOKUPS` as queries that run at each call, for many games."""
    macros = (one.macro(one.body) for one in LOOKUPS)
    connection.execute(";\n".join(f"CREATE OR REPLACE TEMP MACRO {one}" for one in macros))


def candidates(connection: duckdb.DuckDBPyConnection, kinds: Collection[Definition]) -> list[Definition]:
    """Return the definitions, except built-in ones whose condition `necessary` no decision meets.

    Creates the views and the macros of `LOOKUPS` that these definitions use; the macros become lists of
    decisions (`_precompute`).
    """
    needs = [one.necessary if one.file is None and one.rows else "true" for one in kinds]
    for lookup in LOOKUPS:
        needs = [re.sub(rf"{lookup.name}\([^)]*\)", f"({lookup.needs})", need) for need in needs]
    found = ", ".join(f"bool_or({need})" for need in (*needs, *(lookup.needs for lookup in LOOKUPS)))
    # Each condition on the meaning, which several definitions share, is computed once.
    meanings = "SELECT game_id, turn"
    for number, condition in enumerate({means(one.explained) for one in kinds if one.explained}):
        found = found.replace(condition, f"meant.is_{number}")
        meanings += f", {condition} AS is_{number}"
    tables = sql_text("candidates").replace("$at_fault", AT_FAULT)
    tables = tables.replace("$meanings", f"{meanings} FROM legal_meanings meant")
    [are_met] = connection.execute(f"SELECT {found}\n{tables}").fetchall()
    of_kinds, of_lookups = are_met[: len(needs)], are_met[len(needs) :]
    left = [one for one, need, met in zip(kinds, needs, of_kinds, strict=True) if met or need == "true"]
    queries = [one.query if one.file is None else one.text for one in left]
    used = set()
    for lookup, met in zip(reversed(LOOKUPS), reversed(of_lookups), strict=True):
        if any(lookup.name in query.lower() for query in queries):
            used.add(lookup)
            queries += [lookup.body] if met else []  # a lookup may use earlier ones
    views = [one for one in ("findings", "chop_moves") if any(one in query for query in queries)]
    create_views(connection, views)
    for lookup, met in zip(LOOKUPS, of_lookups, strict=True):
        if lookup in used:
            _precompute(connection, lookup, can_be_met=bool(met))
    return left


def _precompute(connection: duckdb.DuckDBPyConnection, lookup: Lookup, *, can_be_met: bool) -> None:
    """Create a lookup's macro as the list of decisions for which it is true; empty unless `can_be_met`."""
    create = "CREATE OR REPLACE TEMP MACRO"
    keys = ""
    if can_be_met:
        connection.execute(f"{create} {lookup.macro(lookup.body)}")
        call = f"{lookup.name}({lookup.arguments})"
        query = f"SELECT game_id * 32768::HUGEINT + turn FROM decisions d WHERE {call}"
        keys = ", ".join(str(key) for (key,) in connection.execute(query).fetchall())
    result = f"game * 32768::HUGEINT + turn_ IN ({keys})" if keys else "false"
    connection.execute(f"{create} {lookup.macro(result)}")
