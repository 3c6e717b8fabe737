"""Conventions in the database: what is read, what is passed over, what is read anew."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import hanalyze as hz
from hanalyze.conventions.run import HIGHEST_LEVEL, read_games
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.errors import HanalyzeError
from hanalyze.store.schema import CONVENTION_TABLES
from hanalyze.tables.conventions import CONVENTIONS, CONVENTIONS_VERSION
from tests.store.logs import log

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def counts(db: hz.Database) -> list[int]:
    return [db.sql(f"SELECT count(*) FROM {table}").item() for table in CONVENTION_TABLES]


def test_rows_are_those_of_the_logs(tmp_path: Path) -> None:
    file = log(tmp_path / "games.jsonl", 12)
    with hz.connect() as db:
        db.ingest(file)
        assert counts(db) == [0, 0, 0, 0, 0]
        reading = db.read_conventions()
        assert (reading.games, reading.already_read, reading.level) == (12, 0, HIGHEST_LEVEL)
        output = read_games(make_batch(deal_records(hz.read(file))))
        assert counts(db) == [
            12,
            len(output.findings["turn"]),
            len(output.outcomes["turn"]),
            *[db.turns().collect().height] * 2,
        ]
        stored = db.findings()
        by_game = stored.group_by("game_id").len()["len"].sort().to_list()
        assert by_game == sorted(output.games["findings"].tolist())
        words = next(column.words for column in CONVENTIONS if column.name == "convention")
        found = pl.Series([words[code] for code in output.findings["convention"].tolist()])
        assert (
            stored["convention"].cast(pl.String).value_counts().sort("convention").rows()
            == found.alias("convention").value_counts().sort("convention").rows()
        )
        assert (
            db.sql("SELECT DISTINCT conventions_version FROM convention_games").item() == CONVENTIONS_VERSION
        )


def test_only_new_games_are_read(tmp_path: Path) -> None:
    with hz.connect(tmp_path / "games.duckdb") as db:
        db.ingest(log(tmp_path / "some.jsonl", 5))
        assert db.read_conventions(11).games == 5
        before = db.findings()
        db.ingest(log(tmp_path / "more.jsonl", 8))
        again = db.read_conventions()
        assert (again.games, again.already_read, again.level) == (3, 5, 11)
        same = db.findings().join(before.select("game_id").unique(), on="game_id", how="semi")
        assert same.equals(before)
        assert db.read_conventions(11).games == 0
        # Another level is another reading of all games.
        anew = db.read_conventions(1)
        assert (anew.games, anew.already_read, anew.level) == (8, 0, 1)
        assert db.findings()["level"].max() <= 1
        assert counts(db)[0] == 8


def test_other_definitions_read_all_anew(tmp_path: Path) -> None:
    with hz.connect(tmp_path / "games.duckdb") as db:
        db.ingest(log(tmp_path / "some.jsonl", 3))
        db.read_conventions()
        db.connection.execute("UPDATE convention_games SET conventions_version = 0")
        assert db.read_conventions().games == 3
        assert counts(db)[0] == 3


def test_every_sample_game_can_be_read() -> None:
    with hz.connect() as db:
        db.ingest(SAMPLES)
        games = db.sql("SELECT count(*) FROM games").item()
        assert db.read_conventions().games == games
        # One row per action that was carried out, and at least one finding to it.
        assert counts(db)[3] == db.sql("SELECT count(*) FROM turns").item()
        missed = """SELECT count(*) FROM turns t ANTI JOIN findings f USING (game_id, turn)
            WHERE t.action <> 'end_game' AND t.slot IS DISTINCT FROM 0"""
        assert db.sql(missed).item() == 0


@pytest.mark.parametrize("level", [-1, 26])
def test_levels_that_do_not_exist(tmp_path: Path, level: int) -> None:
    with hz.connect() as db, pytest.raises(HanalyzeError, match="levels are 1 to 25"):
        db.read_conventions(level)


@pytest.mark.heavy
def test_many_games_in_several_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hanalyze.store import conventions

    file = log(tmp_path / "games.jsonl", 11)
    frames = []
    for batch, piece in ((20_000, 1000), (7, 3)):
        monkeypatch.setattr(conventions, "_BATCH", batch)
        monkeypatch.setattr(conventions, "_PIECE", piece)
        with hz.connect() as db:
            db.ingest(file)
            seen = []
            db.read_conventions(on_progress=seen.append, jobs=2)
            assert seen[-1].games == seen[-1].total == 11
            frames.append(db.findings())
    assert frames[0].equals(frames[1])
