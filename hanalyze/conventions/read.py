"""What one action means: judged, written down, and remembered for the messages to come.

In: a game before an action, the array of conventions, and the action. Out: rows of findings and outcomes,
and the array with what all players know after it. Nothing here reads a later turn: outcomes of earlier
findings are written when a turn settles them.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.calls import follow_calls, keep_card, note_source, open_call
from hanalyze.conventions.faults import find_fault, note_clue, note_play
from hanalyze.conventions.findings import O, close_row, write_finding
from hanalyze.conventions.hands import elsewhere, is_undefined
from hanalyze.conventions.judge import judge_clue
from hanalyze.conventions.leaving import judge_discard, judge_play
from hanalyze.conventions.readings import find_readings
from hanalyze.conventions.saving import left_to_others
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.step import (
    CLUED,
    COLOUR_CLUE,
    DISCARD,
    DISCARDED,
    MISPLAYED,
    PLAY,
    PLAYED,
    RANK_CLUE,
    clue_touch,
    touched_orders,
)
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest

__all__ = ["read_action", "read_clue", "read_leaving", "touched_mask"]


@kernel
def touched_mask(game: Game, seat: int, kind: int, value: int) -> int:
    """Return the cards of a hand that a clue touches, as a mask of orders."""
    indices = touched_orders(game, seat, kind, value)
    mask = 0
    for i in range(game.hand_len[seat]):
        mask |= (indices >> i & 1) << game.hands[seat][i]
    return int(mask)


@kernel
def _remember_touch(game: Game, v: Ints, receiver: int, newly: int) -> None:
    """Let the receiver take newly touched cards for none that is gotten already."""
    held = elsewhere(game, v, receiver)
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        if newly >> order & 1 and not v[at.GOTTEN] >> order & 1:
            v[at.INFERRED + order] = ~held
            v[at.GOT_TURN + order] = game.turn


@kernel
def _is_play(name: int) -> bool:
    return codes.PLAY_CLUE <= name <= codes.SELF_BLUFF or name in (codes.TEMPO_CLUE, codes.TEMPO_CLUE_STALL)


@kernel
def read_clue(
    game: Game, v: Ints, found: Ints, fates: Ints, kind: int, receiver: int, value: int, touched: int
) -> None:
    """Read a clue that touches the cards `touched`."""
    giver = game.seat
    v[at.MENTIONED] = 0
    touch = clue_touch(game, kind, value)
    if is_undefined(game) or receiver == giver or touch < 0:
        judge_clue(game, v, giver, receiver, kind, value, 0, 0, True)
        v[at.WHY] = codes.UNDEFINED_HERE
        v[at.LEGAL] = 1
        write_finding(game, v, found, fates, codes.UNEXPLAINED, receiver, -1, 0, 0)
        follow_calls(game, v, fates, -1, CLUED, 0, False, True)
        v[at.JUST_LOST] = -1
        return
    judge_clue(game, v, giver, receiver, kind, value, touch, touched, True)
    name = v[at.MAIN]
    focus = v[at.FOCUS]
    newly = v[at.NEWLY]
    taken = 0
    misled = name == codes.UNEXPLAINED and focus >= 0 and newly >> focus & 1 and game.identity[focus] >= 0
    if name == codes.DISTRIBUTION_CLUE:
        taken = v[at.SEES + focus] & touch & (v[at.HYPO_PLAYABLE] | v[at.HYPO_PLAYED])
        v[at.READINGS] = taken
    if misled or _is_play(name) or name == codes.TEMPO_CHOP_MOVE:
        taken = find_readings(game, v, giver, receiver, kind, value, touch)
    # What the receiver takes for a call is one, though it is false.
    misled = misled and (v[at.STEPS] > 0 or taken & ~v[at.HYPO_PLAYABLE] == 0)
    _weigh_stall(v, name)
    if name == codes.FIVE_STALL:
        v[at.FIVE_STALLS] += 1
    excused = v[at.BLIND] > 0 or name in (
        codes.FIVE_SAVE,
        codes.TWO_SAVE,
        codes.CRITICAL_SAVE,
        codes.FIX_CLUE,
    )
    v[at.WHY] |= follow_calls(game, v, fates, -1, CLUED, touched, False, excused)
    if v[at.WHY] & codes.STOMP and name != codes.FIX_CLUE:
        v[at.LEGAL] = 0
    _weigh_value(v, name)
    _weigh_saving(game, v, CLUED, receiver, -1)
    saves = (codes.FIVE_SAVE <= name <= codes.CRITICAL_SAVE) or name == codes.LOCKED_HAND_SAVE
    calls = _is_play(name) or misled or name in (codes.TRASH_PUSH, codes.DISTRIBUTION_CLUE)
    expects = calls or v[at.MOVED] != 0 or saves
    row = write_finding(game, v, found, fates, name, receiver, focus, v[at.MOVED], 1 if expects else 0)
    if v[at.SECOND] >= 0:
        write_finding(game, v, found, fates, v[at.SECOND], receiver, focus, 0, 0)
    if v[at.WHY] & (codes.LATE | codes.LEGAL_DEFERRAL):
        write_finding(game, v, found, fates, codes.DEFERRAL, -1, -1, 0, 0)
    _remember_touch(game, v, receiver, newly)
    if focus >= 0:
        v[at.FOCUSED] |= 1 << focus
    if name == codes.TRASH_CHOP_MOVE:
        v[at.TOLD_TRASH] |= newly
    if name == codes.FIX_CLUE:
        v[at.FINESSED] &= ~(1 << focus)
        v[at.INFERRED + focus] = -1
    if taken:
        v[at.INFERRED + focus] = taken
    note_clue(game, v, receiver, newly, name == codes.FIX_CLUE or taken != 0)
    _remember_moved(game, v, fates, v[at.MOVED], row)
    if saves:
        keep_card(v, fates, focus, row, game.turn)
    elif name == codes.TRASH_PUSH:
        v[at.FOCUS] = -1
        open_call(game, v, fates, row, receiver, name, -1)
    elif calls:
        open_call(game, v, fates, row, receiver, name, game.identity[focus])
    v[at.SCREAMED] &= ~(1 << giver)
    v[at.JUST_LOST] = -1


@kernel
def _weigh_value(v: Ints, name: int) -> None:
    """Refuse a clue that gets nothing, where nothing excuses that."""
    if v[at.WORTH] > 0 or v[at.END_PHASE] or v[at.STEPS] > 0:
        return
    if name in (codes.FIX_CLUE, codes.TEMPO_CHOP_MOVE, codes.DISTRIBUTION_CLUE):
        return
    stall = name == codes.FIVE_STALL or codes.LOCKED_HAND_SAVE <= name <= codes.HARD_BURN
    stall = stall or name in (codes.TEMPO_CLUE_STALL, codes.FILL_IN)
    if stall and v[at.LEGAL]:
        return
    v[at.WHY] |= codes.NO_VALUE
    v[at.LEGAL] = 0


@kernel
def _weigh_saving(game: Game, v: Ints, result: int, receiver: int, number: int) -> None:
    """Refuse an action by which the last chance to save a card is gone."""
    if v[at.SAVABLE]:
        reason = left_to_others(game, v, result, receiver, number)
        v[at.WHY] |= reason
        if reason == codes.SAVE_MISSED:
            v[at.LEGAL] = 0


@kernel
def _weigh_stall(v: Ints, name: int) -> None:
    """Say whether a stall is allowed: by its severity, and because nothing better could be clued."""
    stall = codes.FIVE_STALL <= name <= codes.HARD_BURN or name in (codes.TEMPO_CLUE_STALL, codes.FILL_IN)
    if stall and v[at.BEST] > 0 and not (name == codes.FIVE_STALL and v[at.MAY_BE_LEFT]):
        v[at.WHY] |= codes.BETTER_CLUE
        v[at.LEGAL] = 0


@kernel
def _remember_moved(game: Game, v: Ints, fates: Ints, moved: int, row: int) -> None:
    """Keep cards that a message chop moves, and let their fate be written to its row."""
    v[at.CHOP_MOVED] |= moved
    while moved:
        keep_card(v, fates, lowest(moved), row, game.turn)
        moved = drop_lowest(moved)


@kernel
def _settle_fate(game: Game, v: Ints, fates: Ints, order: int, number: int, result: int) -> None:
    """Write what became of a card that a message kept."""
    row = v[at.SAVE_ROW + order]
    if row < 0:
        return
    v[at.SAVE_ROW + order] = -1
    if result == PLAYED:
        status = codes.SUCCESS
    elif result == DISCARDED and not v[at.NEEDED] >> number & 1:
        status = codes.SUPERSEDED
    else:
        status = codes.FAILED
    close_row(fates, row, status, game.turn)


@kernel
def _told_seat(game: Game, v: Ints) -> int:
    """Return the seat that a message in a play or a discard is for, -1 if there is none."""
    if v[at.MOVED]:
        return int(game.place[lowest(v[at.MOVED])])
    if v[at.STEPS]:
        return int(v[at.STEP + (v[at.STEPS] - 1) * at.STEP_SIZE + at.STEP_SEAT])
    return -1


@kernel
def read_leaving(game: Game, v: Ints, found: Ints, fates: Ints, kind: int, order: int) -> None:
    """Read the play or the discard of a card whose identity is known by now."""
    v[at.MENTIONED] = 0
    seat = game.seat
    number = game.identity[order]
    fits = bool(game.playable >> number & 1)
    if game.place[order] != seat:
        # From the deck: nobody can have meant anything by it.
        v[at.JUST_LOST] = -1
        return
    if kind == PLAY:
        judge_play(game, v, order, fits)
        result = PLAYED if fits else MISPLAYED
    else:
        judge_discard(game, v, order)
        result = DISCARDED
    if is_undefined(game):
        v[at.WHY] = codes.UNDEFINED_HERE
        v[at.LEGAL] = 1
    name = v[at.MAIN]
    passed = codes.SARCASTIC_DISCARD <= name <= codes.BATON_DISCARD
    excused = passed or codes.SCREAM_DISCARD <= name <= codes.GENERATION_DISCARD
    expects = v[at.MOVED] != 0 or v[at.STEPS] > 0
    trash = v[at.KNOWN_TRASH] >> order & 1
    judged = result == MISPLAYED and not is_undefined(game)
    fault = find_fault(game, v, order, number) if judged else 0
    v[at.WHY] |= follow_calls(game, v, fates, order, result, 0, passed, excused)
    _weigh_saving(game, v, result, -1, number)
    row = write_finding(
        game, v, found, fates, name, _told_seat(game, v), order, v[at.MOVED], 1 if expects else 0
    )
    if v[at.SECOND] >= 0:
        write_finding(game, v, found, fates, v[at.SECOND], -1, order, 0, 0)
    if v[at.WHY] & (codes.LATE | codes.LEGAL_DEFERRAL):
        write_finding(game, v, found, fates, codes.DEFERRAL, -1, -1, 0, 0)
    if fault and 0 <= row < fates.shape[1]:
        fates[O.fault, row] = fault & 7
        fates[O.fault_rule, row] = fault >> 3 & 15
        fates[O.fault_seat, row] = (fault >> 7) - 1
    if result == PLAYED:
        note_play(game, v, order, number)
    _settle_fate(game, v, fates, order, number, result)
    if name == codes.SARCASTIC_DISCARD:
        _transfer(game, v, fates, v[at.MOVED], number, row)
    else:
        _remember_moved(game, v, fates, v[at.MOVED], row)
        if v[at.STEPS] > 0:
            v[at.FOCUS] = -1
            open_call(game, v, fates, row, -1, name, -1)
    v[at.SCREAMED] &= ~(1 << seat)
    if codes.SCREAM_DISCARD <= name <= codes.GENERATION_DISCARD:
        v[at.SCREAMED] |= 1 << ((seat + 1) % game.seats)
    _forget(v, order)
    _count_loss(game, v, number, result)
    if result == DISCARDED and name == codes.PLAIN_DISCARD and not trash and not v[at.GOTTEN] >> order & 1:
        v[at.EARLY] = 0


@kernel
def _transfer(game: Game, v: Ints, fates: Ints, cards: int, number: int, row: int) -> None:
    """Remember the card that a discard named."""
    if cards == 0:
        return
    v[at.TRANSFERRED] |= cards
    if not v[at.GOTTEN] & cards:
        v[at.GOT_TURN + lowest(cards)] = game.turn
    v[at.INFERRED + lowest(cards)] = 1 << number
    note_source(game, v, lowest(cards), 1 << number, 0)
    keep_card(v, fates, lowest(cards), row, game.turn)


@kernel
def _forget(v: Ints, order: int) -> None:
    """Take a card that leaves its hand out of all that is remembered."""
    keep = ~(1 << order)
    v[at.FINESSED] &= keep
    v[at.CHOP_MOVED] &= keep
    v[at.TRANSFERRED] &= keep
    v[at.TOLD_TRASH] &= keep
    v[at.FOCUSED] &= keep


@kernel
def _count_loss(game: Game, v: Ints, number: int, result: int) -> None:
    """Note the needed identity of which an action leaves one copy."""
    v[at.JUST_LOST] = -1
    one_left = game.lost[number] + 1 == game.variant.copies[number] - 1
    if result != PLAYED and one_left and v[at.NEEDED] >> number & 1:
        v[at.JUST_LOST] = number


@kernel
def read_action(game: Game, v: Ints, found: Ints, fates: Ints, kind: int, target: int, value: int) -> None:
    """Read an action of the player to move before it is carried out; `look` has looked at the turn."""
    if kind in (COLOUR_CLUE, RANK_CLUE):
        read_clue(game, v, found, fates, kind, target, value, touched_mask(game, target, kind, value))
    elif kind in (PLAY, DISCARD):
        read_leaving(game, v, found, fates, kind, target)
