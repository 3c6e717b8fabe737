"""Write the columns of a turn that are not in `FACTS`, such as efficiency, knowledge and odds."""

from __future__ import annotations

import math
from typing import Any

from hanalyze.engine.game import Game
from hanalyze.engine.measure import (
    cards_gotten,
    chop_index,
    clues_left,
    critical_cards,
    future_efficiency,
    needed_cards,
)
from hanalyze.engine.odds import odds, share, weigh_hand
from hanalyze.engine.rules import can_clue, find_defect
from hanalyze.engine.turn_rows import TURN, Columns, NextRows
from hanalyze.game.actions import CLUED, DISCARD, DISCARDED, MISPLAYED, PLAY, PLAYED
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import lowest, popcount

kernel_module(__name__, inlined=True)


def write_efficiency(turns: Columns, row: int, game: Game, after: int) -> None:
    """Write the efficiency before the row's action (`after` 0) or after it (`after` 1)."""
    ints, reals = turns
    gotten = cards_gotten(game, needed_cards(game))
    left = clues_left(game)
    ints[TURN.cards_gotten_before + after, row] = gotten
    reals[TURN.clues_lost_before + after, row] = game.clues_lost / 2
    ints[TURN.clues_left_before + after, row] = -1 if math.isnan(left) else int(left)
    ints[TURN.final_round_before + after, row] = 0 if left >= 1 else 1
    reals[TURN.future_efficiency_before + after, row] = future_efficiency(game, gotten, left)


def carry_efficiency(turns: Columns, row: int) -> None:
    """Copy the efficiency after the previous row's action to the columns before this row's action."""
    ints, reals = turns
    ints[TURN.cards_gotten_before, row] = ints[TURN.cards_gotten_after, row - 1]
    reals[TURN.clues_lost_before, row] = reals[TURN.clues_lost_after, row - 1]
    ints[TURN.clues_left_before, row] = ints[TURN.clues_left_after, row - 1]
    ints[TURN.final_round_before, row] = ints[TURN.final_round_after, row - 1]
    reals[TURN.future_efficiency_before, row] = reals[TURN.future_efficiency_after, row - 1]


def _write_own_hand(turns: Columns, row: int, game: Game, chop: int, needed: int, critical: int) -> None:
    """Write the player's knowledge of their hand, their chop and the card about to leave the hand.

    `chop` is the order of the chop, -1 for a locked hand.
    """
    ints, reals = turns
    seat = game.seat
    known = game.know.known[seat]
    leaving = game.action.target if game.action.kind in (PLAY, DISCARD) else -1
    playable = game.playable
    known_playable = 0
    known_trash = 0
    known_critical = 0
    most_playable = math.nan
    most_trash = math.nan
    least_critical = math.nan
    best_playable = -1
    best_trash = -1
    safest = -1
    leaving_count = -1
    leaving_playable = math.nan
    leaving_trash = math.nan
    leaving_critical = math.nan
    size = game.hand_len[seat]
    weigh_hand(game, seat)
    chop_p_critical = math.nan
    p_double_discard = math.nan
    leaving_index = -1
    chop_index = size - 1
    for i in range(size):
        order = game.hands[seat][i]
        leaving_index = i if order == leaving else leaving_index
        chop_index = i if order == chop else chop_index
    rest = (1 << size) - 1
    while rest:
        # Cards with equal possibilities have equal odds.
        i = lowest(rest)
        mask = known[i]
        same = 0
        for j in range(size):
            same |= (known[j] == mask) << j
        rest &= ~same
        p_playable, p_trash, p_critical = odds(game.weighed, i, mask, playable, needed, critical)
        count = popcount(same)
        known_playable += count if mask & ~playable == 0 else 0
        known_trash += count if mask & needed == 0 else 0
        known_critical += count if mask & ~critical == 0 else 0
        if not most_playable >= p_playable:
            most_playable = p_playable
            best_playable = size - i
        if not most_trash >= p_trash:
            most_trash = p_trash
            best_trash = size - i
        if not least_critical <= p_critical:
            least_critical = p_critical
            safest = size - i
        if leaving_index >= 0 and same >> leaving_index & 1:
            leaving_count = popcount(mask)
            leaving_playable, leaving_trash, leaving_critical = p_playable, p_trash, p_critical
        if same >> chop_index & 1:
            chop_p_critical = p_critical
            if chop >= 0 and game.notes.just_lost >= 0:
                p_double_discard = share(game.weighed, i, mask, 1 << game.notes.just_lost)
    ints[TURN.best_playable_slot, row] = best_playable
    ints[TURN.best_trash_slot, row] = best_trash
    ints[TURN.safest_slot, row] = safest
    ints[TURN.possibilities, row] = leaving_count
    reals[TURN.p_playable, row] = leaving_playable
    reals[TURN.p_trash, row] = leaving_trash
    reals[TURN.p_critical, row] = leaving_critical
    reals[TURN.chop_p_critical, row] = chop_p_critical
    reals[TURN.p_double_discard, row] = p_double_discard
    ints[TURN.known_playable, row] = known_playable
    ints[TURN.known_trash, row] = known_trash
    ints[TURN.known_critical, row] = known_critical
    reals[TURN.best_p_playable, row] = most_playable
    reals[TURN.best_p_trash, row] = most_trash
    reals[TURN.least_p_critical, row] = least_critical


