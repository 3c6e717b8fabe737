"""What a clue leaves open of its focus, as its receiver sees it: the identities, their copies, and why.

In: a clue just read. Out: plain values, for those who say how likely each reading is.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hanalyze.conventions.state import ConventionState
from hanalyze.engine.game import Game
from hanalyze.engine.knowledge import copies_unseen
from hanalyze.kernels.masks import drop_lowest, lowest, popcount

KINDS: Final = ("now", "soon", "save", "called")
"""Why the focus may be what it is: it can be played now; it can once known cards are played; it is kept; it
can once somebody has played a card that the clue calls."""


class OpenReading(NamedTuple):
    """What the focus of a clue may be.

    `identity` is suit * 8 + rank, `copies` how many of it the receiver does not see, `kind` one of `KINDS`.
    """

    identity: int
    copies: int
    kind: str


def open_readings(game: Game, state: ConventionState) -> tuple[OpenReading, ...]:
    """Return the readings of a clue just read, none where there is but one, or nothing tells them apart.

    Nothing tells them apart where a stalling or a locked player may have touched any card.
    """
    verdict, clue = state.verdict, state.clue
    rest = verdict.readings
    if popcount(rest) < 2 or not verdict.direct:
        return ()
    readings = []
    while rest:
        number = lowest(rest)
        rest = drop_lowest(rest)
        readings.append(
            OpenReading(
                number, copies_unseen(game, clue.receiver, 1 << number), _kind(game, state, 1 << number)
            )
        )
    return tuple(readings)


def _kind(game: Game, state: ConventionState, bit: int) -> str:
    """Return why the focus may be an identity."""
    if game.playable & bit:
        return "now"
    if not state.verdict.direct & bit:
        return "called"
    return "soon" if state.turn_view.hypo_playable & bit else "save"
