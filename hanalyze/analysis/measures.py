"""Measures for comparing groups of games; each has a name and a query by game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from hanalyze.analysis.decision_cache import decision_tables
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES, FEWEST_MIXED
from hanalyze.errors import UnknownName
from hanalyze.game.meanings import SETTLED, Convention
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES, Folder, definitions
from hanalyze.text import nearest


@dataclass(frozen=True, slots=True)
class Measure:
    """A ratio of two sums over games, found / opportunities.

    `query` returns `game_id`, `found` and `opportunities`, with at most one row per game. A game without a
    row, or with a null, has no opportunity. `query` may also be a function of a database and a folder of
    definitions that returns the query. `unit` is the unit of the ratio. In a `share`, which has no unit,
    `found` counts a part of the opportunities. A mean of fewer than `fewest` games has no interval.

    >>> query = "SELECT game_id, clues AS found, 1 AS opportunities FROM games"
    >>> Measure("clues", "clues given", "clues/game", query, per_game=True)
    Measure('clues')
    """

    name: str
    meaning: str
    unit: str
    query: str | Callable[[Database, Folder], str]
    share: bool = False
    per_game: bool = False
    """Whether each game counts as one opportunity."""
    fewest: int = FEWEST_GAMES
    most: float | None = None
    """The largest possible mean, for measures that are never negative."""
    full: str = ""
    """SQL over a row `d` of `games`: the largest possible value of the game, for `mean_below`."""

    def __repr__(self) -> str:
        return f"Measure({self.name!r})"

    def sql(self, db: Database, folder: Folder = None) -> str:
        """Return the query as text."""
        return self.query if isinstance(self.query, str) else self.query(db, folder)


def _game(name: str, meaning: str, unit: str, found: str, *, source: str = "games", **fields: Any) -> Measure:
    """Return a measure from SQL over `source`: the table `games`, or a query by game in brackets."""
    values = f"SELECT game_id, {found} AS found, 1 AS opportunities FROM {source} WHERE {found} IS NOT NULL"
    return Measure(name, meaning, unit, values, per_game=True, **fields)


def of_all_games(found: str) -> str:
    """Return a measure's query from a query for `game_id` and `found`; all other games get 0."""
    return (
        "SELECT g.game_id, coalesce(f.found, 0) AS found, 1 AS opportunities FROM games g"
        f" LEFT JOIN ({found}) f USING (game_id)"
    )


def _lost(db: Database, folder: Folder) -> str:
    lost = decision_tables(db, folder).lost
    return of_all_games(f"SELECT game_id, sum(points) AS found FROM {lost} WHERE blamed GROUP BY ALL")


# fmt: off
MEASURES: Final = (
    _game("score", "final score", "points", "score", fewest=FEWEST_MIXED, most=30.0, full="d.full_score"),
    _game(
        "finished", "final score of the games that were played to their end", "points",
        "CASE WHEN end_condition = 'normal' THEN score END", most=30.0, full="d.full_score",
    ),
    _game(
        "score_share", "final score as a share of the full score", "of full score", "score / full_score",
        fewest=FEWEST_MIXED, most=1.0, full="1",
    ),
    _game("perfect", "games with the full score", "", "(score >= full_score)::INTEGER", share=True),
    _game("strikeout", "games lost by strikes", "", "(end_condition = 'strikeout')::INTEGER", share=True),
    _game("strikes", "strikes", "strikes/game", "strikes", most=3.0),
    _game("turns", "length of the game", "turns/game", "turns"),
    _game("efficiency", "cards gotten per clue given or lost, at the end", "cards/clue", "efficiency"),
    Measure(
        "clue_value", "cards first touched by a clue that count as gotten", "cards/clue",
        "SELECT game_id, sum(cards_gotten) AS found, count(*) AS opportunities FROM clues GROUP BY ALL",
    ),
    Measure(
        "misplays", "all misplays, whoever is to blame, as a share of all plays", "",
        "SELECT game_id, misplays AS found, plays + misplays AS opportunities FROM games", share=True,
    ),
    _game(
        "bottom_deck", "bottom deck risk of hanab.live's competitions: discarded or misplayed cards that were"
        " not trash and whose only remaining copy was still in the deck", "cards/game", "bottom_deck",
        source=f"({sql_text('bottom_deck')})",
    ),
    _game(
        "turns_left", "maximum number of turns that were left at the end, by hanab.live's count",
        "turns/game", "turns_left", source=f"({sql_text('turns_left')})", fewest=FEWEST_MIXED,
    ),
    Measure(
        "mistake_points", "points charged to mistakes that somebody is to blame for", "points/game",
        _lost, per_game=True,
    ),
)
# fmt: on
"""All measures except the rates of mistakes and of conventions."""


