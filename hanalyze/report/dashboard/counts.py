"""Counts behind the dashboard's figures, with their queries from `sql/`.

A file has up to three queries, each below its name. `-- found` has the columns `game_id`, `panel`, `label`,
`of` and `x`; `-- of` has `game_id`, `of` and `y`, where `of` names the denominator. Without `-- of`, each
game counts as one; without `-- found`, each number has its own denominator, and `-- of` also has `x`. `--
own` is `Count.own`. Queries about decisions also have the column `seat`, because a player's cell counts only
that player's decisions. Each query has at most one row for the same game, seat, panel, label and `of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hanalyze.analysis.decision_cache import judged_decisions
from hanalyze.game.meanings import SETTLED
from hanalyze.report.dashboard.questions import TALLIES
from hanalyze.report.dashboard.questions.conventions import MESSAGE_CONVENTIONS
from hanalyze.report.dashboard.questions.discards import JUDGED
from hanalyze.report.dashboard.questions.hindsight import ONLY_OPEN
from hanalyze.report.dashboard.questions.question import Key, Tally, kinds_about
from hanalyze.report.page import render
from hanalyze.store.definitions import Definition
from hanalyze.store.mistake_cache import numbered
from hanalyze.store.mistakes import BLAMED_SQL, SEVERITIES

LISTED: Final = {"costliest": 8, "best": 3, "worst": 3}
"""Number of rows per list; each cell has this many rows, which suffice for any union of cells."""
COSTLIEST: Final = f"points DESC, NOT ({BLAMED_SQL}), game_id, turn, kind"
"""Order of the costliest turns, as SQL."""


@dataclass(frozen=True, slots=True)
class Count(Tally):
    """A tally with its keys, words and queries for some definitions of mistakes.

    `found` is empty if the query `of` also has `x`. If `by_seat`, the value of a game is the sum over its
    seats (a denominator without seats applies to each player). `own` is the query by seat for values that do
    not add up to the game's value.
    """

    keys: tuple[Key, ...] | None = None
    found: str = ""
    of: str = ""
    own: str = ""

    @property
    def of_decisions(self) -> bool:
        """Whether decisions are counted, so that each player has separate counts."""
        return self.by_seat or bool(self.own)

    @property
    def of_seats(self) -> bool:
        """Whether the denominators have seats."""
        return "seat" in self.of

    @property
    def query(self) -> str:
        """Text of the query on the page."""
        found = f"-- found\n{self.found}\n\n-- of\n" if self.found else ""
        own = f"\n\n-- own\n{self.own}" if self.own else ""
        return found + self.of + own


def query(name: str, definitions: Mapping[str, Definition] | None = None) -> str:
    """Return a query from `sql/`; queries of counts need the definitions of mistakes."""
    kinds = definitions or {}
    return render(
        f"dashboard/sql/{name}.sql",
        judged_decisions=judged_decisions(kinds, f"({numbered('mistakes', kinds)})"),
        kinds=list(kinds),
        discards=kinds_about("discard", kinds),
        clues=kinds_about("clue", kinds),
        blamed=BLAMED_SQL,
        judged=JUDGED,
        severities=list(SEVERITIES),
        settled=SETTLED,
        messages=[one.label for one in MESSAGE_CONVENTIONS],
        only_open=ONLY_OPEN,
        costliest=COSTLIEST,
    ).strip()


def counts(definitions: Mapping[str, Definition]) -> dict[str, Count]:
    """Return all counts by name."""
    labels = {kind: one.label for kind, one in definitions.items()}
    result = {}
    for tally in TALLIES:
        keys = tally.keys(definitions) if callable(tally.keys) else tally.keys
        words = tally.words
        if tally.of_kinds:
            words = {**labels, **words}
            words |= {f"{kind} blameless": f"{words[kind]}, no mistake" for kind in definitions}
        rest, _, own = f"\n{query(tally.name, definitions)}".partition("\n-- own\n")
        found, _, of = rest.partition("\n-- of\n")
        parts = found.removeprefix("\n-- found\n").strip(), of.strip() or _GAMES, own.strip()
        flags = tally.of_kinds, tally.by_seat, tally.by_turn, tally.fractions
        result[tally.name] = Count(tally.name, keys, words, *flags, *parts)
    return result


_GAMES: Final = "SELECT game_id, 'games' AS of, 1 AS y FROM games"
"""Default query of denominators: each game counts as one."""
