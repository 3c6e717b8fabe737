"""Games out of a database play as their logs do: every column of every turn, card and clue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hanalyze as hz
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.engine.run import play
from hanalyze.store.batches import stored_batches
from tests.store.logs import log

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def ids_of(db: hz.Database) -> list[int]:
    return db.sql("SELECT game_id FROM games").to_series().to_list()


def table(columns: dict[str, Any]) -> Any:
    """Return columns, some of which have several numbers a row, as one array."""
    return np.column_stack([one.reshape(len(one), -1).astype(float) for one in columns.values()])


@pytest.fixture(scope="module")
def samples() -> hz.Database:
    db = hz.connect()
    db.ingest(SAMPLES)
    return db


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_sample_logs_play_the_same(samples: hz.Database, size: int) -> None:
    stored = {}
    for ids, batch in stored_batches(samples.connection, np.array(ids_of(samples), np.int64), size):
        assert len(ids) == len(batch.seats) <= size
        for number, game in enumerate(ids.tolist()):
            stored[game] = (batch, number)
    assert len(stored) == len(ids_of(samples)) >= 60
    turns = samples.turns().collect()
    for game, (batch, number) in stored.items():
        rows = turns.filter(turns["game_id"] == game).sort("turn")
        first = int(batch.first_action[number])
        assert batch.actions[number] == rows.height
        clued = rows["result"].cast(str).to_numpy() == "clued"
        target = batch.target[first : first + rows.height]
        assert target[clued].tolist() == rows["receiver"].drop_nulls().to_list()
        assert target[~clued & (batch.kind[first : first + rows.height] < 2)].tolist() == (
            rows["order"].drop_nulls().to_list()
        )


@pytest.mark.heavy
def test_outcomes_are_those_of_the_logs(tmp_path: Path) -> None:
    """Play logs of all editions and variants of the samples, and of random players, both ways."""
    file = log(tmp_path / "random.jsonl", 40, agent="random")
    records = [*hz.read(sorted(SAMPLES.glob("*.json*"))), *hz.read([file])]
    played = play(make_batch(deal_records(records)), measured=True)
    with hz.connect() as db:
        db.ingest([SAMPLES, file])
        [(_, batch)] = stored_batches(db.connection, np.array(ids_of(db), np.int64), 10_000)
        again = play(batch, measured=True)
        both = []
        for output in (played, again):
            ends = np.cumsum(output.games["turns"])
            rows = table(output.turns)
            facts = table({name: one for name, one in output.games.items() if name != "defects"})
            both.append(
                sorted(
                    (np.nan_to_num(head, nan=-9).tolist(), np.nan_to_num(part, nan=-9).tolist())
                    for head, part in zip(facts, np.split(rows, ends[:-1]), strict=True)
                )
            )
    # The logs say which actions break a rule without being carried out; the database has what was.
    assert len(both[0]) >= len(both[1]) > 100
    assert {repr(one) for one in both[0]} == {repr(one) for one in both[1]}
