"""What one action means: judged, written down, and remembered for the messages to come.

In: a game before an action, what conventions keep of it, and the action. Out: rows of findings and outcomes,
and what all players know after it. Nothing here reads a later turn: outcomes of earlier findings are written
when a turn settles them.
"""

from __future__ import annotations

from hanalyze.conventions.alternatives import keep_alternatives, settle_alternatives
from hanalyze.conventions.calls import follow_calls, keep_card, open_call
from hanalyze.conventions.classes import (
    CALLS,
    EMERGENCIES,
    MARKING,
    NAMING,
    PUSHES,
    SAVES,
    SIGNALS,
    STALLS,
    better_stalls,
    is_any,
)
from hanalyze.conventions.clue import is_number, set_clue
from hanalyze.conventions.clues import judge_clue
from hanalyze.conventions.common_knowledge import forget_card, note_source
from hanalyze.conventions.elimination import (
    note_copy,
    note_implied,
    note_passing,
    shrink_by_clue,
    shrink_by_leaving,
)
from hanalyze.conventions.faults import find_fault, note_clue, note_play
from hanalyze.conventions.focus import may_be, stale_one
from hanalyze.conventions.hands import elsewhere, free_behind
from hanalyze.conventions.inferences import find_readings
from hanalyze.conventions.moves import judge_discard, judge_play
from hanalyze.conventions.out_of_order import tell_order
from hanalyze.conventions.rows import Rows, close_row, write_finding
from hanalyze.conventions.saving import weigh_saving
from hanalyze.conventions.state import Reading, is_undefined
from hanalyze.conventions.verdict import allow, has_reason, keep_readings, note_all, refuse
from hanalyze.engine.game import Game
from hanalyze.engine.step import touched_indices
from hanalyze.game.actions import CLUED, COLOUR_CLUE, DISCARD, DISCARDED, MISPLAYED, PLAY, PLAYED, RANK_CLUE
from hanalyze.game.meanings import Convention, OutcomeKind, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest


@kernel
def read_action(game: Game, reading: Reading, rows: Rows, kind: int, target: int, value: int) -> None:
    """Read an action of the player to move before it is carried out; the turn was looked at."""
    if kind in (COLOUR_CLUE, RANK_CLUE):
        read_clue(game, reading, rows, kind, target, value, touched_mask(game, target, kind, value))
    elif kind in (PLAY, DISCARD):
        read_leaving(game, reading, rows, kind, target)


@kernel
def touched_mask(game: Game, seat: int, kind: int, value: int) -> int:
    """Return the cards of a hand that a clue touches, as a mask of orders."""
    indices = touched_indices(game, seat, kind, value)
    mask = 0
    for i in range(game.hand_len[seat]):
        mask |= (indices >> i & 1) << game.hands[seat][i]
    return mask


# --- clues --------------------------------------------------------------------------------------------------


@kernel
def read_clue(
    game: Game, reading: Reading, rows: Rows, kind: int, receiver: int, value: int, touched: int
) -> None:
    """Read a clue that touches the cards `touched`."""
    clue, verdict, told = reading.clue, reading.verdict, reading.told
    reading.number = 0
    set_clue(game, clue, receiver, kind, value, touched)
    if is_undefined(game) or receiver == game.seat or clue.identities < 0:
        _read_undefined_clue(game, reading, rows)
        return
    judge_clue(game, reading, True)
    taken, misled = _find_taken(game, reading)
    _weigh_clue(game, reading, rows)
    name, focus = verdict.name, verdict.focus
    saves = is_any(name, SAVES) or name == Convention.LOCKED_HAND_SAVE
    calls = misled or is_any(name, CALLS | SIGNALS | PUSHES)
    calls = calls or name in (Convention.DISTRIBUTION_CLUE, Convention.OUT_OF_ORDER_CLUE)
    expects = calls or saves or verdict.marked != 0
    row = write_finding(game, reading, rows, name, receiver, focus, expects)
    _write_more(game, reading, rows, receiver)
    _remember_clue(game, reading, taken)
    _remember_moved(game, reading, rows, row)
    if saves:
        keep_card(reading, rows.outcomes, focus, row, game.turn)
        if verdict.showing:
            open_call(game, reading, rows.outcomes, -1, receiver, focus)
    elif calls:
        open_call(game, reading, rows.outcomes, row, receiver, -1 if is_any(name, PUSHES) else focus)
        keep_alternatives(game, reading)
    shrink_by_clue(game, reading)
    told.screamed &= ~(1 << game.seat)
    told.just_lost = -1
    told.passed = 0


