"""The reading of one action: its meaning, the rows to write, and inferences for later messages."""

from __future__ import annotations

from hanalyze.conventions.calls import follow_calls
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
from hanalyze.conventions.clues import judge_clue
from hanalyze.conventions.common_knowledge import forget_card, note_source
from hanalyze.conventions.elimination import note_copy, note_implied, shrink_by_clue, shrink_by_leaving
from hanalyze.conventions.ending import late_points
from hanalyze.conventions.faults import find_fault, note_clue, note_play, note_unfixed
from hanalyze.conventions.focus import may_be, stale_one
from hanalyze.conventions.focus_exceptions import tell_order
from hanalyze.conventions.inferences import (
    find_readings,
    keep_alternatives,
    note_indirect_fixes,
    settle_alternatives,
)
from hanalyze.conventions.moves import judge_discard, judge_play
from hanalyze.conventions.open_calls import close_refuted_calls, is_guided, keep_card, open_call
from hanalyze.conventions.opportunities import weigh_saving
from hanalyze.conventions.rows import Rows, close_row, write_finding
from hanalyze.conventions.state import (
    ConventionState,
    begin_verdict,
    is_number,
    is_undefined,
    refuse,
    set_clue,
)
from hanalyze.conventions.turn_view import free_behind
from hanalyze.conventions.unclear_clues import tell_focus
from hanalyze.engine.game import Game, next_seat
from hanalyze.engine.rules import touched_indices
from hanalyze.engine.stacks import fits_after
from hanalyze.game.actions import CLUED, COLOUR_CLUE, DISCARD, DISCARDED, MISPLAYED, PLAY, PLAYED, RANK_CLUE
from hanalyze.game.meanings import Convention, OutcomeKind, Reason
from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.masks import lowest, members

kernel_module(__name__)


def read_action(game: Game, state: ConventionState, rows: Rows, kind: int, target: int, value: int) -> None:
    """Read an action of the player to move, after `begin_turn` and before it is carried out.

    `target` is the receiver's seat or the order of a card, `value` the colour or rank of a clue.
    """
    if kind in (COLOUR_CLUE, RANK_CLUE):
        read_clue(game, state, rows, kind, target, value, touched_mask(game, target, kind, value))
    elif kind in (PLAY, DISCARD):
        read_leaving(game, state, rows, kind, target)


def touched_mask(game: Game, seat: int, kind: int, value: int) -> int:
    """Return the cards of a hand that a clue touches, as a mask of orders."""
    indices = touched_indices(game, seat, kind, value)
    mask = 0
    for i in range(game.hand_len[seat]):
        mask |= (indices >> i & 1) << game.hands[seat][i]
    return mask


# --- clues --------------------------------------------------------------------------------------------------


def read_clue(
    game: Game, state: ConventionState, rows: Rows, kind: int, receiver: int, value: int, touched: int
) -> None:
    """Read a clue before it is given; `touched` is a mask of the cards that it touches."""
    clue, verdict, common = state.clue, state.verdict, state.common
    state.number = 0
    set_clue(game, clue, receiver, kind, value, touched)
    if is_undefined(game) or receiver == game.seat or clue.identities < 0:
        _read_undefined_clue(game, state, rows)
        return
    if state.turn_view.hidden and clue.touched:
        close_refuted_calls(game, state, rows.outcomes)
    judge_clue(game, state, True)
    interpretation, misled = _find_interpretation(game, state)
    _weigh_clue(game, state, rows)
    name, focus = verdict.name, verdict.focus
    saves = is_any(name, SAVES) or name == Convention.LOCKED_HAND_SAVE
    calls = misled or is_any(name, CALLS | SIGNALS | PUSHES)
    calls = calls or name in (Convention.DISTRIBUTION_CLUE, Convention.OUT_OF_ORDER_CLUE)
    expects = calls or saves or verdict.marked_cards != 0
    row = write_finding(game, state, rows, name, receiver, focus, expects)
    _write_more(game, state, rows, receiver)
    _remember_clue(game, state, interpretation)
    _remember_moved(game, state, rows, row)
    if saves:
        keep_card(state, rows.outcomes, focus, row, game.turn)
        if verdict.showing_seats:
            open_call(game, state, rows.outcomes, -1, receiver, focus)
    elif calls:
        open_call(game, state, rows.outcomes, row, receiver, -1 if is_any(name, PUSHES) else focus)
        keep_alternatives(game, state)
    shrink_by_clue(game, state)
    common.told_seat = receiver
    _note_unplayed(game, state, CLUED)
    common.seats_to_clue &= ~(1 << game.seat)
    common.just_lost = -1
    common.declined_clue = 0


