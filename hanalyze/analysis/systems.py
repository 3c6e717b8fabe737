"""Guess of the system of conventions from the moves, with its evidence (`CRITERIA`).

Sources: the H-Group's conventions (hanabi.github.io); the referential sieve; hat guessing (Cox et al. 2015).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from hanalyze.analysis.columns import FRAMES, select_columns
from hanalyze.analysis.grouping import BY_GAME, DECISIONS, By, Groups, by_name, number_groups, one_column
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.statistics.intervals import wilson
from hanalyze.lazy import polars as pl
from hanalyze.replaying import Replay
from hanalyze.store import Database, connect

SYSTEMS_BY: Final = ("game", "player", *BY_GAME, "source")

_GAME: Final = "coalesce(d.source_id::VARCHAR, d.seed, d.game_id::VARCHAR)"
_GROUPS: Final = {
    **DECISIONS,
    "game": By("game", ("game_id", "game"), ("d.game_id", _GAME)),
    "source": one_column("source", "d.source"),
}

_CONFIDENCE: Final = 0.8
"""Confidence of the intervals (Wilson 1927) that must exclude a threshold; low, because games are short."""


class Criterion(NamedTuple):
    """A share that is evidence for a system if its interval lies above (or below) a threshold."""

    share: str
    above: bool
    threshold: float
    reason: str

    def margin(self, found: float, of: float) -> float:
        """Return how far the interval of a share lies beyond the threshold; negative if it does not."""
        low, high = wilson(found, of, _CONFIDENCE)
        return low - self.threshold if self.above else self.threshold - high


_TRUSTED: Final = (
    Criterion("trusted", True, 0.1, "players play cards not known to be playable"),
    Criterion("lift", True, 0.5, "trusted plays succeed far more often than the odds predict"),
)
"""Criteria for plays on trust, that is, of cards not known to be playable.

The share of such plays is nearly 0 for players without a system and about half with a system. A lift of 0.5
means that half of the failures expected from the odds were successes; the lift is 0 by chance and nearly 1
with a system."""

CRITERIA: Final = {
    "h_group": (
        *_TRUSTED,
        Criterion("oldest", True, 0.5, "players discard their oldest unclued card"),
        Criterion("focus", True, 0.4, "clues are about cards to play or to save"),
        Criterion("only_trash", False, 0.2, "clues hardly ever touch only trash"),
        Criterion("blind", False, 0.35, "most plays are of clued cards"),
    ),
    "sieve": (
        *_TRUSTED,
        Criterion("leftmost", True, 0.5, "players discard their newest unclued card"),
        Criterion("blind", True, 0.25, "many plays are of unclued cards"),
        Criterion("called", True, 0.8, "plays of unclued cards follow a clue"),
    ),
    "hat_guessing": (
        *_TRUSTED,
        Criterion("leftmost", False, 0.4, "most discards are not of the newest unclued card"),
        Criterion("focus", False, 0.4, "clues are about arbitrary cards"),
        Criterion("only_trash", True, 0.2, "clues often touch only trash"),
        Criterion("blind", True, 0.4, "many plays are of unclued cards"),
        Criterion("called", True, 0.9, "plays of unclued cards follow a clue"),
    ),
}
"""The criteria of each system, all of which must hold. Thresholds lie about halfway between systems.

