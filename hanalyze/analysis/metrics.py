"""Metrics of `explore`: ratios of two sums, with their names, units and parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from hanalyze.analysis.decision_cache import CONVENTIONS
from hanalyze.analysis.measures import MEASURES
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES
from hanalyze.store.definitions import Definition
from hanalyze.store.schema import quoted


class Label(NamedTuple):
    """A part of a metric, such as one kind of mistake: name, title, and SQL of numerator and denominator."""

    name: str
    title: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Metric:
    """A ratio x / y of sums over turns or games, displayed as x / y * `scale` in `unit`.

    `x` and `y` are SQL for a row `d`: of `judged_turns` of `hanalyze.analysis.decision_cache`, or of games if
    `of_games`. `counted` is the noun for y. `better` is 1 if higher values are better, -1 if lower values are,
    and 0 otherwise. A mean of fewer than `fewest` games has no interval. `full`, if given, is SQL for the
    largest possible value of a game; the mean then has the interval of `mean_below`. `labels` are the parts
    of the metric by the dimension `labelled` ("kind" or "convention"; "" for none).
    """

    name: str
    section: str
    title: str
    definition: str
    x: str
    y: str
    unit: str
    counted: str
    better: int = 0
    scale: float = 1
    decimals: int = 2
    share: bool = False
    fewest: int = FEWEST_GAMES
    full: str = ""
    of_games: bool = False
    labelled: str = ""
    labels: tuple[Label, ...] = ()


_CHARGED = "Points of the maximum score charged to mistakes that somebody is to blame for."
_READ = " Only games read for conventions are counted."


def _has(mask: str, bits: int) -> str:
    return f"(d.{mask} & {bits} <> 0)::UTINYINT"


def _is(*results: str) -> str:
    return f"(d.result IN ({', '.join(map(quoted, results))}))::UTINYINT"


def _conventions(found: str, of: str) -> tuple[Label, ...]:
    """Return a label per convention: its bit in the mask `found`, as a share of its bit in the mask `of`.

    An empty `of` stands for all actions that were read for conventions.
    """
    return tuple(
        Label(one.label, one.words, _has(found, 1 << n), _has(of, 1 << n) if of else "d.is_read")
        for n, one in enumerate(CONVENTIONS)
    )


# fmt: off
_GAMES: Final = (
    # name, title, unit, better, scale, decimals; all else comes from the measure
    ("score", "Final score", "points", 1, 1, 2),
    ("finished", "Final score of finished games", "points", 1, 1, 2),
    ("score_share", "Share of the full score", "% of the full score", 1, 100, 1),
    ("perfect", "Perfect games", "% of games", 1, 100, 1),
    ("strikeout", "Games lost by strikes", "% of games", -1, 100, 1),
    ("strikes", "Strikes", "per game", -1, 1, 2),
    ("turns", "Length of the game", "turns", 0, 1, 1),
    ("efficiency", "Cards per clue at the end", "cards per clue", 1, 1, 2),
)
_FAMILIES: Final = {"discard": "Discard mistakes", "play": "Play mistakes", "clue": "Clue mistakes"}
_TURNS: Final = (
    Metric("mistake_points", "Mistakes", "Points charged to mistakes", _CHARGED, "d.points", "1", "points per 100 turns", "turns", -1, 100),
    Metric("misplays", "Plays", "Misplays", "Misplays as a share of all plays, whoever is to blame.", _is("misplayed"), _is("played", "misplayed"), "% of plays", "plays", -1, 100, 1, True),
    Metric("clue_value", "Clues", "Cards per clue", "Cards first touched by a clue that count as gotten.", "d.gotten", _is("clued"), "cards per clue", "clues", 1),
    Metric("clue_share", "Actions", "Clues", "Turns on which a clue was given.", _is("clued"), "1", "% of turns", "turns", 0, 100, 1, True),
    Metric("play_share", "Actions", "Plays", "Turns on which a card was played or misplayed.", _is("played", "misplayed"), "1", "% of turns", "turns", 0, 100, 1, True),
    Metric("discard_share", "Actions", "Discards", "Turns on which a card was discarded.", _is("discarded"), "1", "% of turns", "turns", 0, 100, 1, True),
    Metric("convention_uses", "Conventions", "Uses of conventions", "Uses of H-Group conventions, judged only from the turns before the action." + _READ, "bit_count(d.uses)", "d.is_read", "per 100 actions", "actions", 0, 100, 1, labelled="convention", labels=_conventions("uses", "")),
    Metric("convention_success", "Conventions", "Success of conventions", "Settled uses of conventions in which everything called for happened." + _READ, "bit_count(d.worked)", "bit_count(d.settled)", "% of settled uses", "settled uses", 1, 100, 1, True, labelled="convention", labels=_conventions("worked", "settled")),
)
# fmt: on


def metrics(known: Mapping[str, Definition], measures: Mapping[str, tuple[int, int]]) -> dict[str, Metric]:
    """Return all metrics by name.

    `known` are the definitions of mistakes, `measures` is `DecisionTables.measures`.

    >>> from hanalyze.store.definitions import definitions
    >>> every = metrics(definitions(), {name: (0, 1) for name in [*definitions(), "discard", "play", "clue"]})
    >>> every["discard"].x, every["misplays"].unit
    ('(d.found & 1 <> 0)::UTINYINT', '% of plays')
    """
    of_game = {measure.name: measure for measure in MEASURES}
    games = (
        Metric(
            name, "Games", title, f"{of_game[name].meaning[0].upper()}{of_game[name].meaning[1:]}.",
            f"d.{name}_x", f"d.{name}_y", unit, "games", better, scale, decimals,
            of_game[name].share, of_game[name].fewest, of_game[name].full, of_games=True,
        )
        for name, title, unit, better, scale, decimals in _GAMES
    )  # fmt: skip
    families = (
        Metric(
            family, "Mistakes", title,
            f"Decisions with a {family} mistake that somebody is to blame for, of the decisions with several"
            " sensible choices in which such a mistake was possible.",
            _has("found", measures[family][1]), _has("chances", measures[family][1]),
            "per 100 opportunities", "opportunities", -1, 100, 1, True, labelled="kind",
            labels=tuple(
                Label(kind, one.label, _has("found", measures[kind][1]), _has("chances", measures[kind][1]))
                for kind, one in known.items()
                if one.family == family
            ),
        )
        for family, title in _FAMILIES.items()
    )  # fmt: skip
    return {metric.name: metric for metric in (*games, *families, *_TURNS)}