def _read_undefined_clue(game: Game, state: ConventionState, rows: Rows) -> None:
    """Read a clue outside the conventions: to the giver's own hand, or in an unsupported variant."""
    clue = state.clue
    set_clue(game, clue, clue.receiver, clue.kind, clue.value, 0)
    judge_clue(game, state, True)
    state.verdict.reasons = 1 << Reason.UNDEFINED_HERE
    state.verdict.legal = 1
    write_finding(game, state, rows, Convention.UNEXPLAINED, clue.receiver, -1, False)
    follow_calls(game, state, rows.outcomes, -1, CLUED, False, True)
    state.common.just_lost = -1


def _find_interpretation(game: Game, state: ConventionState) -> tuple[int, bool]:
    """Return the identities that the receiver infers for the focus (0: none), and whether the clue misleads.

    An unexplained clue misleads a receiver who takes it for a call.
    """
    clue, view, verdict = state.clue, state.turn_view, state.verdict
    name, focus = verdict.name, verdict.focus
    interpretation = 0
    if name == Convention.DISTRIBUTION_CLUE:
        # The receiver takes the focus for a copy only if it cannot be another playable card.
        interpretation = may_be(game, state) & view.hypo_playable
        if interpretation == 0:
            interpretation = view.belief[focus] & clue.identities & (view.hypo_playable | view.hypo_played)
        verdict.readings = interpretation
    if focus >= 0 and is_any(name, STALLS):
        verdict.readings = may_be(game, state)
    if name == Convention.OUT_OF_ORDER_CLUE:
        interpretation = may_be(game, state) & view.hypo_playable
        verdict.readings = interpretation
    misled = (
        name == Convention.UNEXPLAINED
        and focus >= 0
        and clue.newly >> focus & 1 != 0
        and game.identity[focus] >= 0
    )
    if verdict.second == Convention.ELIMINATION:
        interpretation = verdict.readings
    elif misled or is_any(name, CALLS | SAVES | SIGNALS | 1 << Convention.TEMPO_CHOP_MOVE):
        interpretation = find_readings(game, state)
    return interpretation, misled and (verdict.chain.length > 0 or interpretation & ~view.hypo_playable == 0)


def _weigh_clue(game: Game, state: ConventionState, rows: Rows) -> None:
    """Note reasons against a clue: a better clue, a stomped call, no value, or a chop left at risk."""
    view, offers, verdict = state.turn_view, state.offers, state.verdict
    name = verdict.name
    stall = is_any(name, STALLS)
    by_five = name == Convention.FIVE_STALL
    if stall and offers.best > 0 and not (by_five and offers.may_be_left):
        refuse(verdict, Reason.BETTER_CLUE)
    if by_five:
        state.common.five_stalls += 1
    saves = is_any(name, SAVES) and not is_guided(game, state)
    excused = verdict.chain.blind > 0 or name == Convention.FIX_CLUE or saves
    verdict.reasons |= follow_calls(game, state, rows.outcomes, -1, CLUED, False, excused)
    if verdict.reasons >> Reason.STOMP & 1 and name != Convention.FIX_CLUE:
        refuse(verdict, Reason.STOMP)
    worthless = verdict.worth <= 0 and verdict.chain.length == 0 and not view.end_phase
    for_itself = name in (Convention.FIX_CLUE, Convention.TEMPO_CHOP_MOVE, Convention.DISTRIBUTION_CLUE)
    if worthless and not for_itself and not (stall and verdict.legal):
        refuse(verdict, Reason.NO_VALUE)
    if stall and offers.stalls & better_stalls(name):
        refuse(verdict, Reason.BETTER_CLUE)
    weigh_saving(game, state, CLUED, -1)
    note_unfixed(game, state, state.clue.receiver if verdict.legal and is_any(name, CALLS) else -1)


