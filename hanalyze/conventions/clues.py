"""Convention of a clue, given or only possible: the simplest explanation, from direct play to bluff.

Clues are judged from the giver's view, which includes all cards except the giver's hand. H-Group:
https://hanabi.github.io/level-1.
"""

from __future__ import annotations

from hanalyze.conventions.bluffs import bluff_card, name_kind
from hanalyze.conventions.chains import (
    GIVERS,
    OTHERS,
    OWN,
    UNKNOWN,
    chain_name,
    find_chain,
    prompt_card,
)
from hanalyze.conventions.chop_moves import judge_chop_move
from hanalyze.conventions.early_rejection import cannot_be_explained
from hanalyze.conventions.elimination import judge_elimination, name_bad_touch, singled_out
from hanalyze.conventions.focus import (
    copies_in_sight,
    find_focus,
    is_suboptimal,
    may_be,
    save_set,
    stale_one,
    stalls_with_five,
)
from hanalyze.conventions.focus_exceptions import inverted_focus, judge_out_of_order
from hanalyze.conventions.reach import is_out_of_reach
from hanalyze.conventions.retouch import (
    count_starts,
    judge_distribution,
    judge_fix,
    judge_nothing_new,
    judge_retouch,
    judge_stall,
    judge_tempo_with_trash,
)
from hanalyze.conventions.signals import judge_pull, judge_signal, judge_trash, pulls_by_five
from hanalyze.conventions.state import ConventionState, begin_verdict, refuse
from hanalyze.conventions.steps import (
    MAX_STEPS,
    call_one,
    clear_chain,
    is_deep,
    push_step,
    set_step,
    weight_of,
)
from hanalyze.engine.game import Game, next_seat
from hanalyze.engine.stacks import fits_after, missing_ids, next_missing
from hanalyze.game.meanings import Convention, Reason, StepKind
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import is_one, members

kernel_module(__name__)


def judge_clue(game: Game, state: ConventionState, stalls: bool) -> bool:
    """Judge the clue in `state.clue`, write `state.verdict`, and return whether the verdict is complete.

    `stalls` is False while the offers of the turn are computed, because the legality of stalls depends on
    them. Only then can the result be False: no convention can explain the clue, so it is not judged further.
    """
    clue, verdict = state.clue, state.verdict
    if clue.touched == 0:
        begin_verdict(verdict, -1, 0, 0)
        refuse(verdict, Reason.NO_VALUE)
        return True
    single = singled_out(game, state)
    if single >= 0:
        begin_verdict(verdict, single, 0, 0)
        _count_touch(game, state)
        judge_elimination(game, state)
        return True
    focus = find_focus(game, state)
    fresh_chop = focus == state.turn_view.chop[clue.receiver] and clue.newly >> focus & 1
    begin_verdict(verdict, focus, 1 if fresh_chop else 0, 0)
    if fresh_chop:
        other = inverted_focus(game, state)
        if other >= 0:
            focus = other
            begin_verdict(verdict, focus, 0, 0)
    if state.common.level >= 3 and judge_fix(game, state):
        return True
    if state.offers.searching and cannot_be_explained(game, state):
        return False
    if clue.newly:
        if judge_tempo_with_trash(game, state, stalls):
            return True
        _count_touch(game, state)
        if state.common.level >= 4 and judge_chop_move(game, state):
            return True
    elif judge_retouch(game, state, stalls):
        return True
    if game.identity[focus] < 0:
        _judge_unknown(game, state)
        _count_called(state)
    else:
        _judge_known(game, state, game.identity[focus], stalls)
        name_kind(game, state, game.identity[focus])
        name_bad_touch(game, state, game.identity[focus])
    return True


