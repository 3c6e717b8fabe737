"""Actions of players (play, discard, clue a colour, clue a rank, end the game) and their results.

An action does not name its player: the player follows from the starting player and the turn.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class ActionKind(IntEnum):
    """Kinds of actions, and the meaning of `target` and `value` for each kind.

    >>> ActionKind(2).name
    'COLOUR_CLUE'
    """

    PLAY = 0
    """`target` is the order of the card; `value` is 0. A misplay is also a play."""
    DISCARD = 1
    """`target` is the order of the card; `value` is 0."""
    COLOUR_CLUE = 2
    """`target` is the receiver's seat; `value` is an index into the variant's clue colours, not its suits."""
    RANK_CLUE = 3
    """`target` is the receiver's seat; `value` is the rank itself, 1 to 5."""
    END_GAME = 4
    """A player or the clock ended the game; `target` is the seat or -1, `value` is an `EndCondition`."""
    END_VOTE = 5
    """A vote ended the game; `target` is -1; `value` is an `EndCondition`."""


class Result(IntEnum):
    """The result of an action."""

    PLAYED = 0
    MISPLAYED = 1
    DISCARDED = 2
    CLUED = 3
    ENDED = 4


# Plain integers for kernels: Python compares them several times faster than enum members, and a function
# called with members and with integers would be compiled twice.
PLAY, DISCARD, COLOUR_CLUE, RANK_CLUE, END_GAME, END_VOTE = map(int, ActionKind)
PLAYED, MISPLAYED, DISCARDED, CLUED, ENDED = map(int, Result)


class Action(NamedTuple):
    """One action as given in a log; its numbers are not checked.

    `kind` is an `ActionKind` or an unknown number; the meaning of `target` and `value` depends on `kind`.

    >>> Action(ActionKind.RANK_CLUE, target=1, value=5)._replace(target=2)
    Action(kind=<ActionKind.RANK_CLUE: 3>, target=2, value=5)
    >>> Action(0, 17, 0) == Action(ActionKind.PLAY, 17, 0)
    True
    """

    kind: int
    target: int
    value: int
