"""The players that make games: what each does in a position.

In: a running game, and room to work in. Out: one legal action. They are engine functions, so that they are
quick; a player sees what the rules let it see, but for the one that cheats.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from hanalyze.engine.compile import kernel
from hanalyze.engine.knowledge import Scratch, new_scratch, popcount, possibilities
from hanalyze.engine.lookup import RulesTable, VariantTable
from hanalyze.engine.measure import critical_cards, needed_cards
from hanalyze.engine.state import (
    CARDS,
    DRAWN,
    END_TURN,
    MAX_SCORE,
    PLAYABLE,
    RAW_SCORE,
    SEAT,
    SEATS,
    TOKENS,
    TURN,
    VARIANT,
    Ints,
    State,
)
from hanalyze.engine.step import COLOUR_CLUE, DISCARD, PLAY, RANK_CLUE, find_defect
from hanalyze.game.cards import MAX_SUITS, RANK_SLOTS

__all__ = ["AGENTS", "Mind", "choose_action", "new_mind"]

AGENTS: Final = ("random", "cautious", "cheating")
"""Names of the players; the compiled code knows them by their place in this list."""

_RANDOM: Final = 0
_CAUTIOUS: Final = 1

NO_ACTION: Final = -1
"""Kind of the action of a player who has none that is legal."""


class Mind(NamedTuple):
    """A player's room to work in.

    `scratch`: for knowledge. `choice` (3): the action chosen. `noise` (1): state of the random numbers, from
    1 to 2**32 - 1. `known` (seats, hand): possibilities of every card by its holder's view.
    """

    scratch: Scratch
    choice: Ints
    noise: Ints
    known: Ints


def new_mind() -> Mind:
    """Return room for the players of one game after the other."""
    return Mind(new_scratch(), np.zeros(3, np.int64), np.ones(1, np.int64), np.zeros((6, 6), np.int64))


@kernel
def _below(noise: Ints, limit: int) -> int:
    """Return a random number from 0 to `limit - 1` (Marsaglia's xorshift32, scaled by its upper bits)."""
    x = noise[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    noise[0] = x
    return int((x * limit) >> 32)


@kernel
def _set(choice: Ints, kind: int, target: int, value: int) -> None:
    choice[0] = kind
    choice[1] = target
    choice[2] = value


@kernel
def _try(
    state: State, variants: VariantTable, rules: RulesTable, choice: Ints, kind: int, target: int, value: int
) -> bool:
    """Choose an action if it is legal, and return whether it is."""
    if find_defect(state, variants, rules, kind, target, value) != 0:
        return False
    _set(choice, kind, target, value)
    return True


@kernel
def _any_clue(state: State, variants: VariantTable, rules: RulesTable, choice: Ints) -> bool:
    """Choose the first legal clue, the next player's first, and return whether there is one."""
    if state.n[TOKENS] < variants.token_unit[state.n[VARIANT]]:
        return False
    for ahead in range(1, state.n[SEATS]):
        seat = (state.n[SEAT] + ahead) % state.n[SEATS]
        for rank in range(RANK_SLOTS):
            if _try(state, variants, rules, choice, RANK_CLUE, seat, rank):
                return True
        for colour in range(MAX_SUITS):
            if _try(state, variants, rules, choice, COLOUR_CLUE, seat, colour):
                return True
    return False


@kernel
def _clued(state: State, order: int) -> bool:
    return bool(state.colour_clues[order] + state.rank_clues[order] > 0)


@kernel
def _chop(state: State, seat: int) -> int:
    """Return the index in the hand of the oldest card that no clue touched, -1 if all are clued."""
    for i in range(state.hand_len[seat]):
        if not _clued(state, state.hand[seat, i]):
            return i
    return -1


@kernel
def _choose_random(state: State, variants: VariantTable, rules: RulesTable, mind: Mind) -> None:
    """Choose among all legal actions, each as likely as the other."""
    seat = state.n[SEAT]
    # Two rounds over the same list: count the legal actions, then take the one that was drawn.
    wanted = -1
    for _ in range(2):
        count = 0
        for kind in (PLAY, DISCARD):
            for i in range(state.hand_len[seat] + 1):
                # The last is the card on top of the deck, where it may be played from there.
                order = state.hand[seat, i] if i < state.hand_len[seat] else state.n[DRAWN]
                if find_defect(state, variants, rules, kind, order, 0) == 0:
                    if count == wanted:
                        _set(mind.choice, kind, order, 0)
                        return
                    count += 1
        for other in range(state.n[SEATS]):
            for kind in (COLOUR_CLUE, RANK_CLUE):
                for value in range(RANK_SLOTS):
                    if find_defect(state, variants, rules, kind, other, value) == 0:
                        if count == wanted:
                            _set(mind.choice, kind, other, value)
                            return
                        count += 1
        if count == 0:
            return
        wanted = _below(mind.noise, count)


@kernel
def _look(state: State, variants: VariantTable, mind: Mind, seat: int) -> None:
    """Work out what each card of `seat` can be by its holder's view."""
    size = possibilities(state, variants, seat, mind.scratch)
    for i in range(size):
        mind.known[seat, i] = mind.scratch.masks[i]


@kernel
def _clue_worth(
    state: State, variants: VariantTable, mind: Mind, seat: int, touch: int, needed: int, critical: int
) -> int:
    """Return what a clue is worth to the cautious player, 0 or less if nothing.

    Most for cards that become known to be playable, then for a critical card on the chop, then for telling
    more of a playable card; less for every touched card that nobody needs.
    """
    playable = state.n[PLAYABLE]
    chop = _chop(state, seat)
    worth = 0
    calls = False
    for i in range(state.hand_len[seat]):
        order = state.hand[seat, i]
        number = state.identity[order]
        before = mind.known[seat, i]
        touched = touch >> number & 1
        after = before & touch if touched else before & ~touch
        if after == before and _clued(state, order):
            continue
        if playable >> number & 1 and before & ~playable:
            if after & ~playable == 0:
                worth += 40
                calls = True
            elif touched:
                worth += 12 + popcount(before) - popcount(after)
                calls = True
        elif i == chop and touched and critical >> number & 1:
            worth += 30
            calls = True
        if touched and not needed >> number & 1 and not _clued(state, order):
            worth -= 8
    return worth if calls else 0


@kernel
def _best_clue(
    state: State, variants: VariantTable, rules: RulesTable, mind: Mind, needed: int, critical: int
) -> int:
    """Choose the clue that is worth most, of equals the first in turn order, and return its worth."""
    v = state.n[VARIANT]
    best = 0
    if state.n[TOKENS] < variants.token_unit[v]:
        return 0
    for ahead in range(1, state.n[SEATS]):
        seat = (state.n[SEAT] + ahead) % state.n[SEATS]
        _look(state, variants, mind, seat)
        for rank in range(1, RANK_SLOTS):
            if variants.ranks[v] >> rank & 1:
                touch = variants.rank_touch[v, rank]
                worth = _clue_worth(state, variants, mind, seat, touch, needed, critical)
                if worth > best and find_defect(state, variants, rules, RANK_CLUE, seat, rank) == 0:
                    best = worth
                    _set(mind.choice, RANK_CLUE, seat, rank)
        for colour in range(variants.colours[v]):
            touch = variants.colour_touch[v, colour]
            worth = _clue_worth(state, variants, mind, seat, touch, needed, critical)
            if worth > best and find_defect(state, variants, rules, COLOUR_CLUE, seat, colour) == 0:
                best = worth
                _set(mind.choice, COLOUR_CLUE, seat, colour)
    return best


@kernel
def _fall_back(state: State, variants: VariantTable, rules: RulesTable, mind: Mind) -> None:
    """Discard the chop, else the oldest card; where one may not discard, clue anything, else play the oldest."""
    seat = state.n[SEAT]
    if state.hand_len[seat] > 0:
        chop = max(_chop(state, seat), 0)
        if _try(state, variants, rules, mind.choice, DISCARD, state.hand[seat, chop], 0):
            return
    if _any_clue(state, variants, rules, mind.choice):
        return
    if state.hand_len[seat] > 0:
        _set(mind.choice, PLAY, state.hand[seat, 0], 0)


@kernel
def _choose_cautious(state: State, variants: VariantTable, rules: RulesTable, mind: Mind) -> None:
    """Play a card known to be playable, clue playable and endangered cards, discard known trash, then the chop."""
    seat = state.n[SEAT]
    playable = state.n[PLAYABLE]
    _look(state, variants, mind, seat)
    for i in range(state.hand_len[seat]):
        if mind.known[seat, i] & ~playable == 0:
            _set(mind.choice, PLAY, state.hand[seat, i], 0)
            return
    needed = needed_cards(state, variants)
    if _best_clue(state, variants, rules, mind, needed, critical_cards(state, variants, needed)) > 0:
        return
    for i in range(state.hand_len[seat]):
        if mind.known[seat, i] & needed == 0 and _try(
            state, variants, rules, mind.choice, DISCARD, state.hand[seat, i], 0
        ):
            return
    _fall_back(state, variants, rules, mind)


@kernel
def _is_spare(state: State, seat: int, index: int) -> bool:
    """Return whether somebody, the holder too, has another card of the same identity in hand."""
    number = state.identity[state.hand[seat, index]]
    for other in range(state.n[SEATS]):
        for i in range(state.hand_len[other]):
            if (other != seat or i != index) and state.identity[state.hand[other, i]] == number:
                return True
    return False


@kernel
def _play_worth(state: State, variants: VariantTable, number: int) -> int:
    """Return how much a playable card is worth playing at once: the lower on its stack, the more follows it."""
    suit = number // RANK_SLOTS
    return int(variants.stack_size[state.n[VARIANT]] - state.stack[suit])


@kernel
def _cheat_discard(
    state: State, variants: VariantTable, rules: RulesTable, mind: Mind, needed: int, critical: int
) -> int:
    """Choose the card that is missed least, and return how much it is missed; 1000 if none may be discarded."""
    seat = state.n[SEAT]
    least = 1000
    for i in range(state.hand_len[seat]):
        order = state.hand[seat, i]
        number = state.identity[order]
        suit = number // RANK_SLOTS
        if not needed >> number & 1:
            missed = 0
        elif _is_spare(state, seat, i):
            missed = 1
        elif critical >> number & 1:
            # The nearer the end of its stack, the fewer points go with it.
            missed = 100 + 10 * (
                variants.stack_size[state.n[VARIANT]] - abs(number % RANK_SLOTS - state.top[suit])
            )
        else:
            missed = 20 - abs(number % RANK_SLOTS - state.top[suit])
        if missed < least and find_defect(state, variants, rules, DISCARD, order, 0) == 0:
            least = missed
            _set(mind.choice, DISCARD, order, 0)
    return least


@kernel
def _somebody_can_play(state: State) -> bool:
    """Return whether another player who still has a turn holds a playable card."""
    last = state.n[SEATS]
    if state.n[END_TURN] >= 0:
        last = min(last, state.n[END_TURN] - state.n[TURN])
    for ahead in range(1, last):
        seat = (state.n[SEAT] + ahead) % state.n[SEATS]
        for i in range(state.hand_len[seat]):
            if state.n[PLAYABLE] >> state.identity[state.hand[seat, i]] & 1:
                return True
    return False


@kernel
def _choose_cheating(state: State, variants: VariantTable, rules: RulesTable, mind: Mind) -> None:
    """Choose with all cards open: play what opens most, keep what is needed, stall with clues near the end."""
    seat = state.n[SEAT]
    best = -1
    for i in range(state.hand_len[seat]):
        number = state.identity[state.hand[seat, i]]
        if state.n[PLAYABLE] >> number & 1:
            # A card that another player could play as well can wait for them if mine opens more.
            worth = 2 * _play_worth(state, variants, number) + (0 if _is_spare(state, seat, i) else 1)
            if worth > best:
                best = worth
                _set(mind.choice, PLAY, state.hand[seat, i], 0)
    if best >= 0:
        return
    needed = needed_cards(state, variants)
    critical = critical_cards(state, variants, needed)
    pace = state.n[RAW_SCORE] + state.n[CARDS] - state.n[DRAWN] - state.n[MAX_SCORE] + state.n[SEATS]
    last_round = state.n[END_TURN] >= 0
    others_play = _somebody_can_play(state)
    if (last_round or (pace <= 0 and others_play)) and _any_clue(state, variants, rules, mind.choice):
        return
    least = _cheat_discard(state, variants, rules, mind, needed, critical)
    if least <= 1:
        return
    if _any_clue(state, variants, rules, mind.choice):
        return
    if least == 1000:
        _fall_back(state, variants, rules, mind)


@kernel
def choose_action(state: State, variants: VariantTable, rules: RulesTable, mind: Mind, agent: int) -> None:
    """Put what agent number `agent` does into `mind.choice`; kind `NO_ACTION` if nothing is legal."""
    mind.choice[0] = NO_ACTION
    if agent == _RANDOM:
        _choose_random(state, variants, rules, mind)
    elif agent == _CAUTIOUS:
        _choose_cautious(state, variants, rules, mind)
    else:
        _choose_cheating(state, variants, rules, mind)
