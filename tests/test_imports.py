"""No module needs one that needs it: imports go round in no circle, those inside of functions included.

Those that are for type checkers alone count, too: who reads them goes the same way. A package's face, which
only hands names on, loads them when they are asked for, so what it names for type checkers does not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (ROOT / "hanalyze").rglob("*.py")
}


def imports(node: ast.AST, face: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of a tree; of a package's face those that are carried out."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    passed_over = face and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    for child in node.orelse if passed_over else ast.iter_child_nodes(node):
        yield from imports(child, face)


def imported(text: str, face: bool) -> set[str]:
    """Return the modules of the package that a module's text names in its imports."""
    found = set()
    for node in imports(ast.parse(text), face):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            assert node.level == 0, "imports say the whole name"
            # A name may be a module or stand in one.
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names if names <= MODULES.keys() else names | {node.module or ""}
    return found & MODULES.keys()


def test_imports_are_seen() -> None:
    text = """
if TYPE_CHECKING:
    from hanalyze.text import shorten
else:
    import hanalyze.errors
def read():
    import hanalyze.game.cards, numpy
    from hanalyze.logs.sources import site
    from hanalyze.logs import GameRecord
from hanalyze.store import opening
"""
    assert imported(text, face=False) == imported(text, face=True) | {"hanalyze.text"}
    assert imported(text, face=True) == {
        "hanalyze.errors",
        "hanalyze.game.cards",
        "hanalyze.logs",
        "hanalyze.logs.sources.site",
        "hanalyze.store.opening",
    }


def test_no_circle() -> None:
    needs = {
        name: imported(path.read_text("utf-8"), path.name == "__init__.py") for name, path in MODULES.items()
    }
    assert len(needs) > 100
    assert needs["hanalyze.report.game.game_view"] > {
        "hanalyze.report.game.verdicts",
        "hanalyze.report.game.positions",
    }
    # It raises `CycleError` with the modules of a circle.
    TopologicalSorter(needs).prepare()
