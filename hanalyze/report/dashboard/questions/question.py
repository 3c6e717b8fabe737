"""Declarations of dashboard figures and their counts, and sentences that several figures share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from hanalyze.store.definitions import Definition

Key: TypeAlias = tuple[str, str, str]
"""Panel, label and denominator of a number, with the values in its query."""

PHASES: Final = {"early": "Opening", "middle": "Middle", "late": "Endgame"}
ALL_KINDS: Final = "All kinds"
"""Panel for all kinds together; it is not drawn."""

INTERVAL: Final = (
    " Intervals are 95% (Wilson, with the effective sample size: events within one game are not independent)."
)
MEAN: Final = (
    " Intervals are 95% (score intervals, Student), from the variation between whole games, because events"
    " within one game are not independent; there is none under 20 games."
)
WILSON: Final = " Intervals are 95% (Wilson)."
"""Last sentences of definitions: method of the intervals for shares, for means, and for shares of games."""


def top_words(most: str, second: str = "{label2} ({value2})", **more: str) -> dict[str, str]:
    """Return the sentences, by case, on the row with the highest value; in a tie, `second` is named too."""
    return {
        "kind": "top",
        "clear": f"{most}. It is clearly ahead; 95% interval: {{low}} to {{high}}.",
        "tie": f"{most}. It is not clearly ahead of {second}.",
        **more,
    }


def trend_words(more: str, less: str, unit: str) -> dict[str, str]:
    """Return the sentences on a trend within games, by case."""
    change = f"{{signed}} {unit} every ten turns."
    return {
        "kind": "trend",
        "panel": "Turn",
        "up": f"Within a game, {more}: {change} 95% interval: {{interval}}.",
        "down": f"Within a game, {less}: {change} 95% interval: {{interval}}.",
        "tie": f"Within a game, {change} That is no clear trend; 95% interval: {{interval}}.",
    }


KINDS_SAID: Final = top_words(
    "Most frequent: **{label}**, in the {panel} ({value} per 100)", "{label2} in the {panel2} ({value2})"
)

SAID: Final = {
    "none": "Nothing was found.",
    "alone": "Nothing to compare: {label}, {value} {unit}.",
    "few": "Too few to compare.",
    "apart": " Their 95% intervals do not overlap, but among so many comparisons that is no clear"
    " difference.",
}
"""Default sentences; `apart` is appended to the sentence of a tie."""

OF_PLAYER: Final = {
    "page": "Figures about decisions (clues, plays, discards, mistakes) count only those of {player}."
    " Figures about games (scores, endings, points lost) count all games with {player}.",
    "decisions": "Only decisions of {player} are counted.",
    "games": "All games with {player} are counted.",
    "shared": "other players",
    "each": " A game counts once for each of them.",
}
"""Sentences about a chosen player on the page and on figures; `shared` and `each` if players share a cell."""

CLAIMED: Final = (
    "A claim is a clear difference, or a statement with most, more, less, above or below. This page tests"
    " {weighed} possible claims together and finds {made} significant: of such claims, at most one in twenty"
    " is expected to be false (Benjamini-Hochberg). Each choice of filters is tested by itself: after many"
    " choices, expect some false claims."
)


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers from one query, `sql/NAME.sql`.

    `keys` are the numbers in order, or a function of the definitions of mistakes; None if each denominator
    belongs to one number and is called `panel|label`. `words` are the displayed panels and labels; `of_kinds`
    adds the labels of the kinds of mistakes. `by_seat` tells whether the query returns the column `seat`,
    `by_turn` whether some values of a game are sums over turns; a list then shows these turns one by one.
    `fractions` tells whether values are fractions, whose sums must not depend on the order of the games.
    """

    name: str
    keys: tuple[Key, ...] | Callable[[Mapping[str, Definition]], tuple[Key, ...]] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    of_kinds: bool = False
    by_seat: bool = False
    by_turn: bool = False
    fractions: bool = False


def by_game(labels: Iterable[str], panel: str = "") -> tuple[Key, ...]:
    """Return the keys of numbers whose denominator is the number of games."""
    return tuple((panel, label, "games") for label in labels)


def kinds_about(action: str, kinds: Mapping[str, Definition]) -> list[str]:
    """Return the kinds of mistakes whose family, or first word of the name, is an action (discard or clue).

    Cards left unsaved are the fault of the players who did not clue them, so they belong to clues.
    """
    actions = {kind: (one.family, kind.partition("_")[0]) for kind, one in kinds.items()}
    return [kind for kind, of in (actions | {"discard_unsaved": ("clue",)}).items() if action in of]


@dataclass(frozen=True, slots=True)
class Question:
    """A figure of the dashboard.

    `rows` names a function of `scripts/rows.js`, `chart` a chart type of `charts`, `counts` the tallies, and
    `query` an additional query from `sql/`. Rates are multiplied by `scale`. With `share`, x counts a subset
    of the opportunities, except in the panels `means`. `say` contains the `kind` of the sentence
    (`scripts/sentences.js`) and its texts by case. The tally `kinds` is shown for all kinds of mistakes of a
    `family`, or for the built-in `kinds` and the user-defined kinds of the family. Labels in `drop` are not
    drawn if their value is 0 (`*`: all labels). `better` is 1 for a panel if higher is better, and -1 if
    higher is worse. `tones` maps labels to colours; "" colours the row that the sentence calls
    clearly highest, "clear" the clearly highest row of any other panel. In charts of differences, `sides`
    names the worse and better side of 0, and `low_tone` colours clear differences on the worse side. `beside`
    is the count shown with each name. `read` tells whether the figure needs games read for conventions,
    `solved` whether it needs solved games. `least` is the minimum number of uses of a convention.
    """

    name: str
    section: str
    title: str
    chart: str
    definition: str
    say: Mapping[str, str]
    counts: tuple[str, ...] = ()
    query: str = ""
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
