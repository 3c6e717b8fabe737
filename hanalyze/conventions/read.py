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
from hanalyze.engine import state as game
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
    clue_touch,
    touched_orders,
)
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest

__all__ = ["read_action", "read_clue", "read_leaving", "touched_mask"]


@kernel
def touched_mask(s: Ints, seat: int, kind: int, value: int) -> int:
    """Return the cards of a hand that a clue touches, as a mask of orders."""
    indices = touched_orders(s, seat, kind, value)
    mask = 0
    for i in range(s[game.HAND_LEN + seat]):
        mask |= (indices >> i & 1) << s[in_hand(seat, i)]
    return int(mask)


@kernel
def _remember_touch(s: Ints, v: Ints, receiver: int, newly: int) -> None:
    """Let the receiver take newly touched cards for none that is gotten already."""
    held = elsewhere(s, v, receiver)
    for i in range(s[game.HAND_LEN + receiver]):
        order = s[in_hand(receiver, i)]
        if newly >> order & 1 and not v[at.GOTTEN] >> order & 1:
            v[at.INFERRED + order] = ~held
            v[at.GOT_TURN + order] = s[game.TURN]


@kernel
def _is_play(name: int) -> bool:
    return codes.PLAY_CLUE <= name <= codes.SELF_BLUFF or name in (codes.TEMPO_CLUE, codes.TEMPO_CLUE_STALL)


@kernel
def read_clue(
    s: Ints, v: Ints, found: Ints, fates: Ints, kind: int, receiver: int, value: int, touched: int
) -> None:
    """Read a clue that touches the cards `touched`."""
    giver = s[game.SEAT]
    v[at.MENTIONED] = 0
    touch = clue_touch(s, kind, value)
    if is_undefined(s) or receiver == giver or touch < 0:
        judge_clue(s, v, giver, receiver, kind, value, 0, 0, True)
        v[at.WHY] = codes.UNDEFINED_HERE
        v[at.LEGAL] = 1
        write_finding(s, v, found, fates, codes.UNEXPLAINED, receiver, -1, 0, 0)
        follow_calls(s, v, fates, -1, CLUED, 0, False, True)
        v[at.JUST_LOST] = -1
        return
    judge_clue(s, v, giver, receiver, kind, value, touch, touched, True)
    name = v[at.MAIN]
    focus = v[at.FOCUS]
    newly = v[at.NEWLY]
    taken = 0
    misled = name == codes.UNEXPLAINED and focus >= 0 and newly >> focus & 1 and s[game.IDENTITY + focus] >= 0
    if name == codes.DISTRIBUTION_CLUE:
        taken = v[at.SEES + focus] & touch & (v[at.HYPO_PLAYABLE] | v[at.HYPO_PLAYED])
        v[at.READINGS] = taken
    if misled or _is_play(name) or name == codes.TEMPO_CHOP_MOVE:
        taken = find_readings(s, v, giver, receiver, kind, value, touch)
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
    v[at.WHY] |= follow_calls(s, v, fates, -1, CLUED, touched, False, excused)
    if v[at.WHY] & codes.STOMP and name != codes.FIX_CLUE:
        v[at.LEGAL] = 0
    _weigh_value(v, name)
    _weigh_saving(s, v, CLUED, receiver, -1)
    saves = (codes.FIVE_SAVE <= name <= codes.CRITICAL_SAVE) or name == codes.LOCKED_HAND_SAVE
    calls = _is_play(name) or misled or name in (codes.TRASH_PUSH, codes.DISTRIBUTION_CLUE)
    expects = calls or v[at.MOVED] != 0 or saves
    row = write_finding(s, v, found, fates, name, receiver, focus, v[at.MOVED], 1 if expects else 0)
    if v[at.SECOND] >= 0:
        write_finding(s, v, found, fates, v[at.SECOND], receiver, focus, 0, 0)
    if v[at.WHY] & (codes.LATE | codes.LEGAL_DEFERRAL):
        write_finding(s, v, found, fates, codes.DEFERRAL, -1, -1, 0, 0)
    _remember_touch(s, v, receiver, newly)
    if focus >= 0:
        v[at.FOCUSED] |= 1 << focus
    if name == codes.TRASH_CHOP_MOVE:
        v[at.TOLD_TRASH] |= newly
    if name == codes.FIX_CLUE:
        v[at.FINESSED] &= ~(1 << focus)
        v[at.INFERRED + focus] = -1
    if taken:
        v[at.INFERRED + focus] = taken
    note_clue(s, v, receiver, newly, name == codes.FIX_CLUE or taken != 0)
    _remember_moved(s, v, fates, v[at.MOVED], row)
    if saves:
        keep_card(v, fates, focus, row, s[game.TURN])
    elif name == codes.TRASH_PUSH:
        v[at.FOCUS] = -1
        open_call(s, v, fates, row, receiver, name, -1)
    elif calls:
        open_call(s, v, fates, row, receiver, name, s[game.IDENTITY + focus])
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
def _weigh_saving(s: Ints, v: Ints, result: int, receiver: int, number: int) -> None:
    """Refuse an action by which the last chance to save a card is gone."""
    if v[at.SAVABLE]:
        reason = left_to_others(s, v, result, receiver, number)
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
def _remember_moved(s: Ints, v: Ints, fates: Ints, moved: int, row: int) -> None:
    """Keep cards that a message chop moves, and let their fate be written to its row."""
    v[at.CHOP_MOVED] |= moved
    while moved:
        keep_card(v, fates, lowest(moved), row, s[game.TURN])
        moved = drop_lowest(moved)


