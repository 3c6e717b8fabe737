"""The numbers of decks and actions, straight from their JSON.

In: the bytes of arrays like `[{"suitIndex":0,"rank":1}, ...]`. Out: the numbers, a line per object. Only what
such an array usually looks like is understood: objects with exactly the wanted keys, in any order, whole
numbers of at most nine digits, spaces anywhere. Of anything else this says that it is for the reader in
`hanalyze.logs` to judge.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.kernels.compiling import kernel

MISSING: Final = -(2**40)
"""Stands for an optional number that is not there."""
NOT_UNDERSTOOD: Final = -1
SHORTEST_OBJECT: Final = 20
"""Bytes that an object takes at least: `{"type":0,"target":1}` has 21 with its comma."""

_SPACE: Final = 32
_QUOTE: Final = 34
_COMMA: Final = 44
_MINUS: Final = 45
_ZERO: Final = 48
_COLON: Final = 58
_OPEN: Final = 91
_CLOSE: Final = 93
_OPEN_OBJECT: Final = 123
_CLOSE_OBJECT: Final = 125


def _keys(*names: str) -> NDArray[np.uint8]:
    """Return keys as lines of bytes, each with its closing quote and filled up with zeros."""
    lines = np.zeros((len(names), 12), np.uint8)
    for line, name in zip(lines, names, strict=True):
        line[: len(name) + 1] = np.frombuffer(name.encode() + b'"', np.uint8)
    return lines


CARD_KEYS: Final = _keys("suitIndex", "rank")
ACTION_KEYS: Final = _keys("type", "target", "value")


@kernel
def _skip_space(text: Any, at: int, end: int) -> int:
    while at < end and (text[at] == _SPACE or 9 <= text[at] <= 10 or text[at] == 13):
        at += 1
    return at


@kernel
def _key_at(text: Any, at: int, end: int, keys: Any) -> int:
    """Return which key begins at `at`, behind its first quote; -1 if none does."""
    for key in range(keys.shape[0]):
        i = 0
        while at + i < end and text[at + i] == keys[key, i]:
            if keys[key, i] == _QUOTE:
                return key
            i += 1
    return -1


@kernel
def _object(text: Any, at: int, end: int, keys: Any, out: Any, row: int) -> int:
    """Read the object whose brace is before `at` into a row of `out`, and return where it ends; -1 if not."""
    for key in range(keys.shape[0]):
        out[row, key] = MISSING
    while True:
        at = _skip_space(text, at, end)
        if at >= end or text[at] != _QUOTE:
            return NOT_UNDERSTOOD
        at += 1
        key = _key_at(text, at, end, keys)
        if key < 0 or out[row, key] != MISSING:
            return NOT_UNDERSTOOD
        while text[at] != _QUOTE:
            at += 1
        at = _skip_space(text, at + 1, end)
        if at >= end or text[at] != _COLON:
            return NOT_UNDERSTOOD
        at = _skip_space(text, at + 1, end)
        sign = 1
        if at < end and text[at] == _MINUS:
            sign = -1
            at += 1
        begin = at
        number = 0
        while at < end and _ZERO <= text[at] < _COLON:
            number = number * 10 + (text[at] - _ZERO)
            at += 1
            if at - begin > 9:
                return NOT_UNDERSTOOD
        if at == begin or (text[begin] == _ZERO and at - begin > 1):
            return NOT_UNDERSTOOD
        out[row, key] = sign * number
        at = _skip_space(text, at, end)
        if at >= end:
            return NOT_UNDERSTOOD
        if text[at] == _CLOSE_OBJECT:
            return at + 1
        if text[at] != _COMMA:
            return NOT_UNDERSTOOD
        at += 1


@kernel
def _array(text: Any, at: int, end: int, keys: Any, out: Any, row: int) -> int:
    """Read the array at `at` into `out` from `row` on, and return the number of its objects; -1 if not."""
    first = row
    at = _skip_space(text, at, end)
    if at >= end or text[at] != _OPEN:
        return NOT_UNDERSTOOD
    at = _skip_space(text, at + 1, end)
    if at < end and text[at] == _CLOSE:
        return 0 if _skip_space(text, at + 1, end) == end else NOT_UNDERSTOOD
    while True:
        at = _skip_space(text, at, end)
        if at >= end or text[at] != _OPEN_OBJECT:
            return NOT_UNDERSTOOD
        at = _object(text, at + 1, end, keys, out, row)
        if at < 0 or out[row, 0] == MISSING or out[row, 1] == MISSING:
            return NOT_UNDERSTOOD
        row += 1
        at = _skip_space(text, at, end)
        if at >= end:
            return NOT_UNDERSTOOD
        if text[at] == _CLOSE:
            return row - first if _skip_space(text, at + 1, end) == end else NOT_UNDERSTOOD
        if text[at] != _COMMA:
            return NOT_UNDERSTOOD
        at += 1


def scan_arrays(text: Any, ends: Any, keys: Any, out: Any, counts: Any) -> int:
    """Read arrays that stand one after the other in `text` (bytes), array i up to `ends[i]`.

    The first two keys are needed. Writes their numbers to the rows of `out`, and to `counts` how many objects
    each has; `NOT_UNDERSTOOD` for an array that is not as usual. Returns the number of rows.
    """
    row = 0
    begin = 0
    for game in range(len(ends)):
        found = _array(text, begin, ends[game], keys, out, row)
        counts[game] = found
        if found > 0:
            row += found
        begin = ends[game]
    return row
