"""Where compiled code is kept; where nothing can be kept, it serves one run, and a line says so."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanalyze.kernels import compiling

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not compiling.can_compile(), reason="needs Numba"),
]

LOST = "compiled code cannot be cached, so each run compiles it again: "
ONCE = "compiling double (first run only)"

Run = Callable[[], list[str]]


@compiling.kernel
def twice(number: int) -> int:
    return 2 * number


def double(numbers: np.ndarray) -> int:
    for i in range(len(numbers)):
        numbers[i] = twice(numbers[i])
    return len(numbers)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Run:
    """Return a function that compiles and calls as a new run would, and returns what was announced."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(compiling, "_compiled", set())
    caplog.set_level(logging.INFO, "hanalyze")

    def compiled() -> list[str]:
        caplog.clear()
        compiling._announce.cache_clear()
        numbers = np.arange(3)
        assert compiling.compiled.__wrapped__(double)(numbers) == 3
        assert numbers.tolist() == [0, 2, 4]
        return caplog.messages

    return compiled


def kept(folder: Path) -> list[str]:
    return [path.suffix for path in sorted(folder.glob("hanalyze/*/*/*"))]


def test_the_first_run_compiles_and_the_next_takes_what_was_kept(run: Run, tmp_path: Path) -> None:
    assert run() == [ONCE]
    assert kept(tmp_path / "home" / ".cache") == [".nbc", ".nbi"]
    assert run() == []


@pytest.mark.heavy
def test_another_process_compiles_and_this_one_loads(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    original = compiling._dispatchers

    def spied(entry: Callable[..., object], folder: Path | None) -> tuple[Any, Any]:
        made.extend(original(entry, folder))
        return made[0], made[1]

    monkeypatch.setattr(compiling, "_dispatchers", spied)
    assert run() == [ONCE]
    cached, plain = made
    assert len(cached.stats.cache_hits) == 1
    assert not cached.stats.cache_misses
    assert not plain.signatures


@pytest.mark.heavy
def test_a_relative_cache_folder_is_ignored(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert run() == [ONCE]
    assert os.listdir(tmp_path) == ["home"]


@pytest.mark.heavy
@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_a_folder_that_is_named(
    variable: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba

    monkeypatch.setenv(variable, str(tmp_path / "named"))
    assert run() == [ONCE]
    # Below a folder for this state of the sources: what Numba looks at is the file of one function alone.
    assert kept(tmp_path / "named") == [".nbc", ".nbi"]
    assert os.listdir(tmp_path) == ["named"]
    # Other functions of the same process are kept where they were.
    assert "hanalyze" not in Path(numba.config.CACHE_DIR).parts


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_a_folder_that_cannot_be_written(
    variable: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()  # under which even root can make no folder
    monkeypatch.setenv(variable, str(tmp_path / "file"))
    [line] = run()
    assert line.startswith(f"{LOST}{tmp_path}/file/hanalyze/")
    assert line.endswith(f" is not writable; set {variable} to a writable folder")
    assert run() == [line]
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("home", [None, "relative"])
def test_no_home(home: str | None, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pwd = pytest.importorskip("pwd")

    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    if home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", home)
    line = f"{LOST}there is no home folder; set XDG_CACHE_HOME to a writable folder"
    assert run() == [line]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("left", [0, pytest.param(20, marks=pytest.mark.heavy)])
def test_a_damaged_file(suffix: str, left: int, run: Run, tmp_path: Path) -> None:
    run()
    [file] = tmp_path.glob(f"home/.cache/hanalyze/*/*/*{suffix}")
    file.write_bytes(file.read_bytes()[:left])
    [line] = run()
    assert line.startswith(f"{LOST}{file.parents[1]}: a file is damaged; ")


FULL = """
import logging, resource, sys
import numpy as np
from hanalyze.kernels.compiling import compiled
from entry import double
logging.basicConfig(format="%(message)s")
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
assert compiled(double)(np.arange(3)) == 3
"""


@pytest.mark.heavy
def test_a_full_disk(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    (tmp_path / "entry.py").write_text(
        "def double(numbers):\n    numbers *= 2\n    return len(numbers)\n", "utf-8"
    )
    ran = subprocess.run(
        [sys.executable, "-c", FULL],
        cwd=tmp_path,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": ""},
        stderr=subprocess.PIPE,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    [line] = ran.stderr.splitlines()
    assert line.startswith(f"{LOST}{tmp_path}/cache/hanalyze/")
    assert line.endswith(": File too large; set XDG_CACHE_HOME to a writable folder")


def test_the_compiler_is_started_for_what_saves_more_than_the_start(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiling.pays_off(2.0)
    assert not compiling.pays_off(0.5)
    # The first compilation counts until its code is cached.
    monkeypatch.setitem(compiling._COSTS, "double", ("the test", 20))
    assert not compiling.pays_off(2.0, double)
    assert compiling.pays_off(21.0, double)
    # What earlier runs lost counts, too: 2 + 9, 2 + 9 + 9, and then more than 20.7 seconds.
    assert [compiling.pays_off(9.0, double) for _ in range(3)] == [False, False, True]
    monkeypatch.setattr(compiling, "_slowness", lambda: 2.5)
    assert run() == ["compiling the test (first run only): about 50 s"]
    assert compiling.pays_off(2.0, double)
    monkeypatch.setattr(compiling, "can_compile", lambda: False)
    assert not compiling.pays_off(1000.0)
