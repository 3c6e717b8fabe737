"""Create the views that a query may use besides the tables (`hanalyze.store.schema.VIEWS`).

Views whose names end in `_in_words` have lists instead of the bit masks of the tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hanalyze.conventions.classes import OFFERED
from hanalyze.game.meanings import Convention, Reason
from hanalyze.lazy import Connection
from hanalyze.store.definitions import Folder
from hanalyze.store.judging_options import Judging
from hanalyze.store.mistakes import BLAMED_SQL, are_few, prepare, prepare_decisions, show_better_moves
from hanalyze.store.schema import VIEWS, quoted, sql_text

if TYPE_CHECKING:
    from hanalyze.store.mistake_cache import MistakeCache

# `game_levels` is a table, but it is created together with the views.
_NAMED: Final = re.compile(rf"\b({'|'.join(VIEWS)}|game_levels)\b", re.IGNORECASE)
_MISTAKES: Final = re.compile(r"\b(found_mistakes|mistakes|judged_losses)\b", re.IGNORECASE)


def names_views(query: str) -> bool:
    """Return whether a query may name a view.

    >>> names_views("FROM Mistakes"), names_views("FROM turns")
    (True, False)
    """
    return _NAMED.search(query) is not None


def _words(words: Sequence[Convention] | Sequence[Reason]) -> str:
    return f"[{', '.join(quoted(one.label) for one in words)}][i + 1]"


_MASKS: Final = {
    "turns": {"touched_slots": "i + 1"},
    "findings": {
        "seats": "n.names[i + 1]",
        "readings": "card_name(n.letters, i // 8, i % 8)",
        "reasons": _words(list(Reason)),
    },
    "convention_opportunities": {
        "available": _words(list(Convention)[:OFFERED]),
        "available_more": _words(list(Convention)[OFFERED:]),
    },
    "detector_findings": {"seats": "n.names[i + 1]"},
}
"""SQL for the meaning of bit i of a mask, by table and column."""


def judge_losses(connection: Connection, mistakes: str = "found_mistakes") -> None:
    """Create the view `judged_losses`; `mistakes` is the table that it reads."""
    losses = sql_text("judged_losses").replace("$blamed", BLAMED_SQL).replace("$mistakes", mistakes)
    connection.execute(f"CREATE OR REPLACE TEMP VIEW judged_losses AS\n{losses}")


def make_views(
    connection: Connection, query: str, folder: Folder, judging: Judging, cache: MistakeCache
) -> None:
    """Create the views for a query; mistakes that are not in the cache are computed."""
    if _MISTAKES.search(query) is not None:
        found_table = cache.rows(connection, folder, judging)
        few = are_few(connection)
        prepare(connection, folder, as_table=few, names=True, judging=judging, found=found_table)
        judge_losses(connection)
        if found_table is None:
            cache.keep(connection, folder, judging)
    else:
        prepare_decisions(connection, folder, names=True, judging=judging)
    if "better_moves" in query.lower():
        show_better_moves(connection)
    for table, masks in _MASKS.items():
        lists = ", ".join(
            f"CASE WHEN {mask} IS NOT NULL THEN"
            f" [{word} for i in range(63) if {mask}::BIGINT >> i & 1 = 1] END AS {mask}"
            for mask, word in masks.items()
        )
        connection.execute(
            f"CREATE OR REPLACE TEMP VIEW {table.removeprefix('convention_')}_in_words AS"
            f" SELECT n.game, n.names[t.seat + 1] AS player, t.* REPLACE ({lists})"
            f" FROM {table} t JOIN game_names n USING (game_id)"
        )
