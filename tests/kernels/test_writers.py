"""Who may write which record: each says so in its docstring, and the syntax trees are held to it.

A record is written by an assignment to a field of it, or to a place in a row of it. Whose field that is
follows from the annotations of parameters and from the fields' own types.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hanalyze
from hanalyze.kernels.record import Record, _fields

HOUSE = Path(hanalyze.__file__).parent
ROOMS = ("kernels", "engine", "conventions", "agents", "detectors", "solver")
SOURCES = {
    ".".join(path.relative_to(HOUSE).with_suffix("").parts): path.read_text(encoding="utf-8")
    for path in sorted(HOUSE.rglob("*.py"))
}


def records() -> dict[str, type[Record]]:
    """Return all records of the house by name."""
    for room in ROOMS:
        package = importlib.import_module(f"hanalyze.{room}")
        for module in pkgutil.iter_modules(package.__path__, f"hanalyze.{room}."):
            importlib.import_module(module.name)
    kinds = [kind for kind in Record.__subclasses__() if kind.__module__.startswith("hanalyze.")]
    assert len({kind.__name__ for kind in kinds}) == len(kinds)
    return {kind.__name__: kind for kind in kinds}


RECORDS = records()
PARTS = {
    name: {field: kind.__name__ for field, kind, _ in _fields(record) if issubclass(kind, Record)}
    for name, record in RECORDS.items()
}
"""By record and field, the record that it holds, by itself or in rows."""


def module_of(kind: type) -> str:
    return kind.__module__.removeprefix("hanalyze.")


def writers(kind: type[Record]) -> set[str]:
    """Return the modules that a record's docstring names as those that write it."""
    text = " ".join((kind.__doc__ or "").split())
    said = re.search(r"Written by ((?:`[\w.]+`(?:, )?)+)", text)
    room = module_of(kind).partition(".")[0]
    names = re.findall(r"`([\w.]+)`", said[1]) if said else []
    return {name if "." in name or name in SOURCES else f"{room}.{name}" for name in names}


class Writes:
    """Finds the records that a function writes."""

    def __init__(self, function: ast.FunctionDef, known: set[str]) -> None:
        self.kinds: dict[str, str] = {}
        """By local name, the record that it is, or `Record.field` for a row of one."""
        self.known = known
        arguments = function.args
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            named = re.findall(r"\w+", ast.unparse(one.annotation)) if one.annotation else []
            kind = next((name for name in named if name in RECORDS and name in known), None)
            if kind:
                self.kinds[one.arg] = kind
        self.function = function

    def kind(self, node: ast.expr) -> str | None:
        """Return the record that an expression is, None if it is none."""
        if isinstance(node, ast.Name):
            return self.kinds.get(node.id)
        if isinstance(node, ast.Subscript):
            return self.kind(node.value)
        if isinstance(node, ast.Attribute):
            owner = self.kind(node.value)
            return PARTS[owner].get(node.attr) if owner else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RECORDS:
            return node.func.id if node.func.id in self.known else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self.kind(node.func.value) if node.func.attr in ("copy", "frozen") else None
        return None

    def learn(self, target: ast.expr, value: ast.expr) -> None:
        """Remember what a local name stands for."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, of in zip(target.elts, value.elts, strict=True):
                self.learn(one, of)
        elif isinstance(target, ast.Name):
            kind = self.kind(value)
            if kind:
                self.kinds[target.id] = kind
            else:
                self.row(target.id, value)

    def row(self, name: str, value: ast.expr) -> None:
        """Remember a local name for a row of a record, which is written as the record is."""
        self.kinds.pop(name, None)
        bare = value
        while isinstance(bare, ast.Subscript):
            bare = bare.value
        if isinstance(bare, ast.Attribute) and not isinstance(bare.ctx, ast.Store):
            owner = self.kind(bare.value)
            field = {field: shape for field, _, shape in _fields(RECORDS[owner])} if owner else {}
            depth = ast.unparse(value).count("[") - ast.unparse(bare).count("[")
            if owner and len(field.get(bare.attr, ())) > depth:
                self.kinds[name] = f"{owner}.{bare.attr}"

    def written(self, target: ast.expr) -> Iterator[str]:
        """Yield the records that an assignment to `target` writes."""
        if isinstance(target, ast.Tuple):
            for one in target.elts:
                yield from self.written(one)
        elif isinstance(target, ast.Subscript):
            bare = target.value
            while isinstance(bare, ast.Subscript):
                bare = bare.value
            if isinstance(bare, ast.Name) and "." in self.kinds.get(bare.id, ""):
                yield self.kinds[bare.id].partition(".")[0]
            elif isinstance(bare, ast.Attribute):
                yield from self.written(bare)
        elif isinstance(target, ast.Attribute):
            owner = self.kind(target.value)
            if owner and "." not in owner:
                yield owner

    def all(self) -> Iterator[tuple[str, int]]:
        """Yield each record that is written, with the line."""
        nodes = [node for node in ast.walk(self.function) if isinstance(node, ast.stmt)]
        for node in sorted(nodes, key=lambda one: (one.lineno, one.col_offset)):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    for kind in self.written(target):
                        yield kind, node.lineno
                    self.learn(target, node.value)
            elif isinstance(node, ast.AugAssign | ast.AnnAssign):
                for kind in self.written(node.target):
                    yield kind, node.lineno
                if isinstance(node, ast.AnnAssign) and node.value:
                    self.learn(node.target, node.value)
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                self.learn(node.target, node.iter)


def found_in(source: str, module: str = "") -> Iterator[tuple[str, int]]:
    """Yield the records that a module writes, with the line; it must have imported or declared them."""
    tree = ast.parse(source)
    names = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    names |= {name for name, kind in RECORDS.items() if module_of(kind) == module}
    if names.isdisjoint(RECORDS):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield from Writes(node, names).all()


@functools.cache
def found() -> dict[str, list[tuple[str, int]]]:
    """Return by module the records that it writes, with the lines."""
    return {module: list(found_in(source, module)) for module, source in SOURCES.items()}


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_a_record_is_written_where_it_says(name: str) -> None:
    if all(issubclass(kind, Record) for _, kind, _ in _fields(RECORDS[name])):
        return  # It has parts and nothing of its own.
    allowed = writers(RECORDS[name])
    assert allowed, f"{name} does not say who writes it"
    there = {module for module, writes in found().items() if any(kind == name for kind, _ in writes)}
    where = [
        f"{module}:{line}"
        for module in there - allowed
        for line in (line for kind, line in found()[module] if kind == name)
    ]
    assert not where, f"{name} is written at {where}, not only in {sorted(allowed)}"
    assert allowed <= there, f"{name} is not written in {sorted(allowed - there)}"


SAMPLE = """
from anywhere import Call, ConventionState, Game


def one(game: Game, state: ConventionState, calls: list[Call]) -> None:
    verdict, common = state.verdict, state.common
    verdict.chain.steps[0].ids = 1
    common.inferred[3] &= 2
    row = game.hands[2]
    row[1] = 7
    known = game.hands[2][1]
    calls[1].done, x = 3, 4
    size = state.turn_view.chop[0]
    size += 1
"""


def test_writes_are_found_however_they_are_written() -> None:
    assert list(found_in(SAMPLE)) == [("Step", 7), ("CommonKnowledge", 8), ("Game", 10), ("Call", 12)]
