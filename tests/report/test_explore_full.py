"""The tables and the engine that `hanalyze explore --full` embeds."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path

import duckdb
import pytest

from hanalyze.analysis import example
from hanalyze.errors import HanalyzeError
from hanalyze.report.explore.full import VERSION, check_package, full_of
from tests.cli.running import hanalyze


def make_package(folder: Path, version: str = VERSION) -> Path:
    """Write a package with the files that a page embeds."""
    (folder / "dist").mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"version": version}))
    (folder / "dist" / "duckdb-eh.wasm").write_bytes(b"wasm")
    (folder / "dist" / "duckdb-browser-eh.worker.js").write_bytes(b"worker")
    return folder


def unpacked(text: str) -> bytes:
    return gzip.decompress(base64.b64decode(text))


@pytest.mark.heavy
def test_the_turns_are_those_of_the_database(tmp_path: Path) -> None:
    with example() as db:
        full = full_of(db, str(make_package(tmp_path / "package")))
        tables = ("games", "seats", "turns", "clues", "mistakes")
        expected = [db.sql(f"SELECT count(*) FROM {table}").item() for table in tables]
        acted = db.sql("SELECT count(*) FROM turns WHERE action <> 'end_game'").item()
    assert (unpacked(full.wasm), unpacked(full.worker)) == (b"wasm", b"worker")
    file = tmp_path / "page.duckdb"
    file.write_bytes(unpacked(full.turns))
    with duckdb.connect(str(file), read_only=True) as page:
        found = [page.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in tables]
        assert found == expected
        assert page.execute("SELECT count(*) FROM sums.judged_turns").fetchall() == [(acted,)]


@pytest.mark.parametrize(("version", "said"), [(None, "does not exist"), ("1.29.0", "is version 1.29.0")])
def test_a_missing_or_other_package_names_the_command(tmp_path: Path, version: str | None, said: str) -> None:
    package = tmp_path / "package"
    if version is not None:
        make_package(package, version)
    with pytest.raises(HanalyzeError, match=said) as error:
        check_package(str(package))
    assert f"npm pack @duckdb/duckdb-wasm@{VERSION}" in str(error.value.advice)


def test_the_command_line_looks_first(tmp_path: Path) -> None:
    ran = hanalyze(
        "explore", tmp_path / "none.duckdb", "--full", "--duckdb-wasm", tmp_path, "-o", tmp_path / "a.html"
    )
    assert (ran.code, ran.out) == (2, "")
    assert "npm pack" in ran.err
