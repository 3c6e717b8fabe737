"""Actions of players (play, discard, clue a colour, clue a rank, end the game) and their results.

An action does not say who made it: that follows from the starting player and the turn.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class ActionKind(IntEnum):
    """The kinds of action, and what `target` and `value` of each mean.

    >>> ActionKind(2).name
    'COLOUR_CLUE'
    """

    PLAY = 0
    """`target` is the order of the card; `value` is 0. A misplay is a play, too."""

    DISCARD = 1
    """`target` is the order of the card; `value` is 0."""

    COLOUR_CLUE = 2
    """`target` is the receiver's seat; `value` is an index into the variant's clue colours, not its suits."""

    RANK_CLUE = 3
    """`target` is the receiver's seat; `value` is the rank itself, 1 to 5."""

    END_GAME = 4
    """Ended by hand or by the clock; `target` is the seat that ended it, or -1; `value` is how it ended."""

    END_VOTE = 5
    """Ended by vote; `target` is -1; `value` is how it ended."""


class Result(IntEnum):
    """The result of an action."""

    PLAYED = 0
    MISPLAYED = 1
    DISCARDED = 2
    CLUED = 3
    ENDED = 4


# For kernels: Python compares plain integers several times as fast as members, and a function that gets
# a member in one place and an integer in another would be compiled twice.
PLAY, DISCARD, COLOUR_CLUE, RANK_CLUE, END_GAME, END_VOTE = map(int, ActionKind)
PLAYED, MISPLAYED, DISCARDED, CLUED, ENDED = map(int, Result)


class Action(NamedTuple):
    """One action as given in a log: numbers not yet checked.

    `kind` is a number of `ActionKind` or an unknown one; it decides what `target` and `value` mean.

    >>> Action(ActionKind.RANK_CLUE, target=1, value=5)._replace(target=2)
    Action(kind=<ActionKind.RANK_CLUE: 3>, target=2, value=5)
    >>> Action(0, 17, 0) == Action(ActionKind.PLAY, 17, 0)
    True
    """

    kind: int
    target: int
    value: int
