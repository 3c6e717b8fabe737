"""What the receiver learns of the touched cards once the card that a signal called is played.

In: the call of a signal (`hanalyze.conventions.signals`), all of its steps done. Out: cards told to be trash,
and cards that are kept.
"""

from __future__ import annotations

from hanalyze.conventions.hands import free_behind, oldest
from hanalyze.conventions.reading import Reading
from hanalyze.conventions.steps import Call
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel

__all__ = ["tell_trash"]


@kernel
def tell_trash(game: Game, reading: Reading, call: Call) -> None:
    """Tell what is trash: after a discharge the focus, else all that the clue touched first.

    These are as good as a trash chop move, so that the unclued cards behind them are kept.
    """
    told = reading.told
    if call.kind == Convention.UNKNOWN_TRASH_DISCHARGE:
        told.told_trash |= 1 << call.focus
        return
    touched = 0
    for i in range(game.hand_len[call.receiver]):
        order = game.hands[call.receiver][i]
        if game.clued >> order & 1 and told.got_turn[order] == call.turn:
            touched |= 1 << order
    told.told_trash |= touched
    first = oldest(game, call.receiver, touched)
    if first >= 0:
        told.chop_moved |= free_behind(game, reading.look, call.receiver, first, told.chop_moved)
