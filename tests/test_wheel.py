"""The built wheel away from the source tree: in empty environments, each extra by itself; by uvx and pipx."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from hanalyze.version import __version__

ROOT = Path(__file__).parents[1]
BIN = "Scripts" if sys.platform == "win32" else "bin"

Ran = subprocess.CompletedProcess[str]
Command = Callable[..., Ran]
Environment = Callable[[str], Command]

pytestmark = pytest.mark.heavy


def run(*command: str | Path, folder: Path | None = None) -> Ran:
    """Run a command that finds neither the source tree nor the libraries of this Python."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    if folder is not None:  # compiled code belongs to an installation, and ends with it
        variables["NUMBA_CACHE_DIR"] = str(folder / "compiled")
    return subprocess.run(
        [str(one) for one in command], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install uv and pipx into a throw-away environment and return the folder of their commands."""
    folder = tmp_path_factory.mktemp("tools")
    run(sys.executable, "-m", "venv", folder)
    ran = run(folder / BIN / "python", "-m", "pip", "install", "-q", "uv", "pipx")
    if ran.returncode:
        reason = f"uv and pipx cannot be installed: {ran.stderr[-300:]}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder / BIN


@pytest.fixture(scope="module")
def wheel(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    assert run(tools / "uv", "build", "-q", "--wheel", "-o", folder, ROOT).returncode == 0
    [built] = folder.glob("*.whl")
    assert built.name == f"hanalyze-{__version__}-py3-none-any.whl"
    return built


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a log, in which all commands run."""
    folder = tmp_path_factory.mktemp("away")
    shutil.copy(ROOT / "sample_logs" / "game.json", folder)
    return folder


@pytest.fixture(scope="module")
def environment(
    tools: Path, wheel: Path, away: Path, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """Return a function that installs the wheel with an extra ("": none) and returns its Python."""
    folder = tmp_path_factory.mktemp("environments")

    @cache
    def made(extra: str) -> Command:
        own = folder / (extra or "none")
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        run(tools / "uv", "venv", "-q", "--python", sys.executable, own)
        install = (tools / "uv", "pip", "install", "-q", "--python", own, "-c", ROOT / "constraints.txt")
        ran = run(*install, wanted)
        assert (ran.returncode, ran.stderr) == (0, "")
        return lambda *command: run(own / BIN / "python", *command, folder=away)

    return made


def test_without_extras(environment: Environment) -> None:
    python = environment("")
    for given in (
        ("--version",),
        ("replay", "game.json"),
        ("deck", "p2v0s1"),
        ("conventions", "game.json"),
        ("convert", "game.json", "-o", "converted.jsonl"),
        ("simulate", "--agent", "cautious", "--games", "2", "-o", "made.jsonl"),
        ("replay", "--strict", "made.jsonl"),
    ):
        ran = python("-m", "hanalyze", *given)
        assert ran.returncode == 0, ran.stderr
    where = python("-c", "import hanalyze as hz; print(hz.__file__, hz.__version__)").stdout
    assert "site-packages" in where
    assert where.split()[-1] == __version__


FAST = "import hanalyze as hz; print(len(list(hz.replay_many([hz.load('game.json')], fast=True))))"
NEEDS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "fast": (("-c", FAST), "the compiler", ""),
    "database": (("mistakes", "game.json"), "DuckDB", ""),
    "analysis": (("stats", "games.duckdb", "--what", "scores"), "SciPy", "database"),
    "report": (("dashboard", "games.duckdb", "-o", "games.html"), "Plotly", "database"),
    "formats": (("convert", "game.json", "--to", "ah2ac2", "-o", "game.safetensors"), "safetensors", ""),
    "image": (("plot", "games.duckdb", "scores", "-o", "scores.svg"), "Kaleido", "report"),
    "remote": (("ingest", "game.json", "--db", "http://127.0.0.1:9/games/"), "fsspec", "database"),
    "cluster": (("ingest", "game.json", "--db", "cluster/", "--cluster", "local"), "distributed", "database"),
}
"""For each extra: what needs it, the library that is missing without it, and an extra that lacks it."""


@pytest.fixture(scope="module")
def database(environment: Environment, away: Path) -> Path:
    ran = environment("database")("-m", "hanalyze", "ingest", "game.json", "--db", "games.duckdb")
    assert (ran.returncode, "1 stored" in ran.stdout + ran.stderr) == (0, True)
    return away / "games.duckdb"


@pytest.mark.parametrize("extra", NEEDS)
@pytest.mark.usefixtures("database")
def test_an_extra_has_what_its_command_needs(extra: str, environment: Environment) -> None:
    command, library, less = NEEDS[extra]
    given = command if command[0] == "-c" else ("-m", "hanalyze", *command)
    without = environment(less)(*given)
    assert without.returncode != 0
    last = without.stderr.splitlines()[-1]
    assert f"{library} is not installed; pip install 'hanalyze[{extra}]'" in last
    if command[0] != "-c":
        assert (without.returncode, without.stdout, without.stderr) == (2, "", f"{last}\n")
    if extra == "image" and not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        pytest.skip("there is no Chromium to draw a picture")
    ran = environment(extra)(*given)
    assert "not installed" not in ran.stderr
    if extra == "remote":  # there is no such server, and this file system cannot be written
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    else:
        assert ran.returncode == 0, ran.stderr


def test_every_extra_is_tried() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(NEEDS) == set(project["optional-dependencies"]) - {"all", "test", "docs", "dev"}


def test_uvx_and_pipx_run_the_wheel(
    tools: Path, wheel: Path, away: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR"):
        monkeypatch.setenv(name, str(away / "pipx"))
    monkeypatch.setenv("PIPX_DEFAULT_PYTHON", sys.executable)
    for command in (
        ("uvx", "-q", "--python", sys.executable, "--from", wheel, "hanalyze", "--version"),
        ("pipx", "run", "--spec", wheel, "hanalyze", "--version"),
    ):
        ran = run(tools / str(command[0]), *command[1:], folder=away)
        assert (ran.returncode, ran.stdout.strip()) == (0, f"hanalyze {__version__}"), ran.stderr
