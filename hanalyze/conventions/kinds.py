"""Which kind of bluff or finesse a clue is, beside what it is: the kinds that have a name of their own.

In: a clue that was judged as a bluff or a finesse, with the cards that it calls. Out: a further meaning in
the verdict, and what a kind leaves open to the receiver.
"""

from __future__ import annotations

from hanalyze.conventions.chains import cards_away, next_missing, prompt_card
from hanalyze.conventions.classes import BLUFFS, is_any
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.verdict import add_meaning
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.game.actions import RANK_CLUE
from hanalyze.game.meanings import Convention, StepKind
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest


@kernel
def name_kind(game: Game, state: ConventionState, number: int) -> None:
    """Add which kind of bluff or finesse the clue is whose focus is `number`, if that has a name."""
    verdict, level = state.verdict, state.common.level
    if verdict.second >= 0 or verdict.chain.length == 0:
        return
    if is_any(verdict.name, BLUFFS):
        if level >= 13:
            add_meaning(verdict, _bluff_kind(game, state, number))
    elif verdict.chain.blind and level >= 20 and tells_nothing(game, state):
        add_meaning(verdict, Convention.NO_INFORMATION_FINESSE)
    elif verdict.name == Convention.LAYERED_FINESSE and _is_clandestine(game, state, number):
        add_meaning(verdict, Convention.CLANDESTINE_FINESSE)


@kernel
def _bluff_kind(game: Game, state: ConventionState, number: int) -> int:
    """Return which kind of bluff the clue is, -1 for one without a name."""
    true = game.identity[state.verdict.chain.steps[0].order]
    missing = next_missing(game, state.turn_view.hypo_playable, number)
    if missing >= 0 and cards_away(game, state, missing, number) > 1:
        return Convention.THREE_BLUFF if number & 7 == 3 else Convention.CRITICAL_COLOUR_BLUFF
    if true >= 0 and _leads_to_third(game, state, true):
        return Convention.GOOD_TOUCH_BLUFF
    return Convention.HARD_BLUFF if ids_after_prompt(game, state) else -1


@kernel
def _leads_to_third(game: Game, state: ConventionState, true: int) -> bool:
    """Return whether the focus would be what follows the bluffed card, if no third player held that."""
    clue, view = state.clue, state.turn_view
    follows = fits_after(game, true) & clue.identities & game.possible[state.verdict.focus]
    for seat in range(game.seats):
        if seat not in (clue.giver, clue.receiver) and view.hand_ids[seat] & follows:
            return True
    return False


@kernel
def ids_after_prompt(game: Game, state: ConventionState) -> int:
    """Return what the focus of a bluff may be if the bluffed card leads on to the receiver's own clued card.

    The receiver cannot tell that finesse from the bluff, and keeps both.
    """
    clue, verdict = state.clue, state.verdict
    if state.common.level < 13 or not is_any(verdict.name, BLUFFS) or clue.kind != RANK_CLUE:
        return 0
    true = game.identity[verdict.chain.steps[0].order]
    follows = fits_after(game, true) if true >= 0 else 0
    left = 0
    while follows:
        between = lowest(follows)
        follows = drop_lowest(follows)
        prompt = prompt_card(game, state, clue.receiver, between, clue.newly | 1 << verdict.focus)
        if prompt >= 0:
            left |= fits_after(game, between)
    return left & may_be(game, state)


@kernel
def _is_clandestine(game: Game, state: ConventionState, number: int) -> bool:
    """Return whether the receiver may take the first card, in front of the missing one, for what is meant."""
    first = state.verdict.chain.steps[0]
    true = game.identity[first.order]
    if first.kind != StepKind.LAYER or true < 0:
        return False
    return fits_after(game, true) & may_be(game, state) & ~(1 << number) != 0


@kernel
def tells_nothing(game: Game, state: ConventionState) -> bool:
    """Return whether the clue repeats what the clues before said of all the cards that it touches."""
    clue = state.clue
    if clue.newly:
        return False
    touched = clue.touched
    while touched:
        if game.possible[lowest(touched)] & ~clue.identities:
            return False
        touched = drop_lowest(touched)
    return True
