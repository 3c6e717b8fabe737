"""A game in a sentence, and a row of numbers per player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from hanalyze.conventions.classes import BLUFFS, FINESSE_KINDS, SIGNALS, is_any, set_of
from hanalyze.game.meanings import Convention, OutcomeKind
from hanalyze.store.definitions import Definition
from hanalyze.store.mistakes import BLAMELESS
from hanalyze.text import plural
from hanalyze.words import listed

Rows: TypeAlias = Sequence[Mapping[str, Any]]
Meaning: TypeAlias = tuple[int, int, bool, int]
"""Seat, convention, whether it is legal, and outcome of the main meaning of a move."""

_BLIND: Final = set_of(Convention.FINESSE) | BLUFFS | FINESSE_KINDS | SIGNALS
"""Clues that call a card of which its holder knows nothing."""
_MOST: Final = 3
"""Kinds of mistakes that the headline names."""


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
"""Titles of the columns of `PlayerSummary`: finesses, bluffs and signals that worked, and answers to them."""


def headline(
    score: int, raw_score: int, full: int, mistakes: Rows, kinds: Mapping[str, Definition]
) -> str:
    """Return the score and where all other points went; the parts add up to the full score."""
    charged: dict[str, tuple[int, list[int]]] = {}
    for row in mistakes:
        if row["points"] and row["severity"] not in BLAMELESS:
            points, turns = charged.setdefault(row["kind"], (0, []))
            charged[row["kind"]] = points + row["points"], [*turns, row["turn"] + 1]
    worst = sorted(charged.items(), key=lambda item: (-item[1][0], item[1][1]))
    parts = [
        f"{kinds[kind].noun.lower()} on turn{'s' if len(turns) > 1 else ''} {''.join(listed(list(map(str, turns))))}"
        f" ({plural(points, 'point')})"
        for kind, (points, turns) in worst[:_MOST]
    ]
    lost = sum(row["points"] for row in mistakes)
    blameless = lost - sum(points for points, _ in charged.values())
    others = sum(points for _, (points, _) in worst[_MOST:])
    rest = {
        "lost by other mistakes": others,
        "lost without a mistake": blameless,
        "forfeited": raw_score - score,
        "left unplayed": full - raw_score - lost,
    }
    parts += [f"{plural(number, 'point')} {word}" for word, number in rest.items() if number]
    return f"{score} of {full}" + (f": {', '.join(parts)}." if parts else ".")


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
                finesses=sum(is_any(convention, _BLIND) for _, convention, _, _ in own),
                blind_plays=sum(convention == Convention.BLIND_PLAY for _, convention, _, _ in own),
            )
        )
    return rows