Discards: by chance the oldest of about three unclued cards is discarded in a third of the cases, and so is
the newest; players with a chop discard it in 90% of the cases. Focus: a random card is playable or worth
saving in a quarter of the cases, the focus of strong players in three quarters. Trash: a hat-guessing clue
touches only trash in nearly half of the cases, a clue that is about touched cards in a thirtieth. Blind
plays: finesses are an eighth of the plays of strong players, but blind plays are two thirds of the plays in a
sieve and in hat guessing. Called: a clue was given since the player's last turn; by chance this happens in a
third of the cases with two or three players."""

_NONE: Final = (
    (Criterion("trusted", False, 0.1, "players hardly ever play cards not known to be playable"),),
    (Criterion("lift", False, 0.3, "trusted plays succeed about as often as the odds predict"),),
    (
        Criterion("blind", True, 0.4, "many plays are of unclued cards"),
        Criterion("called", False, 0.8, "plays of unclued cards often follow no clue"),
    ),
)
"""Alternative evidence for the absence of a system: one tuple suffices if all its criteria hold."""

_OTHERS: Final = (
    Criterion("blind", True, 0.5, "most plays are of unclued cards"),
    Criterion("focus", False, 0.5, "clues are about arbitrary cards"),
)
"""Criteria that together exclude H-Group's conventions, even if a game is too short to name the system."""

_LEAST_BLIND: Final = min(
    one.threshold
    for one in (*CRITERIA["sieve"], *CRITERIA["hat_guessing"], *_OTHERS)
    if one.share == "blind" and one.above
)
_SUSPECTS: Final = f"""SELECT game_id FROM turns WHERE action = 'play'
GROUP BY game_id HAVING count_if(NOT clued) > {_LEAST_BLIND} * count(*)"""
"""Query for games with as large a share of unclued plays as other systems need."""
_LISTED: Final = 10_000
"""Maximum number of games that a query lists; more are chosen by a subquery."""

_UNCOUNTED: Final = -2.0
"""Margin of criteria with too few cases, below any computed margin."""

_SHARES: Final = [
    column.name for column in FRAMES["system_guess"] if column.type == "float64" and column.name != "margin"
]

_SUMS: Final = (
    *("discards", "oldest", "leftmost", "clues", "fresh", "focus", "only_trash"),
    *("plays", "trusted", "success", "odds", "blind", "called"),
)


def system_guess(of: Database | Replay, by: Groups = "game", *, minimum: int = 5) -> pl.DataFrame:
    """Return a guess of the system of conventions, one row per group; `by` is one of `SYSTEMS_BY`, or None.

    * `h_group`, also for most beginners: players discard the oldest unclued card (the chop). A clue focuses a
      card (the chop, otherwise the newest newly touched card) that is playable or worth saving.
    * `sieve` (referential sieve): players discard the newest unclued card. A clue refers to the card next to
      the touched card.
    * `hat_guessing`: a clue encodes a number and may touch any cards, including trash.
    * `none`: players play no cards on trust (cards not known to be playable), or succeed no more often than
      the odds, or play unclued cards without a preceding clue. This describes plays, not agreements.
    * `unknown`: the evidence is unclear, or comes from fewer than `minimum` discards, clues or plays.

    A system is guessed if Wilson's intervals (Wilson 1927) of all its `CRITERIA` exclude the thresholds;
    `margin` is the smallest distance of an interval from its threshold. By player, only the player's own
    actions count. The columns are those of the group (by game `game_id` and `game`) and those of `FRAMES`.
    Raises `UnknownName`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     system_guess(db, by="source")["system"].to_list()
    ['none', 'none']
    """
    grouping = by_name(by, _GROUPS, SYSTEMS_BY)
    rows = _counts(of, grouping)
    if not grouping.columns:
        rows = rows.filter(pl.col("games") > 0)
    groups, group = number_groups(rows, grouping)
    rows = rows.with_columns(pl.Series("_group", group)).sort("_group")
    kinds = dict.fromkeys(("system", "grounds"), pl.String) | dict.fromkeys(("margin", *_SHARES), pl.Float64)
    guesses = pl.DataFrame([_guess(row, minimum) for row in rows.iter_rows(named=True)], kinds)
    rows = rows.with_columns(guesses.get_columns()).drop(grouping.columns)
    frame = rows.join(groups, on="_group", maintain_order="left")
    return select_columns(frame, "system_guess", grouping.columns)


