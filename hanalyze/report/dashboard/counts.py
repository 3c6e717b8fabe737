"""The tallies of the dashboard's figures, with their queries of `sql/`.

A query gives rows by game: below `-- found` the columns `game_id`, `panel`, `label`, `of` and `x`, below
`-- of` the columns `game_id`, `of` and `y`; `of` names the denominator. If every number has a denominator of
its own, the one query below `-- of` gives `x`, too. They run as they are: `hanalyze sql`. Those about
decisions have the column `seat`, too: a player's cell counts that player's decisions alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hanalyze.game.meanings import SETTLED
from hanalyze.report.dashboard.questions import TALLIES
from hanalyze.report.dashboard.questions.conventions import MESSAGE_CONVENTIONS
from hanalyze.report.dashboard.questions.discards import JUDGED
from hanalyze.report.dashboard.questions.hindsight import ONLY_OPEN
from hanalyze.report.dashboard.questions.question import Key, opportunities, opportunity
from hanalyze.report.page import render
from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import BLAMED_SQL


@dataclass(frozen=True, slots=True)
class Count:
    """Two queries, or one for both, and what their rows are called.

    `keys` are the numbers in their order; None where each denominator is one, called `panel|label`. `of` is
    empty where each game counts as one; `found` where `of` gives `x`, too. `words`: panels and labels as they
    are shown. `by_seat`: the queries have the column `seat`, and a game's values are the sums of its seats'
    (a denominator without seats is that of each player). `own`: the query by seat of values that do not add
    up.
    """

    found: str
    of: str
    keys: tuple[Key, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    by_seat: bool = False
    own: str = ""

    @property
    def of_decisions(self) -> bool:
        """Whether it counts decisions, so that those of one player can be told from the rest."""
        return self.by_seat or bool(self.own)

    @property
    def query(self) -> str:
        """The query as the page shows it."""
        if not self.found:
            return f"{self.of}\n\n-- own\n{self.own}" if self.own else self.of
        return f"-- found\n{self.found}\n\n-- of\n{self.denominators}"

    @property
    def denominators(self) -> str:
        """The query of denominators; without one, each game is one."""
        return self.of or "SELECT game_id, 'games' AS of, 1 AS y FROM games"


def query(name: str, definitions: Mapping[str, Definition] | None = None) -> str:
    """Return a query of `sql/`; that of kinds of mistakes asks for the definitions."""
    kinds = definitions or {}
    conditions = opportunities(kinds)
    return render(
        f"dashboard/sql/{name}.sql",
        conditions=conditions,
        opportunities=[(kind, conditions.index(opportunity(one))) for kind, one in kinds.items()],
        blamed=BLAMED_SQL,
        judged=JUDGED,
        forced=[kind for kind, one in kinds.items() if one.weighs_forced],
        settled=SETTLED,
        messages=[one.label for one in MESSAGE_CONVENTIONS],
        only_open=ONLY_OPEN,
    ).strip()


def counts(definitions: Mapping[str, Definition]) -> dict[str, Count]:
    """Return all counts by name."""
    labels = {kind: one.label for kind, one in definitions.items()}
    result = {}
    for tally in TALLIES:
        keys = tally.keys(definitions) if callable(tally.keys) else tally.keys
        words = {**labels, **tally.words} if tally.of_kinds else tally.words
        found, of, own = _parts(query(tally.name, definitions))
        result[tally.name] = Count(found, of, keys, words, tally.by_seat, own)
    return result


def _parts(text: str) -> tuple[str, str, str]:
    rest, _, own = f"\n{text}".partition("\n-- own\n")
    found, _, of = rest.partition("\n-- of\n")
    return found.removeprefix("\n-- found\n").strip(), of.strip(), own.strip()
