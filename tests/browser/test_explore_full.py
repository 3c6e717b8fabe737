"""SQL in the page of `hanalyze explore --full`, answered by DuckDB-WASM.

A single page makes no request; a folder is asked for parts of its database.

The npm package is at the path in `DUCKDB_WASM`. Without it the tests are skipped, and fail in CI.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hanalyze.analysis import explore
from hanalyze.report.explore.build import explore_page
from hanalyze.report.explore.full import full_of, write_folder
from tests.browser.settled import becomes
from tests.hostile import IMAGE
from tests.report.board import make_database

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not {"CI", "DUCKDB_WASM"} & os.environ.keys(), reason="needs DUCKDB_WASM"),
]

TEXTS = "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"


def run(page: Any, query: str | None = None) -> str:
    """Run a query, or the one in the box; return what the page says."""
    if query is not None:
        page.fill("#sql-text", query)
    page.click("#sql-run")
    becomes(page, lambda: page.get_attribute("#sql", "aria-busy"), "false")
    return str(page.inner_text("#sql-said"))


@pytest.mark.parametrize("width", [400, 1400])
def test_sql_in_the_page(tmp_path: Path, open_page: Callable[..., Any], width: int) -> None:
    file = tmp_path / "explore.html"
    with make_database(tmp_path, ["Ann", IMAGE, "Cem", "Dee"]) as db:
        file.write_text(explore_page(db, full=full_of(db, os.environ["DUCKDB_WASM"])).text, "utf-8")
        frame = explore(db, "discard", "player")
    expected = frame.filter(player=IMAGE).row(0, named=True)
    page = open_page(file, width=width)
    page.click("#sql summary")
    page.click("#sql-take")
    assert run(page) == f"{frame.height} rows"
    rows = page.eval_on_selector_all("#sql-result tbody tr", TEXTS)
    [row] = [row for row in rows if row[0] == IMAGE]
    assert row[2:5] == [str(int(expected[name])) for name in ("found", "opportunities", "games")]
    assert "not found" in run(page, "SELECT nothing")
    run(page, "FROM 'https://example.org/games.csv'")
    assert run(page, "SELECT NULL AS a, '' AS b, 'x\"y' AS c;") == "1 row"
    assert page.eval_on_selector_all("#sql-result tbody tr", TEXTS) == [["\N{EN DASH}", "", 'x"y']]
    # The worker's own source is no request to the network.
    page.problems[:] = [one for one in page.problems if not one.startswith("request of blob:")]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_in_firefox(tmp_path: Path, firefox: Any) -> None:
    file = tmp_path / "explore.html"
    with make_database(tmp_path, ["Ann", "Bea", "Cem", "Dee"]) as db:
        file.write_text(explore_page(db, full=full_of(db, os.environ["DUCKDB_WASM"])).text, "utf-8")
        [games] = db.sql("SELECT count(*) FROM games").row(0)
    page = firefox.new_page()
    page.goto(file.resolve().as_uri())
    page.click("#sql summary")
    assert run(page, "SELECT count(*) AS n FROM games") == "1 row"
    assert page.inner_text("#sql-result tbody td") == str(games)


class Request(NamedTuple):
    path: str
    range: str
    sent: int


class Files(SimpleHTTPRequestHandler):
    """Sends files, or with `ranges` parts of them, and remembers requests with the number of bytes sent."""

    def __init__(self, *arguments: Any, requests: list[Request], ranges: bool, **more: Any) -> None:
        self.requests = requests
        self.ranges = ranges
        super().__init__(*arguments, **more)

    def do_GET(self) -> None:
        data = Path(self.translate_path(self.path)).read_bytes()
        asked = self.headers.get("Range", "")
        if self.ranges and (ends := re.fullmatch(r"bytes=(\d+)-(\d*)", asked)):
            first, last = int(ends[1]), min(int(ends[2] or len(data)), len(data) - 1)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
            data = data[first : last + 1]
        else:
            self.send_response(200)
        if self.ranges:
            self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        sent = 0 if self.command == "HEAD" else self.wfile.write(data)
        self.requests.append(Request(self.path, asked, sent))

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path, *, ranges: bool) -> Iterator[tuple[int, list[Request]]]:
    """Serve a folder; yield the port, and the list of requests."""
    requests: list[Request] = []
    handler = partial(Files, requests=requests, ranges=ranges, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.server_port, requests
        server.shutdown()


@pytest.mark.parametrize("ranges", [True, False])
def test_a_folder(tmp_path: Path, browser: Any, open_page: Callable[..., Any], ranges: bool) -> None:
    site = tmp_path / "site"
    query = "SELECT action, count(*) AS turns FROM turns GROUP BY ALL ORDER BY ALL"
    with make_database(tmp_path, ["Ann", "Bea", "Cem", "Dee"]) as db:
        write_folder(db, os.environ["DUCKDB_WASM"], str(site))
        expected = [[action, str(turns)] for action, turns in db.sql(query).iter_rows()]
    size = (site / "games.duckdb").stat().st_size
    with serving(site, ranges=ranges) as (port, requests):
        page = browser.new_page()
        page.set_default_timeout(600_000)
        page.goto(f"http://127.0.0.1:{port}/index.html")
        page.click("#sql summary")
        assert run(page, query) == f"{len(expected)} rows"
        assert page.eval_on_selector_all("#sql-result tbody tr", TEXTS) == expected
        # A server without ranges sends the database once.
        loaded = [one for one in requests if one.path.startswith("/games.duckdb") and one.sent]
        assert all(one.range.startswith("bytes=") for one in loaded)
        total = sum(one.sent for one in loaded)
        assert total < size / 2 if ranges else total == size
        # Another origin is not asked, here the same server by another name.
        assert "NetworkError" in run(page, f"FROM 'http://localhost:{port}/index.html?other.csv'")
        assert not [one for one in requests if "other" in one.path]
        assert run(page, "SELECT 1 AS a") == "1 row"
        page.close()
    from_disk = open_page(site / "index.html")
    from_disk.click("#sql summary")
    assert "through a web server" in from_disk.inner_text("#sql-said")
    assert from_disk.is_disabled("#sql-run")
    assert from_disk.inner_text("#lead")
