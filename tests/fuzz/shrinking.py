"""The smallest log that still shows a finding: parts are left out as long as it does.

In: parts of a file, and whether some of them still show it. Out: the parts that are needed, cut down
themselves: first keys and values are left out, then bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.fuzz.trees import Array, Node, Object, opened, rendered

T = TypeVar("T")


class Budget:
    """So many tries and seconds, and no more.

    >>> budget = Budget(1, 60)
    >>> budget.spend(), budget.spend()
    (True, False)
    """

    def __init__(self, tries: int, seconds: float) -> None:
        self.tries = tries
        self._end = time.monotonic() + seconds

    def spend(self) -> bool:
        """Take one try; return whether there was one."""
        self.tries -= 1
        return self.tries >= 0 and time.monotonic() < self._end


def fewer(parts: Sequence[T], shows: Callable[[Sequence[T]], bool], budget: Budget) -> list[T]:
    """Return parts without those that are not needed, left out in halves, quarters, and so on one by one.

    >>> fewer(list(range(100)), lambda some: {3, 50} <= set(some), Budget(1000, 60))
    [3, 50]
    """
    kept = list(parts)
    size = max(len(kept) // 2, 1)
    while True:
        at = 0
        changed = False
        while at < len(kept):
            less = kept[:at] + kept[at + size :]
            if not budget.spend():
                return kept
            if shows(less):
                kept = less
                changed = True
            else:
                at += size
        if size == 1 and not changed:
            return kept
        size = max(size // 2, 1)


def _simpler(tree: Node, shows: Callable[[bytes], bool], budget: Budget) -> Node:
    """Leave out what is not needed of a tree, from the top down."""

    def within(node: Node, put: Callable[[Node], Node]) -> Node:
        node = opened(node)
        if isinstance(node, Object):
            pairs = fewer(node.pairs, lambda some: shows(rendered(put(Object(tuple(some))))), budget)
            for at, (name, value) in enumerate(pairs):
                before, after = tuple(pairs[:at]), tuple(pairs[at + 1 :])
                new = within(value, lambda one, b=before, n=name, a=after: put(Object((*b, (n, one), *a))))
                pairs[at] = (name, new)
            return Object(tuple(pairs))
        if isinstance(node, Array):
            values = fewer(node.values, lambda some: shows(rendered(put(Array(tuple(some))))), budget)
            if len(values) < 20:
                for at, value in enumerate(values):
                    before, after = tuple(values[:at]), tuple(values[at + 1 :])
                    values[at] = within(value, lambda one, b=before, a=after: put(Array((*b, one, *a))))
            return Array(tuple(values))
        return node

    return within(tree, lambda node: node)


def shrunk(parts: Sequence[bytes], shows: Callable[[Sequence[bytes]], bool], budget: Budget) -> list[bytes]:
    """Return the parts that are needed, each cut down; `parts` themselves if they do not show it.

    >>> shrunk([b"abc", b"xyz"], lambda some: b"y" in b"".join(some), Budget(1000, 60))
    [b'y']
    """
    kept = fewer(parts, shows, budget)
    for at, part in enumerate(kept):

        def alone(text: bytes, at: int = at) -> bool:
            return shows([*kept[:at], text, *kept[at + 1 :]])

        if not isinstance(opened(part), bytes):
            smaller = rendered(_simpler(part, alone, budget))
            if smaller != part and len(smaller) <= len(part) and budget.spend() and alone(smaller):
                kept[at] = smaller
        if len(kept[at]) < 3_000:
            letters = fewer([bytes([byte]) for byte in kept[at]], lambda some: alone(b"".join(some)), budget)
            kept[at] = b"".join(letters)
    return kept
