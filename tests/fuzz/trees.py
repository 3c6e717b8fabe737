"""JSON that may be wrong: objects with keys twice, values that are no JSON, and edits at any place of it.

In: bytes of JSON, as far as it is any. Out: `Object` and `Array`, whose parts are nodes again or bytes as
they will stand in the text; nothing is opened before somebody goes into it. No node is ever changed: an edit
makes a new tree that shares all other parts with the old one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import NamedTuple, TypeAlias

import msgspec


class Object(NamedTuple):
    """Pairs of a key, as it is written, and a value."""

    pairs: tuple[tuple[bytes, Node], ...]


class Array(NamedTuple):
    """Values."""

    values: tuple[Node, ...]


Node: TypeAlias = Object | Array | bytes
Path: TypeAlias = tuple[int, ...]
"""Numbers of the pairs and values on the way down."""

_DEEPEST = 100
"""Steps down to which a tree is opened: what goes through it calls itself at each."""


def opened(node: Node) -> Node:
    """Return bytes as the object or array that they are, if they are one.

    >>> opened(b'{"a":1}'), opened(b"[2]"), opened(b"3"), opened(b"[")
    (Object(pairs=((b'"a"', b'1'),)), Array(values=(b'2',)), b'3', b'[')
    """
    if not isinstance(node, bytes):
        return node
    try:
        if node.startswith(b"{"):
            pairs = msgspec.json.decode(node, type=dict[str, msgspec.Raw]).items()
            return Object(tuple((text(name), bytes(value)) for name, value in pairs))
        if node.startswith(b"["):
            return Array(tuple(map(bytes, msgspec.json.decode(node, type=list[msgspec.Raw]))))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    return node


def rendered(node: Node, comma: bytes = b",", colon: bytes = b":") -> bytes:
    """Return a node as text.

    >>> rendered(Object(((b'"a"', Array((b"1", b"2"))), (b'"a"', b"nul"))))
    b'{"a":[1,2],"a":nul}'
    """
    if isinstance(node, bytes):
        return node
    if isinstance(node, Array):
        return b"[" + comma.join([rendered(value, comma, colon) for value in node.values]) + b"]"
    return (
        b"{" + comma.join([name + colon + rendered(value, comma, colon) for name, value in node.pairs]) + b"}"
    )


def text(value: str) -> bytes:
    r"""Return a string of JSON; half surrogate pairs become escapes.

    >>> text("a\ud800")
    b'"a\\ud800"'
    """
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def children(node: Node) -> list[Node]:
    """Return what a node holds."""
    if isinstance(node, Object):
        return [value for _, value in node.pairs]
    return list(node.values) if isinstance(node, Array) else []


def edited(node: Node, path: Path, change: Callable[[Node], Node | None]) -> Node:
    """Return a tree in which `change` was made to the node at `path`, opened; None takes it out.

    >>> rendered(edited(b'{"a":[1,2]}', (0, 1), lambda value: b"x"))
    b'{"a":[1,x]}'
    >>> rendered(edited(b'{"a":[1,2]}', (0,), lambda value: None))
    b'{}'
    """
    node = opened(node)
    if not path:
        return change(node) or b""
    at, rest = path[0], path[1:]
    inner = children(node)[at]
    new = edited(inner, rest, change) if rest else change(opened(inner))
    if isinstance(node, Object):
        pair = () if new is None else ((node.pairs[at][0], new),)
        return Object(node.pairs[:at] + pair + node.pairs[at + 1 :])
    assert isinstance(node, Array)
    return Array(node.values[:at] + (() if new is None else (new,)) + node.values[at + 1 :])


def pick_path(
    random: Random, tree: Node, wanted: Callable[[Node], bool] = lambda node: True, least: int = 1
) -> Path | None:
    """Return the path of some node that is wanted, at least `least` steps down; None if none was met."""
    for _ in range(6):
        path: Path = ()
        node = opened(tree)
        met: list[Path] = [()] if not least and wanted(node) else []
        while len(path) < _DEEPEST and (inner := children(node)):
            # Long arrays hold many alike: what stands beside them is to be met as often.
            at = random.randrange(len(inner))
            path = (*path, at)
            node = opened(inner[at])
            if len(path) >= least and wanted(node):
                met.append(path)
        if met:
            return random.choice(met)
    return None


def key(name: str) -> bytes:
    """Return a key as text."""
    return b'"' + name.encode() + b'"'


def keyed(tree: Node, name: str) -> Node | None:
    """Return the last value of a key of an object; None without one."""
    node = opened(tree)
    found = [value for own, value in node.pairs if own == key(name)] if isinstance(node, Object) else []
    return found[-1] if found else None
