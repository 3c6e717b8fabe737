"""What groups of games are compared by: measures, each a name and a query.

In: names. Out: `Measure`s, whose queries give for each game how much was found, and of how much. Whoever has
a new table adds its measures to `MEASURES`, in this one place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Final

from hanalyze.analysis.competition import BOTTOM_DECK, TURNS_LEFT
from hanalyze.analysis.decision_cache import judged
from hanalyze.analysis.outcome_words import SETTLED
from hanalyze.analysis.rates import Folder
from hanalyze.errors import UnknownName
from hanalyze.game.meanings import Convention
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES, definitions


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is counted in every game: found / opportunities, of their sums over games.

    `query` returns `game_id`, `found` and `opportunities`, one row per game at most; a game without a row, or
    with a null, has no opportunity. It may be a function of a database and a folder of definitions that
    returns the query, for measures of tables that are made when asked for. `unit` is that of the ratio. A
    `share` is one whose found are some of the opportunities, each of which is found or not; it has no unit.
    `at_worst` is about what a game lost by strikes may come to at worst, a number for means of which these
    are rare disasters: intervals of such means take account of disasters that happen not to be among few
    games.

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
    """Whether a game is one opportunity."""
    at_worst: float | None = None
    most: float | None = None
    """The most that a mean can be, which is never below 0: no difference is greater."""

    def __repr__(self) -> str:
        return f"Measure({self.name!r})"

    def sql(self, db: Database, folder: Folder = None) -> str:
        """Return the query."""
        return self.query if isinstance(self.query, str) else self.query(db, folder)


def _game(
    name: str,
    meaning: str,
    unit: str,
    found: str,
    share: bool = False,
    at_worst: float | None = None,
    most: float | None = None,
) -> Measure:
    """Return a measure that a column of `games`, or several, have for every game; null says it does not."""
    query = f"SELECT game_id, {found} AS found, 1 AS opportunities FROM games WHERE {found} IS NOT NULL"
    return Measure(name, meaning, unit, query, share, True, at_worst, most)


def _lost(db: Database, folder: Folder) -> str:
    return (
        "SELECT g.game_id, coalesce(l.points, 0) AS found, 1 AS opportunities FROM games g"
        f" LEFT JOIN (SELECT game_id, sum(points) AS points FROM {judged(db, folder).lost} GROUP BY ALL) l"
        " USING (game_id)"
    )


MEASURES: Final = (
    _game("score", "final score", "points", "score", at_worst=0.0, most=30.0),
    _game(
        "score_share",
        "final score as a share of the full score",
        "of full score",
        "score / full_score",
        at_worst=0.0,
        most=1.0,
    ),
    _game("perfect", "games with the full score", "", "(score >= full_score)::INTEGER", True),
    _game("strikeout", "games lost by strikes", "", "(end_condition = 'strikeout')::INTEGER", True),
    _game("strikes", "strikes", "strikes/game", "strikes", most=3.0),
    _game("turns", "length of the game", "turns/game", "turns"),
    _game("efficiency", "cards gotten per clue given or lost, at the end", "cards/clue", "efficiency"),
    Measure(
        "clue_value",
        "cards first touched by a clue that count as gotten",
        "cards/clue",
        "SELECT game_id, sum(cards_gotten) AS found, count(*) AS opportunities FROM clues GROUP BY ALL",
    ),
    Measure(
        "misplays",
        "misplays, as a share of all plays",
        "",
        "SELECT game_id, misplays AS found, plays + misplays AS opportunities FROM games",
        True,
    ),
    Measure(
        "bottom_deck",
        "bottom deck risk as competitions count it: cards that are not trash, discarded or misplayed with"
        " exactly one copy left, in no hand",
        "cards/game",
        f"SELECT game_id, bottom_deck AS found, 1 AS opportunities FROM ({BOTTOM_DECK})",
        False,
        True,
    ),
    Measure(
        "turns_left",
        "turns that were left at the end, at most, by hanab.live's count",
        "turns/game",
        f"SELECT game_id, turns_left AS found, 1 AS opportunities FROM ({TURNS_LEFT})",
        False,
        True,
        50.0,
    ),
    Measure(
        "points_lost",
        "points lost by mistakes that somebody is to blame for",
        "points/game",
        _lost,
        False,
        True,
    ),
)
"""The measures that need no definition of a mistake by name. Tables of others have theirs here, too."""


def _judged(name: str, db: Database, folder: Folder) -> str:
    tables = judged(db, folder)
    number = tables.measures[name][0]
    return (
        f"SELECT game_id, sum(f{number}) AS found, sum(o{number}) AS opportunities"
        f" FROM {tables.seats} GROUP BY ALL"
    )


def _mistakes(folder: Folder) -> list[Measure]:
    """Return the rates of mistakes as `hanalyze.analysis.rates` counts them: the families, then the kinds."""
    titles = {name: f"decisions with a {name} mistake" for name in FAMILIES}
    titles.update({kind: one.definition for kind, one in definitions(folder).items()})
    return [Measure(name, title, "", partial(_judged, name), True) for name, title in titles.items()]


def _conventions() -> list[Measure]:
    """Return of each convention how often it is used, and how often that works."""
    found = []
    settled = ", ".join(f"'{outcome}'" for outcome in SETTLED)
    for one in Convention:
        name, words = one.label, one.label.replace("_", " ")
        used = (
            "SELECT game_id, u.uses AS found, o.actions / 100 AS opportunities"
            " FROM (SELECT game_id, count(*) AS actions FROM convention_opportunities GROUP BY ALL) o"
            f" JOIN (SELECT game_id, count(*) FILTER (convention = '{name}') AS uses FROM conventions"
            " GROUP BY ALL) u USING (game_id)"
        )
        worked = (
            "SELECT game_id, count(*) FILTER (o.outcome = 'success') AS found, count(*) AS opportunities"
            " FROM conventions c JOIN convention_outcomes o USING (game_id, turn, number)"
            f" WHERE c.convention = '{name}' AND o.outcome IN ({settled}) GROUP BY ALL"
        )
        found += [
            Measure(name, f"{words}: uses", "per 100 actions", used),
            Measure(f"{name}_success", f"{words}: share of the settled uses that worked", "", worked, True),
        ]
    return found


def measures(wanted: str | Sequence[str | Measure] | None = None, *, folder: Folder = None) -> list[Measure]:
    """Return measures by name (or by one name), and those given as they are; without a wish all there are.

    Names are those of `MEASURES`, the families discard, play and clue, and each kind of mistake; `mistakes`
    stands for all kinds. Of games that were read for conventions there are besides, for who asks: how often
    each convention was used (`bluff`) and how often that worked (`bluff_success`); `conventions` stands for
    all of them. In a name, `-` is as good as `_`. `folder` has further definitions of mistakes. Raises
    `UnknownName`.

    >>> [one.name for one in measures(["score", "misplay"])]
    ['score', 'misplay']
    """
    usual = {one.name: one for one in (*MEASURES, *_mistakes(folder))}
    conventions = {one.name: one for one in _conventions()}
    known = {**conventions, **usual}
    found: dict[str, Measure] = {}
    for one in usual if wanted is None else [wanted] if isinstance(wanted, str) else wanted:
        if isinstance(one, Measure):
            found[one.name] = one
            continue
        name = one.replace("-", "_")
        if name == "mistakes":
            found.update({kind: known[kind] for kind in definitions(folder)})
            continue
        if name == "conventions":
            found.update(conventions)
            continue
        if name not in known:
            near = tuple(get_close_matches(name[:100], known, n=2, cutoff=0.6))
            raise UnknownName("measure", one, near, advice="one of: " + ", ".join([*usual, "conventions"]))
        found[name] = known[name]
    return list(found.values())
