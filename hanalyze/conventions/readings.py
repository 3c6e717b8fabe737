"""What the receiver of a clue must allow for: the identities by which the clue makes sense to that player.

In: a clue just judged, its focus. Out: the mask `readings`, and the identities that the card may have in what
later messages build on. The receiver's view decides: all cards but those of the own hand, and the giver's
only as the giver may know them.
"""

from __future__ import annotations

from hanalyze.conventions import codes
from hanalyze.conventions.chains import away, bluff_card, copy_chain, find_chain
from hanalyze.conventions.focus import save_set, seen_copies
from hanalyze.conventions.hands import elsewhere
from hanalyze.conventions.reading import Reading
from hanalyze.engine.game import Game
from hanalyze.engine.stacks import fits_after
from hanalyze.engine.step import RANK_CLUE
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.masks import drop_lowest, lowest

__all__ = ["find_readings"]


@kernel
def _playing_for(game: Game, reading: Reading, receiver: int) -> int:
    """Return what fits a stack once all plays have come, where the own ones can be any that they can be."""
    playable = reading.look.hypo_playable
    own = reading.look.playing & reading.look.cards[receiver]
    while own:
        sees = reading.look.sees[lowest(own)] & (playable | reading.look.hypo_played)
        own = drop_lowest(own)
        while sees:
            number = lowest(sees)
            sees = drop_lowest(sees)
            playable |= 1 << number | fits_after(game, number)
    return int(playable)


@kernel
def find_readings(
    game: Game, reading: Reading, giver: int, receiver: int, kind: int, value: int, touch: int
) -> int:
    """Find `readings` of the focus, and return what the receiver takes the card for until more is known."""
    focus = reading.verdict.focus
    bit = 1 << focus
    could_be = reading.look.sees[focus] & touch & reading.look.needed
    if not reading.look.playing & bit:
        could_be &= ~reading.look.hypo_played
    if not reading.look.gotten & bit:
        could_be &= ~elsewhere(game, reading, receiver)
    saves = 0
    if reading.verdict.on_chop:
        seen = seen_copies(game, reading, giver, receiver, focus) if kind == RANK_CLUE and value == 2 else 0
        saves = save_set(game, reading, kind, value, could_be, seen)
    direct = could_be & _playing_for(game, reading, receiver)
    number = game.identity[focus]
    true = 1 << number if number >= 0 else 0
    calls = 0
    copy_chain(reading.verdict.chain, reading.verdict.kept)
    rest = could_be & ~direct & ~saves
    if reading.verdict.chain.length > 0:
        rest &= ~true
    while rest:
        other = lowest(rest)
        rest = drop_lowest(rest)
        if _is_called(game, reading, giver, receiver, kind, other):
            calls |= 1 << other
    copy_chain(reading.verdict.kept, reading.verdict.chain)
    blind = reading.verdict.chain.length > 0
    if blind and not reading.verdict.chain.own:
        calls |= true & could_be
    readings = direct | saves | calls
    taken = direct | saves
    if blind:
        if reading.verdict.chain.own:
            if readings and reading.verdict.name != codes.SELF_BLUFF:
                reading.verdict.why |= codes.SIMPLER_READING
                reading.verdict.legal = 0
            rest = could_be & ~readings
            while rest:
                other = lowest(rest)
                rest = drop_lowest(rest)
                if away(game, reading.look.hypo_playable, other) >= 0:
                    readings |= 1 << other
        taken = readings & (direct | saves | true) if true else readings
    if readings == 0:
        readings = could_be
    reading.verdict.readings = readings
    if true and not readings & true:
        reading.verdict.why |= codes.UNREADABLE
        reading.verdict.legal = 0
    return int(taken if taken else readings)


@kernel
def _is_called(game: Game, reading: Reading, giver: int, receiver: int, kind: int, number: int) -> bool:
    """Return whether other hands than the receiver's make sense of the focus as `number`."""
    focus = reading.verdict.focus
    if find_chain(game, reading, giver, receiver, focus, number, False, False):
        return True
    target = bluff_card(game, reading, giver, receiver, focus, number, kind == RANK_CLUE, False)
    return target >= 0 and game.place[target] != receiver
