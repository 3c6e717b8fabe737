"""`hanalyze compare`: what it says and shows, and what is one line where there is nothing to compare."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import polars as pl
import pytest
from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.analysis import compare
from hanalyze.cli.reports import measure_table
from hanalyze.logs import GameRecord
from hanalyze.store import connect
from tests.cli.running import hanalyze, saved
from tests.hostile import TERMINAL


def _ingested(folder: Path, name: str, *records: GameRecord) -> Path:
    log = saved(folder, *records, name=f"{name}.jsonl")
    assert hanalyze("ingest", log, "--db", folder / f"{name}.duckdb", "--jobs", "1").code == 0
    return folder / f"{name}.duckdb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with three databases: Alice's games and Bob's, apart and together."""
    path = tmp_path_factory.mktemp("databases")
    ours = list(simulate("cautious", players=2, games=8, seed=1, fast=False))
    theirs = [
        replace(record, players=("Bobby", TERMINAL))
        for record in simulate("random", players=2, games=9, seed=3, fast=False)
    ]
    more = [
        replace(one, edition="hle") for one in simulate("cautious", players=3, games=2, seed=1, fast=False)
    ]
    _ingested(path, "ours", *ours)
    _ingested(path, "theirs", *theirs)
    _ingested(path, "games", *ours, *theirs, *more)
    return path


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two databases of games enough for intervals of means."""
    path = tmp_path_factory.mktemp("many")
    ours = simulate("cautious", players=2, games=40, seed=1, fast=False)
    theirs = simulate("random", players=2, games=24, seed=3, fast=False)
    _ingested(path, "ours", *ours)
    _ingested(path, "theirs", *(replace(record, players=("Bobby", TERMINAL)) for record in theirs))
    return path


@pytest.fixture(scope="module")
def shown(many: Path) -> str:
    """What a comparison of the two says."""
    ran = hanalyze("compare", many / "ours.duckdb", many / "theirs.duckdb")
    assert (ran.code, ran.err) == (0, "")
    return ran.out


@pytest.mark.heavy
def test_two_databases(folder: Path) -> None:
    ran = hanalyze("compare", folder / "ours.duckdb", folder / "theirs.duckdb")
    assert (ran.code, ran.err) == (0, "")
    head = ran.lines[0]
    found = re.fullmatch(
        r"score: (\S+) points for ours\.duckdb and (\S+) for theirs\.duckdb, a difference of (\S+)"
        r"; too little data for an interval",
        head,
    )
    assert found
    a, b, difference = map(float, found.groups())
    assert difference == pytest.approx(a - b, abs=0.011)
    assert ran.lines[2] == "a: ours.duckdb, 8 games matched, 0 left out"
    assert ran.lines[3] == "b: theirs.duckdb, 9 games matched, 0 left out"
    assert ran.lines[4].startswith("matched by players, variant, difficulty: ")
    assert "6 of them identical deals" in ran.lines[4]
    assert re.search(r"^measure +unit +a +b +difference +q +unmatched$", ran.out, re.MULTILINE)
    # Six pairs, and two games with three others, can be dealt in 2^6 * 10 = 640 ways: q is no lower.
    assert re.search(
        r"^misplays +% +0\.00 +\d+\.\d +-\d+\.\d \[-.* to -.*\] +0\.00\d+ ", ran.out, re.MULTILINE
    )
    assert re.search(
        r"^\d+ measures with fewer than 30 opportunities in a group left out", ran.out, re.MULTILINE
    )
    assert "95% interval" in ran.lines[-2]
    assert ran.lines[-1].startswith(
        "no interval: too few games (means need 20 deals in each group, 200 if struck-out"
    )
    # No difference of shares can be more than all of them, however few the games.
    ends = re.findall(r"^\S+ +% .*\[(\S+) to (\S+)\]", ran.out, re.MULTILINE)
    assert len(ends) > 5
    assert all(-100 <= float(low) <= float(high) <= 100 for low, high in ends)


def test_two_databases_with_games_enough_for_an_interval(many: Path) -> None:
    ran = hanalyze("compare", many / "ours.duckdb", many / "theirs.duckdb", "--measure", "turns")
    assert (ran.code, ran.err) == (0, "")
    found = re.fullmatch(
        r"turns: (\S+) turns/game for ours\.duckdb and (\S+) for theirs\.duckdb, a difference of (\S+)"
        r" \(95% interval (\S+) to (\S+)\)",
        ran.lines[0],
    )
    assert found
    a, b, difference, low, high = map(float, found.groups())
    assert difference == pytest.approx(a - b, abs=0.011)
    assert 0 < low < difference < high
    assert "24 of them identical deals" in ran.lines[4]


def test_a_difference_and_the_ends_of_its_interval_have_as_many_decimals() -> None:
    row = {"measure": "misplays", "unit": "", "a": 0.02, "b": 0.016, "difference": 0.004, "low": -0.136}
    frame = pl.DataFrame([{**row, "high": 0.1, "q_value": 1.0, "unmatched": 0.0}])
    assert measure_table(frame)["difference"].item() == "0.40 [-13.60 to 10.00]"


@pytest.mark.heavy
def test_where_q_is_low_the_interval_excludes_0(many: Path, shown: str) -> None:
    ran = hanalyze("compare", many / "ours.duckdb", many / "theirs.duckdb", "--json")
    measures = json.loads(ran.lines[0])["measures"]
    judged = [row for row in measures if row["q_value"] is not None and row["low"] is not None]
    assert {row["q_value"] <= 0.05 for row in judged} == {True, False}
    for row in judged:
        assert (row["q_value"] <= 0.05) == (not row["low"] <= 0 <= row["high"]), row["measure"]
    # None of our games struck out, so that the mean of all games has no interval.
    assert "score" not in {row["measure"] for row in judged}
    [turns] = [row for row in judged if row["measure"] == "turns"]
    assert f"[{turns['low']:.2f} to {turns['high']:.2f}]" in shown
    assert "it excludes 0 where q is at most 0.05" in shown


@pytest.mark.heavy
def test_two_filters_are_what_the_library_gives(folder: Path) -> None:
    words = ("--a", "player=Alice and players=2", "--b", "player=Bobby", "--match", "deal", "--min", "5")
    ran = hanalyze("compare", folder / "games.duckdb", *words, "--json")
    assert (ran.code, ran.err) == (0, "")
    [line] = ran.lines
    told = json.loads(line)
    with connect(folder / "games.duckdb", read_only=True) as db:
        found = compare(db, a="player=Alice and players=2", b="player=Bobby", match=["deal"], minimum=5)
        assert told["headline"] == found.headline
        assert told["measures"] == [pytest.approx(row) for row in found.frame.to_dicts()]
    assert told["matched"] == [6, 6]
    assert told["games"] == [8, 9]
    assert (told["deals"], told["strata"], told["lone_strata"]) == (6, 6, 5)
    shown = hanalyze("compare", folder / "games.duckdb", *words)
    assert shown.lines[0] == found.headline
    assert shown.lines[2] == "a: player=Alice and players=2, 6 games matched, 2 left out"
    assert "5 with games of one group left out" in shown.lines[4]


def test_one_filter_is_against_the_others(folder: Path) -> None:
    ran = hanalyze(
        "compare", folder / "games.duckdb", "--b", "players=2", "--match", "none", "--measure", "turns"
    )
    assert ran.code == 0
    assert ran.lines[2] == "a: the others, 2 games matched, 0 left out"
    assert ran.lines[3] == "b: players=2, 17 games matched, 0 left out"
    assert ran.lines[4] == "matched by nothing: 1 stratum"
    assert [line.split()[0] for line in ran.lines[6:8]] == ["measure", "turns"]


def test_groups_chosen_by_team_size_or_edition_are_matched_by_the_rest(folder: Path) -> None:
    for which in ("players=2", "edition=hle"):
        ran = hanalyze("compare", folder / "games.duckdb", "--a", which, "--measure", "turns")
        assert (ran.code, ran.err) == (0, "")
        # The games of three are the games of the other edition: no value of either is in both groups.
        assert ran.lines[4] == "matched by difficulty: 1 stratum"


def test_where_nothing_differs_that_is_said(folder: Path, many: Path) -> None:
    ran = hanalyze(
        "compare", folder / "ours.duckdb", "--a", "seed=p2v0s1|p2v0s2|p2v0s3|p2v0s5", "--measure", "score"
    )
    assert ran.code == 0
    assert ran.lines[0].endswith("no clear difference; too little data for an interval")
    half = "|".join(f"p2v0s{number}" for number in range(1, 21))
    ran = hanalyze("compare", many / "ours.duckdb", "--a", f"seed={half}", "--measure", "finished")
    assert ran.code == 0
    assert "no clear difference (95% interval -" in ran.lines[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["games.duckdb"], "nothing to compare with; give another database, or a filter with --a"),
        (["ours.duckdb"] * 3, "3 databases were given; give one or two"),
        (["games.duckdb", "--a", "plyer=Alice"], 'there is no column of games "plyer"; did you mean'),
        (
            ["games.duckdb", "--a", "foo=1"],
            'there is no column of games "foo"; use player, convention, or a column of games',
        ),
        (["games.duckdb", "--a", "player=Alicia"], "there are no games in group player=Alicia"),
        (["games.duckdb", "--a", "players is 3"], 'not a filter: "players is 3"; write it like'),
        (
            ["games.duckdb", "--a", "players=3", "--match", "players"],
            "no game has a match: players=3 and the others",
        ),
        (
            ["games.duckdb", "--a", "players=2", "--match", "deals"],
            'there is no matching "deals"; did you mean',
        ),
        (["games.duckdb", "--a", "players=2", "--measure", "mispays"], 'there is no measure "mispays"'),
        (["nowhere.duckdb", "ours.duckdb"], "nowhere.duckdb: there is no such file"),
        (
            ["ours.jsonl", "ours.duckdb"],
            "ours.jsonl: not a DuckDB database, but JSON; if it is a log, first: hanalyze",
        ),
        (["ours.duckdb", "./ours.duckdb"], "nothing to compare with; give another database"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    folder: Path, arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    ran = hanalyze("compare", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"hanalyze: {said}")
    assert ran.err.count("\n") == 1


@pytest.mark.heavy
def test_a_convention_needs_games_that_were_read_for_conventions(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "ours.duckdb"
    path.write_bytes((folder / "ours.duckdb").read_bytes())
    for filter_ in ("convention=finesse", "convention!=finesse", "players=2 and convention=bluff"):
        ran = hanalyze("compare", path, "--a", filter_)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == (
            f"hanalyze: {path}: the games were not read for conventions;"
            " run `hanalyze conventions DB`, or call read_conventions()\n"
        )
    # Of two databases the one that was not read is named.
    with connect(path) as db:
        db.read_conventions()
    ran = hanalyze(
        "compare", path, folder / "theirs.duckdb", "--a", "convention=bluff", "--b", "convention=bluff"
    )
    assert f"{folder}/theirs.duckdb: the games were not read" in ran.err
    # Mistakes of games that were read for conventions are judged by other definitions.
    ran = hanalyze("compare", path, folder / "theirs.duckdb", "--measure", "clue")
    assert "only one database was read for conventions, so rates of mistakes cannot be compared" in ran.err
    assert (
        "only one database" not in hanalyze("compare", folder / "ours.duckdb", folder / "theirs.duckdb").err
    )
    # What the comparison cannot know is said, and the answer turn by turn is offered.
    ran = hanalyze("compare", path, "--a", "convention=tempo_clue", "--match", "none")
    assert (ran.code, ran.err) == (0, "")
    [caution] = [line for line in ran.lines if line.startswith("caution: games with tempo_clue also differ")]
    assert "(exposure)" in caution
    assert ran.lines[-1] == "clue by clue: hanalyze stats DB --what effects"
    shown = json.loads(
        hanalyze("compare", path, "--a", "convention=tempo_clue", "--match", "none", "--json").out
    )
    assert shown["conventions"] == ["tempo_clue"]
    assert shown["effects"][0]["why"] == "few_taken"
    # A convention that is in no game is another matter.
    assert "there are no games in group" in hanalyze("compare", path, "--a", "convention=bluff").err


@pytest.mark.heavy
def test_what_strangers_write_is_shown_as_text(folder: Path) -> None:
    quoted = '"' + TERMINAL.replace('"', '""') + '"'
    for more in ([], ["--json"]):
        ran = hanalyze(
            "compare", folder / "games.duckdb", "--a", f"player={quoted}", "--match", "none", *more
        )
        assert (ran.code, ran.err) == (0, "")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", ran.out)
        assert "9 games matched" in ran.out or json.loads(ran.out)["matched"] == [9, 10]


@pytest.mark.heavy
def test_the_examples_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    examples = re.findall(r"(?m)^ +(hanalyze .*)$", hanalyze("compare", "--help").out)
    assert len(examples) == 5
    for example in examples:
        ran = hanalyze(*(word.replace("player=Bob", "player=Bobby") for word in shlex.split(example)[1:]))
        # All games of the edition hle are games of three here, and those of hanab-live games of two.
        sparse = "edition=hle" in example
        assert ("no game has a match" in ran.err) == sparse, example
        assert ran.code == (2 if sparse else 0), example