def _write_chop(ints: Any, row: int, game: Game, chop: int) -> None:
    """Write the chop of the player to move, with order `chop`; in a locked hand, the newest card."""
    size = game.hand_len[game.seat]
    order = chop if chop >= 0 or size == 0 else game.hands[game.seat][size - 1]
    ints[TURN.locked, row] = 1 if chop < 0 and size > 0 else 0
    ints[TURN.chop, row] = order
    ints[TURN.chop_suit, row] = game.identity[order] // RANK_SLOTS if order >= 0 else -1
    ints[TURN.chop_rank, row] = game.identity[order] % RANK_SLOTS if order >= 0 else -1


def _write_others(ints: Any, row: int, game: Game, critical: int) -> int:
    """Write the columns about the cards in the other hands, and return the mask of their identities."""
    playable = game.playable
    clued_cards = game.clued
    held = 0
    playable_seen = 0
    playable_seen_clued = 0
    next_critical = 0
    other_critical = 0
    seat = game.seat
    for ahead in range(1, game.seats):
        seat = seat + 1 if seat + 1 < game.seats else 0
        hand = game.hands[seat]
        # The loop goes from the newest to the oldest card, so the last unclued card is the chop.
        chop_critical = 0
        for i in range(game.hand_len[seat] - 1, -1, -1):
            order = hand[i]
            number = game.identity[order]
            held |= 1 << number
            seen = playable >> number & 1
            touched = clued_cards >> order & 1
            playable_seen += seen
            playable_seen_clued += seen & touched
            if not touched:
                chop_critical = critical >> number & 1
        other_critical |= chop_critical
        if ahead == 1:
            next_critical = chop_critical
    ints[TURN.playable_seen, row] = playable_seen
    ints[TURN.playable_seen_clued, row] = playable_seen_clued
    ints[TURN.next_chop_critical, row] = next_critical
    ints[TURN.other_chop_critical, row] = other_critical
    return held


def _write_card(ints: Any, row: int, game: Game, needed: int, critical: int) -> None:
    """Write whether the card about to leave the hand is clued, playable, and needed or critical."""
    target = game.action.target
    ints[TURN.clued, row] = -1
    ints[TURN.status, row] = 255
    ints[TURN.playable, row] = -1
    if game.action.kind in (PLAY, DISCARD):
        number = game.identity[target]
        ints[TURN.clued, row] = game.clued >> target & 1
        ints[TURN.status, row] = (needed >> number & 1) + (critical >> number & 1)
        ints[TURN.playable, row] = game.playable >> number & 1


def write_outlook(turns: Columns, row: int, game: Game) -> None:
    """Write the knowledge, options and view of the player to move; call `follow_cards` first."""
    ints = turns.ints
    needed = needed_cards(game)
    critical = critical_cards(game)
    chop = game.notes.chop[game.seat]
    _write_own_hand(turns, row, game, chop, needed, critical)
    _write_chop(ints, row, game, chop)
    _write_card(ints, row, game, needed, critical)
    could_clue = can_clue(game, _write_others(ints, row, game, critical))
    size = game.hand_len[game.seat]
    could_discard = size > 0 and find_defect(game, DISCARD, game.hands[game.seat][0], 0) == 0
    ints[TURN.could_clue, row] = 1 if could_clue else 0
    ints[TURN.could_discard, row] = 1 if could_discard else 0
    ints[TURN.forced, row] = 0 if could_clue or could_discard else 1


def _double_discard(game: Game, deck_before: int) -> bool:
    """Return whether the next player could discard the last copy of a card that was just lost.

    The definition is hanab.live's: the card is needed and has one copy left; no card in a hand is known by
    its clues alone to be that copy; and the next player has an unclued card. If the deck was empty before the
    action, the seat after the next is used. The situation also counts if the game is over.
    """
    number = game.notes.just_lost
    if number < 0:
        return False
    # `game.seat` is already the next player.
    seat = game.seat if deck_before > 0 else (game.seat + 1) % game.seats
    if chop_index(game, seat) < 0:
        return False
    for other in range(game.seats):
        for i in range(game.hand_len[other]):
            order = game.hands[other][i]
            if game.identity[order] == number and game.possible[order] == 1 << number:
                return False
    return True


def write_sequel(turns: Columns, rows: NextRows, game: Game) -> None:
    """Write the counts of consecutive blind plays and misplays, and the double discard situation."""
    ints = turns.ints
    row = rows.turn
    target = game.action.target
    result = game.last.result
    blind = 0
    misplays = 0
    if row > rows.first_turn:
        blind = ints[TURN.blind_plays_after, row - 1]
        misplays = ints[TURN.misplays_after, row - 1]
    blind = blind + 1 if result == PLAYED and ints[TURN.clued, row] == 0 else 0
    misplays = misplays + 1 if result == MISPLAYED else 0
    ints[TURN.blind_plays_after, row] = blind
    ints[TURN.misplays_after, row] = misplays
    ints[TURN.double_discard_after, row] = -1
    game.notes.just_lost = -1
    if result in (MISPLAYED, DISCARDED):
        number = game.identity[target]
        one_left = game.lost[number] + 1 == game.variant.copies[number]
        if one_left and needed_cards(game) >> number & 1:
            game.notes.just_lost = number
        if _double_discard(game, ints[TURN.deck_before, row]):
            ints[TURN.double_discard_after, row] = target
    elif result not in (PLAYED, CLUED) and row > rows.first_turn:
        ints[TURN.double_discard_after, row] = ints[TURN.double_discard_after, row - 1]
