"""A folder as a database: what is in it is what a file has, however it was made and whatever went wrong."""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hanalyze.errors import HanalyzeError
from hanalyze.store import Database, connect
from hanalyze.store.folder import ingest as ingesting
from hanalyze.store.folder.commit_markers import marked, read_marker
from hanalyze.store.folder.compact import compact, sweep
from hanalyze.store.folder.ingest import ingest_files
from hanalyze.store.folder.manifest import fold, newest
from hanalyze.store.folder.run_unit import Target, run_unit
from hanalyze.store.folder.storage import LocalPlace
from hanalyze.store.folder.units import Unit, plan, shard_of
from hanalyze.store.rows import Progress
from hanalyze.store.unit_of_work import ConventionSettings
from tests.cli.running import hanalyze
from tests.store.logs import content, games, log, mixed
from tests.store.small_disk import small_disk

RANGE = 15_000
"""Bytes of a unit here: four games or so."""
COUNTED = ["file", "read", "stored", "already_there", "with_defects", "rejected", "rules_version"]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Files that are cut and one that is not, with broken logs, defects, and games that two files have."""
    folder = tmp_path_factory.mktemp("logs")
    first = mixed(folder / "a.jsonl", 12, 12)
    second = log(folder / "b.jsonl", 6, players=2, seed=50)
    lines = first.read_bytes().split(b"\n")
    # The same games again, with another origin and a wrong score: the first file's count.
    again = [line.replace(b'"score":', b'"score":1') for line in lines[:3]]
    second.write_bytes(b"\n".join([*again, second.read_bytes()]))
    third = folder / "c.jsonl.gz"
    third.write_bytes(gzip.compress(log(folder / "c", 3, players=4, seed=90).read_bytes() + lines[0] + b"\n"))
    return [str(first), str(second), str(third)]


@pytest.fixture(scope="module")
def whole(logs: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """What a file has of these logs, conventions too."""
    with connect(tmp_path_factory.mktemp("file") / "games.duckdb") as db:
        db.ingest(logs)
        db.read_conventions()
        return contents(db)


def contents(db: Database) -> dict[str, pl.DataFrame]:
    return {**content(db), "ingests": db.ingests().select(COUNTED).sort("file")}


def assert_same(found: dict[str, pl.DataFrame], expected: dict[str, pl.DataFrame]) -> None:
    for table, frame in expected.items():
        assert found[table].schema == frame.schema, table
        assert found[table].equals(frame), table


def model_of(whole: dict[str, pl.DataFrame]) -> ConventionSettings:
    return ConventionSettings(25, whole["convention_games"]["chances"][0])


def stored(path: Path | str) -> dict[str, pl.DataFrame]:
    with connect(path, read_only=True, files_in=()) as db:
        return contents(db)


@pytest.fixture(scope="module")
def folder(logs: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of these logs, made by one run."""
    path = tmp_path_factory.mktemp("folder") / "games"
    with connect(f"{path}/") as db:
        summary = db.ingest(logs, conventions=True, jobs=2)
    assert (summary.read, summary.stored, summary.already_there, summary.rejected) == (37, 21, 3, 13)
    return path


def test_a_folder_has_what_a_file_has(folder: Path, whole: dict[str, pl.DataFrame]) -> None:
    assert_same(stored(folder), whole)
    with connect(folder, read_only=True) as db:
        assert db.games().height == 21
        assert db.turns().select(pl.len()).collect().item() == whole["turns"].height
        assert db.ingests()["digest"].null_count() == 0