def _remember_clue(game: Game, state: ConventionState, interpretation: int) -> None:
    """Record the inferences from a clue: `interpretation` for its focus, good touch for new cards."""
    clue, view, common, verdict = state.clue, state.turn_view, state.common, state.verdict
    focus = verdict.focus
    fixed = verdict.name == Convention.FIX_CLUE
    gotten_ids = view.elsewhere_ids[clue.receiver]
    for order in game.hands[clue.receiver][: game.hand_len[clue.receiver]]:
        if clue.newly & ~view.gotten & 1 << order:
            common.inferred[order] = ~gotten_ids
            common.got_turn[order] = game.turn
    common.left_plays &= ~clue.touched
    if focus >= 0:
        common.focus_cards |= 1 << focus
    ignites = verdict.name == Convention.CHOP_MOVE_IGNITION
    if ignites:
        # The card is chop moved even if nobody answers the call.
        common.chop_moved |= 1 << verdict.chain.steps[verdict.chain.length - 1].order
    if is_any(verdict.name, MARKING) or (ignites and not is_number(clue, 5)):
        common.trash_cards |= clue.newly
    stale = stale_one(game, state)
    if stale >= 0:
        common.trash_cards |= 1 << stale
    common.early_options = 0
    if fixed:
        common.blind &= ~(1 << focus)
        common.inferred[focus] = -1
        tell_order(state)
    if interpretation:
        common.inferred[focus] = interpretation
        common.deep[focus] = verdict.deep
    if verdict.second == Convention.TIME_TRAVEL_CHOP_MOVE:
        common.time_travel_cards |= 1 << focus
    if verdict.bad:
        note_implied(game, state)
    note_clue(game, state, fixed or interpretation != 0)
    note_indirect_fixes(game, state)


def _write_more(game: Game, state: ConventionState, rows: Rows, receiver: int) -> None:
    """Write further findings of an action: a second convention, a deferral."""
    verdict = state.verdict
    if verdict.second >= 0:
        write_finding(game, state, rows, verdict.second, receiver, verdict.focus, False)
    if verdict.reasons >> Reason.LATE & 1 or verdict.reasons >> Reason.LEGAL_DEFERRAL & 1:
        write_finding(game, state, rows, Convention.DEFERRAL, -1, -1, False)


def _remember_moved(game: Game, state: ConventionState, rows: Rows, row: int) -> None:
    """Chop move the marked cards, whose fate decides the outcome of the finding in `row`.

    A generation discard moves no chop: it leaves a token for a clue to the card.
    """
    moved_cards = state.verdict.marked_cards
    if state.verdict.name != Convention.GENERATION_DISCARD:
        state.common.chop_moved |= moved_cards
    for order in members(moved_cards):
        keep_card(state, rows.outcomes, order, row, game.turn)


# --- plays and discards -------------------------------------------------------------------------------------


def read_leaving(game: Game, state: ConventionState, rows: Rows, kind: int, order: int) -> None:
    """Read the play or discard of a card of known identity before it is carried out."""
    view, common, verdict = state.turn_view, state.common, state.verdict
    state.number = 0
    if game.place[order] != game.seat:
        # A play from the deck has no meaning.
        common.just_lost = -1
        return
    number = game.identity[order]
    common.told_seat = -1
    result = _judge_leaving(game, state, kind, order)
    name = verdict.name
    passes_on = is_any(name, NAMING)
    excused = is_any(name, NAMING | EMERGENCIES)
    verdict.reasons |= follow_calls(game, state, rows.outcomes, order, result, passes_on, excused)
    weigh_saving(game, state, result, number)
    note_unfixed(game, state, -1)
    expects = verdict.marked_cards != 0 or verdict.chain.length > 0
    row = write_finding(game, state, rows, name, _message_seat(game, state), order, expects)
    _write_more(game, state, rows, -1)
    if result == PLAYED:
        note_play(game, state, order, number)
        if verdict.reasons >> Reason.SUPPOSED_CALL & 1:
            tell_focus(game, state, order, number)
        if common.time_travel_cards >> order & 1:
            common.chop_moved |= free_behind(game, view, game.seat, order, common.chop_moved)
    _settle_fate(game, state, rows, order, result)
    if name == Convention.SARCASTIC_DISCARD:
        _remember_transfer(game, state, rows, number, row)
    else:
        _remember_moved(game, state, rows, row)
        if verdict.chain.length > 0:
            open_call(game, state, rows.outcomes, row, -1, -1)
    settle_alternatives(state, order, number)
    _note_unplayed(game, state, result)
    common.seats_to_clue &= ~(1 << game.seat)
    if is_any(name, EMERGENCIES):
        common.seats_to_clue |= 1 << next_seat(game.seat, game.seats)
    elif verdict.reasons >> Reason.PLAYABLE_HELD & 1:
        common.left_plays |= view.playable_now & view.cards[game.seat]
    forget_card(common, order)
    shrink_by_leaving(game, state, order)
    if result == DISCARDED:
        note_copy(game, state, order)
    if result != PLAYED and view.critical >> number & 1:
        _note_dead(game, state, number)
    declined = game.tokens >= game.variant.token_unit and name != Convention.BLIND_PLAY
    common.declined_clue = 1 if declined else 0
    # Remember the identity if it is still needed and the action leaves only one copy.
    one_left = game.lost[number] + 1 == game.variant.copies[number] - 1
    common.just_lost = number if result != PLAYED and one_left and view.needed >> number & 1 else -1
    unknown = not (view.known_trash | view.gotten) >> order & 1
    if result == DISCARDED and name == Convention.PLAIN_DISCARD and unknown:
        if common.early:
            _note_early_options(game, state)
        common.early = 0


