"""What one action means: judged, written down, and remembered for the messages to come.

In: a game before an action, the array of conventions, and the action. Out: rows of findings and outcomes,
and the array with what all players know after it. Nothing here reads a later turn: outcomes of earlier
findings are written when a turn settles them.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.calls import follow_calls, keep_card, note_source, open_call
from hanalyze.conventions.faults import find_fault, note_clue, note_play
from hanalyze.conventions.findings import O, close_row, write_finding
from hanalyze.conventions.hands import elsewhere, is_undefined
from hanalyze.conventions.judge import judge_clue
from hanalyze.conventions.leaving import judge_discard, judge_play
from hanalyze.conventions.reading import Reading
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
def _remember_touch(game: Game, reading: Reading, receiver: int, newly: int) -> None:
    """Let the receiver take newly touched cards for none that is gotten already."""
    held = elsewhere(game, reading, receiver)
    for i in range(game.hand_len[receiver]):
        order = game.hands[receiver][i]
        if newly >> order & 1 and not reading.look.gotten >> order & 1:
            reading.told.inferred[order] = ~held
            reading.told.got_turn[order] = game.turn


@kernel
def _is_play(name: int) -> bool:
    return codes.PLAY_CLUE <= name <= codes.SELF_BLUFF or name in (codes.TEMPO_CLUE, codes.TEMPO_CLUE_STALL)


@kernel
def read_clue(
    game: Game, reading: Reading, found: Ints, fates: Ints, kind: int, receiver: int, value: int, touched: int
) -> None:
    """Read a clue that touches the cards `touched`."""
    giver = game.seat
    reading.verdict.mentioned = 0
    touch = clue_touch(game, kind, value)
    if is_undefined(game) or receiver == giver or touch < 0:
        judge_clue(game, reading, giver, receiver, kind, value, 0, 0, True)
        reading.verdict.why = codes.UNDEFINED_HERE
        reading.verdict.legal = 1
        write_finding(game, reading, found, fates, codes.UNEXPLAINED, receiver, -1, 0, 0)
        follow_calls(game, reading, fates, -1, CLUED, 0, False, True)
        reading.told.just_lost = -1
        return
    judge_clue(game, reading, giver, receiver, kind, value, touch, touched, True)
    name = reading.verdict.name
    focus = reading.verdict.focus
    newly = reading.verdict.newly
    taken = 0
    misled = name == codes.UNEXPLAINED and focus >= 0 and newly >> focus & 1 and game.identity[focus] >= 0
    if name == codes.DISTRIBUTION_CLUE:
        taken = reading.look.sees[focus] & touch & (reading.look.hypo_playable | reading.look.hypo_played)
        reading.verdict.readings = taken
    if misled or _is_play(name) or name == codes.TEMPO_CHOP_MOVE:
        taken = find_readings(game, reading, giver, receiver, kind, value, touch)
    # What the receiver takes for a call is one, though it is false.
    misled = misled and (reading.verdict.chain.length > 0 or taken & ~reading.look.hypo_playable == 0)
    _weigh_stall(reading, name)
    if name == codes.FIVE_STALL:
        reading.told.five_stalls += 1
    excused = reading.verdict.chain.blind > 0 or name in (
        codes.FIVE_SAVE,
        codes.TWO_SAVE,
        codes.CRITICAL_SAVE,
        codes.FIX_CLUE,
    )
    reading.verdict.why |= follow_calls(game, reading, fates, -1, CLUED, touched, False, excused)
    if reading.verdict.why & codes.STOMP and name != codes.FIX_CLUE:
        reading.verdict.legal = 0
    _weigh_value(reading, name)
    _weigh_saving(game, reading, CLUED, receiver, -1)
    saves = (codes.FIVE_SAVE <= name <= codes.CRITICAL_SAVE) or name == codes.LOCKED_HAND_SAVE
    calls = _is_play(name) or misled or name in (codes.TRASH_PUSH, codes.DISTRIBUTION_CLUE)
    expects = calls or reading.verdict.moved != 0 or saves
    row = write_finding(
        game, reading, found, fates, name, receiver, focus, reading.verdict.moved, 1 if expects else 0
    )
    if reading.verdict.second >= 0:
        write_finding(game, reading, found, fates, reading.verdict.second, receiver, focus, 0, 0)
    if reading.verdict.why & (codes.LATE | codes.LEGAL_DEFERRAL):
        write_finding(game, reading, found, fates, codes.DEFERRAL, -1, -1, 0, 0)
    _remember_touch(game, reading, receiver, newly)
    if focus >= 0:
        reading.told.focused |= 1 << focus
    if name == codes.TRASH_CHOP_MOVE:
        reading.told.told_trash |= newly
    if name == codes.FIX_CLUE:
        reading.told.finessed &= ~(1 << focus)
        reading.told.inferred[focus] = -1
    if taken:
        reading.told.inferred[focus] = taken
    note_clue(game, reading, receiver, newly, name == codes.FIX_CLUE or taken != 0)
    _remember_moved(game, reading, fates, reading.verdict.moved, row)
    if saves:
        keep_card(reading, fates, focus, row, game.turn)
    elif name == codes.TRASH_PUSH:
        reading.verdict.focus = -1
        open_call(game, reading, fates, row, receiver, name, -1)
    elif calls:
        open_call(game, reading, fates, row, receiver, name, game.identity[focus])
    reading.told.screamed &= ~(1 << giver)
    reading.told.just_lost = -1


@kernel
def _weigh_value(reading: Reading, name: int) -> None:
    """Refuse a clue that gets nothing, where nothing excuses that."""
    if reading.verdict.worth > 0 or reading.look.end_phase or reading.verdict.chain.length > 0:
        return
    if name in (codes.FIX_CLUE, codes.TEMPO_CHOP_MOVE, codes.DISTRIBUTION_CLUE):
        return
    stall = name == codes.FIVE_STALL or codes.LOCKED_HAND_SAVE <= name <= codes.HARD_BURN
    stall = stall or name in (codes.TEMPO_CLUE_STALL, codes.FILL_IN)
    if stall and reading.verdict.legal:
        return
    reading.verdict.why |= codes.NO_VALUE
    reading.verdict.legal = 0


@kernel
def _weigh_saving(game: Game, reading: Reading, result: int, receiver: int, number: int) -> None:
    """Refuse an action by which the last chance to save a card is gone."""
    if reading.look.savable:
        reason = left_to_others(game, reading, result, receiver, number)
        reading.verdict.why |= reason
        if reason == codes.SAVE_MISSED:
            reading.verdict.legal = 0


@kernel
def _weigh_stall(reading: Reading, name: int) -> None:
    """Say whether a stall is allowed: by its severity, and because nothing better could be clued."""
    stall = codes.FIVE_STALL <= name <= codes.HARD_BURN or name in (codes.TEMPO_CLUE_STALL, codes.FILL_IN)
    if stall and reading.look.best > 0 and not (name == codes.FIVE_STALL and reading.look.may_be_left):
        reading.verdict.why |= codes.BETTER_CLUE
        reading.verdict.legal = 0


@kernel
def _remember_moved(game: Game, reading: Reading, fates: Ints, moved: int, row: int) -> None:
    """Keep cards that a message chop moves, and let their fate be written to its row."""
    reading.told.chop_moved |= moved
    while moved:
        keep_card(reading, fates, lowest(moved), row, game.turn)
        moved = drop_lowest(moved)


@kernel
def _settle_fate(game: Game, reading: Reading, fates: Ints, order: int, number: int, result: int) -> None:
    """Write what became of a card that a message kept."""
    row = reading.told.save_row[order]
    if row < 0:
        return
    reading.told.save_row[order] = -1
    if result == PLAYED:
        status = codes.SUCCESS
    elif result == DISCARDED and not reading.look.needed >> number & 1:
        status = codes.SUPERSEDED
    else:
        status = codes.FAILED
    close_row(fates, row, status, game.turn)


@kernel
def _told_seat(game: Game, reading: Reading) -> int:
    """Return the seat that a message in a play or a discard is for, -1 if there is none."""
    if reading.verdict.moved:
        return int(game.place[lowest(reading.verdict.moved)])
    if reading.verdict.chain.length:
        return int(reading.verdict.chain.steps[reading.verdict.chain.length - 1].seat)
    return -1


@kernel
def read_leaving(game: Game, reading: Reading, found: Ints, fates: Ints, kind: int, order: int) -> None:
    """Read the play or the discard of a card whose identity is known by now."""
    reading.verdict.mentioned = 0
    seat = game.seat
    number = game.identity[order]
    fits = bool(game.playable >> number & 1)
    if game.place[order] != seat:
        # From the deck: nobody can have meant anything by it.
        reading.told.just_lost = -1
        return
    if kind == PLAY:
        judge_play(game, reading, order, fits)
        result = PLAYED if fits else MISPLAYED
    else:
        judge_discard(game, reading, order)
        result = DISCARDED
    if is_undefined(game):
        reading.verdict.why = codes.UNDEFINED_HERE
        reading.verdict.legal = 1
    name = reading.verdict.name
    passed = codes.SARCASTIC_DISCARD <= name <= codes.BATON_DISCARD
    excused = passed or codes.SCREAM_DISCARD <= name <= codes.GENERATION_DISCARD
    expects = reading.verdict.moved != 0 or reading.verdict.chain.length > 0
    trash = reading.look.known_trash >> order & 1
    judged = result == MISPLAYED and not is_undefined(game)
    fault = find_fault(game, reading, order, number) if judged else 0
    reading.verdict.why |= follow_calls(game, reading, fates, order, result, 0, passed, excused)
    _weigh_saving(game, reading, result, -1, number)
    row = write_finding(
        game,
        reading,
        found,
        fates,
        name,
        _told_seat(game, reading),
        order,
        reading.verdict.moved,
        1 if expects else 0,
    )
    if reading.verdict.second >= 0:
        write_finding(game, reading, found, fates, reading.verdict.second, -1, order, 0, 0)
    if reading.verdict.why & (codes.LATE | codes.LEGAL_DEFERRAL):
        write_finding(game, reading, found, fates, codes.DEFERRAL, -1, -1, 0, 0)
    if fault and 0 <= row < fates.shape[1]:
        fates[O.fault, row] = fault & 7
        fates[O.fault_rule, row] = fault >> 3 & 15
        fates[O.fault_seat, row] = (fault >> 7) - 1
    if result == PLAYED:
        note_play(game, reading, order, number)
    _settle_fate(game, reading, fates, order, number, result)
    if name == codes.SARCASTIC_DISCARD:
        _transfer(game, reading, fates, reading.verdict.moved, number, row)
    else:
        _remember_moved(game, reading, fates, reading.verdict.moved, row)
        if reading.verdict.chain.length > 0:
            reading.verdict.focus = -1
            open_call(game, reading, fates, row, -1, name, -1)
    reading.told.screamed &= ~(1 << seat)
    if codes.SCREAM_DISCARD <= name <= codes.GENERATION_DISCARD:
        reading.told.screamed |= 1 << ((seat + 1) % game.seats)
    _forget(reading, order)
    _count_loss(game, reading, number, result)
    if (
        result == DISCARDED
        and name == codes.PLAIN_DISCARD
        and not trash
        and not reading.look.gotten >> order & 1
    ):
        reading.told.early = 0


@kernel
def _transfer(game: Game, reading: Reading, fates: Ints, cards: int, number: int, row: int) -> None:
    """Remember the card that a discard named."""
    if cards == 0:
        return
    reading.told.transferred |= cards
    if not reading.look.gotten & cards:
        reading.told.got_turn[lowest(cards)] = game.turn
    reading.told.inferred[lowest(cards)] = 1 << number
    note_source(game, reading, lowest(cards), 1 << number, 0)
    keep_card(reading, fates, lowest(cards), row, game.turn)


@kernel
def _forget(reading: Reading, order: int) -> None:
    """Take a card that leaves its hand out of all that is remembered."""
    keep = ~(1 << order)
    reading.told.finessed &= keep
    reading.told.chop_moved &= keep
    reading.told.transferred &= keep
    reading.told.told_trash &= keep
    reading.told.focused &= keep


@kernel
def _count_loss(game: Game, reading: Reading, number: int, result: int) -> None:
    """Note the needed identity of which an action leaves one copy."""
    reading.told.just_lost = -1
    one_left = game.lost[number] + 1 == game.variant.copies[number] - 1
    if result != PLAYED and one_left and reading.look.needed >> number & 1:
        reading.told.just_lost = number


@kernel
def read_action(
    game: Game, reading: Reading, found: Ints, fates: Ints, kind: int, target: int, value: int
) -> None:
    """Read an action of the player to move before it is carried out; `look` has looked at the turn."""
    if kind in (COLOUR_CLUE, RANK_CLUE):
        read_clue(game, reading, found, fates, kind, target, value, touched_mask(game, target, kind, value))
    elif kind in (PLAY, DISCARD):
        read_leaving(game, reading, found, fates, kind, target)
