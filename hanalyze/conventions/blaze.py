"""Discards for a copy that lies behind a finesse position: the next player says at once how far.

In: a turn that was looked at, and a known useful card that is discarded, of which nobody has a copy on a
finesse position. Out: the verdict, with the cards of two hands that have the same place.
"""

from __future__ import annotations

from hanalyze.conventions.hands import finesse_position
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import clear_chain, push_step
from hanalyze.conventions.turn_view import LOCKED
from hanalyze.conventions.verdict import decide
from hanalyze.engine.game import Game
from hanalyze.game.meanings import Convention, StepKind
from hanalyze.kernels.compiling import kernel


@kernel
def judge_blaze(game: Game, state: ConventionState, number: int) -> bool:
    """Judge the discard of `number` as one for the card of a later player on the second position or behind.

    The next player plays the card on the same position, whatever it is. Not where a discard was forced, or
    where the first card of the other hand is playable and would be played first.
    """
    view, chain = state.turn_view, state.verdict.chain
    seat = (game.seat + 1) % game.seats
    forced = game.tokens < game.variant.token_unit or view.stall_severity == LOCKED
    if forced or view.end_phase or state.common.blind & view.cards[seat]:
        return False
    for ahead in range(2, game.seats):
        other = (game.seat + ahead) % game.seats
        first = view.finesse_card[other]
        true = game.identity[first] if first >= 0 else -1
        if true < 0 or game.playable >> true & 1:
            continue
        passed = 1 << first
        card = finesse_position(game, view, other, passed)
        answer = (
            finesse_position(game, view, seat, 1 << view.finesse_card[seat])
            if view.finesse_card[seat] >= 0
            else -1
        )
        answers = 1 << max(view.finesse_card[seat], 0) | 1 << max(answer, 0)
        while card >= 0 and answer >= 0:
            if game.identity[card] == number:
                plays = game.identity[answer] >= 0 and game.playable >> game.identity[answer] & 1
                if not plays:
                    return False
                clear_chain(chain)
                push_step(chain, seat, answer, StepKind.BLUFF, game.playable)
                push_step(chain, other, card, StepKind.FINESSE, 1 << number)
                decide(state.verdict, Convention.BLAZE_DISCARD)
                return True
            passed |= 1 << card
            card = finesse_position(game, view, other, passed)
            answer = finesse_position(game, view, seat, answers)
            answers |= 1 << max(answer, 0)
    return False