@pytest.mark.parametrize("count", [3])
def test_shards_give_the_same(
    logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path, count: int
) -> None:
    path = str(tmp_path / "games")
    assert len(plan(logs, RANGE)) > 6
    order = list(range(1, count + 1))
    random.Random(5).shuffle(order)
    for number in order:
        ingest_files(path, logs, conventions=True, shard=(number, count), unit_bytes=RANGE, jobs=1)
    assert_same(stored(path), whole)
    again = ingest_files(path, logs, conventions=True, unit_bytes=RANGE)
    assert (again.read, again.stored, again.already_there) == (37, 0, 24)
    # Other ranges of the same bytes would be the same games as other units.
    with pytest.raises(HanalyzeError, match="would split the file differently") as caught:
        ingest_files(path, logs, unit_bytes=RANGE // 2)
    assert caught.value.rule == "other_ranges"


@pytest.mark.heavy
def test_units_come_in_any_order(logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    place = LocalPlace(str(tmp_path / "games"))
    units = plan(logs, RANGE)
    random.Random(2).shuffle(units)
    target = Target(place.path, fast=False, meaning=model_of(whole))
    for number, unit in enumerate(units):
        assert run_unit(unit, target).done
        if number % 3 == 0:
            fold(place)
    assert fold(place) == newest(place)
    assert_same(stored(place.path), whole)


def test_shards_are_every_nth_unit() -> None:
    units = [Unit(str(number), "", 0, -1, number) for number in range(7)]
    for count in (1, 2, 3, 7, 9):
        for first in (0, 1):
            taken = [
                unit for number in range(first, first + count) for unit in shard_of(units, (number, count))
            ]
            assert sorted(taken) == units


def test_the_same_unit_at_once_counts_once(logs: list[str], tmp_path: Path) -> None:
    place = LocalPlace(str(tmp_path / "games"))
    unit = plan(logs, RANGE)[0]
    ready = threading.Barrier(4)
    results: list[dict[str, Any]] = []

    def work() -> None:
        ready.wait()
        results.append(run_unit(unit, Target(place.path, fast=False)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result.done for result in results) == [False, False, False, True]
    assert len(marked(place)) == 1
    named = {part.name for _, part in fold(place).parts()}
    assert named == {entry.name for entry in place.entries() if entry.name.endswith(".parquet")} - {
        newest(place).rejects
    }


def test_what_a_run_did_before_is_its_own(logs: list[str], tmp_path: Path) -> None:
    """A worker may die after it has done a unit and before it says so: the next one finds it done."""
    unit = plan(logs, RANGE)[0]
    mine, other = (Target(str(tmp_path / "games"), fast=False, run=run) for run in ("a", "b"))
    assert [run_unit(unit, target).done for target in (mine, mine, other)] == [True, True, False]


def test_what_is_there_once_is_kept_in_the_first_file(logs: list[str], folder: Path) -> None:
    with connect(folder, read_only=True) as db:
        # The second file's scores are wrong: its games would have a defect.
        assert db.defects().filter(pl.col("rule") == "score_differs").is_empty()


@pytest.mark.heavy
def test_compacting_keeps_the_rows(logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    path = str(tmp_path / "games")
    ingest_files(path, logs, conventions=True, unit_bytes=RANGE)
    with connect(path, read_only=True) as reader:
        done = compact(path, grace=3600)
        assert done.files_after < done.files_before / 3
        assert not done.removed
        # Who has it open still reads the old files.
        assert_same(contents(reader), whole)
    assert_same(stored(path), whole)
    assert not newest(LocalPlace(path)).dirty
    more = str(log(tmp_path / "more.jsonl", 3, players=2, seed=700))
    assert ingest_files(path, [more, *logs], unit_bytes=RANGE).stored == 3
    assert compact(path, grace=-1).removed > 20
    files = {entry.name for entry in LocalPlace(path).entries() if entry.name.endswith(".parquet")}
    manifest = newest(LocalPlace(path))
    assert files == {part.name for _, part in manifest.parts()} | {manifest.rejects}
    found = stored(path)
    assert found["games"].height == whole["games"].height + 3
    assert found["rejects"].equals(whole["rejects"])
    # Nothing more to join.
    assert compact(path, grace=-1).files_after == len(manifest.parts())


@pytest.mark.heavy
def test_files_are_sorted_and_split_by_key(logs: list[str], tmp_path: Path) -> None:
    path = str(tmp_path / "games")
    ingest_files(path, logs, unit_bytes=RANGE)
    before = stored(path)
    compact(path, aim=6_000)
    assert_same(stored(path), before)
    turns = sorted(Path(path, "turns", "players=3").glob("*.parquet"))
    named = {Path(path, part.name) for _, part in newest(LocalPlace(path)).parts()}
    turns = [file for file in turns if file in named]
    assert len(turns) > 1
    for file in turns:
        frame = pl.read_parquet(file, hive_partitioning=False)
        assert frame.select("game_id", "turn").equals(frame.select("game_id", "turn").sort(pl.all()))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Files of a game each: sound, broken, with a wrong score, the same as another; one of three games."""
    folder = tmp_path_factory.mktemp("small")
    lines = [
        *mixed(folder / "all", 12, 4).read_bytes().splitlines(),
        *log(folder / "two", 4, players=2).read_bytes().splitlines(),
    ]
    lines += [lines[0].replace(b'"score":', b'"score":1'), lines[9]]
    texts = [*(line + b"\n" for line in lines), b"\n".join(lines[4:7])]
    for number, text in enumerate(texts):
        (folder / f"{number:03}.jsonl").write_bytes(text)
    return [str(folder / f"{number:03}.jsonl") for number in range(len(texts))]


ROOM = 20_000
"""Bytes of a unit that has room for five of these files or so."""


@pytest.mark.heavy
def test_small_files_share_units(small: list[str], tmp_path: Path) -> None:
    """Each file keeps its own name, line and counts, however units and runs divide them."""
    with connect(tmp_path / "games.duckdb") as db:
        db.ingest(small)
        expected = contents(db)
    units = plan(small, ROOM)
    assert [path for unit in units for path, _ in unit.files] == small
    assert 3 < len(units) < len(small) / 3
    assert all(unit.size <= ROOM for unit in units)
    path = str(tmp_path / "games")
    for number in (2, 3, 1):
        ingest_files(path, small, shard=(number, 3), unit_bytes=ROOM, jobs=1)
    assert_same(stored(path), expected)
    assert {unit.key for unit in units} == marked(LocalPlace(path))
    again = ingest_files(path, small, unit_bytes=ROOM)
    assert (again.read, again.stored, again.rejected) == (expected["ingests"]["read"].sum(), 0, 4)
    compact(path)
    assert_same(stored(path), expected)


def test_files_that_come_later_are_read_alone(small: list[str], tmp_path: Path) -> None:
    """What is between them fills other units then, and is not read again."""
    path = tmp_path / "games"
    first, later = small[::2], small[1::2]
    known = ingest_files(str(path), first, unit_bytes=ROOM)
    before = marked(LocalPlace(str(path)))
    summary = ingest_files(str(path), small, unit_bytes=ROOM)
    after = marked(LocalPlace(str(path)))
    read = [
        file.path for key in after - before for file in read_marker(LocalPlace(str(path)), key).whole_files()
    ]
    assert sorted(read) == later
    with connect(tmp_path / "games.duckdb") as db:
        both = [db.ingest(first), db.ingest(small)]
        assert known.stored == both[0].stored
        assert (summary.read, summary.rejected) == (both[1].read, both[1].rejected)
        expected = contents(db)
    found = stored(path)
    assert found["games"]["game_id"].equals(expected["games"]["game_id"])
    assert found["rejects"].equals(expected["rejects"])
    assert found["ingests"]["file"].to_list() == small
    assert found["ingests"]["stored"].sum() == found["games"].height


def test_what_a_stopped_run_did_is_seen(
    small: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "games")

    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest_files(path, small, unit_bytes=ROOM, jobs=1, on_progress=stop)
    seen = stored(path)["games"].height
    assert 0 < seen < 16
    # One that was killed could not say what it did: the next one does, before it reads.
    monkeypatch.setattr(ingesting, "fold", newest)
    with pytest.raises(KeyboardInterrupt):
        ingest_files(path, small, unit_bytes=ROOM, jobs=1, on_progress=stop)
    monkeypatch.undo()
    assert stored(path)["games"].height == seen
    with pytest.raises(HanalyzeError, match="only once"):
        ingest_files(path, [*small, "-"], shard=(1, 2))
    assert stored(path)["games"].height > seen


VICTIM = """
import resource, signal, sys, time
from hanalyze.errors import HanalyzeError
from hanalyze.store.folder import ingest as ingesting
from hanalyze.store.folder import storage as places
from hanalyze.store.folder import run_unit as running
job, path, size, most, *logs = sys.argv[1:]
create = places.LocalPlace.create
def slow(self, name, data):
    done = create(self, name, data)
    print("done", flush=True)
    time.sleep(0.3)
    return done
if job == "slow":
    places.LocalPlace.create = slow
if int(most):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), resource.RLIM_INFINITY))
try:
    print(ingesting.ingest_files(path, logs, unit_bytes=int(size), jobs=2), flush=True)
except HanalyzeError as error:
    print(error.rule, error)
    sys.exit(2)
"""


def start(job: str, path: Path, logs: list[str], most: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", VICTIM, job, str(path), str(RANGE), str(most), *logs]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def plain(whole: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Return what is there without conventions."""
    return {
        table: frame
        for table, frame in whole.items()
        if not table.startswith("convention") and table != "chances"
    }


def test_a_killed_run_goes_on(logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    path = tmp_path / "games"
    with start("slow", path, logs) as victim:
        assert victim.stdout is not None
        for _ in range(3):
            victim.stdout.readline()
        victim.kill()
    place = LocalPlace(str(path))
    before = marked(place)
    assert 3 <= len(before) < len(plan(logs, RANGE))
    assert not newest(place).generation
    # What another attempt left behind is never read.
    stray = path / "turns" / "players=3" / f"{next(iter(before))}-feedbeef-0.parquet"
    stray.parent.mkdir(parents=True, exist_ok=True)
    stray.write_bytes(b"PAR1 half a file")
    (stray.parent / ".half.tmp").write_bytes(b"PAR1")
    summary = ingest_files(str(path), logs, unit_bytes=RANGE)
    assert (summary.read, summary.rejected) == (37, 13)
    assert_same(stored(path), plain(whole))
    assert before < marked(place)
    assert stray.exists()
    assert sweep(place, fold(place), -1) >= 2
    assert not stray.exists()
    assert_same(stored(path), plain(whole))


@pytest.mark.heavy
def test_a_full_disk_is_said_and_the_run_goes_on(
    logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path
) -> None:
    path = tmp_path / "games"
    with start("full", path, logs, most=9_000) as victim:
        assert victim.stdout is not None
        said = victim.stdout.read()
    assert said.startswith("disk_full "), said
    assert victim.returncode == 2
    ingest_files(str(path), logs, unit_bytes=RANGE)
    assert_same(stored(path), plain(whole))


@pytest.mark.heavy
def test_a_small_disk(logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1) as disk:
        path = str(disk.folder / "games")
        disk.fill(120_000)
        with pytest.raises(HanalyzeError) as caught:
            ingest_files(path, logs, unit_bytes=RANGE, jobs=1)
        assert caught.value.rule == "disk_full"
        (disk.folder / "filler").unlink()
        disk.grow(20)
        ingest_files(path, logs, unit_bytes=RANGE, jobs=1)
        assert_same(stored(path), plain(whole))


@pytest.mark.heavy
def test_two_runs_at_once(logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    path = tmp_path / "games"
    with start("two", path, logs) as one, start("two", path, logs) as other:
        assert one.stdout is not None
        assert other.stdout is not None
        said = [one.stdout.read(), other.stdout.read()]
    assert [one.returncode, other.returncode] == [0, 0], said
    assert_same(stored(path), plain(whole))


def test_a_corrupt_input_is_a_row(tmp_path: Path) -> None:
    packed = gzip.compress(log(tmp_path / "a", 4).read_bytes())
    damaged = tmp_path / "damaged.jsonl.gz"
    damaged.write_bytes(packed[: len(packed) // 2])
    missing = str(tmp_path / "missing.jsonl")
    files = [str(damaged), missing]
    with connect(tmp_path / "games.duckdb") as db:
        db.ingest(files)
        expected = contents(db)
    assert set(expected["rejects"]["rule"]) == {"truncated", "no_file"}
    ingest_files(str(tmp_path / "games"), files)
    assert_same(stored(tmp_path / "games"), expected)


def test_solutions_are_kept(tmp_path: Path) -> None:
    path = f"{tmp_path / 'games'}/"
    with connect(path) as db:
        db.add(games(1, players=2))
        assert db.solve(nodes=10, game_nodes=10).games == 1
    with connect(path) as db:
        assert db.solve(nodes=10, game_nodes=10).already_solved == 1
        assert db.best_scores().select(pl.len()).collect().item() == db.count("turns")


@pytest.mark.heavy
def test_what_is_found_later_is_kept(folder: Path, whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    path = tmp_path / "games"
    shutil.copytree(folder, path)
    one = games(1, players=2, seed=5_000)
    with connect(path) as db:
        assert db.add(one).stored == 1
        assert db.add(one).already_there == 1
        reading = db.read_conventions()
        assert (reading.games, reading.already_read) == (1, 21)
        with pytest.raises(HanalyzeError, match="rebuild") as caught:
            db.read_conventions(level=5)
        assert caught.value.rule == "other_level"
    with connect(path, read_only=True, files_in=()) as db:
        assert db.table("convention_games").height == 22
        assert db.findings().height > whole["conventions"].height


@pytest.mark.heavy
def test_commands_take_a_folder(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.duckdb"
    with connect(folder, read_only=True) as db:
        mistakes = db.mistakes()
    for command in (
        ("mistakes", "--list", "3"),
        ("stats", "--by", "players"),
        ("conventions",),
        ("info",),
    ):
        ran = hanalyze(command[0], str(folder), *command[1:])
        assert (ran.code, ran.err) == (0, "") or "do not seem to follow" in ran.err, command
    ran = hanalyze("sql", str(folder), "SELECT count(*) FROM mistakes", "--format", "csv")
    assert ran.out.splitlines()[1] == str(mistakes.height)
    assert hanalyze("compact", str(file)).code == 2
    assert not file.exists()


@pytest.mark.parametrize(
    "query",
    [
        "COPY games TO '{folder}/evil.parquet'",
        "PREPARE evil AS COPY games TO '{folder}/evil.parquet'; EXECUTE evil",
        "EXPLAIN ANALYZE COPY games TO '{folder}/evil.parquet'",
        "ATTACH '{folder}/evil.duckdb' AS evil; CREATE TABLE evil.t AS SELECT 1",
        "EXPORT DATABASE '{folder}/evil'",
    ],
)
def test_a_query_writes_nothing(folder: Path, query: str) -> None:
    before = sorted(folder.rglob("*"))
    ran = hanalyze("sql", str(folder), query.format(folder=folder))
    assert sorted(folder.rglob("*")) == before
    assert ran.code == 2


def test_other_folders_are_left_alone(tmp_path: Path, logs: list[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(HanalyzeError, match="is not a database"):
        connect(tmp_path)
    with pytest.raises(HanalyzeError, match="not a database"):
        connect(tmp_path, read_only=True)
    ran = hanalyze("ingest", logs[0], "--db", str(tmp_path / "games.duckdb"), "--shard", "1/2")
    assert ran.code == 2
    assert "--shard stores logs in a folder" in ran.err


@pytest.fixture
def remote() -> Iterator[str]:
    fsspec = pytest.importorskip("fsspec")
    yield "memory://games"
    system = fsspec.filesystem("memory")
    for path in list(system.find("/games")):
        system.rm_file(path)


def test_a_remote_folder(logs: list[str], whole: dict[str, pl.DataFrame], remote: str) -> None:
    ingest_files(remote, logs, unit_bytes=RANGE, conventions=True)
    assert_same(stored(remote), whole)
    compact(remote)
    with connect(remote) as db:
        assert_same(contents(db), whole)
        with pytest.raises(HanalyzeError, match="remote"):
            db.solve()


def test_a_remote_folder_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(HanalyzeError, match=r"hanalyze\[remote\]"):
        connect("s3://bucket/games")


def test_an_interactive_session_sees_no_progress_bars(tmp_path: Path) -> None:
    # To DuckDB a program without a file is interactive.
    program = f"""
import duckdb
from hanalyze.store import connect
from hanalyze.store.folder.storage import bounded_connection
from hanalyze.store.folder.storage import LocalPlace
query = "SELECT current_setting('enable_progress_bar')"
path = {str(tmp_path / "games")!r} + "/"
with connect(path) as db, bounded_connection(LocalPlace(path)) as inside, connect() as memory:
    for one in (duckdb.connect(), db.connection, inside, memory.connection):
        print(*one.execute(query).fetchone())
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", "False", "False", "False"]
