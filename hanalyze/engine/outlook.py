"""What the player to move knew, could do and saw, and the runs and situations that actions lead to.

In: a running game before an action, and after it. Out: the columns of a turn that are more than its position:
efficiency, knowledge, odds. Odds are each card's own: an identity that is still possible weighs as many
copies as the player does not see, whatever the other cards of the hand are.
"""

from __future__ import annotations

import math
from typing import Any

from hanalyze.engine import state as at
from hanalyze.engine.efficiency import cards_gotten, clues_left, future_efficiency
from hanalyze.engine.knowledge import copies_unseen
from hanalyze.engine.measure import chop_index, clued, critical_cards, needed_cards
from hanalyze.engine.rows import T
from hanalyze.engine.state import Ints, in_hand
from hanalyze.engine.step import (
    CLUED,
    COLOUR_CLUE,
    DISCARD,
    DISCARDED,
    MISPLAYED,
    PLAY,
    PLAYED,
    RANK_CLUE,
    find_defect,
)
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import popcount

__all__ = ["carry_efficiency", "write_efficiency", "write_outlook", "write_sequel"]


@kernel
def write_efficiency(ints: Any, reals: Any, row: int, s: Ints, after: int) -> None:
    """Write the efficiency before the row's action, or with `after` 1 after it."""
    gotten = cards_gotten(s, needed_cards(s))
    left = clues_left(s)
    ints[T.cards_gotten_before + after, row] = gotten
    reals[T.clues_lost_before + after, row] = s[at.CLUES_LOST] / 2
    ints[T.clues_left_before + after, row] = -1 if math.isnan(left) else int(left)
    ints[T.final_round_before + after, row] = 0 if left >= 1 else 1
    reals[T.future_efficiency_before + after, row] = future_efficiency(s, gotten, left)


@kernel
def carry_efficiency(ints: Any, reals: Any, row: int) -> None:
    """Write the efficiency before the row's action as it was after the row before."""
    ints[T.cards_gotten_before, row] = ints[T.cards_gotten_after, row - 1]
    reals[T.clues_lost_before, row] = reals[T.clues_lost_after, row - 1]
    ints[T.clues_left_before, row] = ints[T.clues_left_after, row - 1]
    ints[T.final_round_before, row] = ints[T.final_round_after, row - 1]
    reals[T.future_efficiency_before, row] = reals[T.future_efficiency_after, row - 1]


@kernel
def _could_clue(s: Ints) -> bool:
    """Return whether the player to move has a legal clue."""
    if s[at.TOKENS] < s[at.TOKEN_UNIT]:
        return False
    # From the next player on: one of the first clues that are tried is legal in most positions.
    for ahead in range(1, s[at.SEATS] + 1):
        seat = (s[at.SEAT] + ahead) % s[at.SEATS]
        for rank in range(1, RANK_SLOTS):
            if s[at.CLUE_RANKS] >> rank & 1 and find_defect(s, RANK_CLUE, seat, rank) == 0:
                return True
        for colour in range(s[at.COLOURS]):
            if find_defect(s, COLOUR_CLUE, seat, colour) == 0:
                return True
    return False