def _mistake_rate(name: str, db: Database, folder: Folder) -> str:
    tables = decision_tables(db, folder)
    number = tables.measures[name][0]
    return f"SELECT game_id, f{number} AS found, o{number} AS opportunities FROM {tables.games}"


def _mistakes(folder: Folder) -> list[Measure]:
    """Return the rates of mistakes of `hanalyze.analysis.rates`: first the families, then the kinds."""
    titles = {name: f"decisions with a {name} mistake" for name in FAMILIES}
    titles.update({kind: one.definition for kind, one in definitions(folder).items()})
    return [Measure(name, title, "", partial(_mistake_rate, name), True) for name, title in titles.items()]


def _conventions() -> list[Measure]:
    """Return two measures per convention: uses per 100 actions, and share of settled uses that worked."""
    results = []
    settled = ", ".join(f"'{outcome}'" for outcome in SETTLED)
    for one in Convention:
        name, words = one.label, one.label.replace("_", " ")
        used = (
            f"SELECT game_id, count(*) FILTER (convention = '{name}') AS found,"
            " count(*) FILTER (number = 0) / 100 AS opportunities FROM conventions GROUP BY ALL"
        )
        worked = (
            "SELECT game_id, count(*) FILTER (o.outcome = 'success') AS found, count(*) AS opportunities"
            " FROM conventions c JOIN convention_outcomes o USING (game_id, turn, number)"
            f" WHERE c.convention = '{name}' AND o.outcome IN ({settled}) GROUP BY ALL"
        )
        results += [
            Measure(name, f"{words}: uses", "per 100 actions", used),
            Measure(f"{name}_success", f"{words}: share of the settled uses that worked", "", worked, True),
        ]
    return results


def measures(wanted: str | Sequence[str | Measure] | None = None, *, folder: Folder = None) -> list[Measure]:
    """Return measures from a name, or from names and instances of `Measure`; None: all except conventions.

    A name is one of `MEASURES`, a family (discard, play, clue), or a kind of mistake; `mistakes` means all
    kinds. For games that were read for conventions, a name may also be a convention (`bluff`: uses per 100
    actions) or its success (`bluff_success`); `conventions` means all such measures. Names may contain `-`
    instead of `_`. `folder` contains further definitions of mistakes. Raises `UnknownName`.

    >>> [one.name for one in measures(["score", "misplay"])]
    ['score', 'misplay']
    """
    usual = {measure.name: measure for measure in (*MEASURES, *_mistakes(folder))}
    conventions = {measure.name: measure for measure in _conventions()}
    by_name = {**conventions, **usual}
    groups = {"mistakes": [*definitions(folder)], "conventions": [*conventions]}
    found: dict[str, Measure] = {}
    for one in usual if wanted is None else [wanted] if isinstance(wanted, str) else wanted:
        if isinstance(one, Measure):
            found[one.name] = one
            continue
        name = one.replace("-", "_")
        if name not in (*by_name, *groups):
            advice = "one of: " + ", ".join([*usual, "conventions"])
            raise UnknownName("measure", one, nearest(name, by_name), advice=advice)
        found |= {each: by_name[each] for each in groups.get(name, [name])}
    return list(found.values())
