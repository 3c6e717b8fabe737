"""A figure of the dashboard and what it counts, as data; the sentences that several figures share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import SEVERITIES

Key: TypeAlias = tuple[str, str, str]
"""Panel, label and denominator of a number, as its query has them."""

PHASES: Final = {"early": "Opening", "middle": "Middle", "late": "Endgame"}
ALL_KINDS: Final = "All kinds"
"""The panel of all kinds together; it is not drawn."""
SEVERITY_WORDS: Final = {name: one.short for name, one in SEVERITIES.items()}

INTERVAL: Final = (
    " Intervals are 95% (Wilson): events within one game are not independent, so they count as that many"
    " independent ones as the variation between whole games says."
)
MEAN: Final = (
    " Intervals are 95% (score intervals, Student), from the variation between whole games, because events"
    " within one game are not independent; under 20 games there is none."
)
WILSON: Final = " Intervals are 95% (Wilson)."
"""Endings of definitions: where the intervals come from, of shares, of means and of shares of games."""


def top_words(clear: str, between: str, unit: str, **more: str) -> dict[str, str]:
    """Return the sentences on the highest row: it is clearly the highest, or not clear between some."""
    return {
        "kind": "top",
        "clear": f"{clear} {{value}} {unit} ({{low}} to {{high}}).",
        "tie": f"No clear difference between {between}: {{label}} {{value}}, {{label2}} {{value2}} {unit}.",
        **more,
    }


def trend_words(more: str, less: str, unit: str) -> dict[str, str]:
    """Return the sentences on a trend within games."""
    behind = f"{{signed}} {unit} every ten turns ({{interval}})."
    return {
        "kind": "trend",
        "panel": "Turn",
        "up": f"Within a game, {more}: {behind}",
        "down": f"Within a game, {less}: {behind}",
        "tie": f"Within a game, no clear trend: {behind}",
    }


KINDS_SAID: Final = {
    "kind": "top",
    "clear": "Most frequent: **{label}**, in the {panel}: {value} per 100 ({low} to {high}).",
    "tie": "No clear difference between the most frequent: {label} ({panel}) {value}, {label2} ({panel2})"
    " {value2} per 100.",
}

SAID: Final = {
    "none": "Nothing was found.",
    "alone": "Nothing to compare: {label}, {value} {unit}.",
    "few": "Too few to compare.",
    "apart": " Their 95% intervals do not overlap, but with so many comparisons on one page that may be"
    " chance.",
}
"""Sentences of questions without their own; `apart` follows that of a tie."""

OF_PLAYER: Final = {
    "page": "Figures about decisions (clues, plays, discards, mistakes) count those of {player} alone."
    " Figures about games (scores, endings, points lost) count all games with {player}, whoever decided.",
    "decisions": "Only decisions of {player} are counted.",
    "games": "All games with {player} are counted.",
    "shared": "other players",
    "each": " A game counts once for each of them.",
}
"""Sentences on a page, and on a figure by its scope, for a chosen player; `shared`, `each`: for several."""

CLAIMED: Final = (
    "What differs clearly, or is most, more, less, above or below, is a claim. This page weighs {weighed}"
    " possible claims together and makes {made}. At most 0.05 false ones are to be expected: of twenty pages"
    " (each choice of filters is one), one has a false claim (Holm's method)."
)


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of one query, `sql/NAME.sql` (see `hanalyze.report.dashboard.counts`).

    `keys` are the numbers in their order, for some by the definitions of mistakes; None where each
    denominator is one number, `panel|label`. `words` are panels and labels as they are shown; with `of_kinds`
    kinds of mistakes have their labels, too. `by_seat`: the query has the column `seat`.
    """

    name: str
    keys: tuple[Key, ...] | Callable[[Mapping[str, Definition]], tuple[Key, ...]] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    of_kinds: bool = False
    by_seat: bool = False


def by_game(labels: Iterable[str], panel: str = "") -> tuple[Key, ...]:
    """Return the keys of numbers per game."""
    return tuple((panel, label, "games") for label in labels)


def opportunity(definition: Definition) -> str:
    """Return the condition for an opportunity. A mistake is always one."""
    condition = f"one_choice IS NULL AND ({definition.where})"
    return f"{condition} OR unsaved" if definition.kind == "discard_unsaved" else condition


def opportunities(definitions: Mapping[str, Definition]) -> list[str]:
    """Return the conditions for opportunities, each once, in the order of their numbers."""
    return list(dict.fromkeys(map(opportunity, definitions.values())))


@dataclass(frozen=True, slots=True)
class Question:
    """A figure of the dashboard.

    `rows` names a kind of `twins.rows`, `chart` one of `charts`; `counts` the tallies, and `query` a further
    query of `sql/` behind the figure. `scale`: what a rate is shown per. `share`: x counts some of the
    opportunities, except in the panels `means`. `say`: the `kind` of a sentence (`twins.sentences`), and its
    words by case. `kinds`: of the tally `kinds`, those shown, and with `family` a user's own of this family.
    `apart`: the tally of struck-out games, for means that count them apart. `drop`: labels that are not drawn
    where they are 0, `*` for all. `better`: by panel, 1 where more is better, -1 where it is worse. `tones`:
    colours by label; under "" that of the highest, under "clear" that of the highest where it is clear. Of
    differences, `sides` names those below and above 0, `low_tone` colours clear ones on the worse side, and
    `beside` is the count shown with each name. `read`: it is about games that were read for conventions,
    `solved`: about games that were solved; `least`: how many uses a convention needs.
    """

    name: str
    section: str
    title: str
    chart: str
    definition: str
    say: Mapping[str, str]
    counts: tuple[str, ...] = ()
    query: str = ""
    apart: str = ""
    rows: str = "rates"
    span: int = 6
    kinds: tuple[str, ...] = ()
    family: str = ""
    panels: tuple[str, ...] = ()
    scale: float = 1.0
    decimals: int = 2
    unit: str = ""
    axis: str = ""
    share: bool = False
    means: tuple[str, ...] = ()
    sort: str = ""
    drop: tuple[str, ...] = ()
    better: Mapping[str, int] = field(default_factory=dict)
    read: bool = False
    solved: bool = False
    least: int = 0
    tones: Mapping[str, str] = field(default_factory=dict)
    sides: tuple[str, str] = ("worse", "better")
    low_tone: str = "bad"
    beside: str = ""

    def is_share(self, panel: str) -> bool:
        """Return whether what is found are some of the opportunities of a panel."""
        return self.share and panel not in self.means

    @property
    def highest(self) -> tuple[str, ...]:
        """The panels of which the highest is coloured where it is clear: not those of trends within games."""
        return tuple(panel for panel in self.panels if panel != self.say.get("panel"))

    def better_in(self, panel: str) -> int:
        """Return 1 where more is better in a panel, -1 where it is worse."""
        return self.better.get(panel, self.better.get("", 1))

    def sentence(self, case: str) -> str:
        """Return the words for a case."""
        return self.say.get(case, SAID.get(case, ""))