def _note_unplayed(game: Game, state: ConventionState, result: int) -> None:
    """Note the playable cards of the player to move that an action with this result did not play.

    After a clue, a card counts only if its last message is more than a round old.
    """
    common, own = state.common, state.turn_view.cards[game.seat]
    common.left_unplayed &= ~own
    for order in members(state.turn_view.playable_now & own if result != PLAYED else 0):
        if result != CLUED or game.turn - common.source_turn[order] > game.seats:
            common.left_unplayed |= 1 << order


def _note_dead(game: Game, state: ConventionState, number: int) -> None:
    """After the last copy of `number` is lost, record the identities that no stack can reach any more."""
    common = state.common
    for _ in range(game.variant.stack_size):
        follows = fits_after(game, number)
        if follows == 0:
            return
        number = lowest(follows)
        if not common.dead_ids >> number & 1:
            common.dead_ids |= follows
            common.dead_turn[number] = game.turn


def _note_early_options(game: Game, state: ConventionState) -> None:
    """Record the ungotten cards that the player who ends the early game could have clued.

    None are recorded without a clue token, or if the player has a card to play. The hand of the previous
    player does not count, because all other players can clue it later.
    """
    view, common = state.turn_view, state.common
    common.early_options = 0
    common.early_turn = game.turn
    if game.tokens < game.variant.token_unit or view.playable_now & view.cards[game.seat]:
        return
    before = (game.seat + game.seats - 1) % game.seats
    for seat in range(game.seats):
        if seat not in (game.seat, before):
            common.early_options |= view.cards[seat] & ~view.gotten


def _judge_leaving(game: Game, state: ConventionState, kind: int, order: int) -> int:
    """Judge a play or a discard, and the fault for a misplay; return the result of the action."""
    number = game.identity[order]
    fits = game.playable >> number & 1 != 0
    result = DISCARDED if kind != PLAY else PLAYED if fits else MISPLAYED
    if is_undefined(game):
        begin_verdict(state.verdict, order, 0, state.turn_view.belief[order])
        state.verdict.name = Convention.PLAIN_PLAY if kind == PLAY else Convention.PLAIN_DISCARD
        state.verdict.reasons = 1 << Reason.UNDEFINED_HERE
    elif kind == PLAY:
        judge_play(game, state, order, fits)
        if not fits:
            find_fault(game, state, order, number)
    else:
        judge_discard(game, state, order)
    if result != PLAYED:
        state.verdict.late_points = late_points(game, state, order, 1 if result == DISCARDED else 0)
    return result


def _message_seat(game: Game, state: ConventionState) -> int:
    """Return the seat to which a play or a discard sends a message, -1 if there is none."""
    verdict = state.verdict
    if verdict.marked_cards:
        return game.place[lowest(verdict.marked_cards)]
    if verdict.chain.length:
        return verdict.chain.steps[verdict.chain.length - 1].seat
    return -1


def _settle_fate(game: Game, state: ConventionState, rows: Rows, order: int, result: int) -> None:
    """Write the outcome of the finding that saved, chop moved or named a card that leaves its hand."""
    row = state.common.save_row[order]
    state.common.save_row[order] = -1
    if result == PLAYED:
        outcome = OutcomeKind.SUCCESS
    elif result == DISCARDED and not state.turn_view.needed >> game.identity[order] & 1:
        outcome = OutcomeKind.SUPERSEDED
    else:
        outcome = OutcomeKind.FAILED
    close_row(rows.outcomes, row, outcome, game.turn)


def _remember_transfer(game: Game, state: ConventionState, rows: Rows, number: int, row: int) -> None:
    """Record the card that a discard named, a copy of the discarded `number`."""
    common, cards = state.common, state.verdict.marked_cards
    if cards == 0:
        return
    card = lowest(cards)
    common.transferred |= cards
    if not state.turn_view.gotten & cards:
        common.got_turn[card] = game.turn
    common.inferred[card] = 1 << number
    note_source(common, card, game.turn, game.seat, 1 << number, 0)
    keep_card(state, rows.outcomes, card, row, game.turn)
