"""One move: deal, say which rule an action breaks, carry it out, see whether the game is over.

In: the arrays of a running game and an action. Out: the arrays after it. Every rule of play is here once; an
edition's and a variant's choices come as rows of the batch's tables. Source: the rules as hanab.live enforces
them, and for the other editions their rule sheets.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.compile import kernel
from hanalyze.engine.lookup import (
    ALTERNATING,
    COLOURS_TOUCH_NOTHING,
    HOLE,
    INVERTED,
    RANKS_TOUCH_NOTHING,
    SILENT,
    RulesTable,
    VariantTable,
)
from hanalyze.engine.stacks import grow_stack, lose_card, set_up_stacks
from hanalyze.engine.state import (
    CARDS,
    DRAWN,
    END_CONDITION,
    END_TURN,
    IN_DECK,
    IN_DISCARD,
    LAST_CLUE,
    MAX_SCORE,
    ON_STACK,
    PLAYABLE,
    RAW_SCORE,
    RESULT,
    RULES,
    SEAT,
    SEATS,
    SLOT,
    STRIKES,
    STUCK_RULE,
    TAKEN,
    TOKENS,
    TOUCHED,
    TURN,
    VARIANT,
    State,
)
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.defects import Defect
from hanalyze.game.rules import EndCondition

__all__ = ["apply_action", "deal", "find_defect", "take_up_again", "touched_orders"]

# Compiled code knows integers, not enumerations.
PLAY: Final = int(ActionKind.PLAY)
DISCARD: Final = int(ActionKind.DISCARD)
COLOUR_CLUE: Final = int(ActionKind.COLOUR_CLUE)
RANK_CLUE: Final = int(ActionKind.RANK_CLUE)
END_GAME: Final = int(ActionKind.END_GAME)
END_VOTE: Final = int(ActionKind.END_VOTE)

# Numbers of the words of the column `result`.
PLAYED: Final = 0
MISPLAYED: Final = 1
DISCARDED: Final = 2
CLUED: Final = 3
ENDED: Final = 4

_UNKNOWN_ACTION: Final = int(Defect.UNKNOWN_ACTION)
_ORDER_OUT_OF_RANGE: Final = int(Defect.ORDER_OUT_OF_RANGE)
_CARD_NOT_IN_HAND: Final = int(Defect.CARD_NOT_IN_HAND)
_SEAT_OUT_OF_RANGE: Final = int(Defect.SEAT_OUT_OF_RANGE)
_CLUE_NOT_IN_VARIANT: Final = int(Defect.CLUE_NOT_IN_VARIANT)
_UNKNOWN_END: Final = int(Defect.UNKNOWN_END)
_CLUE_TO_SELF: Final = int(Defect.CLUE_TO_SELF)
_CLUE_WITHOUT_TOKEN: Final = int(Defect.CLUE_WITHOUT_TOKEN)
_CLUE_TOUCHES_NOTHING: Final = int(Defect.CLUE_TOUCHES_NOTHING)
_CLUE_KIND_REPEATED: Final = int(Defect.CLUE_KIND_REPEATED)
_DISCARD_AT_FULL_TOKENS: Final = int(Defect.DISCARD_AT_FULL_TOKENS)

UNFINISHED: Final = int(EndCondition.UNFINISHED)
NORMAL: Final = int(EndCondition.NORMAL)
_STRIKEOUT: Final = int(EndCondition.STRIKEOUT)
_TIMEOUT: Final = int(EndCondition.TIMEOUT)
_TERMINATED_BY_PLAYER: Final = int(EndCondition.TERMINATED_BY_PLAYER)
_SPEEDRUN_FAIL: Final = int(EndCondition.SPEEDRUN_FAIL)
_IDLE_TIMEOUT: Final = int(EndCondition.IDLE_TIMEOUT)
_ALL_OR_NOTHING_FAIL: Final = int(EndCondition.ALL_OR_NOTHING_FAIL)
_ALL_OR_NOTHING_SOFTLOCK: Final = int(EndCondition.ALL_OR_NOTHING_SOFTLOCK)
_TERMINATED_BY_VOTE: Final = int(EndCondition.TERMINATED_BY_VOTE)


@kernel
def _draw(state: State, seat: int) -> None:
    """Move the top card of the deck to the newest slot of `seat`, if there is one."""
    order = state.n[DRAWN]
    if order >= state.n[CARDS]:
        return
    state.n[DRAWN] = order + 1
    state.hand[seat, state.hand_len[seat]] = order
    state.hand_len[seat] += 1
    state.place[order] = seat


@kernel
def deal(
    state: State,
    variants: VariantTable,
    rules: RulesTable,
    variant: int,
    rules_row: int,
    seats: int,
    first_seat: int,
    hand_size: int,
    cards: int,
    deck: NDArray[np.uint8],
) -> None:
    """Set up a game: seat 0 gets the first `hand_size` cards whoever starts, seat 1 the next, and so on."""
    state.n[VARIANT] = variant
    state.n[RULES] = rules_row
    state.n[SEATS] = seats
    state.n[SEAT] = first_seat
    state.n[TURN] = 0
    state.n[CARDS] = cards
    state.n[DRAWN] = 0
    state.n[TOKENS] = rules.clue_tokens[rules_row] * variants.token_unit[variant]
    state.n[STRIKES] = 0
    state.n[RAW_SCORE] = 0
    state.n[END_TURN] = -1
    state.n[END_CONDITION] = UNFINISHED
    state.n[LAST_CLUE] = -1
    state.n[STUCK_RULE] = rules.ends_when_stuck[rules_row]
    state.hand_len[:] = 0
    for order in range(cards):
        state.identity[order] = deck[order]
        state.place[order] = IN_DECK
        state.colour_clues[order] = 0
        state.rank_clues[order] = 0
        state.informed[order] = 0
        state.possible[order] = variants.everything[variant]
    for seat in range(seats):
        for _ in range(hand_size):
            _draw(state, seat)
    set_up_stacks(state, variants)


@kernel
def _clue_touch(state: State, variants: VariantTable, kind: int, value: int) -> int:
    """Return the mask of identities that a clue touches, -1 if the variant has no such clue."""
    v = state.n[VARIANT]
    if kind == COLOUR_CLUE:
        if 0 <= value < variants.colours[v]:
            return int(variants.colour_touch[v, value])
    elif 0 <= value < RANK_SLOTS and variants.ranks[v] >> value & 1:
        return int(variants.rank_touch[v, value])
    return -1


@kernel
def touched_orders(state: State, variants: VariantTable, seat: int, kind: int, value: int) -> int:
    """Return the cards in the hand of `seat` that a clue touches, bit i for hand index i (0 the oldest)."""
    touch = _clue_touch(state, variants, kind, value)
    touched = 0
    for i in range(state.hand_len[seat]):
        touched |= (touch >> state.identity[state.hand[seat, i]] & 1) << i
    return touched


@kernel
def _may_play_from_deck(
    state: State, variants: VariantTable, rules: RulesTable, kind: int, order: int
) -> bool:
    """Return whether `order` is the last card of the deck, and may be played or discarded from there.

    Only inverted suits make a discard of it: logs hold the action as it took effect.
    """
    return bool(
        rules.deck_plays[state.n[RULES]]
        and order == state.n[CARDS] - 1
        and state.n[DRAWN] == order
        and (kind == PLAY or variants.flags[state.n[VARIANT]] & INVERTED)
    )


@kernel
def find_defect(
    state: State, variants: VariantTable, rules: RulesTable, kind: int, target: int, value: int
) -> int:
    """Return the rule that an action of the player to move breaks, a number of `Defect`; 0 if none.

    Of several, the one that lets least be carried out.
    """
    v = state.n[VARIANT]
    r = state.n[RULES]
    if kind in (PLAY, DISCARD):
        if not 0 <= target < state.n[CARDS]:
            return _ORDER_OUT_OF_RANGE
        if state.place[target] != state.n[SEAT] and not _may_play_from_deck(
            state, variants, rules, kind, target
        ):
            return _CARD_NOT_IN_HAND
        if (
            kind == DISCARD
            and state.n[TOKENS] >= rules.clue_tokens[r] * variants.token_unit[v]
            and not rules.discard_at_full_tokens[r]
            and not variants.flags[v] & INVERTED
        ):
            return _DISCARD_AT_FULL_TOKENS
        return 0
    if kind in (COLOUR_CLUE, RANK_CLUE):
        if not 0 <= target < state.n[SEATS]:
            return _SEAT_OUT_OF_RANGE
        if _clue_touch(state, variants, kind, value) == -1:
            return _CLUE_NOT_IN_VARIANT
        if target == state.n[SEAT] and not rules.clue_to_self[r]:
            return _CLUE_TO_SELF
        if state.n[TOKENS] < variants.token_unit[v]:
            return _CLUE_WITHOUT_TOKEN
        if variants.flags[v] & ALTERNATING and kind == state.n[LAST_CLUE]:
            return _CLUE_KIND_REPEATED
        if not rules.empty_clues[r]:
            silent = COLOURS_TOUCH_NOTHING if kind == COLOUR_CLUE else RANKS_TOUCH_NOTHING
            if not variants.flags[v] & silent and touched_orders(state, variants, target, kind, value) == 0:
                return _CLUE_TOUCHES_NOTHING
        return 0
    if kind == END_GAME:
        return 0 if value in (_TIMEOUT, _TERMINATED_BY_PLAYER, _IDLE_TIMEOUT) else _UNKNOWN_END
    if kind == END_VOTE:
        return 0 if value == _TERMINATED_BY_VOTE else _UNKNOWN_END
    return _UNKNOWN_ACTION


@kernel
def _gain_token(state: State, variants: VariantTable, rules: RulesTable) -> None:
    """Add a token, in Clue Starved half a one, unless all are there."""
    most = rules.clue_tokens[state.n[RULES]] * variants.token_unit[state.n[VARIANT]]
    if state.n[TOKENS] < most:
        state.n[TOKENS] += 1


@kernel
def _take_from_hand(state: State, order: int) -> None:
    """Take a card out of its hand, or from the deck, and note the slot."""
    seat = state.place[order]
    if seat == IN_DECK:
        state.n[DRAWN] += 1
        state.n[SLOT] = 0
        return
    length = state.hand_len[seat]
    found = 0
    while state.hand[seat, found] != order:
        found += 1
    state.n[SLOT] = length - found
    for i in range(found, length - 1):
        state.hand[seat, i] = state.hand[seat, i + 1]
    state.hand_len[seat] = length - 1


@kernel
def _give_clue(
    state: State, variants: VariantTable, rules: RulesTable, seat: int, kind: int, value: int
) -> None:
    """Pay for a clue and mark the hand of `seat` with it."""
    v = state.n[VARIANT]
    state.n[TOKENS] = max(state.n[TOKENS] - variants.token_unit[v], 0)
    state.n[LAST_CLUE] = kind
    state.n[RESULT] = CLUED
    touch = _clue_touch(state, variants, kind, value)
    slots = 0
    for i in range(state.hand_len[seat]):
        order = state.hand[seat, i]
        says = touch
        if touch >> state.identity[order] & 1:
            slots |= 1 << (state.hand_len[seat] - 1 - i)
            if kind == COLOUR_CLUE:
                state.colour_clues[order] += 1
            else:
                state.rank_clues[order] += 1
        else:
            says = ~touch
        if not variants.flags[v] & SILENT:
            state.possible[order] &= says
            state.informed[order] = 1
    state.n[TOUCHED] = slots
    if rules.card_cycle[state.n[RULES]]:
        _cycle(state, state.n[SEAT])


@kernel
def _cycle(state: State, seat: int) -> None:
    """Move the oldest card that no clue touched to the newest slot."""
    length = state.hand_len[seat]
    for i in range(length):
        order = state.hand[seat, i]
        if state.colour_clues[order] + state.rank_clues[order] == 0:
            for j in range(i, length - 1):
                state.hand[seat, j] = state.hand[seat, j + 1]
            state.hand[seat, length - 1] = order
            return


@kernel
def _can_still_play(state: State) -> bool:
    """Return whether a card that fits a stack is held by somebody who has a turn left, the deck being empty."""
    seats = state.n[SEATS]
    for ahead in range(state.n[END_TURN] - state.n[TURN]):
        seat = (state.n[SEAT] + ahead) % seats
        for i in range(state.hand_len[seat]):
            if state.n[PLAYABLE] >> state.identity[state.hand[seat, i]] & 1:
                return True
    return False


@kernel
def _find_end(state: State, variants: VariantTable, rules: RulesTable) -> int:
    """Return how the game is over before the next player's turn, a number of `EndCondition`; 0 if it is not.

    The order of the questions is hanab.live's.
    """
    v = state.n[VARIANT]
    r = state.n[RULES]
    full = variants.suits[v] * variants.stack_size[v]
    if state.n[STRIKES] >= rules.strikes[r]:
        return _STRIKEOUT
    if state.n[MAX_SCORE] < full:
        if rules.speedrun[r]:
            return _SPEEDRUN_FAIL
        if rules.all_or_nothing[r]:
            return _ALL_OR_NOTHING_FAIL
    if (
        rules.all_or_nothing[r]
        and state.hand_len[state.n[SEAT]] == 0
        and state.n[TOKENS] < variants.token_unit[v]
        and state.n[RAW_SCORE] < full
    ):
        return _ALL_OR_NOTHING_SOFTLOCK
    if state.n[TURN] == state.n[END_TURN] or state.n[RAW_SCORE] == full:
        return NORMAL
    if state.n[STUCK_RULE]:
        if state.n[RAW_SCORE] == state.n[MAX_SCORE]:
            return NORMAL
        # While there are cards to draw, a stack below its maximum has a next card that is not lost.
        if state.n[END_TURN] >= 0 and not _can_still_play(state):
            return NORMAL
    return UNFINISHED


@kernel
def take_up_again(state: State) -> None:
    """Go on with a game that is over by the rule that older logs do not know, without that rule."""
    state.n[STUCK_RULE] = 0
    state.n[END_CONDITION] = UNFINISHED


@kernel
def apply_action(
    state: State, variants: VariantTable, rules: RulesTable, kind: int, target: int, value: int
) -> None:
    """Carry out an action of the player to move, broken rule or not, and see whether the game is over.

    Sets `RESULT`, `SLOT`, `TOUCHED` and `TAKEN` for whoever writes rows. The action must not break a rule of
    `STOPPING`.
    """
    r = state.n[RULES]
    seat = state.n[SEAT]
    state.n[TAKEN] = -1
    if kind in (PLAY, DISCARD):
        number = state.identity[target]
        _take_from_hand(state, target)
        if kind == PLAY and state.n[PLAYABLE] >> number & 1:
            state.n[RESULT] = PLAYED
            state.place[target] = ON_STACK
            state.n[RAW_SCORE] += 1
            if grow_stack(state, variants, number) and not variants.flags[state.n[VARIANT]] & HOLE:
                _gain_token(state, variants, rules)
        else:
            state.place[target] = IN_DISCARD
            if kind == PLAY:
                state.n[RESULT] = MISPLAYED
                state.n[STRIKES] += 1
            else:
                state.n[RESULT] = DISCARDED
                _gain_token(state, variants, rules)
            lose_card(state, variants, number)
        if state.n[DRAWN] < state.n[CARDS]:
            state.n[TAKEN] = state.n[DRAWN]
            _draw(state, seat)
        if state.n[DRAWN] == state.n[CARDS] and state.n[END_TURN] < 0 and not rules.all_or_nothing[r]:
            # This turn ends, then everybody has one more, the drawer too.
            state.n[END_TURN] = state.n[TURN] + 1 + state.n[SEATS]
    elif kind in (COLOUR_CLUE, RANK_CLUE):
        _give_clue(state, variants, rules, target, kind, value)
    else:
        state.n[RESULT] = ENDED
    state.n[TURN] += 1
    state.n[SEAT] = (seat + 1) % state.n[SEATS]
    if state.n[RESULT] == ENDED:
        state.n[END_CONDITION] = value
    else:
        state.n[END_CONDITION] = _find_end(state, variants, rules)