@kernel
def _settle_fate(s: Ints, v: Ints, fates: Ints, order: int, number: int, result: int) -> None:
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
    close_row(fates, row, status, s[game.TURN])


@kernel
def _told_seat(s: Ints, v: Ints) -> int:
    """Return the seat that a message in a play or a discard is for, -1 if there is none."""
    if v[at.MOVED]:
        return int(s[game.PLACE + lowest(v[at.MOVED])])
    if v[at.STEPS]:
        return int(v[at.STEP + (v[at.STEPS] - 1) * at.STEP_SIZE + at.STEP_SEAT])
    return -1


@kernel
def read_leaving(s: Ints, v: Ints, found: Ints, fates: Ints, kind: int, order: int) -> None:
    """Read the play or the discard of a card whose identity is known by now."""
    v[at.MENTIONED] = 0
    seat = s[game.SEAT]
    number = s[game.IDENTITY + order]
    fits = bool(s[game.PLAYABLE] >> number & 1)
    if s[game.PLACE + order] != seat:
        # From the deck: nobody can have meant anything by it.
        v[at.JUST_LOST] = -1
        return
    if kind == PLAY:
        judge_play(s, v, order, fits)
        result = PLAYED if fits else MISPLAYED
    else:
        judge_discard(s, v, order)
        result = DISCARDED
    if is_undefined(s):
        v[at.WHY] = codes.UNDEFINED_HERE
        v[at.LEGAL] = 1
    name = v[at.MAIN]
    passed = codes.SARCASTIC_DISCARD <= name <= codes.BATON_DISCARD
    excused = passed or codes.SCREAM_DISCARD <= name <= codes.GENERATION_DISCARD
    expects = v[at.MOVED] != 0 or v[at.STEPS] > 0
    trash = v[at.KNOWN_TRASH] >> order & 1
    judged = result == MISPLAYED and not is_undefined(s)
    fault = find_fault(s, v, order, number) if judged else 0
    v[at.WHY] |= follow_calls(s, v, fates, order, result, 0, passed, excused)
    _weigh_saving(s, v, result, -1, number)
    row = write_finding(s, v, found, fates, name, _told_seat(s, v), order, v[at.MOVED], 1 if expects else 0)
    if v[at.SECOND] >= 0:
        write_finding(s, v, found, fates, v[at.SECOND], -1, order, 0, 0)
    if v[at.WHY] & (codes.LATE | codes.LEGAL_DEFERRAL):
        write_finding(s, v, found, fates, codes.DEFERRAL, -1, -1, 0, 0)
    if fault and 0 <= row < fates.shape[1]:
        fates[O.fault, row] = fault & 7
        fates[O.fault_rule, row] = fault >> 3 & 15
        fates[O.fault_seat, row] = (fault >> 7) - 1
    if result == PLAYED:
        note_play(s, v, order, number)
    _settle_fate(s, v, fates, order, number, result)
    if name == codes.SARCASTIC_DISCARD:
        _transfer(s, v, fates, v[at.MOVED], number, row)
    else:
        _remember_moved(s, v, fates, v[at.MOVED], row)
        if v[at.STEPS] > 0:
            v[at.FOCUS] = -1
            open_call(s, v, fates, row, -1, name, -1)
    v[at.SCREAMED] &= ~(1 << seat)
    if codes.SCREAM_DISCARD <= name <= codes.GENERATION_DISCARD:
        v[at.SCREAMED] |= 1 << ((seat + 1) % s[game.SEATS])
    _forget(v, order)
    _count_loss(s, v, number, result)
    if result == DISCARDED and name == codes.PLAIN_DISCARD and not trash and not v[at.GOTTEN] >> order & 1:
        v[at.EARLY] = 0


@kernel
def _transfer(s: Ints, v: Ints, fates: Ints, cards: int, number: int, row: int) -> None:
    """Remember the card that a discard named."""
    if cards == 0:
        return
    v[at.TRANSFERRED] |= cards
    if not v[at.GOTTEN] & cards:
        v[at.GOT_TURN + lowest(cards)] = s[game.TURN]
    v[at.INFERRED + lowest(cards)] = 1 << number
    note_source(s, v, lowest(cards), 1 << number, 0)
    keep_card(v, fates, lowest(cards), row, s[game.TURN])


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
def _count_loss(s: Ints, v: Ints, number: int, result: int) -> None:
    """Note the needed identity of which an action leaves one copy."""
    v[at.JUST_LOST] = -1
    one_left = s[game.LOST + number] + 1 == s[game.COPIES + number] - 1
    if result != PLAYED and one_left and v[at.NEEDED] >> number & 1:
        v[at.JUST_LOST] = number


@kernel
def read_action(s: Ints, v: Ints, found: Ints, fates: Ints, kind: int, target: int, value: int) -> None:
    """Read an action of the player to move before it is carried out; `look` has looked at the turn."""
    if kind in (COLOUR_CLUE, RANK_CLUE):
        read_clue(s, v, found, fates, kind, target, value, touched_mask(s, target, kind, value))
    elif kind in (PLAY, DISCARD):
        read_leaving(s, v, found, fates, kind, target)
