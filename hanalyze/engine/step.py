"""One move: deal, say which rule an action breaks, carry it out, see whether the game is over.

In: the arrays of a running game and an action. Out: the arrays after it. Every rule of play is here once; an
edition's and a variant's choices come as rows of the batch's tables. Source: the rules as hanab.live enforces
them, and for the other editions their rule sheets.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine import state as at
from hanalyze.engine.stacks import grow_stack, lose_card, set_up_stacks
from hanalyze.engine.state import Ints, in_hand
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.defects import Defect
from hanalyze.game.rules import EndCondition
from hanalyze.kernels.compiling import kernel

__all__ = ["apply_action", "clue_touch", "deal", "find_defect", "take_up_again", "touched_orders"]

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
def _show(s: Ints, seat: int, order: int) -> None:
    """Let `seat` see a card: there is one copy less that it does not see."""
    bit = 1 << s[at.IDENTITY + order]
    unseen = at.UNSEEN + 3 * seat
    # Out of the last of the masks that it is in.
    third = bit & s[unseen + 2]
    second = bit & ~third & s[unseen + 1]
    s[unseen + 2] &= ~third
    s[unseen + 1] &= ~second
    s[unseen] &= ~(bit & ~third & ~second)


@kernel
def _draw(s: Ints, seat: int) -> None:
    """Move the top card of the deck to the newest slot of `seat`, where the others see it."""
    order = s[at.DRAWN]
    s[at.DRAWN] = order + 1
    s[in_hand(seat, s[at.HAND_LEN + seat])] = order
    s[at.HAND_LEN + seat] += 1
    s[at.PLACE + order] = seat
    for other in range(s[at.SEATS]):
        if other != seat:
            _show(s, other, order)


@kernel
def deal(
    s: Ints,
    variant: Ints,
    rules: Ints,
    seats: int,
    first_seat: int,
    hand_size: int,
    cards: int,
    deck: NDArray[np.uint8],
) -> None:
    """Set up a game: seat 0 gets the first `hand_size` cards whoever starts, seat 1 the next, and so on.

    `variant` and `rules` are rows of `hanalyze.engine.lookup`, `deck` the identities by order, of which the
    first `cards` count.
    """
    for i in range(len(variant)):
        s[at.VARIANT + i] = variant[i]
    for i in range(len(rules)):
        s[at.RULES + i] = rules[i]
    s[at.SEATS] = seats
    s[at.CARDS] = cards
    s[at.FULL_TOKENS] = s[at.CLUE_TOKENS] * s[at.TOKEN_UNIT]
    s[at.FULL_SCORE] = s[at.SUITS] * s[at.STACK_SIZE]
    s[at.SEAT] = first_seat
    s[at.TURN] = 0
    s[at.DRAWN] = 0
    s[at.TOKENS] = s[at.FULL_TOKENS]
    s[at.STRIKES] = 0
    s[at.CLUES_LOST] = 0
    s[at.RAW_SCORE] = 0
    s[at.END_TURN] = -1
    s[at.END_CONDITION] = UNFINISHED
    s[at.LAST_CLUE] = -1
    s[at.STUCK_RULE] = s[at.ENDS_WHEN_STUCK]
    for seat in range(at.MAX_SEATS):
        s[at.HAND_LEN + seat] = 0
        for copies in range(3):
            s[at.UNSEEN + 3 * seat + copies] = s[at.EVERYTHING + copies]
    s[at.CLUED] = 0
    s[at.UNREAD] = (1 << seats) - 1
    s[at.UNSURE] = 0
    for order in range(cards):
        s[at.IDENTITY + order] = deck[order]
        s[at.PLACE + order] = at.IN_DECK
        s[at.COLOUR_CLUES + order] = 0
        s[at.RANK_CLUES + order] = 0
        s[at.INFORMED + order] = 0
        s[at.POSSIBLE + order] = s[at.EVERYTHING]
    for seat in range(seats):
        for _ in range(hand_size):
            _draw(s, seat)
    set_up_stacks(s)


@kernel
def clue_touch(s: Ints, kind: int, value: int) -> int:
    """Return the mask of identities that a clue touches, -1 if the variant has no such clue."""
    if kind == COLOUR_CLUE:
        if 0 <= value < s[at.COLOURS]:
            return int(s[at.COLOUR_TOUCH + value])
    elif 0 <= value < RANK_SLOTS and s[at.CLUE_RANKS] >> value & 1:
        return int(s[at.RANK_TOUCH + value])
    return -1


@kernel
def touched_orders(s: Ints, seat: int, kind: int, value: int) -> int:
    """Return the cards in the hand of `seat` that a clue touches, bit i for hand index i (0 the oldest)."""
    touch = clue_touch(s, kind, value)
    touched = 0
    for i in range(s[at.HAND_LEN + seat]):
        touched |= (touch >> s[at.IDENTITY + s[in_hand(seat, i)]] & 1) << i
    return touched


@kernel
def _touches_a_card(s: Ints, seat: int, kind: int, value: int) -> bool:
    """Return whether a clue touches any card in the hand of `seat`."""
    touch = clue_touch(s, kind, value)
    for i in range(s[at.HAND_LEN + seat]):  # noqa: SIM110 - compiled code has no generators
        if touch >> s[at.IDENTITY + s[in_hand(seat, i)]] & 1:
            return True
    return False


@kernel
def _may_play_from_deck(s: Ints, kind: int, order: int) -> bool:
    """Return whether `order` is the last card of the deck, and may be played or discarded from there.

    Only inverted suits make a discard of it: logs hold the action as it took effect.
    """
    return bool(
        s[at.DECK_PLAYS]
        and order == s[at.CARDS] - 1
        and s[at.DRAWN] == order
        and (kind == PLAY or s[at.FLAGS] & at.INVERTED)
    )


@kernel
def find_defect(s: Ints, kind: int, target: int, value: int) -> int:
    """Return the rule that an action of the player to move breaks, a number of `Defect`; 0 if none.

    Of several, the one that lets least be carried out.
    """
    if kind in (PLAY, DISCARD):
        if not 0 <= target < s[at.CARDS]:
            return _ORDER_OUT_OF_RANGE
        if s[at.PLACE + target] != s[at.SEAT] and not _may_play_from_deck(s, kind, target):
            return _CARD_NOT_IN_HAND
        if (
            kind == DISCARD
            and s[at.TOKENS] >= s[at.FULL_TOKENS]
            and not s[at.DISCARD_AT_FULL_TOKENS]
            and not s[at.FLAGS] & at.INVERTED
        ):
            return _DISCARD_AT_FULL_TOKENS
        return 0
    if kind in (COLOUR_CLUE, RANK_CLUE):
        if not 0 <= target < s[at.SEATS]:
            return _SEAT_OUT_OF_RANGE
        if clue_touch(s, kind, value) == -1:
            return _CLUE_NOT_IN_VARIANT
        if target == s[at.SEAT] and not s[at.CLUE_TO_SELF]:
            return _CLUE_TO_SELF
        if s[at.TOKENS] < s[at.TOKEN_UNIT]:
            return _CLUE_WITHOUT_TOKEN
        if s[at.FLAGS] & at.ALTERNATING and kind == s[at.LAST_CLUE]:
            return _CLUE_KIND_REPEATED
        if not s[at.EMPTY_CLUES]:
            silent = at.COLOURS_TOUCH_NOTHING if kind == COLOUR_CLUE else at.RANKS_TOUCH_NOTHING
            if not s[at.FLAGS] & silent and not _touches_a_card(s, target, kind, value):
                return _CLUE_TOUCHES_NOTHING
        return 0
    if kind == END_GAME:
        return 0 if value in (_TIMEOUT, _TERMINATED_BY_PLAYER, _IDLE_TIMEOUT) else _UNKNOWN_END
    if kind == END_VOTE:
        return 0 if value == _TERMINATED_BY_VOTE else _UNKNOWN_END
    return _UNKNOWN_ACTION


@kernel
def _gain_token(s: Ints) -> None:
    """Add a token, in Clue Starved half a one, unless all are there."""
    if s[at.TOKENS] < s[at.FULL_TOKENS]:
        s[at.TOKENS] += 1


@kernel
def _take_from_hand(s: Ints, order: int) -> None:
    """Take a card out of its hand or the deck, show it to those who did not see it, and note the slot."""
    seat = s[at.PLACE + order]
    if seat == at.IN_DECK:
        s[at.DRAWN] = order + 1
        for other in range(s[at.SEATS]):
            _show(s, other, order)
        s[at.SLOT] = 0
        return
    _show(s, seat, order)
    s[at.CLUED] &= ~(1 << order)
    length = s[at.HAND_LEN + seat]
    found = 0
    while s[in_hand(seat, found)] != order:
        found += 1
    s[at.SLOT] = length - found
    for i in range(found, length - 1):
        s[in_hand(seat, i)] = s[in_hand(seat, i + 1)]
    s[at.HAND_LEN + seat] = length - 1


@kernel
def _give_clue(s: Ints, seat: int, kind: int, value: int) -> None:
    """Pay for a clue and mark the hand of `seat` with it."""
    s[at.TOKENS] = max(s[at.TOKENS] - s[at.TOKEN_UNIT], 0)
    s[at.CLUES_LOST] += 2
    s[at.LAST_CLUE] = kind
    s[at.RESULT] = CLUED
    touch = clue_touch(s, kind, value)
    slots = 0
    for i in range(s[at.HAND_LEN + seat]):
        order = s[in_hand(seat, i)]
        says = touch
        if touch >> s[at.IDENTITY + order] & 1:
            slots |= 1 << (s[at.HAND_LEN + seat] - 1 - i)
            s[at.CLUED] |= 1 << order
            if kind == COLOUR_CLUE:
                s[at.COLOUR_CLUES + order] += 1
            else:
                s[at.RANK_CLUES + order] += 1
        else:
            says = ~touch
        if not s[at.FLAGS] & at.SILENT:
            s[at.POSSIBLE + order] &= says
            s[at.INFORMED + order] = 1
    s[at.UNREAD] |= 1 << seat
    s[at.TOUCHED] = slots
    if s[at.CARD_CYCLE]:
        _cycle(s, s[at.SEAT])
        s[at.UNREAD] |= 1 << s[at.SEAT]


@kernel
def _cycle(s: Ints, seat: int) -> None:
    """Move the oldest card that no clue touched to the newest slot."""
    length = s[at.HAND_LEN + seat]
    for i in range(length):
        order = s[in_hand(seat, i)]
        if not s[at.CLUED] >> order & 1:
            for j in range(i, length - 1):
                s[in_hand(seat, j)] = s[in_hand(seat, j + 1)]
            s[in_hand(seat, length - 1)] = order
            return


@kernel
def _can_still_play(s: Ints) -> bool:
    """Return whether, with an empty deck, somebody who has a turn left holds a card that fits a stack."""
    seats = s[at.SEATS]
    for ahead in range(s[at.END_TURN] - s[at.TURN]):
        seat = (s[at.SEAT] + ahead) % seats
        for i in range(s[at.HAND_LEN + seat]):
            if s[at.PLAYABLE] >> s[at.IDENTITY + s[in_hand(seat, i)]] & 1:
                return True
    return False


@kernel
def _find_end(s: Ints) -> int:
    """Return how the game is over before the next player's turn, a number of `EndCondition`; 0 if it is not.

    The order of the questions is hanab.live's.
    """
    full = s[at.FULL_SCORE]
    if s[at.STRIKES] >= s[at.STRIKES_TO_LOSE]:
        return _STRIKEOUT
    if s[at.MAX_SCORE] < full:
        if s[at.SPEEDRUN]:
            return _SPEEDRUN_FAIL
        if s[at.ALL_OR_NOTHING]:
            return _ALL_OR_NOTHING_FAIL
    if (
        s[at.ALL_OR_NOTHING]
        and s[at.HAND_LEN + s[at.SEAT]] == 0
        and s[at.TOKENS] < s[at.TOKEN_UNIT]
        and s[at.RAW_SCORE] < full
    ):
        return _ALL_OR_NOTHING_SOFTLOCK
    if s[at.TURN] == s[at.END_TURN] or s[at.RAW_SCORE] == full:
        return NORMAL
    if s[at.STUCK_RULE]:
        if s[at.RAW_SCORE] == s[at.MAX_SCORE]:
            return NORMAL
        # While there are cards to draw, a stack below its maximum has a next card that is not lost.
        if s[at.END_TURN] >= 0 and not _can_still_play(s):
            return NORMAL
    return UNFINISHED


@kernel
def take_up_again(s: Ints) -> None:
    """Go on with a game that is over by the rule that older logs do not know, without that rule."""
    s[at.STUCK_RULE] = 0
    s[at.END_CONDITION] = UNFINISHED


@kernel
def apply_action(s: Ints, kind: int, target: int, value: int) -> None:
    """Carry out an action of the player to move, broken rule or not, and see whether the game is over.

    Sets `RESULT`, `SLOT`, `TOUCHED` and `TAKEN` for whoever writes rows. The action must not break a rule of
    `STOPPING`.
    """
    seat = s[at.SEAT]
    s[at.TAKEN] = -1
    if kind in (PLAY, DISCARD):
        number = s[at.IDENTITY + target]
        everybody = (1 << s[at.SEATS]) - 1
        # What is taken from a hand was seen before; what is taken from the deck, or drawn, is new.
        new_to_all = s[at.UNSURE] != 0 or s[at.PLACE + target] == at.IN_DECK
        s[at.UNREAD] |= everybody if new_to_all else 1 << seat
        _take_from_hand(s, target)
        if kind == PLAY and s[at.PLAYABLE] >> number & 1:
            s[at.RESULT] = PLAYED
            s[at.PLACE + target] = at.ON_STACK
            s[at.RAW_SCORE] += 1
            if grow_stack(s, number) and not s[at.FLAGS] & at.HOLE:
                if s[at.TOKENS] == s[at.FULL_TOKENS]:
                    s[at.CLUES_LOST] += 2 // s[at.TOKEN_UNIT]
                _gain_token(s)
        else:
            s[at.PLACE + target] = at.IN_DISCARD
            if kind == PLAY:
                s[at.RESULT] = MISPLAYED
                s[at.STRIKES] += 1
                s[at.CLUES_LOST] += 2 // s[at.TOKEN_UNIT]
            else:
                s[at.RESULT] = DISCARDED
                _gain_token(s)
            lose_card(s, number)
        if s[at.DRAWN] < s[at.CARDS]:
            s[at.TAKEN] = s[at.DRAWN]
            _draw(s, seat)
            s[at.UNSURE] = everybody & ~(1 << seat)
            s[at.NEW_CARD] = s[at.TAKEN]
        if s[at.DRAWN] == s[at.CARDS] and s[at.END_TURN] < 0 and not s[at.ALL_OR_NOTHING]:
            # This turn ends, then everybody has one more, the drawer too.
            s[at.END_TURN] = s[at.TURN] + 1 + s[at.SEATS]
    elif kind in (COLOUR_CLUE, RANK_CLUE):
        _give_clue(s, target, kind, value)
    else:
        s[at.RESULT] = ENDED
    s[at.TURN] += 1
    s[at.SEAT] = (seat + 1) % s[at.SEATS]
    if s[at.RESULT] == ENDED:
        s[at.END_CONDITION] = value
    else:
        s[at.END_CONDITION] = _find_end(s)
