"""Clues that move a chop by what they touch: trash chop moves, 5 chop moves, trash pushes.

In: a turn that was looked at, and a clue with its focus that touches new cards. Out: whether the clue is one
of these, and then the verdict: the cards that are kept, or the card that is called.
"""

from __future__ import annotations

from hanalyze.conventions.chains import OTHERS, find_chain
from hanalyze.conventions.focus import last_ranks
from hanalyze.conventions.hands import free_behind, oldest, useful_cards
from hanalyze.conventions.ignition import could_be_clued, judge_ignition
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import clear_chain, push_step
from hanalyze.conventions.verdict import add_meaning, decide, forgive_touch, mark, set_worth
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.game.actions import RANK_CLUE
from hanalyze.game.meanings import Convention, StepKind
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import lowest, popcount


@kernel
def judge_chop_move(game: Game, state: ConventionState) -> bool:
    """Judge a clue that touches new cards as one that moves a chop, and return whether it is one."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    focus = verdict.focus
    useful = clue.identities & view.needed
    if not state.common.blind >> focus & 1:
        useful &= ~view.hypo_played
    could_be = game.possible[focus] & useful
    if verdict.on_chop:
        # What others would not know to be trash, the receiver may: nobody else has to act.
        return view.belief[focus] & useful == 0 and state.common.level >= 14 and _judge_push(game, state)
    first = oldest(game, clue.receiver, clue.newly)
    behind = free_behind(game, view, clue.receiver, first, state.common.chop_moved)
    if behind == 0 or view.end_phase:
        return False
    if could_be == 0 and clue.newly >> focus & 1:
        decide(verdict, Convention.TRASH_CHOP_MOVE)
        mark(verdict, behind)
        set_worth(verdict, useful_cards(game, view, clue.giver, behind))
        forgive_touch(verdict)
    elif not _judge_five(game, state, behind):
        return False
    if state.common.level >= 21:
        judge_ignition(game, state, behind)
    return True


@kernel
def _judge_five(game: Game, state: ConventionState, behind: int) -> bool:
    """Judge number 5 to a 5 next to the chop; `behind` are the free cards older than those newly touched."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    number = game.identity[verdict.focus]
    by_five = clue.kind == RANK_CLUE and clue.value == game.variant.stack_size
    if not by_five or (number >= 0 and not last_ranks(game) >> number & 1):
        return False
    chop = view.chop[clue.receiver]
    if view.stall_severity or popcount(behind) != 1 or not view.belief[chop] & view.needed:
        return False
    decide(verdict, Convention.FIVE_CHOP_MOVE)
    mark(verdict, behind)
    set_worth(verdict, verdict.worth + useful_cards(game, view, clue.giver, behind))
    return True


@kernel
def _judge_push(game: Game, state: ConventionState) -> bool:
    """Judge known trash on the chop as a call of the card that is the chop then."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    free = view.cards[clue.receiver] & ~view.gotten & ~state.common.chop_moved & ~clue.touched
    pushed = oldest(game, clue.receiver, free)
    if pushed < 0 or view.end_phase:
        return False
    number = game.identity[pushed]
    clear_chain(verdict.chain)
    if useful_cards(game, view, clue.giver, 1 << pushed) == 0:
        # A copy of a gotten card would be a strike.
        return False
    if number >= 0 and not game.playable >> number & 1 and not _is_led_up_to(game, state, number):
        clear_chain(verdict.chain)
        return False
    decide(verdict, Convention.TRASH_PUSH)
    if state.common.level >= 24 and verdict.chain.length == 0:
        _ignite(game, state, pushed)
    ids = game.playable
    for step in range(verdict.chain.length):
        if verdict.chain.steps[step].kind != StepKind.BLUFF:
            ids |= fits_after(game, lowest(verdict.chain.steps[step].ids))
    push_step(verdict.chain, clue.receiver, pushed, StepKind.FINESSE, ids)
    set_worth(verdict, verdict.chain.length)
    forgive_touch(verdict)
    return True


@kernel
def _ignite(game: Game, state: ConventionState, pushed: int) -> None:
    """Call the newest unclued card of the next player, too, where a clue could have got the pushed card."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    seat = (clue.giver + 1) % game.seats
    first = view.finesse_card[seat]
    true = game.identity[first] if first >= 0 else -1
    number = game.identity[pushed]
    if seat == clue.receiver or number < 0 or true < 0 or true == number or clue.touched != clue.newly:
        return
    if state.common.blind & view.cards[seat] or not game.playable >> true & 1:
        return
    if could_be_clued(game, state, pushed):
        push_step(verdict.chain, seat, first, StepKind.BLUFF, game.playable)
        add_meaning(verdict, Convention.UNNECESSARY_PUSH)


@kernel
def _is_led_up_to(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether one card, called in a hand that acts before the receiver, makes `number` playable."""
    clue, chain = state.clue, state.verdict.chain
    if (
        not find_chain(game, state, number, OTHERS)
        or chain.length != 1
        or not game.playable & chain.steps[0].ids
    ):
        return False
    before = (chain.steps[0].seat - clue.giver) % game.seats < (clue.receiver - clue.giver) % game.seats
    return before and fits_after(game, lowest(chain.steps[0].ids)) >> number & 1 != 0
