"""The clue that is judged: given, or one that could be given.

In: a running game, a receiver, kind and value. Out: the record `Clue`, and the only functions that write it.
"""

from __future__ import annotations

from hanalyze.engine.game import Game
from hanalyze.engine.step import clue_touch
from hanalyze.game.actions import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record


class Clue(Record):
    """A clue. Written by `clue`."""

    giver: int
    receiver: int
    kind: int
    """A number of `ActionKind`."""
    value: int
    """A clue colour, or a rank."""
    identities: int
    """Mask of the identities that it touches."""
    touched: int
    """Mask of the cards that it touches."""
    newly: int
    """Mask of those of them that no clue touched before."""


@kernel
def set_clue(game: Game, clue: Clue, receiver: int, kind: int, value: int, touched: int) -> None:
    """Take a clue of the player to move that touches the cards `touched`."""
    clue.giver = game.seat
    clue.receiver = receiver
    clue.kind = kind
    clue.value = value
    clue.identities = clue_touch(game, kind, value)
    clue.touched = touched
    clue.newly = touched & ~game.clued


@kernel
def propose(game: Game, clue: Clue, receiver: int, kind: int, value: int) -> None:
    """Take a clue of the player to move that touches what is seen of the receiver's hand."""
    set_clue(game, clue, receiver, kind, value, 0)
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        number = game.identity[order]
        if number >= 0:
            clue.touched |= (clue.identities >> number & 1) << order
    clue.newly = clue.touched & ~game.clued


@kernel
def is_number(clue: Clue, rank: int) -> bool:
    """Return whether a clue names a rank."""
    return clue.kind == RANK_CLUE and clue.value == rank
