"""Games for tests of the page, from positions in the notation of `tests.conventions.positions`."""

from __future__ import annotations

from hanalyze.logs.record import GameRecord
from tests.conventions.positions import COLUMNS, Position, game, positions

CALLED = ("r1", "y4 g3 b3 p4 y3/r2 y4 g4 b4 p3/y3 r3 g4 b4 p4")
"""Red is at 1; the next player's newest card is r2, and the one after holds r3."""


def laid(before: str, hands: str, actions: str, draws: str = "") -> tuple[GameRecord, int]:
    """Return a game, and the turn (from 0) that `actions` marks with `!`.

    `before` describes the position, `hands` has the newest card first, `draws` the next cards of the deck.
    """
    row = dict.fromkeys(COLUMNS, "") | {"variant": "No Variant", "level": "25", "draws": draws}
    made = game(Position("page", row | {"before": before, "hands": hands, "actions": actions}))
    return made.record, made.turn


def case(name: str) -> tuple[GameRecord, int]:
    """Return a game of the cases of conventions, and its judged turn."""
    made = game(next(one for one in positions() if one.name == name))
    return made.record, made.turn
