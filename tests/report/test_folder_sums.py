"""Sums of a folder: whoever counted which games, in whatever state, they come to what the turns give."""

from __future__ import annotations

import logging
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hanalyze import sum_up
from hanalyze.analysis import overview, rates
from hanalyze.analysis.decision_cache import DecisionSums, decision_tables
from hanalyze.errors import HanalyzeError
from hanalyze.logs import write
from hanalyze.report.dashboard.aggregates import MAKERS
from hanalyze.report.dashboard.build import dashboard
from hanalyze.report.dashboard.cube import Cube
from hanalyze.store import Database, connect
from hanalyze.store.folder.compact import compact
from hanalyze.store.folder.ingest import ingest_files
from hanalyze.store.folder.manifest import fold, newest
from hanalyze.store.folder.run_unit import Target, run_unit
from hanalyze.store.folder.storage import LocalPlace
from hanalyze.store.folder.units import plan
from hanalyze.store.sums import sums_hold, update_sums
from tests.cli.running import hanalyze
from tests.report.test_sums import RECORDS, asked, counted

pytest.importorskip("plotly")

pytestmark = pytest.mark.heavy

RANGE = 15_000
"""Bytes of a unit here: four games or so."""


@pytest.fixture(scope="module", autouse=True)
def small_units() -> Iterator[None]:
    """However few games a unit has, it counts them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hanalyze.store.folder.unit_sums._LEAST", 1)
        yield


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two files, without a game that both have."""
    folder = tmp_path_factory.mktemp("logs")
    files = [folder / "a.jsonl", folder / "b.jsonl"]
    for some, file in zip((RECORDS[:12], RECORDS[12:]), files, strict=True):
        write(some, file)
    return [str(file) for file in files]


@pytest.fixture(scope="module")
def whole(logs: list[str]) -> dict[str, Any]:
    """What the turns give, of a database that is no folder."""
    with connect() as db:
        db.ingest(logs)
        found = numbers(db, stored=False)
        sum_up(db)
        assert numbers(db, stored=True) == found
    return found


@pytest.fixture(scope="module")
def pages(logs: list[str]) -> tuple[list[pl.DataFrame], str]:
    """Frames and the dashboard of a database that is no folder, from its turns."""
    with connect() as db:
        db.ingest(logs)
        return asked(db), dashboard(db)


