"""What the receiver of a clue must allow for: the identities by which the clue makes sense to that player.

In: a clue just judged, its focus. Out: the mask `READINGS`, and the identities that the card may have in what
later messages build on. The receiver's view decides: all cards but those of the own hand, and the giver's
only as the giver may know them.
"""

from __future__ import annotations

from typing import Final

from hanalyze.conventions import codes
from hanalyze.conventions import state as at
from hanalyze.conventions.chains import away, bluff_card, find_chain
from hanalyze.conventions.focus import save_set, seen_copies
from hanalyze.conventions.hands import elsewhere
from hanalyze.engine.game import Game, Ints
from hanalyze.engine.stacks import fits_after
from hanalyze.engine.step import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest

__all__ = ["find_readings"]

_KEPT: Final = at.FAILURE - at.STEPS + 1


@kernel
def _playing_for(game: Game, v: Ints, receiver: int) -> int:
    """Return what fits a stack once all plays have come, where the own ones can be any that they can be."""
    playable = v[at.HYPO_PLAYABLE]
    own = v[at.PLAYING] & v[at.CARDS + receiver]
    while own:
        sees = v[at.SEES + lowest(own)] & (playable | v[at.HYPO_PLAYED])
        own = drop_lowest(own)
        while sees:
            number = lowest(sees)
            sees = drop_lowest(sees)
            playable |= 1 << number | fits_after(game, number)
    return int(playable)


@kernel
def find_readings(game: Game, v: Ints, giver: int, receiver: int, kind: int, value: int, touch: int) -> int:
    """Find `READINGS` of the focus, and return what the receiver takes the card for until more is known."""
    focus = v[at.FOCUS]
    bit = 1 << focus
    could_be = v[at.SEES + focus] & touch & v[at.NEEDED]
    if not v[at.PLAYING] & bit:
        could_be &= ~v[at.HYPO_PLAYED]
    if not v[at.GOTTEN] & bit:
        could_be &= ~elsewhere(game, v, receiver)
    saves = 0
    if v[at.ON_CHOP]:
        seen = seen_copies(game, v, giver, receiver, focus) if kind == RANK_CLUE and value == 2 else 0
        saves = save_set(game, v, kind, value, could_be, seen)
    direct = could_be & _playing_for(game, v, receiver)
    number = game.identity[focus]
    true = 1 << number if number >= 0 else 0
    calls = 0
    for place in range(_KEPT):
        v[at.KEEP + place] = v[at.STEPS + place]
    rest = could_be & ~direct & ~saves
    if v[at.STEPS] > 0:
        rest &= ~true
    while rest:
        other = lowest(rest)
        rest = drop_lowest(rest)
        if _is_called(game, v, giver, receiver, kind, other):
            calls |= 1 << other
    for place in range(_KEPT):
        v[at.STEPS + place] = v[at.KEEP + place]
    blind = v[at.STEPS] > 0
    if blind and not v[at.OWN]:
        calls |= true & could_be
    readings = direct | saves | calls
    taken = direct | saves
    if blind:
        if v[at.OWN]:
            if readings and v[at.MAIN] != codes.SELF_BLUFF:
                v[at.WHY] |= codes.SIMPLER_READING
                v[at.LEGAL] = 0
            rest = could_be & ~readings
            while rest:
                other = lowest(rest)
                rest = drop_lowest(rest)
                if away(game, v[at.HYPO_PLAYABLE], other) >= 0:
                    readings |= 1 << other
        taken = readings & (direct | saves | true) if true else readings
    if readings == 0:
        readings = could_be
    v[at.READINGS] = readings
    if true and not readings & true:
        v[at.WHY] |= codes.UNREADABLE
        v[at.LEGAL] = 0
    return int(taken if taken else readings)


@kernel
def _is_called(game: Game, v: Ints, giver: int, receiver: int, kind: int, number: int) -> bool:
    """Return whether other hands than the receiver's make sense of the focus as `number`."""
    focus = v[at.FOCUS]
    if find_chain(game, v, giver, receiver, focus, number, False, False):
        return True
    target = bluff_card(game, v, giver, receiver, focus, number, kind == RANK_CLUE, False)
    return target >= 0 and game.place[target] != receiver