@kernel
def _write_own_hand(ints: Any, reals: Any, row: int, s: Ints, needed: int, critical: int, order: int) -> None:
    """Write what the player to move knew of the own hand, and of the card `order` that is to leave it."""
    seat = s[at.SEAT]
    playable = s[at.PLAYABLE]
    trash = ~needed
    known_playable = 0
    known_trash = 0
    known_critical = 0
    most_playable = math.nan
    most_trash = math.nan
    least_critical = math.nan
    size = s[at.HAND_LEN + seat]
    ints[T.best_playable_slot, row] = -1
    ints[T.best_trash_slot, row] = -1
    ints[T.safest_slot, row] = -1
    ints[T.possibilities, row] = -1
    reals[T.p_playable, row] = math.nan
    reals[T.p_trash, row] = math.nan
    reals[T.p_critical, row] = math.nan
    last_mask = -1
    p_playable = 0.0
    p_trash = 0.0
    p_critical = 0.0
    for i in range(size):
        mask = s[at.KNOWN + seat * at.MAX_HAND + i]
        # Cards without clues are all alike.
        if mask != last_mask:
            last_mask = mask
            all_copies = copies_unseen(s, seat, mask)
            p_playable = copies_unseen(s, seat, mask & playable) / all_copies
            p_trash = copies_unseen(s, seat, mask & trash) / all_copies
            p_critical = copies_unseen(s, seat, mask & critical) / all_copies
        known_playable += mask & ~playable == 0
        known_trash += mask & needed == 0
        known_critical += mask & ~critical == 0
        if not most_playable >= p_playable:
            most_playable = p_playable
            ints[T.best_playable_slot, row] = size - i
        if not most_trash >= p_trash:
            most_trash = p_trash
            ints[T.best_trash_slot, row] = size - i
        if not least_critical <= p_critical:
            least_critical = p_critical
            ints[T.safest_slot, row] = size - i
        if s[in_hand(seat, i)] == order:
            ints[T.possibilities, row] = popcount(mask)
            reals[T.p_playable, row] = p_playable
            reals[T.p_trash, row] = p_trash
            reals[T.p_critical, row] = p_critical
    ints[T.known_playable, row] = known_playable
    ints[T.known_trash, row] = known_trash
    ints[T.known_critical, row] = known_critical
    reals[T.best_p_playable, row] = most_playable
    reals[T.best_p_trash, row] = most_trash
    reals[T.least_p_critical, row] = least_critical


@kernel
def _write_chop(ints: Any, reals: Any, row: int, s: Ints) -> None:
    """Write the chop of the player to move, whether there is none, and the danger of a double discard."""
    seat = s[at.SEAT]
    chop = chop_index(s, seat)
    size = s[at.HAND_LEN + seat]
    ints[T.locked, row] = 1 if chop < 0 and size > 0 else 0
    reals[T.p_double_discard, row] = math.nan
    if chop >= 0 and s[at.JUST_LOST] >= 0:
        mask = s[at.KNOWN + seat * at.MAX_HAND + chop]
        lost = mask & 1 << s[at.JUST_LOST]
        reals[T.p_double_discard, row] = copies_unseen(s, seat, lost) / copies_unseen(s, seat, mask)
    if size == 0:
        ints[T.chop, row] = -1
        ints[T.chop_suit, row] = -1
        ints[T.chop_rank, row] = -1
        return
    order = s[in_hand(seat, chop if chop >= 0 else size - 1)]
    ints[T.chop, row] = order
    ints[T.chop_suit, row] = s[at.IDENTITY + order] // RANK_SLOTS
    ints[T.chop_rank, row] = s[at.IDENTITY + order] % RANK_SLOTS


@kernel
def _write_others(ints: Any, row: int, s: Ints, critical: int) -> None:
    """Write what the player to move saw in the other hands."""
    playable_seen = 0
    playable_seen_clued = 0
    next_critical = 0
    other_critical = 0
    for ahead in range(1, s[at.SEATS]):
        seat = (s[at.SEAT] + ahead) % s[at.SEATS]
        # From the newest to the oldest: the last that no clue touched is the chop.
        chop_critical = 0
        for back in range(1, s[at.HAND_LEN + seat] + 1):
            order = s[in_hand(seat, s[at.HAND_LEN + seat] - back)]
            number = s[at.IDENTITY + order]
            seen = s[at.PLAYABLE] >> number & 1
            touched = s[at.CLUED] >> order & 1
            playable_seen += seen
            playable_seen_clued += seen & touched
            if not touched:
                chop_critical = critical >> number & 1
        other_critical |= chop_critical
        if ahead == 1:
            next_critical = chop_critical
    ints[T.playable_seen, row] = playable_seen
    ints[T.playable_seen_clued, row] = playable_seen_clued
    ints[T.next_chop_critical, row] = next_critical
    ints[T.other_chop_critical, row] = other_critical


