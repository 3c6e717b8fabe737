"""Units done by the workers of a Dask cluster: the same rows as any other way, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hanalyze.errors import HanalyzeError
from hanalyze.store import connect
from hanalyze.store.folder import cluster as clustered
from hanalyze.store.folder.commit_markers import marked
from hanalyze.store.folder.ingest import ingest_files
from hanalyze.store.folder.storage import LocalPlace
from hanalyze.store.folder.units import plan
from tests.cli.running import hanalyze
from tests.store import test_folder
from tests.store.logs import log
from tests.store.small_disk import small_disk
from tests.store.test_folder import RANGE, assert_same, plain, stored

distributed = pytest.importorskip("distributed")

logs = test_folder.logs
whole = test_folder.whole

SMALL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))
from distributed.cli.dask_worker import main
main(sys.argv[1:])
"""
"""A worker that can write files of 4 kB at most, as if its disk were full."""


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Give a process that is ended at the end."""
    process = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Give a scheduler in a process of its own, and its address."""
    file = folder / f"scheduler-{time.monotonic_ns()}.json"
    command = ("-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    with running(*command, "--no-dashboard", "--no-show", "--scheduler-file", str(file)) as process:
        deadline = time.monotonic() + 600
        while not file.exists() or not file.stat().st_size:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield process, json.loads(file.read_text())["address"]


def worker(address: str, folder: Path, *code: str) -> Any:
    """Return what starts a worker: `code` instead of Dask's command, if given."""
    command = ("-c", *code) if code else ("-m", "distributed.cli.dask_worker")
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
    return running(*command, address, *options)


@pytest.mark.heavy
def test_two_processes_give_the_same(
    logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustered, "_AT_ONCE", 3)
    path = str(tmp_path / "games")
    seen: list[int] = []
    summary = ingest_files(
        path,
        logs,
        conventions=True,
        cluster="local",
        workers=2,
        unit_bytes=RANGE,
        on_progress=lambda progress: seen.append(progress.games),
    )
    assert (summary.read, summary.stored, summary.already_there, summary.rejected) == (37, 21, 3, 13)
    assert len(seen) == len(plan(logs, RANGE))
    assert seen[-1] == 37
    assert_same(stored(path), whole)
    again = ingest_files(path, logs, conventions=True, unit_bytes=RANGE)
    assert (again.stored, again.already_there) == (0, 24)


@pytest.mark.heavy
def test_a_killed_worker_is_replaced(logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    path = str(tmp_path / "games")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        with distributed.Client(cluster, set_as_default=False) as client:
            victims = list(client.run(os.getpid).values())

        def kill(progress: Any) -> None:
            if victims:
                os.kill(victims.pop(), signal.SIGKILL)

        summary = ingest_files(
            path, logs, cluster=cluster.scheduler_address, unit_bytes=RANGE, on_progress=kill
        )
    assert not victims
    assert (summary.read, summary.stored, summary.rejected) == (37, 21, 13)
    assert_same(stored(path), plain(whole))


@pytest.mark.heavy
def test_a_scheduler_that_dies_is_said_and_the_next_goes_on(
    logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustered, "_AT_ONCE", 2)
    path = tmp_path / "games"
    before: set[str] = set()
    with scheduler(tmp_path) as (process, address), worker(address, tmp_path):

        def kill(progress: Any) -> None:
            process.kill()
            process.wait()

        with pytest.raises(HanalyzeError) as caught:
            ingest_files(str(path), logs, cluster=address, unit_bytes=RANGE, on_progress=kill)
        assert caught.value.rule == "scheduler_lost"
        assert "run the same command again" in str(caught.value)
        before = marked(LocalPlace(str(path)))
        assert 1 <= len(before) < len(plan(logs, RANGE))
    with scheduler(tmp_path) as (process, address), worker(address, tmp_path), worker(address, tmp_path):
        ingest_files(str(path), logs, cluster=address, unit_bytes=RANGE)
    assert before < marked(LocalPlace(str(path)))
    assert_same(stored(path), plain(whole))


@pytest.mark.heavy
def test_a_disk_that_is_full_on_one_worker(
    logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path
) -> None:
    path = str(tmp_path / "games")
    with scheduler(tmp_path) as (_, address), worker(address, tmp_path):
        with worker(address, tmp_path, SMALL):
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=600)
            refused = []
            try:
                ingest_files(path, logs, cluster=address, unit_bytes=RANGE)
            except HanalyzeError as error:
                refused.append(error.rule)
            # Refused where a unit came to the full one three times.
            assert refused in ([], ["disk_full"])
        ingest_files(path, logs, cluster=address, unit_bytes=RANGE)
    assert_same(stored(path), plain(whole))


@pytest.mark.heavy
def test_a_disk_that_is_full_for_all(logs: list[str], whole: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1) as disk:
        path = str(disk.folder / "games")
        disk.fill(120_000)
        with pytest.raises(HanalyzeError) as caught:
            ingest_files(path, logs, unit_bytes=RANGE, cluster="local", workers=1)
        assert caught.value.rule == "disk_full"
        (disk.folder / "filler").unlink()
        disk.grow(20)
        ingest_files(path, logs, unit_bytes=RANGE, cluster="local", workers=1)
        assert_same(stored(path), plain(whole))


def test_a_worker_of_another_version_is_refused(
    logs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustered, "_VERSIONS", ("0.0.1", 1, 1, 1))
    with pytest.raises(HanalyzeError, match=r"not 0\.0\.1 \(1, 1, 1\); install the same version") as caught:
        ingest_files(str(tmp_path / "games"), logs, cluster="local", workers=1)
    assert caught.value.rule == "other_version"


def test_nobody_answers(tmp_path: Path, logs: list[str]) -> None:
    import dask

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(HanalyzeError, match="no scheduler answers at tcp://127") as caught,
    ):
        ingest_files(str(tmp_path / "games"), logs, cluster="tcp://127.0.0.1:9")
    assert caught.value.rule == "no_scheduler"


def test_the_command(tmp_path: Path) -> None:
    file = log(tmp_path / "games.jsonl", 3)
    ran = hanalyze("ingest", file, "--db", f"{tmp_path}/games/", "--cluster", "local", "--workers", "1")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("3 games read: 3 stored")
    assert "Dask's dashboard: http://127.0.0.1:" in ran.err
    with connect(tmp_path / "games", read_only=True) as db:
        assert db.games().height == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--db", "a.duckdb", "--cluster", "local"), "name a folder"),
        (("--db", "a/", "--cluster", "local", "--shard", "1/2"), "without --shard"),
        (("--db", "a/", "--workers", "2"), "add --cluster local"),
        (("--db", "a/", "--cluster", "tcp://127.0.0.1:9", "--workers", "2"), "add --cluster local"),
    ],
)
def test_what_does_not_go_together(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    ran = hanalyze("ingest", log(tmp_path / "games.jsonl", 1), *options)
    assert ran.code == 2
    assert said in ran.err
    assert not ran.out


def test_the_extra_is_named(tmp_path: Path, logs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(HanalyzeError, match=r"pip install 'hanalyze\[cluster\]'") as caught:
        ingest_files(str(tmp_path / "games"), logs, cluster="local")
    assert caught.value.rule == "no_distributed"