def _count_touch(game: Game, state: ConventionState) -> None:
    """Count the newly touched cards that are useful, and those that break good touch."""
    clue, view = state.clue, state.turn_view
    gotten_ids = view.elsewhere_ids[clue.giver]
    useful = 0
    bad = 0
    reason = Reason.DUPLICATE
    stale = stale_one(game, state)
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        if not clue.newly >> order & 1:
            continue
        number = game.identity[order]
        if order == stale:
            if number >= 0 and (view.needed & ~gotten_ids) >> number & 1:
                # The clue marks the card as bad, although it is good.
                refuse(state.verdict, Reason.UNREADABLE)
        elif number < 0:
            useful += 1
        elif not view.needed >> number & 1:
            bad += 1
            reason = Reason.BAD_TOUCH
        elif not gotten_ids >> number & 1:
            gotten_ids |= 1 << number
            useful += 1
        elif view.gotten >> order & 1:
            useful += 1
        else:
            bad += 1
    # If all new cards are bad, clued cards that the clue makes playable count instead.
    state.verdict.worth = useful if useful or bad == 0 else count_starts(game, state)
    state.verdict.bad = bad
    if bad:
        state.verdict.reasons |= 1 << reason


def _count_called(state: ConventionState) -> None:
    """Add the cards that are called blind to the number of cards gotten."""
    verdict = state.verdict
    verdict.worth += verdict.chain.blind + verdict.chain.layers


def _judge_known(game: Game, state: ConventionState, number: int, stalls: bool) -> None:
    """Judge a clue to a focus of known identity: stall, save, play clue, signal, or unexplained."""
    verdict, view = state.verdict, state.turn_view
    pulls = pulls_by_five(game, state)
    with_five = stalls_with_five(game, state) and (pulls or not game.playable >> number & 1)
    # A clue to the card that may be left to a later finesse gets this card, so it is no stall.
    may_be_left = state.offers.may_be_left and (pulls or not state.offers.better >> verdict.focus & 1)
    if with_five and stalls and (state.offers.best == 0 or may_be_left):
        verdict.name = Convention.FIVE_STALL
        return
    useful = view.needed >> number & 1
    if useful and pulls:
        if not judge_pull(game, state):
            verdict.legal = 0
        return
    if useful:
        if state.common.level >= 8 and view.end_phase and judge_distribution(game, state, number):
            return
        if verdict.on_chop and is_suboptimal(game, state, number) and _judge_call(game, state, number):
            verdict.second = Convention.SUBOPTIMAL_CLUE
            _count_called(state)
            return
        if verdict.on_chop and _judge_save(game, state, number):
            if game.playable >> number & 1:
                verdict.second = Convention.PLAY_CLUE
            return
        if _judge_play(game, state, number):
            _count_called(state)
            return
        if judge_signal(game, state, number):
            return
    elif not with_five and judge_trash(game, state):
        return
    if with_five or (stalls and judge_stall(game, state)):
        clear_chain(verdict.chain)
        verdict.reasons &= ~(1 << Reason.NO_CHAIN | 1 << Reason.WRONG_PROMPT)
        if with_five:
            verdict.name = Convention.FIVE_STALL
        return
    clear_chain(verdict.chain)
    if state.clue.newly == 0:
        reasons = verdict.reasons
        judge_nothing_new(game, state)
        if verdict.name != Convention.UNEXPLAINED:
            return
        verdict.reasons |= reasons
    if not useful:
        verdict.reasons |= 1 << Reason.BAD_TOUCH
    verdict.legal = 0
    wrong = verdict.reasons >> Reason.WRONG_PROMPT & 1 and verdict.wrong.order >= 0
    if wrong and not _sees_missing(game, state):
        # The players will take the clue for a prompt of the wrong card.
        push_step(verdict.chain, verdict.wrong.seat, verdict.wrong.order, StepKind.PROMPT, verdict.wrong.ids)


def _misplays_prompt(game: Game, state: ConventionState) -> bool:
    """Return whether the holder of the wrongly prompted card would play it immediately."""
    return state.verdict.wrong.ids & game.playable != 0 and not _sees_missing(game, state)


