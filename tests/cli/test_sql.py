"""`hanalyze sql`: every type in every format, little memory, and no files without leave."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from hanalyze.logs.sources.file_search import sample_folder
from hanalyze.store import connect, worded
from tests.cli.running import Ran, hanalyze
from tests.peak import measured
from tests.store.logs import log

duckdb = pytest.importorskip("duckdb")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sql")
    path = folder / "games.duckdb"
    with connect(path) as db:
        db.ingest(log(folder / "games.jsonl", 5))
    return path


VALUES = {
    "interval": ("INTERVAL 3 MONTH", "3 months", "3 months"),
    "date": ("'infinity'::DATE", "infinity", "infinity"),
    "timestamp": ("'-infinity'::TIMESTAMP", "-infinity", "-infinity"),
    "zone": ("'infinity'::TIMESTAMPTZ", "infinity", "infinity"),
    "time": ("'10:00:00+02'::TIMETZ", "10:00:00+02", "10:00:00+02"),
    "bc": ("'4000-01-01 (BC)'::DATE", "4000-01-01 (BC)", "4000-01-01 (BC)"),
    "list": ("[1, NULL, 3]", "[1, NULL, 3]", [1, None, 3]),
    "nested": ("[[1], [2, 3]]", "[[1], [2, 3]]", [[1], [2, 3]]),
    "struct": ("{'a': 1, 'b': [INTERVAL 1 DAY]}", "{'a': 1, 'b': [1 day]}", {"a": 1, "b": ["1 day"]}),
    "map": ("MAP {'a': 1}", "{a=1}", {"a": 1}),
    "blob": ("'\\xAA\\x00b'::BLOB", "\\xAA\\x00b", "\\xAA\\x00b"),
    "huge": ("(2::HUGEINT ** 100)::HUGEINT", str(2**100), 2**100),
    "unsigned": ("340282366920938463463374607431768211455::UHUGEINT", str(2**128 - 1), 2**128 - 1),
    "union": ("union_value(n := 2)", "2", {"n": 2}),
    "bits": ("'10101'::BIT", "10101", "10101"),
    "enum": ("'a'::ENUM('a', 'b')", "a", "a"),
    "quotes": ("'a\"b,c'::ENUM('a\"b,c')", 'a"b,c', 'a"b,c'),
    "uuid": ("'550e8400-e29b-41d4-a716-446655440000'::UUID", *["550e8400-e29b-41d4-a716-446655440000"] * 2),
    "decimal": ("1.50::DECIMAL(38, 2)", "1.50", 1.5),
    "nan": ("'nan'::DOUBLE", "nan", None),
    "nans": ("['inf'::DOUBLE, 1.5]", "[inf, 1.5]", [None, 1.5]),
    "float": ("0.1::FLOAT", "0.1", 0.1),
    "true": ("true", "true", True),
    "missing": ("NULL", "", None),
    "empty": ("''", "", ""),
    "text": ("'NaN and \"Infinity\"'", 'NaN and "Infinity"', 'NaN and "Infinity"'),
}
"""A value of each type in SQL, as text and as JSON."""


def ask(database: Path, query: str, *options: str | Path) -> Ran:
    ran = hanalyze("sql", database, query, *options)
    assert ran.code in (0, 2)
    assert ran.err.count("\n") == (ran.code > 0 or "-o" in options)
    return ran


@pytest.mark.parametrize("name", VALUES)
def test_every_type_in_every_format(database: Path, tmp_path: Path, name: str) -> None:
    value, text, parsed = VALUES[name]
    query = f"SELECT {value} AS x, 7 AS y"
    lines = ask(database, query).out.splitlines()
    assert [line.split()[-1] for line in lines] == ["y", "7"]
    assert lines[1].removesuffix("7").strip() == text
    assert list(csv.reader(io.StringIO(ask(database, query, "--format", "csv", "--raw").out))) == [
        ["x", "y"],
        [text, "7"],
    ]
    assert json.loads(ask(database, query, "--format", "json").out) == {"x": parsed, "y": 7}
    ran = ask(database, query, "--format", "parquet", "-o", tmp_path / "x.parquet")
    if name == "unsigned":  # no decimal has 39 digits
        assert ran.code == 2
        return
    assert ran.code == 0, ran.err
    [(found,)] = duckdb.sql(f"SELECT x::VARCHAR FROM '{tmp_path}/x.parquet'").fetchall()
    assert name in ("union", "missing") or found == text
    # The library gives a frame of it, too.
    with connect(database, read_only=True) as db:
        assert db.sql(query)["y"].to_list() == [7]


DATES = ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMPTZ")


@pytest.mark.parametrize("kind", DATES)
@pytest.mark.parametrize("value", ["infinity", "-infinity", "4000-01-01 (BC)", "20000-01-01"])
@pytest.mark.parametrize(
    "shape",
    [
        "{}",
        pytest.param("[{}]", marks=pytest.mark.heavy),
        pytest.param("[{}]::{kind}[1]", marks=pytest.mark.heavy),
        pytest.param("{{'a': [{}]}}", marks=pytest.mark.heavy),
    ],
)
def test_dates_that_python_has_not_come_as_text(database: Path, kind: str, value: str, shape: str) -> None:
    if kind == "TIMESTAMP_NS" and "infinity" not in value:
        pytest.skip("DuckDB has no such value")
    one = shape.format(f"'{value}'::{kind}", kind=kind)
    # 99 good rows before, which are text then, too.
    good = shape.format(f"'2020-01-02'::{kind}", kind=kind)
    query = f"SELECT {good} AS d, {good} AS e, n FROM range(99) t(n) UNION ALL SELECT {one}, {good}, 99"
    query = f"FROM ({query}) ORDER BY n"
    with connect(database, read_only=True) as db:
        frame = db.sql(query)
        rows = frame.rows()
    assert frame.schema["d"] == pl.String
    assert frame.schema["e"] != pl.String
    assert "2020-01-02" in rows[0][0]
    assert value in rows[99][0]
    assert [row[2] for row in rows] == list(range(100))


def test_missing_and_empty_are_two_things_in_csv(database: Path) -> None:
    assert ask(database, "SELECT NULL AS a, '' AS b, 1 AS c", "--format", "csv").out == 'a,b,c\n,"",1\n'


@pytest.mark.parametrize("format_", ["table", "csv", "json"])
def test_columns_of_one_name(database: Path, format_: str) -> None:
    out = ask(database, "SELECT 1 AS a, 2 AS a, 3 AS a", "--format", format_).out
    expected = {"csv": "a,a_1,a_2\n1,2,3\n", "json": '{"a":1,"a_1":2,"a_2":3}\n'}
    assert out == expected.get(format_, "a  a_1  a_2\n1    2    3\n")
    with connect(database, read_only=True) as db:
        assert db.sql("SELECT 1 AS a, 2 AS a").rows(named=True) == [{"a": 1, "a_1": 2}]


@pytest.mark.parametrize(
    "query",
    [
        "DESCRIBE games",
        "SHOW TABLES",
        "EXPLAIN FROM games",
        "PRAGMA table_info('games')",
        "SUMMARIZE seats",
        "CREATE TEMP TABLE t AS SELECT 1 AS n; FROM t",
        "PIVOT seats ON seat USING count(*)",
        "",
        "FROM games;",
        "FROM turns ORDER BY game_id, turn",
    ],
)
@pytest.mark.parametrize("format_", ["table", "csv", "json"])
def test_other_statements_have_results(database: Path, query: str, format_: str) -> None:
    ran = ask(database, query, "--format", format_)
    assert ran.code == 0
    assert bool(ran.out) == bool(query)


def test_mistakes_are_put_into_words(tmp_path: Path) -> None:
    """In tables alone, and only where all columns are there that the words are made of."""
    database = tmp_path / "one.duckdb"
    assert hanalyze("ingest", sample_folder() / "game.json", "--db", database).code == 0
    with connect(database, read_only=True) as db:
        rows = db.sql("FROM mistakes ORDER BY ALL").to_dicts()
    said = [worded(row) for row in rows]
    assert any(better for _, better in said)
    assert any(
        "{" in row["evidence"] and "{" not in evidence for row, (evidence, _) in zip(rows, said, strict=True)
    )
    lines = ask(database, "FROM mistakes ORDER BY ALL", "--rows", "0").lines
    head = lines[0].split()
    assert head[:2] == ["game", "player"]
    assert {"evidence", "better", "names"} <= set(head)
    assert not {"evidence_values", "better_kind", "better_value"} & set(head)
    for line, row, (evidence, better) in zip(lines[1:], rows, said, strict=True):
        assert line.startswith(f"{row['game']}  {row['player']} ")
        assert f"  {evidence}  " in line
        assert better in line
    few = ask(
        database, "SELECT evidence_values, evidence, better_kind FROM mistakes ORDER BY points DESC"
    ).lines
    assert few[0].split() == ["evidence", "better_kind"]
    assert "{" not in "".join(few)
    # What is not of their types is not theirs, and other formats have the columns as they are.
    other = ask(database, "SELECT '{card}' AS evidence, '{}' AS evidence_values").lines
    assert other == ["evidence  evidence_values", "{card}    {}"]
    first = json.loads(ask(database, "FROM mistakes ORDER BY ALL LIMIT 1", "--format", "json").out)
    assert (first["evidence"], first["game"]) == (rows[0]["evidence"], rows[0]["game"])


def test_a_table_says_that_there_is_more(database: Path) -> None:
    lines = ask(database, "SELECT * FROM range(7) t(n) ORDER BY n DESC", "--rows", "3").lines
    assert lines == ["n", "6", "5", "4", "... more rows; --rows 0 shows all"]
    assert len(ask(database, "FROM range(7)", "--rows", "7").lines) == 8
    assert len(ask(database, "FROM range(700)", "--rows", "0").lines) == 701


def test_order_stays_in_a_long_result(database: Path) -> None:
    out = ask(database, "SELECT n FROM range(20000) t(n) ORDER BY n DESC", "--format", "csv").lines
    assert out == ["n", *map(str, range(19_999, -1, -1))]


@pytest.mark.heavy
def test_a_long_result_takes_little_memory(database: Path, tmp_path: Path) -> None:
    query = "SELECT repeat('x', 1000) AS a, n, random() AS r FROM range(300000) t(n)"  # 300 MB
    for options in (["--rows", "5"], ["--format", "json"], ["--format", "parquet"]):
        arguments = ["sql", str(database), query, *options]
        found = measured(arguments, tmp_path / "peak", stdout=subprocess.DEVNULL)
        assert found.code == 0
        assert 50 < found.peak < 322  # MiB


@pytest.mark.heavy
@pytest.mark.parametrize(("format_", "times"), [("csv", 3), ("json", 6)])
def test_no_line_is_looked_at_in_python(database: Path, tmp_path: Path, format_: str, times: int) -> None:
    """Making text of all cells, which DuckDB does, takes most of the time."""
    query = "SELECT turns.* EXCLUDE (stacks_before, stacks_after) FROM turns, range(100)"

    def made() -> int:
        return hanalyze("sql", database, query, "--format", format_, "-o", tmp_path / "out").code

    def yardstick() -> None:
        text = "to_json(asked)" if format_ == "json" else "concat_ws(',', *COLUMNS(*))"
        with connect(database, read_only=True) as db:
            db.sql(f"SELECT sum(length({text}::VARCHAR)) FROM ({query}) AS asked")

    def seconds(run: Callable[[], object]) -> float:
        start = time.process_time()
        run()
        return time.process_time() - start

    assert made() == 0  # everything is imported
    assert min(seconds(made) for _ in range(3)) < times * min(seconds(yardstick) for _ in range(3))


def test_the_options_of_other_commands(database: Path, tmp_path: Path) -> None:
    """`--json` and `--csv` mean what they mean there; each is a short form of `--format`."""
    query, target = "SELECT 1 AS a, 'x,y' AS b UNION ALL SELECT 2, NULL ORDER BY 1", tmp_path / "rows.csv"
    lines = ask(database, query, "--json").lines
    assert list(map(json.loads, lines)) == [{"a": 1, "b": "x,y"}, {"a": 2, "b": None}]
    assert lines == ask(database, query, "--format", "json").lines
    ran = hanalyze("sql", database, query, "--csv", target)
    assert ran == (0, "", f"hanalyze: 2 rows written to {target}\n")
    assert target.read_text() == 'a,b\n1,"x,y"\n2,\n' == ask(database, query, "--csv", "-").out
    for options, said in (
        (("--json", "--csv", "-"), "exclude each other; give one of them"),
        (("--json", "--format", "csv"), "exclude each other; give one of them"),
        (("--csv", "a.csv", "-o", "b.csv"), "--csv names the file to write; give it without -o"),
    ):
        assert said in ask(database, query, *options).err


def forbidden(folder: Path) -> dict[str, str]:
    (folder / "secret.txt").write_text("secret")
    file = f"'{folder}/secret.txt'"
    return {
        "read_text": f"SELECT * FROM read_text({file})",
        "read_csv": f"SELECT * FROM read_csv({file})",
        "glob": f"SELECT * FROM glob('{folder}/*')",
        "copy": f"COPY games TO '{folder}/out.csv'",
        "attach": f"ATTACH '{folder}/other.duckdb' AS other",
        "export": f"EXPORT DATABASE '{folder}/all'",
        "install": "INSTALL httpfs",
        "load": "LOAD httpfs",
        "update": "UPDATE EXTENSIONS",
        "set": "SET enable_external_access = true",
        "threads": "SET threads = 1",
        "pragma": f"PRAGMA profiling_output = '{folder}/out.json'",
        "reset": "RESET enable_external_access",
        "allowed": f"SET allowed_directories = ['{folder}']",
        "log": f"CALL enable_logging(storage_path = '{folder}')",
        "insert": "DELETE FROM games",
    }


@pytest.mark.parametrize("format_", ["table", "parquet"])
@pytest.mark.parametrize("what", forbidden(Path("/tmp")).keys())
def test_a_query_reaches_no_files(database: Path, tmp_path: Path, what: str, format_: str) -> None:
    if what == "log" and duckdb.__version__ < "2":
        pytest.skip("DuckDB 1.4 ends the process when the file of its log is forbidden")
    query = forbidden(tmp_path)[what]
    before = database.read_bytes()
    ran = ask(database, query, "--format", format_, "-o", tmp_path / "result")
    assert ran.code == 2
    assert "secret" not in ran.out
    assert {path.name for path in tmp_path.iterdir()} == {"secret.txt"}
    if what in ("read_text", "copy", "attach"):
        assert "access files" in ran.err
        assert "--allow-files" in ran.err
    # In a chain of statements neither.
    assert ask(database, f"SELECT 1; {query}; SELECT 2").code == 2
    assert {path.name for path in tmp_path.iterdir()} == {"secret.txt"}
    assert database.read_bytes() == before


def test_files_by_leave(database: Path, tmp_path: Path) -> None:
    queries = forbidden(tmp_path)
    assert "secret" in ask(database, queries["read_text"], "--allow-files").out
    assert ask(database, queries["copy"], "--allow-files").code == 0
    assert pl.read_csv(tmp_path / "out.csv").height == 5
    # The database itself is only read all the same.
    assert ask(database, queries["insert"], "--allow-files").code == 2
    assert "--allow-files" in hanalyze("sql", "--help").out
