"""`hanalyze deals`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from tests.cli.running import hanalyze

RUNS = ("--runs", "2", "--nodes", "2000")


def test_a_range_into_a_file(tmp_path: Path) -> None:
    target = tmp_path / "deals.parquet"
    ran = hanalyze("deals", "p3v0s9..p3v0s11", "-o", target, *RUNS)
    assert ran == (0, "", f"hanalyze: 3 deals written to {target}\n")
    frame = pl.read_parquet(target)
    assert frame["seed"].to_list() == ["p3v0s9", "p3v0s10", "p3v0s11"]
    assert frame["runs"].to_list() == [2, 2, 2]


def test_a_file_of_seeds(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("p3v0s1\n\n  p2v0s1 \n", encoding="utf-8")
    ran = hanalyze("deals", seeds, "p4v0s1", *RUNS, "--json")
    assert (ran.code, ran.err) == (0, "")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [(row["seed"], row["players"]) for row in rows] == [("p3v0s1", 3), ("p2v0s1", 2), ("p4v0s1", 4)]
    target = tmp_path / "deals.jsonl"
    assert hanalyze("deals", seeds, "p4v0s1", *RUNS, "-o", target).code == 0
    assert [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()] == rows


def test_a_table() -> None:
    ran = hanalyze("deals", "p3v0s1", *RUNS)
    assert (ran.code, ran.err) == (0, "")
    titles, row = (re.split("  +", line) for line in ran.lines)
    assert titles[3:] == ["full score", "best score", "can be won", "positions searched", "runs won"]
    assert row[:1] + row[3:6] == ["p3v0s1", "25", "25", "yes"]
    assert row[-1] in ("0 of 2", "1 of 2", "2 of 2")


def test_bad_seeds_are_listed_and_left_out() -> None:
    ran = hanalyze("deals", "p2v0s1", "abc", "p2v24s1", "p9v0s1", "p2v0s2", *RUNS)
    assert ran.code == 2
    assert [line.split()[0] for line in ran.lines[1:]] == ["p2v0s1", "p2v0s2"]
    assert [line.split(";")[0] for line in ran.err.splitlines()] == [
        'hanalyze: the seed "abc" does not contain the number of players',
        "hanalyze: game p2v24s1: the solver does not cover Up or Down",
        'hanalyze: the seed "p9v0s1" names 9 players, but hanab-live is for 2 to 6',
    ]


def test_a_file_without_seeds(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    for content in (b"\xf8\xff", b'{"players": []}\n'):
        path.write_bytes(content)
        ran = hanalyze("deals", path)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.endswith("not a list of seeds; give seeds, or a text file with one seed per line\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["p3v0s9..p3v0s2"], 'the range "p3v0s9..p3v0s2" ends before it begins; write the lower seed first'),
        (["p3v0s1..p2v0s9"], '"p3v0s1..p2v0s9" is not a range of seeds; write it like p3v0s1..p3v0s1000'),
        (["abc"], 'the seed "abc" does not contain the number of players; give --players'),
        (["p2v0s1", "--players", "9"], "9 players, but hanab-live is for 2 to 6"),
        (["p2v0s1", "-o", "deals.csv"], "use one of these endings: .parquet, .jsonl"),
    ],
)
def test_what_cannot_be_done(arguments: list[str], said: str) -> None:
    ran = hanalyze("deals", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
