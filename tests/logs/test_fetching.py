"""Games fetched by number, from a server on this machine that answers as the site does, or badly."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from hanalyze.errors import LogError
from hanalyze.logs import load
from hanalyze.logs.sources import http
from hanalyze.logs.sources.site import fetch_game, site
from hanalyze.version import __version__
from tests.cli.running import hanalyze
from tests.logs.servers import Server, endless, send, serving

GAME = {
    "id": 7,
    "players": ["Alice", "Bob"],
    "actions": [{"type": 3, "target": 1, "value": 1}],
    "seed": "p2v0s1",
}
TEXT = json.dumps(GAME).encode()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    with serving() as one:
        monkeypatch.setenv("HANALYZE_SITE", one.address)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.setattr(http, "_PAUSE", 0.01)
        yield one


def test_a_game_is_asked_for_once(server: Server) -> None:
    server.answer = lambda handler: send(handler, 200, TEXT)
    assert fetch_game(7) == TEXT
    assert fetch_game(7) == TEXT
    assert server.asked == [("/export/7", f"hanalyze/{__version__}")]
    assert load("7").players == ("Alice", "Bob")
    assert load(f"{server.address}/replay/7#2").id == 7
    assert len(server.asked) == 1


def test_a_damaged_cache_is_asked_for_again(server: Server, tmp_path: Path) -> None:
    server.answer = lambda handler: send(handler, 200, TEXT)
    fetch_game(7)
    [kept] = (tmp_path / "cache").rglob("7.json")
    kept.write_bytes(TEXT[:-5])
    assert fetch_game(7) == TEXT
    assert kept.read_bytes() == TEXT
    assert len(server.asked) == 2


def test_without_a_place_to_keep_it_a_game_is_fetched(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    server.answer = lambda handler: send(handler, 200, TEXT)
    assert fetch_game(7) == TEXT


def test_a_site_that_is_busy_is_asked_again(server: Server) -> None:
    answers = iter([429, 503, 200])

    def answer(handler: BaseHTTPRequestHandler) -> None:
        status = next(answers)
        send(handler, status, TEXT if status == 200 else b"", Retry_After="0")

    server.answer = answer
    assert fetch_game(7) == TEXT
    assert len(server.asked) == 3


def test_the_site_says_how_long_to_wait(server: Server) -> None:
    answers = iter([429, 200])

    def answer(handler: BaseHTTPRequestHandler) -> None:
        status = next(answers)
        send(handler, status, TEXT if status == 200 else b"", Retry_After="1")

    server.answer = answer
    begin = time.monotonic()
    fetch_game(7)
    assert time.monotonic() - begin >= 1


def drop(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(TEXT)))
    handler.end_headers()
    handler.wfile.write(TEXT[:20])


def drip(handler: BaseHTTPRequestHandler) -> None:
    with suppress(OSError):
        for letter in b"HTTP/1.0 200 OK\r\nX-Long: " + b"x" * 1000:
            handler.wfile.write(bytes([letter]))
            time.sleep(0.2)


def redirect(address: str) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: send(handler, 302, Location=address)


OTHER = json.dumps({**GAME, "id": 8}).encode()
BOMB = gzip.compress(b"[" * 10_000_000)
BAD = [
    (lambda h: send(h, 404), "no_such_game", "no such game", 1, "a number that no game has"),
    (lambda h: send(h, 403), "site_refused", "status 403", 1, "refused for good"),
    (lambda h: send(h, 500), "site_refused", "status 500", 3, "always broken"),
    (lambda h: send(h, 429, Retry_After="86400"), "site_refused", "429", 1, "told to wait for a day"),
    (lambda h: send(h, 200, b"<html>Welcome</html>"), "not_a_game", "not game 7", 1, "a page instead"),
    (lambda h: send(h, 200, b""), "not_a_game", "not game 7", 1, "nothing"),
    (lambda h: send(h, 200, OTHER), "not_a_game", "not game 7", 1, "another game"),
    (lambda h: send(h, 200, TEXT[:-9]), "not_a_game", "not game 7", 1, "cut off, and said to be whole"),
    (drop, "site_refused", "cut off", 3, "cut off"),
    (lambda h: send(h, 200, BOMB, Content_Encoding="gzip"), "site_refused", "compressed", 1, "a bomb"),
    (endless, "not_a_game", "longer than any game", 1, "a body without end"),
    (lambda h: send(h, 302, Location="/export/7"), "site_refused", "30", 3, "round in circles"),
    (lambda h: send(h, 302, Location="http://localhost:1/x"), "site_refused", "another", 1, "another host"),
    (lambda h: send(h, 302, Location="file:///etc/passwd"), "site_refused", "status 302", 1, "a file"),
    (partial(endless, status=302, Location="/export/8"), "site_refused", "30", 3, "a redirect without end"),
    *(
        (redirect(address), "site_refused", "the site redirected to an", 1, f"a redirect to {address}")
        for address in (
            "http://[::1",
            "http://[::1]]:80/",
            "http://a]b/",
            "http://" + "a" * 300 + "/",
            "http://a:99999999/",
            "http://a:b/",
            "http://a..b/",
            "http://me:secret@127.0.0.1/",
            "http:// /",
        )
    ),
]


@pytest.mark.parametrize(("answer", "rule", "said", "asked", "comment"), BAD)
def test_a_bad_answer_costs_a_line(
    server: Server,
    tmp_path: Path,
    answer: Callable[[BaseHTTPRequestHandler], None],
    rule: str,
    said: str,
    asked: int,
    comment: str,
) -> None:
    server.answer = answer
    with pytest.raises(LogError) as found:
        fetch_game(7)
    assert found.value.rule == rule, comment
    assert said in str(found.value), comment
    assert len(str(found.value).splitlines()) == 1
    assert len(server.asked) == asked, comment
    assert not list((tmp_path / "cache").rglob("*.json"))


@pytest.mark.parametrize("length", ["9" * 5000, "-1", "many"])
def test_a_length_that_is_no_number_does_not_count(server: Server, length: str) -> None:
    server.answer = lambda handler: send(handler, 200, TEXT, Content_Length=length)
    assert fetch_game(7) == TEXT


def test_a_slow_site_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MOST_TIME", 1.0)
    server.answer = drip
    with pytest.raises(LogError, match="no complete answer within 1 s"):
        fetch_game(7)


def test_without_a_connection_the_way_out_is_said(server: Server, tmp_path: Path) -> None:
    server.shutdown()
    server.server_close()
    ran = hanalyze("replay", "7")
    assert (ran.code, ran.out) == (2, "")
    address = f"{server.address}/export/7"
    assert f"open {address} in a browser, save it as 7.json, and give that file" in ran.err
    assert len(ran.err.splitlines()) == 1


NO_SITES = [
    "hanab.live",
    "file:///etc",
    "https://",
    "https://hanab.live/replay",
    "http://[::1",
    "http://a:99999",
    "http://a b",
    "http://bad\udcff",
    "http://me:secret@127.0.0.1",
    "http://me:secret@[::1",
]


@pytest.mark.parametrize("address", NO_SITES)
def test_a_site_is_an_address_and_needed_only_for_a_number(
    address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "game.json").write_bytes(TEXT)
    monkeypatch.setenv("HANALYZE_SITE", address)
    assert hanalyze("replay", tmp_path / "game.json").code == 0
    for command in ("replay", "7"), ("replay", "hanab.live/replay/7"), ("fetch", "7"):
        ran = hanalyze(*command)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        assert "HANALYZE_SITE is not the address of a site" in ran.err
        assert "secret" not in ran.err
    with pytest.raises(LogError) as error:
        site(address)
    assert error.value.rule == "bad_link"
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("proxy", ["http:me:secret@127.0.0.1:1", "http://me:secret@[::1"])
def test_the_password_of_a_proxy_is_not_shown(
    server: Server, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    ran = hanalyze("replay", "7")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "secret" not in ran.err


def test_a_link_keeps_its_turn(server: Server) -> None:
    server.answer = lambda handler: send(handler, 200, TEXT)
    ran = hanalyze("replay", "7#2")
    assert ran.code == 0, ran.err
    assert "turn 2: Bob to play" in ran.out
    assert "turn 2: Bob to play" not in hanalyze("replay", "7").out


def test_commands_take_a_number(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    server.answer = lambda handler: send(handler, 200, TEXT)
    for command in (
        ["mistakes", "7"],
        ["conventions", "7"],
        ["review", "7"],
        ["ingest", "7", "--db", "g.duckdb"],
    ):
        ran = hanalyze(*command)
        assert ran.code == 0, (command, ran.err)
    assert Path("7.html").exists()
    assert len(server.asked) == 1


def test_review_opens_a_link_at_its_turn(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    server.answer = lambda handler: send(handler, 200, TEXT)
    assert hanalyze("review", "7#2", "--open").code == 0
    assert [one.rpartition("/")[2] for one in opened] == ["7.html#turn=2"]
