"""A table of excluded positions, stored in full; it is cleared by raising the *generation*."""

from __future__ import annotations

from typing import Final

from hanalyze.kernels.compiling import kernel_module
from hanalyze.kernels.record import Row
from hanalyze.solver.state import State

kernel_module(__name__)

ENTRY: Final = 5
"""Numbers per entry."""
_PROBES: Final = 4
_BITS: Final = (1 << 63) - 1
_A: Final = 0x1E3779B97F4A7C15
_B: Final = 0x3F58476D1CE4E5B9
_C: Final = 0x14D049BB133111EB
_D: Final = 0x2545F4914F6CDD1D


def _first(state: State) -> int:
    return state.hands[0] | state.hands[1] << 30 | state.seat << 60


def _second(state: State) -> int:
    return state.hands[2] | state.hands[3] << 30 | (state.drawn & 7) << 60


def _third(state: State) -> int:
    return state.hands[4] | state.hands[5] << 30 | (state.drawn >> 3) << 60


def _fourth(state: State) -> int:
    return state.played | state.pool << 30


def _place(first: int, second: int, third: int, fourth: int, slots: int) -> int:
    """Return the first slot to probe for the entry of a position; `slots` is a power of 2."""
    mixed = (first * _A ^ second * _B ^ third * _C ^ fourth * _D) & _BITS
    mixed ^= mixed >> 29
    mixed = mixed * _B & _BITS
    mixed ^= mixed >> 32
    return mixed & (slots - 1)


def stored_tokens(table: Row, slots: int, state: State, generation: int) -> int:
    """Return the number of tokens stored with the position, -1 if the position is not stored."""
    first, second, third, fourth = _first(state), _second(state), _third(state), _fourth(state)
    place = _place(first, second, third, fourth, slots)
    for probe in range(_PROBES):
        at = ((place + probe) & (slots - 1)) * ENTRY
        if (
            table[at] == first
            and table[at + 1] == second
            and table[at + 2] == third
            and table[at + 3] == fourth
            and table[at + 4] >> 8 == generation
        ):
            return table[at + 4] & 255
    return -1


def find_or_store(table: Row, slots: int, state: State, generation: int) -> bool:
    """Store a position with its tokens; return whether it was already stored with at least as many tokens.

    If there is no room, the position replaces an older entry.
    """
    first, second, third, fourth = _first(state), _second(state), _third(state), _fourth(state)
    place = _place(first, second, third, fourth, slots)
    entry = -1
    for probe in range(_PROBES):
        at = ((place + probe) & (slots - 1)) * ENTRY
        if table[at + 4] >> 8 != generation:
            if entry < 0:
                entry = at
        elif (
            table[at] == first
            and table[at + 1] == second
            and table[at + 2] == third
            and table[at + 3] == fourth
        ):
            if table[at + 4] & 255 >= state.tokens:
                return True
            entry = at
            break
    if entry < 0:
        entry = ((place + (first & (_PROBES - 1))) & (slots - 1)) * ENTRY
    table[entry] = first
    table[entry + 1] = second
    table[entry + 2] = third
    table[entry + 3] = fourth
    table[entry + 4] = generation << 8 | state.tokens
    return False