@pytest.fixture(scope="module")
def folder(logs: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose units have counted their games."""
    path = tmp_path_factory.mktemp("folder") / "games"
    ingest_files(str(path), logs, unit_bytes=RANGE, makers=MAKERS, jobs=2)
    return path


def numbers(db: Database, *, stored: bool) -> dict[str, Any]:
    """Return what is made of each kind of sums; it must be made of stored sums, or of the games."""
    with Cube(db) as cube:
        assert cube._source.stored is stored
        found = counted(cube)
    assert (decision_tables(db).seats == "sums.judged_seats") == stored
    frames = overview(db, "player", minimum=3), rates(db, by="player", minimum=3)
    return found | {"frames": [frame.to_dicts() for frame in frames]}


def from_sums(path: Path) -> dict[str, Any]:
    with connect(path, read_only=True, files_in=()) as db:
        return numbers(db, stored=True)


def from_turns(path: Path) -> dict[str, Any]:
    with connect(path, read_only=True, files_in=()) as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr("hanalyze.report.dashboard.cube.sums_hold", lambda *_: False)
        patch.setattr("hanalyze.analysis.decision_cache.games_without_sums", lambda *_: None)
        return numbers(db, stored=False)


def holds(path: Path) -> bool:
    with connect(path, read_only=True, files_in=()) as db:
        return all(sums_hold(db, maker) for maker in MAKERS)


def summed(path: Path) -> tuple[int, int]:
    with connect(path, files_in=()) as db:
        made = sum_up(db)
        return made.games, made.already


def units_with_sums(path: Path) -> list[bool]:
    return [bool(unit.sums) for unit in newest(LocalPlace(str(path))).units]


def test_units_count_their_own_games(
    folder: Path, whole: dict[str, Any], pages: tuple[list[pl.DataFrame], str]
) -> None:
    assert len(units_with_sums(folder)) > 4
    assert all(units_with_sums(folder))
    assert not (folder / "found.duckdb").exists()
    assert from_sums(folder) == whole
    with connect(folder, read_only=True, files_in=()) as db:
        assert all(one.equals(other) for one, other in zip(asked(db), pages[0], strict=True))
        assert dashboard(db) == pages[1]
    assert summed(folder) == (0, len(RECORDS))
    # Nothing had to be written for that.
    assert not (folder / "found.duckdb").exists()


def test_what_has_no_sums_is_counted_later(
    logs: list[str], whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files without sums first, in several parts; then further ones, whose units count alone."""
    path = tmp_path / "games"
    monkeypatch.setattr("hanalyze.store.folder.unit_sums._MOST", 7)
    ingest_files(str(path), logs[:1], unit_bytes=RANGE)
    assert not holds(path)
    assert summed(path) == (12, 0)
    with connect(path, read_only=True) as db:
        assert db.sql("SELECT count(*) FROM sums.parts").item() > 1
    ingest_files(str(path), logs, unit_bytes=RANGE, makers=MAKERS)
    assert holds(path)
    assert summed(path) == (0, len(RECORDS))
    assert set(units_with_sums(path)) == {False, True}
    assert from_sums(path) == whole


@pytest.mark.exhaustive
def test_parts_of_a_large_file(
    logs: list[str], whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games"
    monkeypatch.setattr("hanalyze.store.folder.unit_sums._MOST", 5)
    ingest_files(str(path), logs, unit_bytes=RANGE)
    compact(str(path))
    assert summed(path) == (len(RECORDS), 0)
    with connect(path, read_only=True) as db:
        sizes = db.sql("SELECT count(*) FROM sums.games GROUP BY part").to_series().to_list()
    assert sorted(sizes) == [4, 5, 5, 5]
    assert from_sums(path) == whole


@pytest.mark.parametrize("later", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_a_game_that_two_units_have(later: bool, folder: Path, whole: dict[str, Any], tmp_path: Path) -> None:
    """It is counted once, whichever of its units was first, and whoever had counted it before."""
    path = tmp_path / "games"
    double = tmp_path / "double.jsonl"
    write((*RECORDS[2:5], RECORDS[13]), double)
    if later:
        # The games' files come last in this run, and so their units lose them.
        files = tmp_path / "first.jsonl"
        write(RECORDS, files)
        ingest_files(str(path), [str(double), str(files)], unit_bytes=RANGE, makers=MAKERS)
    else:
        shutil.copytree(folder, path)
        ingest_files(str(path), ["missing.jsonl", str(double)], unit_bytes=RANGE, makers=MAKERS)
    dirty = newest(LocalPlace(str(path))).dirty
    assert dirty
    games, already = summed(path)
    if later:
        # The other games of the units that have lost one.
        assert 0 < games < len(RECORDS) - 4
    else:
        assert (games, already) == (0, len(RECORDS))
    assert games + already == len(RECORDS)
    found = from_sums(path)
    assert found == from_turns(path)
    assert found == whole
    compact(str(path), grace=-1)
    assert not newest(LocalPlace(str(path))).dirty
    assert holds(path)
    assert from_sums(path) == whole


@pytest.mark.exhaustive
def test_a_game_counted_later_that_another_unit_has_now(
    logs: list[str], whole: dict[str, Any], tmp_path: Path
) -> None:
    """A unit that goes first brings sums of games that were counted later, of another unit."""
    path = tmp_path / "games"
    double = tmp_path / "double.jsonl"
    write(RECORDS[2:5], double)
    ingest_files(str(path), ["missing.jsonl", *logs], unit_bytes=RANGE)
    assert summed(path) == (len(RECORDS), 0)
    ingest_files(str(path), [str(double)], unit_bytes=RANGE, makers=MAKERS)
    assert newest(LocalPlace(str(path))).dirty
    with connect(path, read_only=True) as db:
        assert db.sql("SELECT count(*) FROM sums.games").item() == len(RECORDS) + 3
    assert not holds(path)
    assert summed(path)[0] > 0
    with connect(path, read_only=True) as db:
        assert db.sql("SELECT count(*) FROM sums.games").item() == len(RECORDS)
    assert from_sums(path) == whole


@pytest.mark.heavy
def test_compacted(folder: Path, whole: dict[str, Any], logs: list[str], tmp_path: Path) -> None:
    path = tmp_path / "games"
    shutil.copytree(folder, path)
    before = len(list(path.glob("sums/*/*.parquet")))
    compact(str(path), grace=-1)
    assert 0 < len(list(path.glob("sums/*/*.parquet"))) < before / 3
    assert not (path / "found.duckdb").exists()
    assert from_sums(path) == whole
    # Once more, with a part that is as large as it should be, and another unit.
    more = tmp_path / "more.jsonl"
    write(RECORDS[:2], more)
    ingest_files(str(path), [str(more)], unit_bytes=RANGE, makers=MAKERS)
    compact(str(path), grace=-1, aim=1)
    assert holds(path)
    assert from_sums(path) == whole
    with connect(path, rebuild=True):
        assert not (path / "sums").exists()


@pytest.mark.heavy
def test_sums_of_another_state_or_version_do_not_hold(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games"
    shutil.copytree(folder, path)
    with connect(path) as db:
        assert sums_hold(db, DecisionSums())
        db.read_conventions(2, jobs=1)
        assert not sums_hold(db, DecisionSums())
    assert summed(path) == (len(RECORDS), 0)
    assert from_sums(path) == from_turns(path)
    with connect(path) as db:
        db.solve(nodes=5, game_nodes=5, jobs=1)
        assert not sums_hold(db, DecisionSums())
    assert summed(path) == (len(RECORDS), 0)
    assert from_sums(path) == from_turns(path)
    assert summed(path) == (0, len(RECORDS))
    monkeypatch.setattr("hanalyze.store.part_sums.definitions_as_text", lambda: "another definition")
    assert not holds(path)
    assert summed(path) == (len(RECORDS), 0)
    assert holds(path)


@pytest.mark.heavy
def test_units_read_conventions_and_count(logs: list[str], tmp_path: Path) -> None:
    path = tmp_path / "games"
    ingest_files(str(path), logs, unit_bytes=RANGE * 3, conventions=True, makers=MAKERS)
    assert from_sums(path) == from_turns(path)
    assert not (path / "found.duckdb").exists()


VICTIM = """
import sys, time
from hanalyze import sum_up
from hanalyze.report.dashboard.aggregates import MAKERS
from hanalyze.store import connect, part_sums
from hanalyze.store.folder import ingest as ingesting
from hanalyze.store.folder import unit_sums as summing
job, path, size, *logs = sys.argv[1:]
def slow(of):
    def slowed(*given):
        done = of(*given)
        print("done", flush=True)
        time.sleep(0.5)
        return done
    return slowed
summing._LEAST = 1
if job == "ingest":
    summing.write_query = slow(summing.write_query)
    ingesting.ingest_files(path, logs, unit_bytes=int(size), jobs=1, makers=MAKERS)
else:
    summing._MOST = 5
    part_sums._add_part = slow(part_sums._add_part)
    with connect(path) as db:
        sum_up(db)
"""


def killed(job: str, path: Path, logs: list[str], lines: int) -> None:
    """Kill a run after so much of it."""
    command = [sys.executable, "-c", VICTIM, job, str(path), str(RANGE), *logs]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        for _ in range(lines):
            assert victim.stdout.readline() == "done\n"
        victim.kill()


@pytest.mark.heavy
def test_a_killed_run_goes_on(folder: Path, logs: list[str], whole: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "games"
    # In the midst of the sums of the second unit.
    killed("ingest", path, logs, len(list((folder / "sums").iterdir())) * 3 // 2)
    with connect(path, read_only=True, files_in=()) as db:
        assert db.count("games") == 0
    ingest_files(str(path), logs, unit_bytes=RANGE, makers=MAKERS)
    assert from_sums(path) == whole


@pytest.mark.exhaustive
def test_killed_sums_go_on(logs: list[str], whole: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "games"
    ingest_files(str(path), logs, unit_bytes=RANGE)
    killed("sums", path, logs, 2)
    assert not holds(path)
    games, already = summed(path)
    assert 0 < already < len(RECORDS)
    assert games == len(RECORDS) - already
    assert from_sums(path) == whole


def test_targets_go_to_other_processes(logs: list[str], tmp_path: Path) -> None:
    place = LocalPlace(str(tmp_path / "games"))
    target = pickle.loads(pickle.dumps(Target(place.path, fast=False, makers=(DecisionSums(),))))
    for unit in plan(logs[:1]):
        run_unit(unit, target)
    fold(place)
    with connect(place.path, read_only=True, files_in=()) as db:
        assert sums_hold(db, DecisionSums())


@pytest.mark.heavy
def test_small_units_are_counted_together(
    logs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hanalyze.store.folder.unit_sums._LEAST", 6)
    path = tmp_path / "games"
    ingest_files(str(path), logs, unit_bytes=RANGE, makers=[DecisionSums()])
    units = newest(LocalPlace(str(path))).units
    assert [bool(unit.sums) for unit in units] == [unit.games >= 6 for unit in units]
    assert not all(unit.sums for unit in units)
    with connect(path, files_in=()) as db:
        update_sums(db, [DecisionSums()])
        assert sums_hold(db, DecisionSums())
        assert db.sql("SELECT count(*) FROM sums.parts").item() == 1 + sum(bool(unit.sums) for unit in units)


@pytest.fixture
def remote() -> Iterator[str]:
    fsspec = pytest.importorskip("fsspec")
    yield "memory://sums"
    system = fsspec.filesystem("memory")
    for path in list(system.find("/sums")):
        system.rm_file(path)


@pytest.mark.heavy
def test_a_remote_folder(
    logs: list[str], whole: dict[str, Any], remote: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "hanalyze")
    ingest_files(remote, logs[:1], unit_bytes=RANGE, makers=MAKERS)
    with connect(remote) as db:
        assert sum_up(db).already == 12
        assert sums_hold(db, DecisionSums())
        assert caplog.messages == []
        db.ingest(logs[1:])
        # Sums cannot be made there later, so nobody is sent to do so.
        assert not sums_hold(db, DecisionSums())
        assert caplog.messages[-1].endswith("; copy the folder to a disk, and run `hanalyze sums` there")
        with pytest.raises(HanalyzeError, match=r"remote folder.* --sums, or copy"):
            sum_up(db)


@pytest.mark.heavy
def test_the_commands(logs: list[str], tmp_path: Path) -> None:
    path, file = f"{tmp_path / 'games'}/", tmp_path / "games.duckdb"
    ran = hanalyze("ingest", *logs, "--db", path, "--sums")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[-1].startswith(f"sums of 0 games stored, {len(RECORDS)} already there; ")
    assert hanalyze("ingest", *logs, "--db", file, "--sums").code == 0
    for command in (("stats", "--by", "player", "--json"), ("mistakes", "--by", "player", "--json")):
        assert hanalyze(command[0], path, *command[1:]).out == hanalyze(command[0], file, *command[1:]).out
    ran = hanalyze("ingest", logs[0], "--db", f"{tmp_path / 'solved'}/", "--sums", "--solve", "--budget", "5")
    assert ran.code == 0, ran.err
    assert ran.lines[-1].startswith("sums of 12 games stored; ")