@kernel
def _read_undefined_clue(game: Game, reading: Reading, rows: Rows) -> None:
    """Read a clue that conventions say nothing of: to oneself, or in a variant that tells too little."""
    clue = reading.clue
    set_clue(game, clue, clue.receiver, clue.kind, clue.value, 0)
    judge_clue(game, reading, True)
    allow(reading.verdict, Reason.UNDEFINED_HERE)
    write_finding(game, reading, rows, Convention.UNEXPLAINED, clue.receiver, -1, False)
    follow_calls(game, reading, rows.outcomes, -1, CLUED, False, True)
    reading.told.just_lost = -1


@kernel
def _find_taken(game: Game, reading: Reading) -> tuple[int, bool]:
    """Return what the receiver takes the focus for, 0 for all that it can be, and whether that misleads.

    A clue that nothing explains misleads a receiver who takes it for a call.
    """
    clue, look, verdict = reading.clue, reading.look, reading.verdict
    name, focus = verdict.name, verdict.focus
    taken = 0
    if name == Convention.DISTRIBUTION_CLUE:
        taken = look.sees[focus] & clue.identities & (look.hypo_playable | look.hypo_played)
        keep_readings(verdict, taken)
    if focus >= 0 and is_any(name, STALLS):
        keep_readings(verdict, may_be(game, reading))
    if is_any(name, SIGNALS):
        # Until the called card is played, the receiver takes the focus for a good one.
        taken = may_be(game, reading)
    if name == Convention.OUT_OF_ORDER_CLUE:
        taken = may_be(game, reading) & look.hypo_playable
        keep_readings(verdict, taken)
    misled = (
        name == Convention.UNEXPLAINED
        and focus >= 0
        and clue.newly >> focus & 1 != 0
        and game.identity[focus] >= 0
    )
    if verdict.second == Convention.ELIMINATION:
        taken = verdict.readings
    elif misled or is_any(name, CALLS | SAVES | 1 << Convention.TEMPO_CHOP_MOVE):
        taken = find_readings(game, reading)
    return taken, misled and (verdict.chain.length > 0 or taken & ~look.hypo_playable == 0)


@kernel
def _weigh_clue(game: Game, reading: Reading, rows: Rows) -> None:
    """Say what speaks against a clue, beside what it means: calls that wait, its worth, chops at risk."""
    look, offers, verdict = reading.look, reading.offers, reading.verdict
    name = verdict.name
    stall = is_any(name, STALLS)
    by_five = name == Convention.FIVE_STALL
    if stall and offers.best > 0 and not (by_five and offers.may_be_left):
        refuse(verdict, Reason.BETTER_CLUE)
    if by_five:
        reading.told.five_stalls += 1
    excused = verdict.chain.blind > 0 or name == Convention.FIX_CLUE or is_any(name, SAVES)
    note_all(verdict, follow_calls(game, reading, rows.outcomes, -1, CLUED, False, excused))
    if has_reason(verdict, Reason.STOMP) and name != Convention.FIX_CLUE:
        refuse(verdict, Reason.STOMP)
    worthless = verdict.worth <= 0 and verdict.chain.length == 0 and not look.end_phase
    for_itself = name in (Convention.FIX_CLUE, Convention.TEMPO_CHOP_MOVE, Convention.DISTRIBUTION_CLUE)
    if worthless and not for_itself and not (stall and verdict.legal):
        refuse(verdict, Reason.NO_VALUE)
    if stall and offers.stalls & better_stalls(name):
        refuse(verdict, Reason.BETTER_CLUE)
    weigh_saving(game, reading, CLUED, -1)


