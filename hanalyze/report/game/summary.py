"""Summary of a game: a headline, and a row of numbers per player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from hanalyze.conventions.classes import BLIND_CALLS, is_any
from hanalyze.conventions.run import Output
from hanalyze.game.editions import EndCondition
from hanalyze.game.meanings import Convention, OutcomeKind
from hanalyze.replaying import Replay
from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import BLAMELESS
from hanalyze.text import plural
from hanalyze.words import listed

Rows: TypeAlias = Sequence[Mapping[str, Any]]
Meaning: TypeAlias = tuple[int, int, bool, int]
"""Seat, convention, whether it is legal, and outcome of the main meaning of a move."""

_MOST: Final = 3
"""Maximum number of kinds of mistakes in the headline."""


class PlayerSummary(NamedTuple):
    """What a player did in a game; the points are those that are charged to the player's mistakes."""

    player: str
    plays: int
    strikes: int
    points: int
    mistakes: int
    finesses: int
    blind_plays: int


TITLES: Final = ("player", "plays", "strikes", "points lost", "mistakes", "finesses", "blind plays")
"""Titles of the columns of `PlayerSummary`. Finesses include bluffs and signals; only successes count."""


def points_of(replay: Replay) -> dict[str, Any]:
    """Return the points of a game and how it ended, as `headline` reads them."""
    names = ("score", "raw_score", "max_score", "end_condition")
    return {"full_score": replay.variant.max_score, **{name: getattr(replay, name) for name in names}}


def headline(game: Mapping[str, Any], mistakes: Rows, kinds: Mapping[str, Definition]) -> str:
    """Return the score and where all other points went; the parts add up to the full score.

    `game` has `full_score`, `score`, `raw_score`, `max_score` and `end_condition`, as in `games`.
    """
    full, score = game["full_score"], game["score"]
    # A strikeout also forfeits the points that were still possible.
    kept = game["max_score" if game["end_condition"] == EndCondition.STRIKEOUT.label else "raw_score"]
    charged: dict[str, tuple[int, list[int]]] = {}
    for row in mistakes:
        if row["points"] and row["severity"] not in BLAMELESS:
            points, turns = charged.setdefault(row["kind"], (0, []))
            charged[row["kind"]] = points + row["points"], [*turns, row["turn"]]
    worst = sorted(charged.items(), key=lambda item: (-item[1][0], item[1][1]))
    parts = [
        f"{kinds[kind].noun.lower()} on {turns_in_words(turns)} ({plural(points, 'point')})"
        for kind, (points, turns) in worst[:_MOST]
    ]
    lost = sum(row["points"] for row in mistakes)
    blameless = lost - sum(points for points, _ in charged.values())
    others = sum(points for _, (points, _) in worst[_MOST:])
    rest = {
        "lost by other mistakes": others,
        "lost without a mistake": blameless,
        "forfeited": kept - score,
        "left unplayed": full - kept - lost,
    }
    parts += [f"{plural(number, 'point')} {word}" for word, number in rest.items() if number]
    return f"{score} of {full}" + (f": {', '.join(parts)}." if parts else ".")


def turns_in_words(turns: Sequence[int]) -> str:
    """Return turns, which count from 0, as a text that counts them from 1.

    >>> turns_in_words([15, 21])
    'turns 16 and 22'
    """
    return f"turn{'s' if len(turns) > 1 else ''} {''.join(listed([str(turn + 1) for turn in turns]))}"


def meanings_of(read: Output | None) -> list[Meaning]:
    """Return the main meanings of the moves of one game, from its reading by the conventions."""
    if read is None:
        return []
    columns = [
        read.findings["seat"],
        read.findings["convention"],
        read.findings["legal"],
        read.outcomes["outcome"],
    ]
    main = read.findings["number"] == 0
    return list(zip(*(column[main].tolist() for column in columns), strict=True))


def player_rows(
    players: Sequence[str], decisions: Rows, mistakes: Rows, meanings: Iterable[Meaning]
) -> list[PlayerSummary]:
    """Return a row per player, by seat."""
    meanings = list(meanings)
    rows = []
    for seat, name in enumerate(players):
        results = [row["result"] for row in decisions if row["seat"] == seat]
        blamed = [row for row in mistakes if row["seat"] == seat and row["severity"] not in BLAMELESS]
        own = [one for one in meanings if one[0] == seat and one[2] and one[3] == OutcomeKind.SUCCESS]
        rows.append(
            PlayerSummary(
                player=name,
                plays=results.count("played"),
                strikes=results.count("misplayed"),
                points=sum(row["points"] for row in blamed),
                mistakes=len({row["turn"] for row in blamed}),
                finesses=sum(is_any(convention, BLIND_CALLS) for _, convention, _, _ in own),
                blind_plays=sum(convention == Convention.BLIND_PLAY for _, convention, _, _ in own),
            )
        )
    return rows