def _sees_missing(game: Game, state: ConventionState) -> bool:
    """Return whether the holder of the wrongly prompted card sees the missing card gotten elsewhere."""
    view, wrong = state.turn_view, state.verdict.wrong
    for order in members(view.gotten & ~view.cards[wrong.seat]):
        number = game.identity[order]
        if number >= 0 and wrong.ids >> number & 1:
            return True
    return False


def _name_save(game: Game, state: ConventionState, saves: int) -> None:
    if saves & game.variant.last_ranks:
        state.verdict.name = Convention.FIVE_SAVE
    elif saves & state.turn_view.critical:
        state.verdict.name = Convention.CRITICAL_SAVE
    else:
        state.verdict.name = Convention.TWO_SAVE


def _judge_save(game: Game, state: ConventionState, number: int) -> bool:
    """Judge a clue to a chop as a save of `number`; return whether it is a save."""
    seen_ids = copies_in_sight(game, state, state.clue.giver)
    bit = 1 << number
    if save_set(game, state, bit, seen_ids):
        _name_save(game, state, bit)
        return True
    if seen_ids & bit and number & 7 == 2:
        state.verdict.reasons |= 1 << Reason.UNSEEN_COPY_RULE
    return False


def _judge_call(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a clue to `number` is a bluff, or a finesse without layers, in other hands."""
    target = bluff_card(game, state, number, False)
    if _judge_chain(game, state, number, OTHERS):
        if state.verdict.chain.blind and not state.verdict.chain.layers:
            return True
    elif target >= 0 and game.place[target] != state.clue.receiver:
        _call_bluff(game, state, target, number, Convention.BLUFF)
        return True
    state.verdict.name = Convention.UNEXPLAINED
    clear_chain(state.verdict.chain)
    return False


def _judge_play(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a clue is a play clue to `number`, trying the simplest explanations first."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    bit = 1 << number
    if game.playable & bit:
        verdict.name = Convention.PLAY_CLUE
        return True
    if view.hypo_playable & bit or view.future_plays >> verdict.focus & 1:
        verdict.name = Convention.DELAYED_PLAY_CLUE
        return True
    in_reach = not is_out_of_reach(game, state, number)
    if in_reach and _judge_chain(game, state, number, OTHERS):
        return True
    failure = verdict.chain.failure
    misprompts = failure >> Reason.WRONG_PROMPT & 1 and _misplays_prompt(game, state)
    if in_reach and judge_out_of_order(game, state, number):
        return True
    seat = next_seat(clue.giver, game.seats)
    target = bluff_card(game, state, number, False)
    if target >= 0 and seat != clue.receiver:
        _call_bluff(game, state, target, number, Convention.BLUFF)
        return True
    hidden = view.hidden & ~view.cards[clue.giver] & ~view.cards[clue.receiver]
    if hidden and _judge_guess(game, state, number):
        return True
    if in_reach and _judge_by_givers(game, state, number):
        return True
    if in_reach and _judge_chain(game, state, number, OWN | UNKNOWN if hidden else OWN):
        if misprompts or _prompts_wrong_card(game, state):
            verdict.name = Convention.UNEXPLAINED
            verdict.reasons |= failure | 1 << Reason.WRONG_PROMPT
            return False
        _weigh_own(state)
        if hidden & verdict.chain.used:
            verdict.certainty = 50
            verdict.reasons |= 1 << Reason.HIDDEN_CARD
        return True
    failure |= verdict.chain.failure
    if target >= 0:
        _call_bluff(game, state, target, number, Convention.SELF_BLUFF)
        _weigh_own(state)
        return True
    verdict.reasons |= failure
    return False


def _judge_chain(game: Game, state: ConventionState, number: int, where: int) -> bool:
    """Judge whether a clue calls other cards before its focus, `number`; see `find_chain`."""
    if not find_chain(game, state, number, where):
        return False
    state.verdict.name = chain_name(state.verdict.chain)
    if is_deep(state.verdict.chain):
        state.verdict.certainty = min(state.verdict.certainty, weight_of(state.verdict.chain))
    return True


def _prompts_wrong_card(game: Game, state: ConventionState) -> bool:
    """Return whether the receiver, called to play blind, would first play a wrong clued card; record it."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    first = verdict.chain.steps[0]
    if first.seat != clue.receiver or first.kind in (StepKind.PROMPT, StepKind.HIDDEN_PROMPT):
        return False
    for number in members(may_be(game, state) & ~view.hypo_playable):
        missing = next_missing(game, view.hypo_playable, number)
        if missing < 0 or not fits_after(game, missing) >> number & 1:
            continue
        prompt = prompt_card(game, state, clue.receiver, missing, clue.newly | 1 << verdict.focus)
        if prompt < 0 or view.future_plays >> prompt & 1:
            continue
        true = game.identity[prompt]
        if true >= 0 and not view.hypo_playable >> true & 1:
            set_step(verdict.wrong, clue.receiver, prompt, StepKind.PROMPT, 1 << missing)
            verdict.name = Convention.UNEXPLAINED
            return True
    return False


def _weigh_own(state: ConventionState) -> None:
    """Refuse a call of the receiver's own cards if the focus may be directly playable."""
    clue, view = state.clue, state.turn_view
    direct = view.belief[state.verdict.focus] & clue.identities & view.hypo_playable
    if direct & ~view.elsewhere_ids[clue.receiver]:
        refuse(state.verdict, Reason.SIMPLER_READING)


def _judge_by_givers(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a clue relies on a card in the giver's own hand that only the other players know."""
    view, offers, giver = state.turn_view, state.offers, state.clue.giver
    if view.future_plays & view.cards[giver] == 0:
        return False
    # While legal clues are judged, the reasons why no chain is found do not matter.
    held_ids = offers.in_hand_ids[giver] if offers.searching else -1
    if missing_ids(game, view.hypo_playable, number) & held_ids == 0:
        return False
    if not _judge_chain(game, state, number, GIVERS):
        return False
    state.verdict.certainty = 50
    state.verdict.reasons |= 1 << Reason.GIVERS_CARD
    return True


def _judge_guess(game: Game, state: ConventionState, number: int) -> bool:
    """Judge whether a clue calls a card of unknown identity."""
    verdict = state.verdict
    target = bluff_card(game, state, number, True)
    if target >= 0 and game.place[target] == state.clue.receiver:
        target = -1
    has_chain = find_chain(game, state, number, UNKNOWN)
    if not has_chain and target < 0:
        return False
    verdict.certainty = 50
    verdict.reasons |= 1 << Reason.HIDDEN_CARD
    if has_chain:
        verdict.name = chain_name(verdict.chain)
        if target >= 0 and verdict.chain.blind == 1 and verdict.chain.steps[0].order == target:
            # The called player takes the card for the missing one until it proves to be another card.
            verdict.second = Convention.BLUFF
            verdict.reasons |= 1 << Reason.FINESSE_OR_BLUFF
        return True
    _call_bluff(game, state, target, number, Convention.BLUFF)
    return True


def _call_bluff(game: Game, state: ConventionState, target: int, number: int, name: int) -> None:
    """Call the card `target` as a bluff by the convention `name`; `number` is the identity of the focus."""
    missing = next_missing(game, state.turn_view.hypo_playable, number)
    call_one(state.verdict.chain, game.place[target], target, StepKind.BLUFF, 1 << missing)
    state.verdict.name = name


def _judge_unknown(game: Game, state: ConventionState) -> None:
    """Judge a clue to a focus of unknown identity, by the identities that its holder must allow for."""
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    could_be = view.belief[verdict.focus] & clue.identities & view.needed & ~view.hypo_played
    if clue.newly >> verdict.focus & 1:
        could_be &= ~view.elsewhere_ids[clue.receiver]
    verdict.certainty = 50
    verdict.reasons |= 1 << Reason.HIDDEN_CARD
    if verdict.on_chop:
        saves = save_set(game, state, could_be, copies_in_sight(game, state, clue.receiver))
        if saves:
            verdict.readings = saves
            _name_save(game, state, saves)
            return
    with_five = stalls_with_five(game, state)
    if with_five and (state.offers.best == 0 or state.offers.may_be_left):
        verdict.name = Convention.FIVE_STALL
        return
    if _judge_unknown_play(game, state, could_be):
        return
    clear_chain(verdict.chain)
    if with_five:
        verdict.name = Convention.FIVE_STALL
    else:
        verdict.legal = 0


def _judge_unknown_play(game: Game, state: ConventionState, could_be: int) -> bool:
    """Judge whether a clue calls an unknown focus, which is one of `could_be`, to be played.

    Explanations are tried in this order: chains and bluffs of other hands, direct plays, the giver's hand,
    the receiver's hand.
    """
    verdict, view = state.verdict, state.turn_view
    for number in members(could_be & ~view.hypo_playable):
        if _judge_chain(game, state, number, OTHERS):
            return True
        target = bluff_card(game, state, number, False)
        if target >= 0 and game.place[target] != state.clue.receiver:
            _call_bluff(game, state, target, number, Convention.BLUFF)
            return True
    clear_chain(verdict.chain)
    direct = could_be & view.hypo_playable
    if direct:
        verdict.name = Convention.PLAY_CLUE if direct & game.playable else Convention.DELAYED_PLAY_CLUE
        return True
    for number in members(could_be):
        if _judge_by_givers(game, state, number):
            return True
    return _judge_own_unknown(game, state, could_be)


def _own_cards(state: ConventionState) -> int:
    chain, own = state.verdict.chain, 0
    for step in chain.steps[: chain.length]:
        own += step.seat == state.clue.receiver
    return own


def _chain_rank(state: ConventionState) -> int:
    """Return a number that sorts chains by called cards of the receiver, then by steps; 0 without steps."""
    return _own_cards(state) * MAX_STEPS + state.verdict.chain.length


def _judge_own_unknown(game: Game, state: ConventionState, could_be: int) -> bool:
    """Judge whether calls of the receiver's own cards explain a clue to an unknown card.

    The explanation with the fewest own cards, then the fewest steps, is chosen. Other explanations with the
    same first card and as many own cards add to the possible identities of that card.
    """
    chain = state.verdict.chain
    fewest = 8 * MAX_STEPS
    for number in members(could_be):
        if find_chain(game, state, number, OWN | UNKNOWN):
            fewest = min(fewest, _chain_rank(state))
    if fewest == 0:
        return False
    ids = 0
    chosen = 0
    for number in members(could_be):
        if find_chain(game, state, number, OWN | UNKNOWN) and _chain_rank(state) == fewest:
            ids |= chain.steps[0].ids
            if is_one(ids):
                chosen = number
    if ids == 0:
        return False
    find_chain(game, state, chosen, OWN | UNKNOWN)
    ids |= _called_identities(game, state, could_be, chain.steps[0].order, _own_cards(state))
    _judge_chain(game, state, chosen, OWN | UNKNOWN)
    first = chain.steps[0]
    set_step(first, first.seat, first.order, first.kind, ids)
    return True


def _called_identities(game: Game, state: ConventionState, could_be: int, first: int, own: int) -> int:
    """Return the identities of `first` in chains that begin with it and call `own` cards of the receiver."""
    chain = state.verdict.chain
    ids = 0
    for number in members(could_be):
        has_chain = find_chain(game, state, number, OWN | UNKNOWN)
        if has_chain and chain.length and chain.steps[0].order == first and _own_cards(state) == own:
            ids |= chain.steps[0].ids
    return ids