@kernel
def _write_card(ints: Any, row: int, s: Ints, kind: int, target: int, needed: int, critical: int) -> None:
    """Write what the card is that is to leave the hand."""
    ints[T.clued, row] = -1
    ints[T.status, row] = 255
    ints[T.playable, row] = -1
    if kind in (PLAY, DISCARD):
        number = s[at.IDENTITY + target]
        ints[T.clued, row] = 1 if clued(s, target) else 0
        ints[T.status, row] = (needed >> number & 1) + (critical >> number & 1)
        ints[T.playable, row] = s[at.PLAYABLE] >> number & 1


@kernel
def write_outlook(ints: Any, reals: Any, row: int, s: Ints, kind: int, target: int) -> None:
    """Write what the player to move knew, could do and saw, before the action; `KNOWN` is up to date."""
    needed = needed_cards(s)
    critical = critical_cards(s)
    _write_own_hand(ints, reals, row, s, needed, critical, target if kind in (PLAY, DISCARD) else -1)
    _write_chop(ints, reals, row, s)
    _write_card(ints, row, s, kind, target, needed, critical)
    _write_others(ints, row, s, critical)
    could_clue = _could_clue(s)
    size = s[at.HAND_LEN + s[at.SEAT]]
    could_discard = size > 0 and find_defect(s, DISCARD, s[in_hand(s[at.SEAT], 0)], 0) == 0
    ints[T.could_clue, row] = 1 if could_clue else 0
    ints[T.could_discard, row] = 1 if could_discard else 0
    ints[T.forced, row] = 0 if could_clue or could_discard else 1


@kernel
def _find_just_lost(s: Ints, order: int) -> None:
    """Set `JUST_LOST` after an action that lost the card `order`."""
    number = s[at.IDENTITY + order]
    one_left = s[at.LOST + number] + 1 == s[at.COPIES + number]
    s[at.JUST_LOST] = number if one_left and needed_cards(s) >> number & 1 else -1


@kernel
def _double_discard(s: Ints, deck_before: int) -> bool:
    """Return whether the last copy of a card just lost may be where the next player would discard it.

    Hanab Live's definition: the card is needed with one copy left, that copy is in no hand as its clues alone
    tell, and the next player has a card that no clue touched. With an empty deck the site looks one seat
    further, and the end of the game changes nothing.
    """
    number = s[at.JUST_LOST]
    if number < 0:
        return False
    # The turn has passed on already.
    seat = s[at.SEAT] if deck_before > 0 else (s[at.SEAT] + 1) % s[at.SEATS]
    if chop_index(s, seat) < 0:
        return False
    for other in range(s[at.SEATS]):
        for i in range(s[at.HAND_LEN + other]):
            held = s[in_hand(other, i)]
            if s[at.IDENTITY + held] == number and s[at.POSSIBLE + held] == 1 << number:
                return False
    return True


@kernel
def write_sequel(ints: Any, row: int, first_row: int, s: Ints, target: int, was_clued: bool) -> None:
    """Write the runs of plays and the double discard situation that an action leads to.

    `was_clued`: whether a clue had touched the card that the action took from the hand.
    """
    result = s[at.RESULT]
    blind = 0
    misplays = 0
    if row > first_row:
        blind = ints[T.blind_plays_after, row - 1]
        misplays = ints[T.misplays_after, row - 1]
    blind = blind + 1 if result == PLAYED and not was_clued else 0
    misplays = misplays + 1 if result == MISPLAYED else 0
    ints[T.blind_plays_after, row] = blind
    ints[T.misplays_after, row] = misplays
    ints[T.double_discard_after, row] = -1
    s[at.JUST_LOST] = -1
    if result in (MISPLAYED, DISCARDED):
        _find_just_lost(s, target)
        if _double_discard(s, ints[T.deck_before, row]):
            ints[T.double_discard_after, row] = target
    elif result not in (PLAYED, CLUED) and row > first_row:
        ints[T.double_discard_after, row] = ints[T.double_discard_after, row - 1]