@kernel
def _remember_clue(game: Game, reading: Reading, taken: int) -> None:
    """Remember what a clue said: the focus is one of `taken`, newly touched cards are copies of no others."""
    clue, look, told, verdict = reading.clue, reading.look, reading.told, reading.verdict
    focus = verdict.focus
    fixed = verdict.name == Convention.FIX_CLUE
    held = elsewhere(game, look, clue.receiver)
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        if clue.newly & ~look.gotten & 1 << order:
            told.inferred[order] = ~held
            told.got_turn[order] = game.turn
    if focus >= 0:
        told.focused |= 1 << focus
    ignites = verdict.name == Convention.CHOP_MOVE_IGNITION
    if ignites:
        # Even if nobody answers, it is not discarded.
        told.chop_moved |= 1 << verdict.chain.steps[verdict.chain.length - 1].order
    if is_any(verdict.name, MARKING) or (ignites and not is_number(clue, 5)):
        told.told_trash |= clue.newly
    stale = stale_one(game, reading)
    if stale >= 0:
        told.told_trash |= 1 << stale
    told.left = 0
    if fixed:
        told.blind &= ~(1 << focus)
        told.inferred[focus] = -1
        tell_order(game, reading)
    if taken:
        told.inferred[focus] = taken
        told.deep[focus] = verdict.deep
    if verdict.second == Convention.TIME_TRAVEL_CHOP_MOVE:
        told.travelling |= 1 << focus
    if verdict.bad:
        note_implied(game, reading)
    note_clue(game, reading, fixed or taken != 0)


@kernel
def _write_more(game: Game, reading: Reading, rows: Rows, receiver: int) -> None:
    """Write what an action means beside what it mainly means: a second convention, a deferral."""
    verdict = reading.verdict
    if verdict.second >= 0:
        write_finding(game, reading, rows, verdict.second, receiver, verdict.focus, False)
    if has_reason(verdict, Reason.LATE) or has_reason(verdict, Reason.LEGAL_DEFERRAL):
        write_finding(game, reading, rows, Convention.DEFERRAL, -1, -1, False)


@kernel
def _remember_moved(game: Game, reading: Reading, rows: Rows, row: int) -> None:
    """Keep the cards that a message chop moves, and let their fate be written to its row."""
    moved = reading.verdict.marked
    reading.told.chop_moved |= moved
    while moved:
        keep_card(reading, rows.outcomes, lowest(moved), row, game.turn)
        moved = drop_lowest(moved)


# --- plays and discards -------------------------------------------------------------------------------------


@kernel
def read_leaving(game: Game, reading: Reading, rows: Rows, kind: int, order: int) -> None:
    """Read the play or the discard of a card whose identity is known by now."""
    look, told, verdict = reading.look, reading.told, reading.verdict
    reading.number = 0
    if game.place[order] != game.seat:
        # From the deck: nobody can have meant anything by it.
        told.just_lost = -1
        return
    number = game.identity[order]
    result = _judge_leaving(game, reading, kind, order)
    name = verdict.name
    passed = is_any(name, NAMING)
    excused = is_any(name, NAMING | EMERGENCIES)
    note_all(verdict, follow_calls(game, reading, rows.outcomes, order, result, passed, excused))
    weigh_saving(game, reading, result, number)
    expects = verdict.marked != 0 or verdict.chain.length > 0
    row = write_finding(game, reading, rows, name, _told_seat(game, reading), order, expects)
    _write_more(game, reading, rows, -1)
    if result == PLAYED:
        note_play(game, reading, order, number)
        if told.travelling >> order & 1:
            told.chop_moved |= free_behind(game, look, game.seat, order, told.chop_moved)
    _settle_fate(game, reading, rows, order, result)
    if name == Convention.SARCASTIC_DISCARD:
        _remember_transfer(game, reading, rows, number, row)
    else:
        _remember_moved(game, reading, rows, row)
        if verdict.chain.length > 0:
            open_call(game, reading, rows.outcomes, row, -1, -1)
    settle_alternatives(game, reading, order, number)
    told.screamed &= ~(1 << game.seat)
    if is_any(name, EMERGENCIES):
        told.screamed |= 1 << ((game.seat + 1) % game.seats)
    forget_card(told, order)
    shrink_by_leaving(game, reading, order)
    if result == DISCARDED:
        note_copy(game, reading, order)
    note_passing(game, reading)
    _note_loss(game, reading, number, result)
    unknown = not (look.known_trash | look.gotten) >> order & 1
    if result == DISCARDED and name == Convention.PLAIN_DISCARD and unknown:
        if told.early:
            _note_left(game, reading)
        told.early = 0


