"""Number 5 while the score is low: what it says of the card next to a new 5.

In: a turn that was looked at, and number 5 to a new 5 off chop that is no stall and keeps no chop. Out: the
verdict: the card that is called, with the card that another player plays before it.
"""

from __future__ import annotations

from hanalyze.conventions.chains import prompt_card
from hanalyze.conventions.focus import last_ranks
from hanalyze.conventions.hands import elsewhere, free_behind, newest, oldest
from hanalyze.conventions.state import ConventionState
from hanalyze.conventions.steps import clear_chain, push_blind
from hanalyze.conventions.verdict import decide, set_worth
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after, goes_under
from hanalyze.game.actions import RANK_CLUE
from hanalyze.game.meanings import Convention
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import is_one


@kernel
def pulls_by_five(game: Game, state: ConventionState) -> bool:
    """Return whether number 5, while the score is low, would be about the card next to its new 5.

    From level 19 on it is no play clue then.
    """
    clue, focus = state.clue, state.verdict.focus
    by_five = clue.kind == RANK_CLUE and clue.value == game.variant.stack_size
    low = game.raw_score < 2 * game.variant.suits
    new = (clue.newly & ~state.turn_view.gotten) >> focus & 1
    return by_five and low and new != 0 and not state.verdict.on_chop and state.common.level >= 19


@kernel
def judge_pull(game: Game, state: ConventionState) -> bool:
    """Judge such a clue as one that calls the card next to the 5, and return whether it is one.

    It is playable, or follows a card on the finesse position of a player before the receiver. Where stalling
    is allowed, a 5 may always have been clued to pass the turn.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    pulled = _next_to_five(game, state)
    number = game.identity[pulled] if pulled >= 0 else -1
    free = (
        view.stall_severity == 0
        and view.end_phase == 0
        and state.common.blind & view.cards[clue.receiver] == 0
    )
    if number < 0 or not free:
        return False
    gotten_ids = elsewhere(game, view, clue.receiver)
    direct = (game.playable | view.hypo_playable) & ~view.hypo_played
    shown = 0
    first = -1
    for ahead in range(1, (clue.receiver - clue.giver) % game.seats):
        seat = (clue.giver + ahead) % game.seats
        order = view.finesse_card[seat]
        true = game.identity[order] if order >= 0 else -1
        if true < 0 or state.common.blind & view.cards[seat] or not game.playable >> true & 1:
            continue
        if prompt_card(game, state, seat, true, 0) >= 0:
            continue
        shown |= fits_after(game, true)
        if goes_under(game, number) == true and first < 0:
            first = order
    ids = (direct | shown) & ~gotten_ids & ~clue.identities
    if not ids >> number & 1:
        return False
    clear_chain(verdict.chain)
    if not direct >> number & 1:
        push_blind(verdict.chain, game.place[first], first, 1 << game.identity[first])
    push_blind(verdict.chain, clue.receiver, pulled, ids)
    decide(verdict, Convention.FIVE_PULL)
    set_worth(verdict, verdict.worth + verdict.chain.blind)
    return True


@kernel
def _next_to_five(game: Game, state: ConventionState) -> int:
    """Return the unclued card on the right of the new 5s, -1 where they are not next to each other.

    With one card alone there, the chop, number 5 would keep that card.
    """
    clue, view = state.clue, state.turn_view
    fives = clue.newly & ~view.gotten
    last = oldest(game, clue.receiver, fives)
    moved = state.common.chop_moved
    behind = free_behind(game, view, clue.receiver, last, moved)
    below_first = free_behind(game, view, clue.receiver, newest(game, clue.receiver, fives), moved)
    between = below_first & ~behind & ~fives
    number = game.identity[last]
    if between or behind == 0 or is_one(behind) or (number >= 0 and not last_ranks(game) >> number & 1):
        return -1
    return newest(game, clue.receiver, behind)
