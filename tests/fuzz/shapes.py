"""Changes to the shape of a log: its keys, types, numbers and texts, at any level.

In: a source of chance and the tree of a log. Out: another tree, or None where the change finds no place.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from tests.fuzz.trees import Array, Node, Object, Path, children, edited, key, opened, pick_path, rendered
from tests.fuzz.values import NUMBERS, TEXTS, any_value, deep, huge_text

Change = Callable[[Random, Node], Node | None]


def _is_object(node: Node) -> bool:
    return isinstance(node, Object) and bool(node.pairs)


def _is_array(node: Node) -> bool:
    return isinstance(node, Array)


def _is_number(node: Node) -> bool:
    return isinstance(node, bytes) and node[:1] in (*(b"%d" % digit for digit in range(10)), b"-")


def _is_text(node: Node) -> bool:
    return isinstance(node, bytes) and node.startswith(b'"')


def _where(random: Random, tree: Node, wanted: Callable[[Node], bool], least: int = 0) -> Path | None:
    """Return a place; keys of the game itself are as likely as all that is below them."""
    if not least and wanted(opened(tree)) and random.random() < 0.5:
        return ()
    return pick_path(random, tree, wanted, least)


def escaped(random: Random, name: bytes) -> bytes:
    """Return a key spelled with an escape."""
    inner = name[1:-1]
    if not inner or b"\\" in inner:
        return name
    at = random.randrange(len(inner))
    spelled = (b"\\u%04x" if random.random() < 0.5 else b"\\u%04X") % inner[at]
    return b'"' + inner[:at] + spelled + inner[at + 1 :] + b'"'


def _doubled(before: bool, spelled: bool) -> Change:
    def change(random: Random, tree: Node) -> Node | None:
        path = _where(random, tree, _is_object)
        if path is None:
            return None

        def double(node: Node) -> Node:
            assert isinstance(node, Object)
            name, value = random.choice(node.pairs)
            other = _twin(random, value)
            if spelled:
                name = escaped(random, name)
            pair = (name, other)
            at = random.randrange(len(node.pairs) + 1)
            own = next(number for number, (own, _) in enumerate(node.pairs) if own == name or spelled)
            at = random.randint(0, own) if before else random.randint(own + 1, len(node.pairs))
            return Object((*node.pairs[:at], pair, *node.pairs[at:]))

        return edited(tree, path, double)

    return change


def _twin(random: Random, value: Node) -> Node:
    """Return another value for a key: the same, a part of it, one of another type, or what is none."""
    value = opened(value)
    pick = random.random()
    if pick < 0.2:
        return value
    if isinstance(value, Array) and pick < 0.4:
        return Array(value.values[: len(value.values) // 2])
    if isinstance(value, Array) and pick < 0.6:
        inner = tuple((b'"%d"' % number, one) for number, one in enumerate(value.values[:3]))
        return (
            Array(tuple(_without_one(random, one) for one in value.values[:3]))
            if pick < 0.5
            else Object(inner)
        )
    return any_value(random)


def _without_one(random: Random, node: Node) -> Node:
    node = opened(node)
    if isinstance(node, Object) and node.pairs:
        at = random.randrange(len(node.pairs))
        return Object(node.pairs[:at] + node.pairs[at + 1 :])
    return node


def object_for_array(random: Random, tree: Node) -> Node | None:
    path = _where(random, tree, _is_array, 1)
    if path is None:
        return None

    def change(node: Node) -> Node:
        assert isinstance(node, Array)
        pick = random.randrange(3)
        if pick == 0:
            return Object(((key("a"), node),))
        if pick == 1:
            return Object(tuple((key(str(number)), value) for number, value in enumerate(node.values)))
        return Object(())

    return edited(tree, path, change)


def array_for_object(random: Random, tree: Node) -> Node | None:
    path = _where(random, tree, _is_object)
    if path is None:
        return None

    def change(node: Node) -> Node:
        assert isinstance(node, Object)
        pick = random.randrange(3)
        if pick == 0:
            return Array((node,))
        return Array(tuple(value for _, value in node.pairs) if pick == 1 else ())

    return edited(tree, path, change)


def _replaced(wanted: Callable[[Node], bool], make: Callable[[Random], Node]) -> Change:
    def change(random: Random, tree: Node) -> Node | None:
        path = pick_path(random, tree, wanted)
        return None if path is None else edited(tree, path, lambda node: make(random))

    return change


def _anything(node: Node) -> bool:
    return True


def missing_key(random: Random, tree: Node) -> Node | None:
    path = _where(random, tree, _is_object)
    return None if path is None else edited(tree, path, lambda node: _without_one(random, node))


def missing_value(random: Random, tree: Node) -> Node | None:
    """Leave out a value of an array."""
    path = pick_path(random, tree, lambda node: isinstance(node, Array) and bool(node.values))
    if path is None:
        return None
    inner = opened(tree)
    for step in path:
        inner = opened(children(inner)[step])
    assert isinstance(inner, Array)
    at = random.randrange(len(inner.values))
    return edited(tree, path, lambda node: Array(inner.values[:at] + inner.values[at + 1 :]))


UNKNOWN: Final = (
    b'""',
    b'"x"',
    b'"Actions"',
    b'"actions "',
    b'"order"',
    b'"\\u0000"',
    b'"\xff"',
    b'"a\nb"',
    b"x",
    b"1",
    b'"deck\\u0000"',
)


def unknown_key(random: Random, tree: Node) -> Node | None:
    path = _where(random, tree, _is_object)
    if path is None:
        return None

    def change(node: Node) -> Node:
        assert isinstance(node, Object)
        at = random.randint(0, len(node.pairs))
        name = random.choice(UNKNOWN) if random.random() < 0.8 else huge_text(random)
        return Object((*node.pairs[:at], (name, any_value(random)), *node.pairs[at:]))

    return edited(tree, path, change)


def _renamed(make: Callable[[Random, bytes], bytes]) -> Change:
    def change(random: Random, tree: Node) -> Node | None:
        path = _where(random, tree, _is_object)
        if path is None:
            return None

        def rename(node: Node) -> Node:
            assert isinstance(node, Object)
            at = random.randrange(len(node.pairs))
            name, value = node.pairs[at]
            return Object((*node.pairs[:at], (make(random, name), value), *node.pairs[at + 1 :]))

        return edited(tree, path, rename)

    return change


def _other_name(random: Random, name: bytes) -> bytes:
    changes = (
        bytes.upper,
        bytes.title,
        lambda one: one[:-2] + b'"',
        lambda one: one[:-1] + b's"',
        lambda one: b'" ' + one[1:],
        lambda one: one[1:-1],
        lambda one: b"'" + one[1:-1] + b"'",
    )
    return random.choice(changes)(name)


def shuffled_keys(random: Random, tree: Node) -> Node | None:
    path = _where(random, tree, _is_object)
    if path is None:
        return None

    def change(node: Node) -> Node:
        assert isinstance(node, Object)
        return Object(tuple(random.sample(node.pairs, len(node.pairs))))

    return edited(tree, path, change)


def copied(random: Random, tree: Node) -> Node | None:
    """Put a value from one place of the log in another."""
    here, there = pick_path(random, tree), pick_path(random, tree)
    if here is None or there is None:
        return None
    found: list[Node] = []

    def look(node: Node) -> Node:
        found.append(node)
        return node

    edited(tree, here, look)
    return edited(tree, there, lambda node: found[0])


def as_text(random: Random, tree: Node) -> Node | None:
    """Write a number, an array or an object as a string."""
    path = pick_path(random, tree, lambda node: not _is_text(node))
    if path is None:
        return None

    def change(node: Node) -> Node:
        inner = rendered(node)
        return b'"' + inner.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'

    return edited(tree, path, change)


def spaced(random: Random, tree: Node) -> Node | None:
    """Put space, or what some take for it, before a value."""
    path = pick_path(random, tree)
    gap = random.choice(
        (
            b" ",
            b"\t",
            b"\r",
            b" \r ",
            b"\n",
            b"\n ",
            b"\x0b",
            b"\x0c",
            b"\x00",
            b"\xc2\xa0",
            b"\xef\xbb\xbf",
            b" " * 500,
        )
    )
    return None if path is None else edited(tree, path, lambda node: gap + rendered(node))


SHAPES: Final[dict[str, Change]] = {
    "doubled key, before": _doubled(True, False),
    "doubled key, after": _doubled(False, False),
    "doubled key, escaped, before": _doubled(True, True),
    "doubled key, escaped, after": _doubled(False, True),
    "object for array": object_for_array,
    "array for object": array_for_object,
    "wrong type": _replaced(_anything, any_value),
    "number at a bound": _replaced(_is_number, lambda random: random.choice(NUMBERS)),
    "number anywhere": _replaced(_anything, lambda random: random.choice(NUMBERS)),
    "text": _replaced(_is_text, lambda random: random.choice(TEXTS)),
    "null": _replaced(_anything, lambda random: b"null"),
    "nested deeply": _replaced(_anything, deep),
    "huge text": _replaced(_anything, huge_text),
    "missing key": missing_key,
    "missing value": missing_value,
    "unknown key": unknown_key,
    "key in another spelling": _renamed(escaped),
    "key of another name": _renamed(_other_name),
    "keys in another order": shuffled_keys,
    "value from elsewhere": copied,
    "value as text": as_text,
    "space before a value": spaced,
}
