"""What the receiver learns of the touched cards once the card that a signal called is played.

In: the call of a signal (`hanalyze.conventions.signals`), all of its steps done. Out: cards told to be trash,
and cards that are kept.
"""

from __future__ import annotations

from hanalyze.conventions.hands import free_behind, oldest
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import Call
from hanalyze.conventions.turn_view import TurnView
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel


@kernel
def holds_twin(game: Game, view: TurnView, called: int, giver: int, receiver: int, number: int) -> bool:
    """Return whether another hand than that of the seat `called` has a gotten `number`.

    In the hands of giver and receiver only cards count that they know.
    """
    for seat in range(game.seats):
        sure = seat in (giver, receiver)
        gotten_ids = view.sure_ids[seat] if sure else view.hand_ids[seat]
        if seat != called and gotten_ids >> number & 1:
            return True
    return False


@kernel
def tell_trash(game: Game, state: ConventionState, call: Call, played: int) -> None:
    """Tell what is trash, `played` having been called: after a discharge the focus, else all new cards.

    These are as good as a trash chop move, so that the unclued cards behind them are kept. So is the one new
    card of a discharge whose called card was a copy, and got nothing.
    """
    common = state.common
    touched = 0
    for i in range(game.hand_len[call.receiver]):
        order = game.hands[call.receiver][i]
        if game.clued >> order & 1 and common.got_turn[order] == call.turn:
            touched |= 1 << order
    if call.kind == Convention.UNKNOWN_TRASH_DISCHARGE:
        twin = holds_twin(game, state.turn_view, game.seat, call.giver, call.receiver, played)
        if common.level < 17 or touched != 1 << call.focus or not twin:
            common.trash_cards |= 1 << call.focus
            return
    common.trash_cards |= touched
    first = oldest(game, call.receiver, touched)
    if first >= 0:
        common.chop_moved |= free_behind(game, state.turn_view, call.receiver, first, common.chop_moved)
