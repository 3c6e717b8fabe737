"""Locks of files, and systems without POSIX: what Windows lacks is taken away from a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hanalyze import output
from hanalyze.output import holder, lock
from tests.cli.running import saved
from tests.store.logs import games

HOLDING = "import sys; from hanalyze.output import lock; file = open(sys.argv[1], 'ab'); "
HOLDING += "print(lock(file.fileno()), flush=True); sys.stdin.read()"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
def test_another_process_holds_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with (
        subprocess.Popen(
            [sys.executable, "-c", HOLDING, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process,
        open(path, "ab") as stream,
    ):
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"True\n"
        assert not lock(stream.fileno())
        assert holder(stream.fileno()) == (process.pid if sys.platform == "linux" else None)
        process.stdin.close()
        assert lock(stream.fileno(), wait=True)


def test_windows_locks_a_byte_beyond_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its module stands in: held at first, then free; the place in the file stays."""
    held, places = [True, True, True], []

    def locking(file: int, mode: int, size: int) -> None:
        places.append((os.lseek(file, 0, os.SEEK_CUR), mode, size))
        if held.pop():
            raise PermissionError

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(output, "_PAUSE", 0)
    with open(tmp_path / "file", "w+b") as stream:
        stream.write(b"games")
        stream.flush()
        assert not lock(stream.fileno())
        held.insert(0, False)
        assert lock(stream.fileno(), wait=True)
        assert os.lseek(stream.fileno(), 0, os.SEEK_CUR) == 5
    assert places == [(2**31 - 2, 2, 1)] * 4
    assert (tmp_path / "file").stat().st_size == 5


WITHOUT_POSIX = """
import os, subprocess, sys, warnings  # subprocess would take itself to be on Windows
from types import SimpleNamespace

warnings.filterwarnings("error", category=EncodingWarning, module="hanalyze")
for name in ("fcntl", "resource", "grp", "pwd"):
    sys.modules[name] = None
for name in ("O_DIRECTORY", "fork", "getuid", "geteuid", "sched_getaffinity", "mkfifo"):
    delattr(os, name)
calls = []
sys.modules["msvcrt"] = SimpleNamespace(locking=lambda *given: calls.append(given), LK_NBLCK=2)
windows_open = os.open

def open_no_folder(path, flags, *rest, **more):
    if os.path.isdir(path) and not flags & os.O_CREAT:
        raise PermissionError(13, "Permission denied", path)
    return windows_open(path, flags, *rest, **more)

os.open = open_no_folder
from hanalyze.cli import main

def run(*arguments):
    try:
        main(arguments)
    except SystemExit as ended:
        assert ended.code == 0, (arguments, ended.code)

run("--help")
for database in ("games.duckdb", "games/"):
    run("ingest", "games.jsonl", "--db", database, "--jobs", "1")
    run("conventions", database)
    run("sql", database, "SELECT count(*) AS n FROM convention_games", "--json")
run("compact", "games/", "--grace", "0")
import hanalyze.cli.logs
assert len(calls) == 1, calls  # found.duckdb was created once
"""


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="stands in for Windows")
def test_without_what_windows_lacks(tmp_path: Path) -> None:
    """The commands work without the modules and functions of POSIX, and name the encoding of every file."""
    pytest.importorskip("duckdb")
    saved(tmp_path, *games(2))
    ran = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", WITHOUT_POSIX],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count('{"n":2}') == 2
