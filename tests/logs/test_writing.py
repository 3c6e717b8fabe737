"""Writing games: to files, compressed files, streams; and what cannot be written."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from hanalyze.errors import LogError
from hanalyze.logs import GameRecord, to_json, write
from hanalyze.logs.formats.hanab_live import parse
from tests.logs.documents import GOOD
from tests.logs.problems import checked, read_all
from tests.logs.records import records

RECORDS = [parse(text) for text, _ in GOOD]


@given(st.lists(records, max_size=4))
def test_written_games_are_read_again(tmp_path_factory, games):
    folder = tmp_path_factory.getbasetemp()
    for name in ("written.jsonl", "written.jsonl.gz"):
        assert write(games, folder / name) == len(games)
        again, errors = read_all(folder / name)
        assert again == games
        assert [error.rule for error in errors] == ([] if games else ["empty"])
    plain, packed = (folder / "written.jsonl").read_bytes(), (folder / "written.jsonl.gz").read_bytes()
    assert gzip.decompress(packed) == plain
    assert plain.count(b"\n") == len(games)


def test_gzip_is_the_same_whenever_and_wherever_it_is_written(tmp_path):
    write(RECORDS, tmp_path / "a.gz")
    os.utime(tmp_path / "a.gz", (0, 0))
    write(RECORDS, tmp_path / "other.gz")
    packed = (tmp_path / "a.gz").read_bytes()
    assert packed == (tmp_path / "other.gz").read_bytes()
    # No name (flags), no time.
    assert packed[3:8] == b"\0" * 5


def test_write_to_standard_output_and_streams(capfdbinary):
    assert write(RECORDS[:2], "-") == 2
    expected = b"".join(to_json(record) + b"\n" for record in RECORDS[:2])
    assert capfdbinary.readouterr().out == expected
    stream = io.BytesIO()
    assert write(iter(RECORDS[:2]), stream) == 2
    assert stream.getvalue() == expected
    assert not stream.closed


def test_files_that_cannot_be_written(tmp_path):
    def rule(path):
        with pytest.raises(LogError) as caught:
            write([GameRecord(players=())], path)
        return checked(caught.value, str(path)).rule

    assert rule(tmp_path / "none" / "games.jsonl") == "no_file"
    assert rule(tmp_path) == "is_directory"
    if Path("/dev/full").exists():
        assert rule("/dev/full") == "unwritable"
