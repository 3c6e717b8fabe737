"""Chop moves of a card that could have been clued to be played: they call for two plays instead.

In: a turn that was looked at, and a clue that was judged as a chop move. Out: the verdict changed: the next
player plays the finesse position, and the receiver the card that seemed to be kept.
"""

from __future__ import annotations

from hanalyze.conventions.hands import elsewhere
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import clear_chain, push_blind, push_step
from hanalyze.conventions.verdict import decide, mark, set_worth
from hanalyze.engine.game import Game
from hanalyze.engine.step import clue_touch
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.meanings import Convention, StepKind
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one, lowest


@kernel
def judge_ignition(game: Game, state: ConventionState, moved: int) -> bool:
    """Judge a clue that seems to keep the cards `moved` as one that calls the only one of them to be played.

    It does if a clue to that card itself, which touches nothing bad, would have got it.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    seat = (clue.giver + 1) % game.seats
    card = lowest(moved)
    number = game.identity[card]
    first = view.finesse_card[seat]
    true = game.identity[first] if first >= 0 else -1
    if not is_one(moved) or number < 0 or true < 0 or seat == clue.receiver or true == number:
        return False
    plays = game.playable >> number & game.playable >> true & 1
    if not plays or state.common.blind & view.cards[seat] or elsewhere(game, view, clue.giver) >> number & 1:
        return False
    if not could_be_clued(game, state, card):
        return False
    clear_chain(verdict.chain)
    push_step(verdict.chain, seat, first, StepKind.BLUFF, game.playable)
    push_blind(verdict.chain, clue.receiver, card, game.playable & ~elsewhere(game, view, clue.receiver))
    decide(verdict, Convention.CHOP_MOVE_IGNITION)
    mark(verdict, 0)
    set_worth(verdict, verdict.worth + 1)
    return True


@kernel
def could_be_clued(game: Game, state: ConventionState, card: int) -> bool:
    """Return whether a clue to the receiver would be about `card`, and touch nothing bad."""
    for colour in range(game.variant.colours):
        if _is_clean(game, state, clue_touch(game, COLOUR_CLUE, colour), card):
            return True
    for rank in range(1, RANK_SLOTS):
        named = game.variant.clue_ranks >> rank & 1
        if named and _is_clean(game, state, clue_touch(game, RANK_CLUE, rank), card):
            return True
    return False


@kernel
def _is_clean(game: Game, state: ConventionState, identities: int, card: int) -> bool:
    """Return whether a clue that touches `identities` would be about `card` and touch nothing bad."""
    clue, view = state.clue, state.turn_view
    if identities < 0 or not identities >> game.identity[card] & 1:
        return False
    gotten_ids = elsewhere(game, view, clue.giver)
    about = card
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        other = game.identity[order]
        if view.gotten >> order & 1 or (other >= 0 and not identities >> other & 1):
            continue
        if other < 0 or not view.needed >> other & 1 or gotten_ids >> other & 1:
            return False
        gotten_ids |= 1 << other
        # From the oldest card on; what is not chop moved and on chop goes first, or else the newest.
        about = order
    return card in (about, view.chop[clue.receiver])
