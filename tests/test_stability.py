"""The package keeps what docs/stability.md promises: `surface.json` has the surface of the last release.

`.ci/run` compares the installed wheel with it, too, by `surface.py --check`, without the source tree.
"""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.surface import FILE, broken, surface

pytest.importorskip("duckdb")

THEN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))


def test_nothing_public_is_gone_or_different() -> None:
    assert list(broken(THEN, json.loads(json.dumps(surface())))) == []


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("python", "replay", "parameters", "strict"), "python.replay.parameters: strict is gone"),
        (("commands", "replay", "options", "--turn"), "commands.replay.options: --turn is gone"),
        (("tables", "games", "score"), "tables.games: score is gone"),
        (("objects", "replay", "turns"), "objects.replay: turns is gone"),
        (("words", "mistakes", "misplay"), "words.mistakes: misplay is gone"),
        (("schemas", "output: mistakes", "kind"), "schemas.output: mistakes: kind is gone"),
    ],
)
def test_a_name_that_is_gone_is_noticed(path: tuple[str, ...], found: str) -> None:
    now = copy.deepcopy(THEN)
    *parts, name = path
    part = now
    for one in parts:
        part = part[one]
    del part[name]
    assert list(broken(THEN, now)) == [found]
    assert list(broken(now, THEN)) == []  # a new optional name breaks nothing


def test_other_values_and_another_order_are_noticed() -> None:
    now = copy.deepcopy(THEN)
    now["exit codes"]["failed"] = 3
    own = now["python"]["Action"]["parameters"]
    now["python"]["Action"]["parameters"] = dict(reversed(own.items()))
    assert sorted(broken(THEN, now)) == [
        "exit codes.failed: 2 is now 3",
        "python.Action.parameters: the order is now value, target, kind",
    ]
