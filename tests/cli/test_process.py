"""The command as a process of its own: streams, codes, colours, what is imported, pipes that close."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer.core

import hanalyze as hz
from hanalyze.agents import simulate
from tests.cli.running import saved

COMMAND = [sys.executable, "-m", "hanalyze"]


def started(*arguments: str | Path, **how: object) -> subprocess.Popen[bytes]:
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
        # Whoever starts the tests in the background has them ignore interrupts, and so their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
        **how,
    )


def run(*arguments: str | Path) -> tuple[int, bytes, bytes]:
    process = started(*arguments)
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return saved(tmp_path, *simulate("cautious", players=3, games=40, seed=7))


def test_version() -> None:
    assert run("--version") == (0, f"hanalyze {hz.__version__}\n".encode(), b"")


def test_help_is_what_comes_without_arguments() -> None:
    assert run() == run("--help")
    assert run()[0] == 0


@pytest.mark.heavy
def test_nothing_is_written_to_standard_error(file: Path, tmp_path: Path) -> None:
    """Also not by DuckDB's binding at the end of the process."""
    with hz.connect(tmp_path / "games.duckdb") as db:
        db.ingest(file)
    for command in (["sql", "SELECT count(*) FROM mistakes"], ["info"], ["stats"]):
        code, _, err = run(command[0], tmp_path / "games.duckdb", *command[1:])
        assert (code, err) == (0, b"")


def test_streams_and_codes(file: Path) -> None:
    code, out, err = run("replay", file, "missing.json")
    assert code == 2
    assert err == b"hanalyze: missing.json: there is no such file; `hanalyze demo` makes logs to try\n"
    assert out.count(b"\nresult ") == 40
    # Nobody knows how wide a pipe is: nothing is left out. And nothing is coloured.
    assert b" (slots 1, 2)" in out
    assert b"\x1b" not in out


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of Unix")
def test_colours_and_width_of_a_terminal(file: Path) -> None:
    import pty
    import struct

    fcntl = pytest.importorskip("fcntl")
    termios = pytest.importorskip("termios")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color"}
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        environment.pop(name, None)
    process = subprocess.Popen(
        [*COMMAND, "replay", str(file), "--nth", "1"], stdout=theirs, stdin=theirs, env=environment
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait(timeout=600) == 0
    assert b"\x1b[31mr" in shown
    assert re.search(rb"(turn|#) player action ", re.sub(rb"\x1b\[[\d;]*m", b"", shown))


def test_a_reader_who_has_seen_enough(file: Path) -> None:
    process = started("replay", file)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"game p3v0s7")
    process.stdout.close()
    assert process.wait(timeout=600) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize(
    "arguments",
    [["replay", "{file}"], ["replay", "{file}", "--json"], ["deck", "p2v0s1"], ["simulate"], ["--help"]],
    ids=" ".join,
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(file: Path, arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [*COMMAND, *(argument.format(file=file) for argument in arguments)],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=600,
            check=False,
        )
    assert ran.returncode == 2
    assert ran.stderr == b"hanalyze: the output cannot be written: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="needs limits of Unix")
@pytest.mark.parametrize(
    "arguments",
    [["review", "{file}", "-o"], ["convert", "{file}", "-o"], ["simulate", "-o"]],
    ids=" ".join,
)
def test_a_disk_that_fills_up_keeps_the_older_file(tmp_path: Path, arguments: list[str]) -> None:
    import resource

    game = saved(tmp_path, *simulate("cautious", players=3, games=1, seed=7))
    target = tmp_path / "older"
    target.write_text("complete")
    target.chmod(0o600)

    def ran(most: int) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*COMMAND, *(argument.format(file=game) for argument in arguments), target],
            capture_output=True,
            timeout=600,
            check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # Python would cut its own files short
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY)),
        )

    full = ran(20)
    assert (full.returncode, full.stderr) == (2, f"hanalyze: {target}: File too large\n".encode())
    assert (target.read_text(), sorted(os.listdir(tmp_path))) == ("complete", [game.name, "older"])
    assert ran(resource.RLIM_INFINITY).returncode == 0
    assert target.read_text() != "complete"
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name == "nt", reason="needs signals of Unix")
def test_an_interrupt_is_quiet(tmp_path: Path) -> None:
    target = tmp_path / "games.jsonl"
    # Few enough for the interpreter, as the compiler hears of an interrupt only when it is done.
    process = started("simulate", "--players", "5", "--games", "99", "-o", target)
    try:
        limit = time.monotonic() + 600
        while not os.listdir(tmp_path) and time.monotonic() < limit:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
    finally:
        process.kill()
    assert (process.returncode, err) == (130, b"")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="needs signals of Unix")
@pytest.mark.parametrize("module", ["typing", "hanalyze.errors", "hanalyze.cli.app"])
def test_an_interrupt_of_an_import_is_quiet(module: str) -> None:
    code = f"""
import os, signal, sys
from importlib.abc import MetaPathFinder
from runpy import run_module

sys.modules.pop("typing", None)

class Interrupt(MetaPathFinder):
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
run_module("hanalyze", run_name="__main__")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=600, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    "command", [["replay"], ["ingest", "--db", "games.duckdb"], ["mistakes"], ["review"]]
)
def test_a_standard_input_that_is_closed(tmp_path: Path, command: list[str]) -> None:
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" - <&-', "sh", *COMMAND, *command],
        capture_output=True,
        cwd=tmp_path,
        timeout=600,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr == b"hanalyze: -: standard input is closed\n"
    assert list(tmp_path.iterdir()) == []


def test_the_first_game_is_shown_before_the_last_is_read(file: Path) -> None:
    first, second = file.read_bytes().splitlines(keepends=True)[:2]
    process = subprocess.Popen([*COMMAND, "replay", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(first)
    process.stdin.flush()
    assert process.stdout.readline() == b"game p3v0s7\n"
    process.stdin.write(second)
    process.stdin.close()
    assert b"game p3v0s8\n" in process.stdout.read()
    process.stdout.close()
    assert process.wait(timeout=600) == 0


# What each command must do without: the imports that take longer than the command may.
SPARED = {
    "--help": ("numpy", "rich", "polars", "numba", "msgspec", "pydantic", "hanalyze.engine"),
    "replay --help": ("numpy", "rich", "polars", "numba", "msgspec", "hanalyze.engine"),
    "deck p3v0s1": ("rich", "polars", "numba", "hanalyze.engine"),
    "replay {file} --nth 1": ("rich", "polars", "numba"),
    "replay {file} --nth 1 --json": ("rich", "polars", "numba"),
    "replay {file} --nth 1 --turn 5": ("rich", "polars", "numba"),
    "simulate": ("rich", "polars", "numba"),
}


# The oldest Typer that is allowed takes Rich to write the defaults of options.
RICH_IN_HELP = "escape_before_html_export" in Path(typer.core.__file__).read_text("utf-8")


@pytest.mark.parametrize("line", SPARED)
def test_what_is_not_imported(file: Path, line: str) -> None:
    arguments = [word.format(file=file) for word in line.split()]
    script = (
        "import sys\n"
        "from hanalyze.cli import main\n"
        "try:\n"
        f"    main({arguments!r})\n"
        "except SystemExit:\n"
        "    sys.stderr.write(' '.join(sys.modules))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=600, check=True
    )
    modules = ran.stderr.split()
    assert "hanalyze" in modules
    spared = set(SPARED[line])
    if line == "replay --help" and RICH_IN_HELP:
        spared.remove("rich")
    assert spared & set(modules) == set()
