"""The file of a database: made, opened again, refused; every failure is one clear line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.store import connect
from hanalyze.store.errors import RULES
from hanalyze.tables import TABLES_VERSION
from hanalyze.tables.store import TABLES
from tests.store.logs import log


def refused(path: Path, rule: str, **how: bool) -> str:
    with pytest.raises(HanalyzeError) as caught:
        connect(path, **how)
    text = str(caught.value)
    assert caught.value.rule == rule
    assert rule in RULES
    assert text.isprintable()
    assert text.startswith(str(path))
    return text


def test_what_was_stored_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 5))
        rows = db.games().sort("game_id")
    with connect(path, read_only=True) as db:
        assert db.games().sort("game_id").equals(rows)
    with connect(path, rebuild=True) as db:
        assert db.games().height == 0


def test_tables_have_their_columns() -> None:
    with connect() as db:
        for table, columns in TABLES.items():
            frame = db.table(table)
            if hasattr(db, table):
                same = getattr(db, table)()
                assert frame.equals(same.collect() if isinstance(same, pl.LazyFrame) else same)
            assert frame.columns == [column.name for column in columns]
            for column in columns:
                if column.words:
                    assert frame.schema[column.name] == pl.Enum(list(column.words))
        with pytest.raises(UnknownName, match=r"did you mean .turns."):
            db.table("turnss")


def test_lazy_frames_fetch_what_is_asked_for(tmp_path: Path) -> None:
    with connect() as db:
        db.ingest(log(tmp_path / "games.jsonl", 5))
        turns = db.turns()
        whole = turns.collect()
        assert turns.select("turn", "pace_after").head(3).collect().shape == (3, 2)
        plays = turns.filter(pl.col("action") == "play").select("turn").collect()
        assert plays.height == whole.filter(pl.col("action") == "play").height


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    path.write_bytes(b"hello " * 5000)
    assert "not a DuckDB database" in refused(path, "not_a_database")
    refused(path, "not_a_database", rebuild=True)
    assert path.read_bytes() == b"hello " * 5000
    refused(tmp_path, "not_a_database")


def test_a_database_of_somebody_else(tmp_path: Path) -> None:
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE customers (name VARCHAR)")
    refused(path, "not_a_database")
    refused(path, "not_a_database", rebuild=True)
    assert path.exists()


@pytest.mark.parametrize(
    ("version", "advice"),
    [(TABLES_VERSION - 1, "run `hanalyze ingest --rebuild` with the same logs"), (99, "update hanalyze")],
)
def test_a_database_of_another_version(version: int, advice: str, tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    connect(path).close()
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE hanalyze SET tables_version = ?", [version])
    text = refused(path, "other_version")
    assert text.endswith(f"version {version}, but this hanalyze has {TABLES_VERSION}; {advice}")
    connect(path, rebuild=True).close()
    connect(path).close()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    refused(tmp_path / "none.duckdb", "no_file", read_only=True)
    refused(tmp_path / "no folder" / "games.duckdb", "no_file")


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to root")
    path = tmp_path / "games.duckdb"
    connect(path).close()
    path.chmod(0)
    refused(path, "no_permission")


def test_a_database_that_another_process_holds(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    code = "import sys, duckdb; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert "another process" in refused(path, "database_held")
        refused(path, "database_held", rebuild=True)
        assert path.exists()


DISK_FULL = """
import resource, signal, sys
from hanalyze.errors import HanalyzeError
from hanalyze.store import connect
db = connect(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
try:
    db.ingest(sys.argv[2])
except HanalyzeError as error:
    print(error.rule, error)
try:
    db.close()
except HanalyzeError as error:
    print(error.rule, error)
"""


@pytest.mark.compiled
@pytest.mark.heavy
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    path, games = tmp_path / "games.duckdb", log(tmp_path / "games.jsonl", 1000)
    done = subprocess.run(
        [sys.executable, "-c", DISK_FULL, str(path), str(games)], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("disk_full"), done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    # With room again, the same once more completes it.
    with connect(path) as db:
        summary = db.ingest(games)
        assert summary.stored + summary.already_there == 1000
        assert db.games().height == 1000


@pytest.mark.parametrize("query", ["SELECT nothing FROM nowhere", "SELEC", "SELECT ?", "SELECT 1/'x'"])
def test_a_bad_query_is_one_line(query: str) -> None:
    with connect() as db, pytest.raises(HanalyzeError) as caught:
        db.sql(query)
    assert caught.value.rule == "bad_sql"
    assert "\n" not in str(caught.value)


def test_rows_of_a_query_with_parameters_stay_in_order() -> None:
    """Also where DuckDB keeps them, and several threads read what was kept."""
    with connect() as db:
        db.connection.execute("SET threads = 4")
        columns = "range AS number, 'text ' || range AS text, range AS Number"
        query = f"SELECT {columns} FROM range($n) ORDER BY range DESC"
        for _ in range(5):
            frame = db.sql(query, {"n": 20_000})
            assert frame.columns == ["number", "text", "Number_1"]
            assert frame["number"].to_list() == list(range(20_000))[::-1]


def test_a_closed_database_says_so() -> None:
    db = connect()
    db.close()
    db.close()
    with pytest.raises(HanalyzeError, match="closed"):
        db.games()


def test_export(tmp_path: Path) -> None:
    with connect() as db:
        db.ingest([log(tmp_path / "a.jsonl", 4), log(tmp_path / "b.jsonl", 4, players=4)])
        rows = db.export(tmp_path / "out")
        for table in TABLES:
            files = sorted(str(file) for file in (tmp_path / "out" / table).rglob("*.parquet"))
            assert sum(pl.read_parquet(file).height for file in files) == rows[table]
        turns = pl.read_parquet(tmp_path / "out" / "turns", hive_partitioning=True)
        assert turns.height == db.turns().collect().height
        assert set(turns["players"]) == {3, 4}
        with pytest.raises(HanalyzeError, match="not empty"):
            db.export(tmp_path / "out")


@pytest.mark.parametrize("name", ["", ":memory:", ":memory:games"])
def test_a_name_that_no_file_has(name: str) -> None:
    with pytest.raises(HanalyzeError) as caught:
        connect(name)
    assert caught.value.rule == "bad_name"
    assert caught.value.rule in RULES


@pytest.mark.parametrize(
    ("start", "word"),
    [
        (b"SQLite format 3\0" + bytes(4000), "SQLite"),
        (b'{"a": 1}', "JSON"),
        (b"# README\nfor all\n", "text"),
        (b"PAR1" + bytes(100), "Parquet"),
        (b"\x1f\x8b\x08" + bytes(100), "gzip"),
        (b"\xff\xfe\x00" * 50, "first bytes are damaged"),
    ],
)
def test_a_foreign_file_is_called_what_it_is(tmp_path: Path, start: bytes, word: str) -> None:
    path = tmp_path / "games.duckdb"
    path.write_bytes(start)
    for how in ({}, {"read_only": True}, {"rebuild": True}):
        assert word in refused(path, "not_a_database", **how)
    assert path.read_bytes() == start


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    for how in ({}, {"rebuild": True}):
        path.write_bytes(b"")
        assert "empty" in refused(path, "not_a_database", read_only=True)
        with connect(path, **how) as db:
            assert db.games().height == 0


def read_all(path: Path, **how: bool) -> None:
    with connect(path, **how) as db:
        for table in TABLES:
            db.table(table)


@pytest.mark.heavy
def test_a_damaged_database_is_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(tmp_path / "games.jsonl", 200))
    sound = path.read_bytes()
    middle = len(sound) // 2
    spoiled = {
        "half": sound[:middle],
        "without its end": sound[:-1000],
        "two pages": sound[:8192],
        "head": sound[:20] + b"\xff" * 64 + sound[84:],
        "heads": sound[:4096] + b"\xff" * 8192 + sound[12288:],
        "all behind the heads": sound[:12288] + b"\xa5" * (len(sound) - 12288),
    }
    for name, data in spoiled.items():
        path.write_bytes(data)
        for how in ({}, {"read_only": True}):
            with pytest.raises(HanalyzeError) as caught:
                read_all(path, **how)
            assert caught.value.rule == "damaged", (name, str(caught.value))
            assert "the database is damaged; remove it" in str(caught.value)


def test_a_word_of_damage_in_a_query_is_none() -> None:
    with connect() as db, pytest.raises(HanalyzeError) as caught:
        db.sql("SELECT checksum, corrupt FROM games")
    assert caught.value.rule == "bad_sql"


@pytest.mark.parametrize("again", [False, True])
def test_a_database_that_was_removed_is_no_success(tmp_path: Path, again: bool) -> None:
    path, games = tmp_path / "games.duckdb", log(tmp_path / "games.jsonl", 5)

    def remove(_: object) -> None:
        path.unlink(missing_ok=True)
        if again:
            path.write_bytes(b"another")

    for asked in ("ingest", "read_conventions"):
        path.unlink(missing_ok=True)
        with connect(path) as db:
            if asked == "read_conventions":
                db.ingest(games)
            arguments = [games] if asked == "ingest" else []
            with pytest.raises(HanalyzeError) as caught:
                getattr(db, asked)(*arguments, on_progress=remove)
        assert caught.value.rule == "removed"


@pytest.mark.heavy
def test_files_only_in_some_folders(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "games.csv").write_text("n\n1\n")
    (tmp_path / "in" / "games.csv").write_text("n\n2\n")
    queries = [f"SELECT n FROM '{folder}/games.csv'" for folder in (tmp_path, tmp_path / "in")]
    for files_in, allowed in ((None, [1, 2]), ([tmp_path / "in"], [None, 2]), ([], [None, None])):
        with connect(files_in=files_in) as db:
            for query, value in zip(queries, allowed, strict=True):
                if value is not None:
                    assert db.sql(query).item() == value
                    continue
                with pytest.raises(HanalyzeError) as caught:
                    db.sql(query)
                assert caught.value.rule == "no_files"
            # What the package does itself goes on.
            db.ingest(log(tmp_path / "games.jsonl", 3))
            assert db.read_conventions().games == 3
            assert db.mistakes().height >= 0


def test_a_query_that_needs_room_on_the_disk_has_it_without_files(tmp_path: Path) -> None:
    with connect(tmp_path / "games.duckdb", files_in=[]) as db:
        db.connection.execute("SET memory_limit = '60MB'")
        query = "SELECT n FROM range(4000000) t(n) ORDER BY hash(n) LIMIT 3999999"  # 64 MB and more
        assert db.sql(f"SELECT count(*) FROM ({query})").item() == 3_999_999


def test_files_have_the_format_of_the_oldest_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    connect(path).close()
    # DuckDB 1.4 reads formats 64 to 67.
    assert 64 <= int.from_bytes(path.read_bytes()[12:20], "little") <= 67
    connect(path, rebuild=True).close()
    assert int.from_bytes(path.read_bytes()[12:20], "little") <= 67