def games_of_others(of: Database | Replay, *, minimum: int = 5) -> dict[int, str]:
    """Return the keys of games that were clearly not played by H-Group's conventions, with the evidence.

    These are games that `system_guess` classifies as sieve or hat guessing, and games in which most plays are
    clearly of unclued cards and clues clearly focus arbitrary cards. Games without any system are left out,
    because players who play no cards on trust do not break conventions.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     games_of_others(db)
    {}
    """
    evidence = {}
    by = by_name("game", _GROUPS, SYSTEMS_BY)
    if isinstance(of, Database):
        keys = of.sql(_SUSPECTS)["game_id"].to_list()
        if not keys:
            return {}
        suspects = ", ".join(map(str, keys)) if len(keys) <= _LISTED else _SUSPECTS
        by = by._replace(where=f" WHERE d.game_id IN ({suspects})")
    for row in _counts(of, by).iter_rows(named=True):
        guess = _guess(row, minimum)
        if guess["system"] in ("sieve", "hat_guessing"):
            evidence[row["game_id"]] = guess["grounds"]
        elif all(
            row[of_] >= minimum and one.margin(row[one.share], row[of_]) > 0
            for one, of_ in zip(_OTHERS, ("plays", "fresh"), strict=True)
        ):
            evidence[row["game_id"]] = " and ".join(criterion.reason for criterion in _OTHERS)
    return evidence


def _counts(of: Database | Replay, grouping: By) -> pl.DataFrame:
    if isinstance(of, Replay):
        with connect() as db:
            db.add([of.record], jobs=1)
            return _counts(db, grouping)
    sums = ", ".join(f"coalesce(sum(d.{name}), 0)::DOUBLE AS {name}" for name in _SUMS)
    return of.sql(
        f"SELECT {grouping.selected}count(DISTINCT d.game_id) AS games, {sums}"
        f" FROM ({sql_text('system_counts')}) d{grouping.joins}{grouping.where} GROUP BY ALL"
    )


def _guess(row: dict[str, Any], minimum: int) -> dict[str, Any]:
    counted: dict[str, tuple[float, float]] = {
        "oldest": (row["oldest"], row["discards"]),
        "leftmost": (row["leftmost"], row["discards"]),
        "focus": (row["focus"], row["fresh"]),
        "only_trash": (row["only_trash"], row["clues"]),
        "trusted": (row["trusted"], row["plays"]),
        "right": (row["success"], row["trusted"]),
        "odds": (row["odds"], row["trusted"]),
        "blind": (row["blind"], row["plays"]),
        "called": (row["called"], row["blind"]),
        # Successes beyond the expected number, as a share of the expected failures of trusted plays.
        "lift": (max(row["success"] - row["odds"], 0.0), row["trusted"] - row["odds"]),
    }
    shares = {name: count / of if of else None for name, (count, of) in counted.items()}
    enough = {name: of >= minimum for name, (_, of) in counted.items()}
    enough["lift"] = row["trusted"] >= minimum and counted["lift"][1] > 0

    def weakest(criteria: Sequence[Criterion]) -> tuple[float, Criterion]:
        """Return the smallest margin and its criterion; criteria with too few cases have `_UNCOUNTED`."""
        margins = [
            (one.margin(*counted[one.share]) if enough[one.share] else _UNCOUNTED, one) for one in criteria
        ]
        return min(margins, key=lambda pair: pair[0])

    evidence = {name: weakest(criteria) for name, criteria in CRITERIA.items()}
    evidence["none"] = max((weakest(criteria) for criteria in _NONE), key=lambda pair: pair[0])
    system = max(evidence, key=lambda name: evidence[name][0])
    margin, decisive = evidence[system]
    if margin > 0:
        return {**shares, "system": system, "margin": margin, "grounds": decisive.reason}
    if margin == _UNCOUNTED:
        grounds = f"too short to see whether {decisive.reason}"
    else:
        grounds = f"closest to {system}, but it is not certain that {decisive.reason}"
    return {**shares, "system": "unknown", "margin": None, "grounds": grounds}
