"""The folder that `hanalyze explore --full` writes for a web server."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from hanalyze.report.explore import full as full_module
from tests.cli.running import Ran, hanalyze, saved
from tests.report.test_explore_full import make_package
from tests.store.logs import games

FILES = ["duckdb-browser-eh.worker.js", "duckdb-eh.wasm", "games.duckdb", "index.html"]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a package and a database of three games."""
    path = tmp_path_factory.mktemp("work")
    make_package(path / "package")
    log = saved(path, *games(3))
    assert hanalyze("ingest", log, "--db", path / "games.duckdb", "--jobs", "1").code == 0
    return path


@pytest.fixture
def explore(work: Path) -> Callable[[str], Ran]:
    def run(target: str) -> Ran:
        package = ("--full", "--duckdb-wasm", work / "package")
        return hanalyze("explore", work / "games.duckdb", *package, "-o", target)

    return run


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_files(explore: Callable[[str], Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = explore("my site/")
    assert (ran.code, ran.err, ran.lines[0]) == (0, "", "my site/")
    assert ran.lines[-1] == "for SQL, serve it: python -m http.server -d 'my site/'"
    site = tmp_path / "my site"
    assert names(site) == FILES
    assert (site / "duckdb-eh.wasm").read_bytes() == b"wasm"
    assert (site / "duckdb-browser-eh.worker.js").read_bytes() == b"worker"
    page = html.unescape((site / "index.html").read_text("utf-8"))
    assert "; connect-src 'self';" in page
    with duckdb.connect(str(site / "games.duckdb"), read_only=True) as db:
        assert db.execute("SELECT count(*) FROM games").fetchall() == [(3,)]
    # The page is replaced, also without a slash; hidden files stay.
    (site / "index.html").write_text("old")
    (site / ".nojekyll").touch()
    assert explore("my site").code == 0
    assert names(site) == [".nojekyll", *FILES]
    again = html.unescape((site / "index.html").read_text("utf-8"))
    assert again.replace(turns_address(again), "") == page.replace(turns_address(page), "")
    assert turns_address(again) != turns_address(page)


def turns_address(page: str) -> str:
    """Return the address of the database in a page; it changes with the database, because browsers cache."""
    return page.partition('id="turns">')[2].partition("<")[0]


@pytest.mark.parametrize("other", ["notes.txt", "index.html", "games.duckdb"])
def test_a_folder_with_other_files_is_refused(
    explore: Callable[[str], Ran], tmp_path: Path, other: str
) -> None:
    (tmp_path / other).touch()
    ran = explore(str(tmp_path))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"hanalyze: {tmp_path}: this folder has other files; choose a new or empty folder\n"
    assert names(tmp_path) == [other]


def test_a_file_is_no_folder(explore: Callable[[str], Ran], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = explore(f"{tmp_path}/file/")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"hanalyze: {tmp_path}/file/: ")


def test_a_failure_keeps_the_earlier_files(
    explore: Callable[[str], Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FILES:
        (tmp_path / name).write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(full_module, "export", fail)
    ran = explore(str(tmp_path))
    assert (ran.code, ran.err) == (2, f"hanalyze: {tmp_path}: No space left on device\n")
    assert names(tmp_path) == FILES
    assert {(tmp_path / name).read_text() for name in FILES} == {"old"}
