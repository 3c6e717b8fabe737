"""What a question is, and the words that several share.

In: nothing. Out: `Question`, whose fields drive the figure of Python and that of the page alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hanalyze.report.tables import KINDS

__all__ = ["INTERVAL", "MOST_FREQUENT", "WILSON", "Question", "kinds_of"]

INTERVAL: Final = (
    " Intervals are 95%: the rate's standard error comes from what each game found and of how much (games"
    " are what is drawn, for what happens within a game depends on itself)."
)
WILSON: Final = " Intervals are 95%, Wilson's."
"""Endings of definitions: where the intervals come from."""

MOST_FREQUENT: Final = {
    "kind": "top",
    "text": "Most frequent: **{label}**, in the {panel}: {value} per 100 ({low} to {high}).",
    "tie": "The most frequent cannot be told apart: {label} ({panel}) {value}, {label2} ({panel2}) {value2}"
    " per 100.",
}
"""What is said of kinds of mistakes by phase."""


@dataclass(frozen=True, slots=True)
class Question:
    """A figure. `scale`: what a rate is shown per; `say`: the sentence, see `hanalyze.report.sentences`.

    `read`: it is about games that were read for conventions; `least`: how many uses a convention needs.
    """

    name: str
    section: str
    title: str
    chart: str
    definition: str
    tables: tuple[str, ...]
    say: Mapping[str, str]
    span: int = 6
    labels: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    scale: float = 1.0
    decimals: int = 2
    unit: str = ""
    axis: str = ""
    share: bool = False
    wilson: bool = False
    sort: bool = False
    better: int = 0
    read: bool = False
    least: int = 0
    tones: Mapping[str, str] = field(default_factory=dict)


def kinds_of(kinds: str) -> tuple[str, ...]:
    """Return the short names of kinds of mistakes."""
    return tuple(KINDS[kind] for kind in kinds.split())
