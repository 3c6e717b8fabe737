"""Kernels use no negative indices, because compiled code would take the memory before the row.

Interpreted kernels run over records whose rows refuse negative indices.
"""

from __future__ import annotations

from typing import Any

import pytest

import hanalyze as hz
from hanalyze.agents import AGENTS, simulate
from hanalyze.conventions.run import read_games
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.run import play
from hanalyze.game.variants import variant_names
from hanalyze.kernels.record import Record, _fields


class StrictRow(list[Any]):
    """A row that refuses negative indices."""

    def __getitem__(self, index: Any) -> Any:
        assert isinstance(index, slice) or index >= 0
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        assert isinstance(index, slice) or index >= 0
        super().__setitem__(index, value)


def strict(value: Any) -> Any:
    """Return a record whose rows are strict."""
    if isinstance(value, Record):
        for name, *_ in _fields(type(value)):
            setattr(value, name, strict(getattr(value, name)))
    return StrictRow(map(strict, value)) if isinstance(value, list) else value


@pytest.fixture(autouse=True)
def strict_records(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Record.__dict__["new"].__func__
    monkeypatch.setattr(Record, "new", classmethod(lambda cls, *, fast: strict(new(cls, fast=fast))))
    with pytest.raises(AssertionError):
        Game.new(fast=False).hands[0][-1] = 1


@pytest.mark.heavy
@pytest.mark.parametrize("agent", AGENTS)
def test_games_in_many_variants(agent: str) -> None:
    names = variant_names()[:: 300 if agent == "conventional" else 50]
    records = [
        record
        for n, variant in enumerate(names)
        for record in simulate(agent, players=2 + n % 4, variant=variant, seed=n, fast=False)
    ]
    batch = make_batch(deal_records(records))
    play(batch, fast=False)
    read_games(batch, fast=False, cards=True, last=min(8, len(records)))


def test_solver() -> None:
    [record] = simulate("cautious", players=2, fast=False)
    assert hz.solve(hz.replay(record), 40, nodes=200, fast=False)
