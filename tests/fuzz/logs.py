"""A log of the fuzzer: a sound one, shortened, with some changes.

In: sound logs and a source of chance. Out: `Log`s, each with the names of the changes that were made to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from tests.fuzz.moves import MOVES, with_key
from tests.fuzz.shapes import SHAPES
from tests.fuzz.texts import TEXTS
from tests.fuzz.trees import Array, Node, keyed, opened, rendered

MUTATIONS: Final = (*SHAPES, *MOVES, *TEXTS)
"""Names of all changes."""

_LONGEST: Final = 15
_GAPS: Final = ((b",", b":"),) * 6 + ((b", ", b": "), (b" ,\t", b" : "), (b",\r", b":"))


class Log(NamedTuple):
    """The text of a log, without the end of its last line, and the changes that made it."""

    text: bytes
    changes: tuple[str, ...] = ()


def _shortened(random: Random, base: bytes, number: int) -> Node:
    """Return a game with few actions, mostly, and a number of its own, mostly."""
    tree = opened(base)
    actions = opened(keyed(tree, "actions") or b"")
    if isinstance(actions, Array) and random.random() < 0.85:
        tree = with_key(tree, "actions", Array(actions.values[: random.randint(0, _LONGEST)])) or tree
        if random.random() < 0.8:
            tree = with_key(tree, "score", None) or tree
    if random.random() < 0.4 and keyed(tree, "seed") is not None:
        tree = with_key(tree, "deck", None) or tree
    if random.random() < 0.95:
        tree = with_key(tree, "id", b"%d" % number) or tree
    return tree


def sound_log(random: Random, bases: Sequence[bytes], number: int) -> bytes:
    """Return a log without a change, on one line, with this number."""
    return rendered(with_key(_shortened(random, random.choice(bases), number), "id", b"%d" % number) or b"")


def make_log(random: Random, bases: Sequence[bytes], number: int) -> Log:
    """Return a log with some changes: mostly one, at times none or several."""
    tree = _shortened(random, random.choice(bases), number)
    text: bytes | None = None
    done: list[str] = []
    gaps = random.choice(_GAPS)
    for _ in range(random.choice((0, 1, 1, 1, 1, 1, 1, 2, 2, 3))):
        name = random.choice(MUTATIONS)
        if name in TEXTS:
            text = rendered(tree, *gaps) if text is None else text
            text = TEXTS[name](random, text, rendered(opened(random.choice(bases))))
        else:
            changed = (SHAPES.get(name) or MOVES[name])(random, tree if text is None else text)
            if changed is None:
                continue
            if text is None:
                tree = changed
            else:
                text = rendered(changed, *gaps)
        done.append(name)
    return Log(rendered(tree, *gaps) if text is None else text, tuple(done))
