"""Findings, outcomes and opportunities in arrays of shape (lines, rows), one array per table."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from hanalyze.conventions.ending import CLUE_BIT, DISCARD_BIT, sound_moves
from hanalyze.conventions.state import OFFERED_CALLS, ConventionState
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.turn_rows import lines, room_in, zero_rows
from hanalyze.game.actions import RANK_CLUE
from hanalyze.game.cards import RANK_SLOTS
from hanalyze.game.meanings import Convention, OutcomeKind
from hanalyze.kernels.compiling import inlined_kernel, kernel
from hanalyze.kernels.masks import drop_lowest, lowest, popcount
from hanalyze.tables.conventions import CONVENTION_OPPORTUNITIES, CONVENTION_OUTCOMES, CONVENTIONS

FINDING: Final = lines("FINDING", CONVENTIONS)
OUTCOME: Final = lines("OUTCOME", CONVENTION_OUTCOMES)
OPPORTUNITY: Final = lines("OPPORTUNITY", CONVENTION_OPPORTUNITIES)

_LEVELS: Final = np.array([convention.level for convention in Convention], np.int64)
_CARDS: Final = 6


class Rows(NamedTuple):
    """Arrays for findings and their outcomes, both of shape (lines, rows) and int64."""

    findings: Ints
    outcomes: Ints


def room_for(findings: int) -> Rows:
    """Return arrays with room for `findings` findings."""
    width = sum(column.width for column in CONVENTIONS)
    return Rows(zero_rows(width, findings, np.int64), zero_rows(len(CONVENTION_OUTCOMES), findings, np.int64))


@kernel
def write_finding(
    game: Game, state: ConventionState, rows: Rows, name: int, receiver: int, focus: int, expects: bool
) -> int:
    """Write a finding of the current action; return its row, or -1 if there is no room.

    `expects` is set if later turns decide the outcome. Steps, marked cards, readings and fault are written
    only for the first finding of an action.
    """
    row, number = state.row, state.number
    state.row += 1
    state.number += 1
    findings, outcomes = rows.findings, rows.outcomes
    if row >= room_in(findings):
        return -1
    verdict = state.verdict
    is_main = number == 0
    identity = game.identity[focus] if focus >= 0 else -1
    findings[FINDING.turn, row] = game.turn
    findings[FINDING.number, row] = number
    findings[FINDING.seat, row] = game.seat
    findings[FINDING.convention, row] = name
    findings[FINDING.level, row] = _LEVELS[findings[FINDING.convention, row]]
    findings[FINDING.certainty, row] = verdict.certainty
    findings[FINDING.receiver, row] = receiver
    findings[FINDING.focus, row] = focus
    findings[FINDING.focus_suit, row] = identity // RANK_SLOTS if identity >= 0 else -1
    findings[FINDING.focus_rank, row] = identity % RANK_SLOTS if identity >= 0 else -1
    seats = 1 << game.place[focus] if focus >= 0 else 0
    findings[FINDING.seats, row] = seats | _write_cards(game, state, findings, row, is_main)
    findings[FINDING.readings, row] = verdict.readings if is_main else 0
    findings[FINDING.legal, row] = verdict.legal
    findings[FINDING.reasons, row] = verdict.reasons
    findings[FINDING.stall_severity, row] = state.turn_view.stall_severity
    findings[FINDING.worth, row] = verdict.worth
    findings[FINDING.bad_touch, row] = verdict.bad
    findings[FINDING.steps, row] = verdict.chain.length if is_main else 0
    outcomes[OUTCOME.turn, row] = game.turn
    outcomes[OUTCOME.number, row] = number
    outcomes[OUTCOME.outcome, row] = OutcomeKind.OPEN if expects else OutcomeKind.NOTHING_EXPECTED
    outcomes[OUTCOME.closed_turn, row] = -1
    outcomes[OUTCOME.followed, row] = 0
    outcomes[OUTCOME.deferrals, row] = 0
    outcomes[OUTCOME.strikes, row] = 0
    outcomes[OUTCOME.fault, row] = verdict.fault if is_main else 0
    outcomes[OUTCOME.fault_seat, row] = verdict.fault_seat if is_main else -1
    outcomes[OUTCOME.fault_rule, row] = verdict.fault_rule if is_main else 0
    outcomes[OUTCOME.fault_turn, row] = verdict.fault_turn if is_main else -1
    outcomes[OUTCOME.unfixed_seat, row] = verdict.unfixed_seat if is_main else -1
    outcomes[OUTCOME.unfixed_turn, row] = verdict.unfixed_turn if is_main else -1
    outcomes[OUTCOME.late_points, row] = verdict.late_points if is_main else -1
    return row


@kernel
def _write_cards(game: Game, state: ConventionState, findings: Ints, row: int, is_main: bool) -> int:
    """Write the cards of the steps, then the marked ones; return their holders as a mask."""
    chain = state.verdict.chain
    seats = 0
    place = 0
    if is_main:
        for step in range(min(chain.length, _CARDS)):
            findings[FINDING.cards + place, row] = chain.steps[step].order
            seats |= 1 << chain.steps[step].seat
            place += 1
        cards = state.verdict.marked_cards
        while cards and place < _CARDS:
            order = lowest(cards)
            cards = drop_lowest(cards)
            findings[FINDING.cards + place, row] = order
            seats |= 1 << game.place[order]
            place += 1
    for rest in range(place, _CARDS):
        findings[FINDING.cards + rest, row] = -1
    return seats


@inlined_kernel
def close_row(outcomes: Ints, row: int, outcome: int, turn: int) -> None:
    """Write the outcome of a finding if it is still open; `row` is -1 if there is none."""
    if 0 <= row < room_in(outcomes) and outcomes[OUTCOME.outcome, row] == OutcomeKind.OPEN:
        outcomes[OUTCOME.outcome, row] = outcome
        outcomes[OUTCOME.closed_turn, row] = turn


@inlined_kernel
def count_in_row(outcomes: Ints, line: int, row: int) -> None:
    """Add 1 to a line of the outcomes; `row` is -1 if there is no finding."""
    if 0 <= row < room_in(outcomes):
        outcomes[line, row] += 1


@inlined_kernel
def write_opportunities(game: Game, state: ConventionState, opportunities: Ints, row: int) -> None:
    """Write the opportunities of the player to move."""
    view, offers = state.turn_view, state.offers
    own = view.cards[game.seat]
    playable = view.playable_now | view.called & state.common.blind | _deduced_plays(game)
    playable &= ~view.known_trash
    opportunities[OPPORTUNITY.turn, row] = game.turn
    opportunities[OPPORTUNITY.seat, row] = game.seat
    opportunities[OPPORTUNITY.stall_severity, row] = view.stall_severity
    opportunities[OPPORTUNITY.clues, row] = offers.legal_clues
    opportunities[OPPORTUNITY.available, row] = offers.available
    opportunities[OPPORTUNITY.available_more, row] = offers.available_more
    opportunities[OPPORTUNITY.best_worth, row] = offers.best
    opportunities[OPPORTUNITY.known_playable, row] = popcount(playable & own)
    opportunities[OPPORTUNITY.known_trash, row] = popcount(view.known_trash & own)
    _write_slots(game, state, opportunities, row, playable)
    _write_last_moves(game, state, opportunities, row)
    _write_best_clue(game, state, opportunities, row)


@kernel
def _deduced_plays(game: Game) -> int:
    """Return the cards of the player to move that clues and visible cards prove to be playable."""
    plays = 0
    for i in range(game.hand_len[game.seat]):
        if game.know.known[game.seat][i] & ~game.playable == 0:
            plays |= 1 << game.hands[game.seat][i]
    return plays


@inlined_kernel
def _write_slots(game: Game, state: ConventionState, opportunities: Ints, row: int, playable: int) -> None:
    """Write the slots of the playable cards, the trash, the due card and the chop of the player to move."""
    view, common, seat = state.turn_view, state.common, game.seat
    opportunities[OPPORTUNITY.playable_slots, row] = 0
    opportunities[OPPORTUNITY.trash_slots, row] = 0
    opportunities[OPPORTUNITY.chop_slot, row] = -1
    opportunities[OPPORTUNITY.due_slot, row] = -1
    opportunities[OPPORTUNITY.due_turn, row] = -1
    opportunities[OPPORTUNITY.due_seat, row] = -1
    due_turn = game.turn + 1
    for i in range(game.hand_len[seat]):
        order = game.hands[seat][i]
        slot = game.hand_len[seat] - i
        opportunities[OPPORTUNITY.playable_slots, row] |= (playable >> order & 1) << slot - 1
        opportunities[OPPORTUNITY.trash_slots, row] |= (view.known_trash >> order & 1) << slot - 1
        if order == view.chop[seat]:
            opportunities[OPPORTUNITY.chop_slot, row] = slot
        due = view.called >> order & 1 and view.belief[order] & game.playable
        if due and common.source_turn[order] < due_turn:
            due_turn = common.source_turn[order]
            opportunities[OPPORTUNITY.due_slot, row] = slot
            opportunities[OPPORTUNITY.due_turn, row] = due_turn
            opportunities[OPPORTUNITY.due_seat, row] = common.source_seat[order]


@inlined_kernel
def _write_last_moves(game: Game, state: ConventionState, opportunities: Ints, row: int) -> None:
    """Write the moves near the end of the game that keep the most points within reach."""
    sound = sound_moves(game, state)
    is_near = sound >= 0
    slots = (1 << DISCARD_BIT) - 1
    opportunities[OPPORTUNITY.last_plays, row] = sound & slots if is_near else -1
    opportunities[OPPORTUNITY.last_discard, row] = sound >> DISCARD_BIT & 1 if is_near else -1
    opportunities[OPPORTUNITY.last_clue, row] = sound >> CLUE_BIT & 1 if is_near else -1


@inlined_kernel
def _write_best_clue(game: Game, state: ConventionState, opportunities: Ints, row: int) -> None:
    offers = state.offers
    has_clue = offers.clue_rank >= 0
    opportunities[OPPORTUNITY.clue_convention, row] = offers.clue_name if has_clue else 255
    opportunities[OPPORTUNITY.clue_receiver, row] = offers.clue_receiver if has_clue else -1
    by_rank = 1 if offers.clue_kind == RANK_CLUE else 0
    opportunities[OPPORTUNITY.clue_kind, row] = by_rank if has_clue else 255
    opportunities[OPPORTUNITY.clue_value, row] = offers.clue_value if has_clue else -1
    opportunities[OPPORTUNITY.clue_focus, row] = offers.clue_focus if has_clue else -1
    number = game.identity[offers.clue_focus] if has_clue else -1
    opportunities[OPPORTUNITY.clue_suit, row] = number // RANK_SLOTS if number >= 0 else -1
    opportunities[OPPORTUNITY.clue_rank, row] = number % RANK_SLOTS if number >= 0 else -1
    opportunities[OPPORTUNITY.clue_saves, row] = offers.clue_saves if has_clue else -1
    opportunities[OPPORTUNITY.clue_fixes, row] = offers.clue_fixes if has_clue else -1
    opportunities[OPPORTUNITY.clue_stalls, row] = offers.clue_stalls if has_clue else -1
    for place in range(OFFERED_CALLS):
        opportunities[OPPORTUNITY.clue_gets + place, row] = offers.clue_gets[place] if has_clue else -1
