"""Clues with a bad card that mean more by it: notes of a copy in a third hand, a chop move after the play.

In: a clue that was judged, and touches a card that is trash or a copy of a gotten one. Out: a further meaning
in the verdict, and what another player learns from it. A bad card says something only where the giver could
have left it out, or where nothing else would be got.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions.classes import is_any, set_of
from hanalyze.conventions.focus import may_be
from hanalyze.conventions.hands import elsewhere, free_behind, useful_cards
from hanalyze.conventions.state import Reading
from hanalyze.conventions.verdict import add_meaning, drop_reason, set_worth
from hanalyze.engine.game import Game
from hanalyze.engine.step import clue_touch
from hanalyze.game.actions import COLOUR_CLUE, RANK_CLUE
from hanalyze.game.meanings import Convention, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, is_one, lowest

_SHOWS: Final = set_of(Convention.PLAY_CLUE, Convention.DELAYED_PLAY_CLUE, Convention.CRITICAL_SAVE)


@kernel
def name_bad_touch(game: Game, reading: Reading, number: int) -> None:
    """Add what the clue, whose focus is `number`, means by its bad card."""
    clue, look, verdict, level = reading.clue, reading.look, reading.verdict, reading.told.level
    if verdict.bad == 0 or verdict.second >= 0 or level < 17:
        return
    if _travels(game, reading, number):
        behind = free_behind(game, look, clue.receiver, verdict.focus, reading.told.chop_moved)
        add_meaning(verdict, Convention.TIME_TRAVEL_CHOP_MOVE)
        set_worth(verdict, useful_cards(game, look, clue.giver, behind))
    else:
        copy = implied_copy(game, reading)
        if copy < 0 or not _has_third(game, reading, copy):
            return
        add_meaning(verdict, Convention.TRASH_TOUCH)
    drop_reason(verdict, Reason.BAD_TOUCH)
    drop_reason(verdict, Reason.DUPLICATE)


@kernel
def _travels(game: Game, reading: Reading, number: int) -> bool:
    """Return whether the clue gets nothing but a copy of a gotten card, which its receiver plays at once."""
    clue, look, verdict = reading.clue, reading.look, reading.verdict
    if verdict.name != Convention.PLAY_CLUE or verdict.worth > 0 or clue.touched != clue.newly:
        return False
    if look.end_phase or look.stall_severity >= 2 or not game.playable >> number & 1:
        return False
    for ahead in range(1, (clue.receiver - clue.giver) % game.seats):
        if look.held[(clue.giver + ahead) % game.seats] >> number & 1:
            # That one is played first.
            return False
    taken = may_be(game, reading)
    if taken == 0 or taken & ~game.playable or not elsewhere(game, look, clue.giver) >> number & 1:
        return False
    return free_behind(game, look, clue.receiver, verdict.focus, reading.told.chop_moved) != 0


@kernel
def implied_copy(game: Game, reading: Reading) -> int:
    """Return the one identity that the receiver must take the bad cards of an avoidable touch for, or -1.

    The other kind of clue would have touched the focus alone, and said as much of it. From level 18 on.
    """
    clue, look, verdict = reading.clue, reading.look, reading.verdict
    focus, level = verdict.focus, reading.told.level
    if level < 18 or verdict.bad == 0 or look.end_phase or not is_any(verdict.name, _SHOWS):
        return -1
    number = game.identity[focus]
    held = elsewhere(game, look, clue.giver)
    if number < 0 or not clue.newly >> focus & 1 or not (look.needed & ~held) >> number & 1:
        return -1
    if not _is_avoidable(game, reading, number):
        return -1
    held |= 1 << number
    free = clue.identities & look.needed & ~elsewhere(game, look, clue.receiver) & ~(1 << number)
    taken = 0
    rest = clue.newly & ~(1 << focus)
    while rest:
        order = lowest(rest)
        rest = drop_lowest(rest)
        true = game.identity[order]
        if true < 0:
            return -1
        if not look.needed >> true & 1 or held >> true & 1:
            taken |= look.sees[order] & free
        held |= 1 << true
    return lowest(taken) if taken and is_one(taken) else -1


@kernel
def _is_avoidable(game: Game, reading: Reading, number: int) -> bool:
    """Return whether a clue of the other kind would touch the focus, `number`, alone, and say as much.

    A number may be a save on chop, and stalls with a 5.
    """
    verdict = reading.verdict
    if reading.clue.kind == COLOUR_CLUE:
        if number & 7 == game.variant.stack_size or (
            verdict.on_chop and verdict.name != Convention.CRITICAL_SAVE
        ):
            return False
        return _touches_focus_alone(game, reading, clue_touch(game, RANK_CLUE, number & 7))
    for colour in range(game.variant.colours):
        if _touches_focus_alone(game, reading, clue_touch(game, COLOUR_CLUE, colour)):
            return True
    return False


@kernel
def _touches_focus_alone(game: Game, reading: Reading, identities: int) -> bool:
    """Return whether a clue that touches `identities` would touch the focus alone."""
    clue, focus = reading.clue, reading.verdict.focus
    if identities < 0:
        return False
    for i in range(game.hand_len[clue.receiver]):
        order = game.hands[clue.receiver][i]
        number = game.identity[order]
        if number < 0 or (identities >> number & 1 != 0) != (order == focus):
            return False
    return True


@kernel
def misses_copy(game: Game, reading: Reading, seat: int, number: int) -> bool:
    """Return whether a third player sees `number` in no other hand, nor a card there unknown to us."""
    if seat in (reading.clue.giver, reading.clue.receiver):
        return False
    for other in range(game.seats):
        if other != seat:
            for i in range(game.hand_len[other]):
                if game.identity[game.hands[other][i]] in (number, -1):
                    return False
    return True


@kernel
def _has_third(game: Game, reading: Reading, number: int) -> bool:
    """Return whether a third player holds `number`, untouched, and sees it nowhere else."""
    for seat in range(game.seats):
        if misses_copy(game, reading, seat, number):
            for i in range(game.hand_len[seat]):
                order = game.hands[seat][i]
                if game.identity[order] == number and not reading.look.gotten >> order & 1:
                    return True
    return False