@kernel
def _note_left(game: Game, reading: Reading) -> None:
    """Remember what the player to move, who ends the early game, saw and left unclued.

    What the player before holds all others could clue, too.
    """
    look, told = reading.look, reading.told
    told.left = 0
    told.left_turn = game.turn
    if game.tokens < game.variant.token_unit or look.playable_now & look.cards[game.seat]:
        return
    before = (game.seat + game.seats - 1) % game.seats
    for seat in range(game.seats):
        if seat not in (game.seat, before):
            told.left |= look.cards[seat] & ~look.gotten


@kernel
def _judge_leaving(game: Game, reading: Reading, kind: int, order: int) -> int:
    """Judge a play or a discard, with the fault for a misplay, and return what comes of it."""
    number = game.identity[order]
    fits = game.playable >> number & 1 != 0
    if kind == PLAY:
        judge_play(game, reading, order, fits)
        result = PLAYED if fits else MISPLAYED
    else:
        judge_discard(game, reading, order)
        result = DISCARDED
    if is_undefined(game):
        allow(reading.verdict, Reason.UNDEFINED_HERE)
    elif result == MISPLAYED:
        find_fault(game, reading, order, number)
    return result


@kernel
def _told_seat(game: Game, reading: Reading) -> int:
    """Return the seat that a message in a play or a discard is for, -1 if there is none."""
    verdict = reading.verdict
    if verdict.marked:
        return game.place[lowest(verdict.marked)]
    if verdict.chain.length:
        return verdict.chain.steps[verdict.chain.length - 1].seat
    return -1


@kernel
def _settle_fate(game: Game, reading: Reading, rows: Rows, order: int, result: int) -> None:
    """Write what became of a card that a message kept."""
    row = reading.told.save_row[order]
    reading.told.save_row[order] = -1
    if result == PLAYED:
        outcome = OutcomeKind.SUCCESS
    elif result == DISCARDED and not reading.look.needed >> game.identity[order] & 1:
        outcome = OutcomeKind.SUPERSEDED
    else:
        outcome = OutcomeKind.FAILED
    close_row(rows.outcomes, row, outcome, game.turn)


@kernel
def _remember_transfer(game: Game, reading: Reading, rows: Rows, number: int, row: int) -> None:
    """Remember the card that a discard named, a copy of the discarded `number`."""
    told, cards = reading.told, reading.verdict.marked
    if cards == 0:
        return
    card = lowest(cards)
    told.transferred |= cards
    if not reading.look.gotten & cards:
        told.got_turn[card] = game.turn
    told.inferred[card] = 1 << number
    note_source(told, card, game.turn, game.seat, 1 << number, 0)
    keep_card(reading, rows.outcomes, card, row, game.turn)


@kernel
def _note_loss(game: Game, reading: Reading, number: int, result: int) -> None:
    """Note the needed identity of which an action leaves one copy."""
    one_left = game.lost[number] + 1 == game.variant.copies[number] - 1
    lost = result != PLAYED and one_left and reading.look.needed >> number & 1
    reading.told.just_lost = number if lost else -1
