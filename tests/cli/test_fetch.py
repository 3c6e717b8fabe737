"""`hanalyze fetch` against a server on this machine that answers as hanab.live does, or badly."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from hanalyze.agents import simulate
from hanalyze.conversion import convert
from hanalyze.logs import load, read, to_json
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources import http
from hanalyze.replaying import replay
from hanalyze.version import __version__
from tests.cli.running import hanalyze
from tests.logs.servers import Server, endless, send, serving

GAMES = dict(enumerate(simulate("cautious", players=3, games=12, seed=3), 101))
"""The games that the site has, by number; 105 is not among them."""
del GAMES[105]
FAST = ("--rate", "10")


def exported(number: int, record: GameRecord) -> bytes:
    game = json.loads(to_json(record))
    return json.dumps({"id": number, **{key: game[key] for key in ("players", "actions", "seed")}}).encode()


def row(number: int) -> dict[str, object]:
    """Return a game as the site's lists have it, with keys that nobody asked for."""
    return {
        "id": number,
        "options": {"numPlayers": 3, "variantName": "No Variant"},
        "seed": GAMES[number].seed,
        "score": replay(GAMES[number]).score,
        "numTurns": 50,
        "endCondition": 1,
        "datetimeStarted": f"2024-05-01T10:{number % 60:02}:00Z",
        "datetimeFinished": f"2024-05-01T11:{number % 60:02}:00Z",
        "numGamesOnThisSeed": 1,
        "playerNames": sorted(GAMES[number].players),
        "incrementNumGames": True,
        "tags": "finesse, max score" if number == 102 else "",
    }


def answer(handler: BaseHTTPRequestHandler) -> None:
    """Answer as the site does."""
    parts = urlsplit(handler.path)
    path = unquote(parts.path)
    kind, _, name = path.strip("/").rpartition("/")
    if kind == "export" and int(name) in GAMES:
        send(handler, 200, exported(int(name), GAMES[int(name)]))
    elif path == "/api/v1/history-full/Alice/Bób Ö/x":
        bounds = dict(pair.split("=") for pair in parts.query.split("&") if pair)
        first, last = int(bounds.get("start", 0)), int(bounds.get("end", 10**9))
        rows = [row(number) for number in reversed(GAMES) if first <= number <= last]
        send(handler, 200, json.dumps(rows).encode())
    elif path == "/api/v1/seed-full/p3v0s4":
        send(handler, 200, json.dumps([row(102)]).encode())
    elif path == "/tag/max score":
        page = '<a href="/history/Alice">a</a>' + "".join(
            f'<tr><td><a href="/replay/{number}">{number}</a></td><td>25</td></tr>' for number in (104, 103)
        )
        send(handler, 200, page.encode())
    else:
        send(handler, 404)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    with serving() as one:
        one.answer = answer
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.delenv("HANALYZE_SITE", raising=False)
        monkeypatch.setattr(http, "_PAUSE", 0.01)
        monkeypatch.chdir(tmp_path)
        yield one


def paths(server: Server) -> list[str]:
    return [path for path, _ in server.asked]


def numbers(file: Path) -> list[int | None]:
    return [record.id for record in read(file)]


def test_numbers_and_ranges(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = hanalyze("fetch", "103", "101..106", "-o", "g.jsonl", "--site", server.address, *FAST)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "7 games: 5 added to g.jsonl, 1 already there, 1 not on the site\n"
    assert numbers(Path("g.jsonl")) == [103, 101, 102, 104, 106]
    assert paths(server) == [f"/export/{number}" for number in (103, 101, 102, 104, 105, 106)]
    assert {agent for _, agent in server.asked} == {f"hanalyze/{__version__}"}
    monkeypatch.setenv("HANALYZE_SITE", server.address)
    assert load("103").actions == GAMES[103].actions  # from the same cache
    assert len(server.asked) == 6


def test_nothing_is_asked_twice(server: Server) -> None:
    for file, said in (
        ("g.jsonl", "6 games: 5 added to g.jsonl, 1 not on the site"),
        ("g.jsonl", "6 games: 0 added to g.jsonl, 5 already there, 1 not on the site"),
        ("h.jsonl", "6 games: 5 added to h.jsonl (5 from the cache), 1 not on the site"),
    ):
        ran = hanalyze("fetch", "101..106", "-o", file, "--site", server.address, *FAST)
        assert (ran.code, ran.out) == (0, f"{said}\n")
    assert Path("g.jsonl").read_bytes() == Path("h.jsonl").read_bytes()
    assert len(server.asked) == 6


def test_the_list_of_players_brings_score_dates_and_tags(server: Server) -> None:
    who = ("--player", "Alice", "--player", "Bób Ö", "--player", "x")
    ran = hanalyze("fetch", *who, "-o", "g.jsonl", "--site", server.address, *FAST)
    assert ran.code == 0, ran.err
    records = list(read("g.jsonl"))
    assert [record.id for record in records] == sorted(GAMES)
    for record in records:
        listed = row(record.id or 0)
        assert (record.score, record.started, record.finished) == (
            listed["score"],
            listed["datetimeStarted"],
            listed["datetimeFinished"],
        )
        assert record.tags == (("finesse", "max score") if record.id == 102 else ())
        assert not replay(record).defects
    hanalyze("fetch", *who, "--first", "104", "--last", "107", "--site", server.address, *FAST)
    assert paths(server)[-1].endswith("?start=104&end=107")


def test_a_score_that_the_game_does_not_reach_is_a_defect(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setitem(globals(), "row", lambda number: {"id": number, "score": 24})
    assert hanalyze("fetch", "--seed", "p3v0s4", "-o", "g.jsonl", "--site", server.address, *FAST).code == 0
    assert hanalyze("ingest", "g.jsonl", "--db", "g.duckdb").code == 0
    ran = hanalyze("sql", "g.duckdb", "SELECT rule, found FROM defects", "--format", "json")
    assert ran.code == 0, ran.err
    [defect] = [json.loads(line) for line in ran.lines]
    assert defect["rule"] == "score_differs"
    assert defect["found"].startswith("24 instead of ")


def test_dates_and_tags_are_columns(server: Server) -> None:
    pytest.importorskip("duckdb")
    who = ("--player", "Alice", "--player", "Bób Ö", "--player", "x", "--first", "102", "--last", "103")
    assert hanalyze("fetch", *who, "-o", "g.jsonl", "--site", server.address, *FAST).code == 0
    assert hanalyze("ingest", "g.jsonl", "--db", "g.duckdb").code == 0
    query = "SELECT source_id, finished::TIMESTAMP AS at, tags FROM games ORDER BY source_id"
    rows = [json.loads(line) for line in hanalyze("sql", "g.duckdb", query, "--format", "json").lines]
    assert [(one["source_id"], one["at"][:16], one["tags"]) for one in rows] == [
        (102, "2024-05-01 11:42", "finesse, max score"),
        (103, "2024-05-01 11:43", None),
    ]


def test_seed_and_tag(server: Server) -> None:
    assert hanalyze("fetch", "--seed", "p3v0s4", "-o", "s.jsonl", "--site", server.address, *FAST).code == 0
    assert [(one.id, one.seed) for one in read("s.jsonl")] == [(102, "p3v0s4")]
    ran = hanalyze("fetch", "--tag", "max score", "-o", "t.jsonl", "--site", server.address, *FAST)
    assert ran.code == 0, ran.err
    assert [(one.id, one.tags) for one in read("t.jsonl")] == [
        (103, ("max score",)),
        (104, ("max score",)),
    ]


def test_to_standard_output(server: Server) -> None:
    ran = hanalyze("fetch", "101", "102", "--site", server.address, *FAST)
    assert [json.loads(line)["id"] for line in ran.lines] == [101, 102]
    assert ran.err == "hanalyze: 2 games: 2 added\n"


def test_the_rate_is_kept(server: Server) -> None:
    begin = time.monotonic()
    hanalyze("fetch", "101..104", "-o", "g.jsonl", "--site", server.address, "--rate", "4")
    assert time.monotonic() - begin >= 0.75
    begin = time.monotonic()
    hanalyze("fetch", "101..104", "-o", "h.jsonl", "--site", server.address, "--rate", "0.01")
    assert time.monotonic() - begin < 100  # what is kept costs no waiting


def troubled(server: Server, troubles: list[Callable[[BaseHTTPRequestHandler], None]]) -> None:
    """Let the first answers be troubles, and the others as they should."""

    def answers(handler: BaseHTTPRequestHandler) -> None:
        (troubles.pop(0) if troubles else answer)(handler)

    server.answer = answers


def drop(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id":101,')


def redirect_nowhere(handler: BaseHTTPRequestHandler) -> None:
    send(handler, 302, Location="http://[::1")


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


def test_troubles_are_waited_for(server: Server) -> None:
    later = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 4))
    troubled(
        server,
        [
            lambda h: send(h, 429, Retry_After="1"),
            lambda h: send(h, 503),
            drop,
            hang_up,
            answer,
            lambda h: send(h, 503, Retry_After=later),
            lambda h: send(h, 502, Retry_After="nonsense"),
        ],
    )
    begin = time.monotonic()
    ran = hanalyze("fetch", "101..103", "-o", "g.jsonl", "--site", server.address, *FAST)
    assert (ran.code, ran.out) == (0, "3 games: 3 added to g.jsonl\n")
    assert time.monotonic() - begin >= 2.9  # the date, without its fraction of a second
    assert Counter(paths(server)) == {"/export/101": 5, "/export/102": 3, "/export/103": 1}


def test_what_is_not_given_is_listed_and_the_rest_goes_on(server: Server) -> None:
    troubled(server, [lambda h: send(h, 403), lambda h: send(h, 200, b"<html>"), endless])
    ran = hanalyze("fetch", "101..104", "-o", "g.jsonl", "--site", server.address, *FAST)
    assert ran.code == 2
    assert [line.split(": ", 2)[2] for line in ran.err.splitlines()] == [
        "the site refused the request (status 403)",
        "the answer is not game 102",
        "the answer is longer than any game can be",
    ]
    assert ran.out == "4 games: 1 added to g.jsonl, 3 failed\n"
    # Failed games are requested again.
    assert hanalyze("fetch", "101..104", "-o", "g.jsonl", "--site", server.address, *FAST).code == 0
    assert sorted(one or 0 for one in numbers(Path("g.jsonl"))) == [101, 102, 103, 104]


def test_a_redirect_to_no_address_costs_one_game(server: Server) -> None:
    troubled(server, [redirect_nowhere])
    ran = hanalyze("fetch", "101..103", "-o", "g.jsonl", "--site", server.address, *FAST)
    assert (ran.code, ran.out) == (2, "3 games: 2 added to g.jsonl, 1 failed\n")
    said = "the site redirected to an invalid address"
    assert ran.err == f"hanalyze: {server.address}/export/101: {said}\n"


STOPS: list[tuple[Callable[[BaseHTTPRequestHandler], None], int, str, str]] = [
    (lambda h: send(h, 403), 5, "status 403", "refused, again and again"),
    (lambda h: send(h, 200, b"back soon"), 5, "the answer is not game 105", "a page for people"),
    (lambda h: send(h, 429, Retry_After="86400"), 1, "asks to wait 86,400 s", "told to wait for a day"),
    (lambda h: send(h, 302, Location="http://localhost:1/"), 5, "another site", "sent elsewhere"),
]


@pytest.mark.parametrize(("bad", "asked", "said", "comment"), STOPS)
def test_a_site_that_does_not_want_is_left_alone(
    server: Server, bad: Callable[[BaseHTTPRequestHandler], None], asked: int, said: str, comment: str
) -> None:
    server.answer = bad
    ran = hanalyze("fetch", "101..1000000", "-o", "g.jsonl", "--site", server.address, *FAST)
    assert ran.code == 2
    assert len(server.asked) == asked, comment
    last = ran.err.splitlines()[-1]
    assert said in last, comment
    assert last.endswith("; nothing was fetched; run the same command again later")
    # Of a game that was given before, the line says so.
    troubled(server, [answer, *[bad] * asked])
    ran = hanalyze("fetch", "101..1000000", "-o", "g.jsonl", "--site", server.address, *FAST)
    assert ran.err.endswith("1 game that was added is kept; run the same command again later to continue\n")
    assert numbers(Path("g.jsonl")) == [101]


def test_without_a_connection(server: Server) -> None:
    server.shutdown()
    server.server_close()
    ran = hanalyze("fetch", "101..103", "-o", "g.jsonl", "--site", server.address, *FAST)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "no connection" in ran.err
    assert "nothing was fetched" in ran.err
    ran = hanalyze("fetch", "--seed", "p3v0s4", "--site", server.address, *FAST)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "nothing was fetched" in ran.err


@pytest.mark.parametrize(
    ("sent", "comment"),
    [
        (b"", "nothing"),
        (b"<html>", "a page"),
        (b"[" * 100_000, "brackets"),
        (b'[{"id":-1}]', "no number"),
        (b'[{"id":1,"score":1e300}]', "no score"),
        (b'[{"id":1,"tags":["x"]}]', "tags as a list"),
    ],
)
def test_a_bad_list_is_a_line(server: Server, sent: bytes, comment: str) -> None:
    server.answer = lambda handler: send(handler, 200, sent)
    ran = hanalyze("fetch", "--player", "Alice", "--site", server.address, *FAST)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1), comment
    assert "the answer is not a list of games" in ran.err


def test_a_player_whom_nobody_knows(server: Server) -> None:
    ran = hanalyze("fetch", "--player", "../../export/101", "--site", server.address, *FAST)
    assert ran.code == 2
    assert "the site has no games for this player, seed or tag" in ran.err
    assert paths(server) == ["/api/v1/history-full/..%2F..%2Fexport%2F101"]


USAGE = [
    ((), "give exactly one of"),
    (("101", "--seed", "x"), "give exactly one of"),
    (("--seed", "x", "--tag", "y"), "give exactly one of"),
    (("101", "--first", "3"), "--first and --last are for --player"),
    (("5..3",), '"5..3" is not a game number'),
    (("0",), '"0" is not a game number'),
    (("1", "x\x1b[31m"), "is not a game number"),
    (("1", "--site", "ftp://x"), "not the address of a site"),
    (("1", "--site", "http://[::1"), "not the address of a site"),
    (("--player", "bad\udcff"), '"bad\\udcff" is not valid Unicode'),
    (("--seed", "bad\udcff"), '"bad\\udcff" is not valid Unicode'),
    (("--tag", "bad\udcff"), '"bad\\udcff" is not valid Unicode'),
    (("1", "-o", "g.jsonl.gz"), "use a name without .gz"),
    (("1", "-o", "no/g.jsonl"), "no such folder"),
]


@pytest.mark.parametrize(("arguments", "said"), USAGE)
def test_usage(server: Server, arguments: tuple[str, ...], said: str) -> None:
    site = () if "--site" in arguments else ("--site", server.address)
    ran = hanalyze("fetch", *arguments, *site)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert said in ran.err
    assert "\x1b" not in ran.err
    assert not server.asked


FOREIGN = [b"Dear diary,\n", b"[\n", b'{"players":["A"],"actions":[]', b'{\n "id": 1}\n', b"\x00" * 10]


@pytest.mark.parametrize("content", FOREIGN)
def test_a_file_that_others_wrote_stays_as_it_is(server: Server, content: bytes) -> None:
    Path("g.jsonl").write_bytes(content)
    ran = hanalyze("fetch", "101", "-o", "g.jsonl", "--site", server.address)
    assert ran.code == 2
    assert "nothing is appended to it; give -o another file" in ran.err
    assert Path("g.jsonl").read_bytes() == content
    assert not server.asked


def test_cut_at_any_byte_it_goes_on(server: Server, tmp_path: Path) -> None:
    """Whatever of the last line a killed run had written: the file becomes whole, and nothing is asked."""
    hanalyze("fetch", "101..102", "-o", "g.jsonl", "--site", server.address, *FAST)
    whole = Path("g.jsonl").read_bytes()
    begin = whole.index(b"\n") + 1
    asked = len(server.asked)
    for end in [*range(12), *range(begin, begin + 12), len(whole) - 2, len(whole) - 1, len(whole)]:
        Path("g.jsonl").write_bytes(whole[:end])
        ran = hanalyze("fetch", "101..102", "-o", "g.jsonl", "--site", server.address, *FAST)
        assert ran.code == 0, (end, ran.err)
        assert Path("g.jsonl").read_bytes() == whole, end
    assert len(server.asked) == asked


COMMAND = [sys.executable, "-m", "hanalyze", "fetch", "101..112", "-o", "g.jsonl", *FAST, "--site"]


@pytest.mark.parametrize("ends", [pytest.param(signal.SIGKILL, marks=pytest.mark.heavy), signal.SIGINT])
def test_killed_and_run_again_no_game_is_given_twice(server: Server, ends: signal.Signals) -> None:
    """Killed while a game is on its way, again and again: in the end all are there, each given once."""
    given: Counter[str] = Counter()
    process: subprocess.Popen[bytes] | None = None

    def answers(handler: BaseHTTPRequestHandler) -> None:
        if len(server.asked) % 4 == 0 and process is not None:
            os.kill(process.pid, ends)
            process.wait()
            return
        given[handler.path] += 1
        answer(handler)

    server.answer = answers
    for _ in range(12):
        process = subprocess.Popen(
            [*COMMAND, server.address],
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads
        )
        _, said = process.communicate(timeout=600)
        if process.returncode == 0:
            break
        assert process.returncode == (130 if ends == signal.SIGINT else -ends), said
        if ends == signal.SIGINT:
            assert b"games fetched so far are kept; run the same command again to continue" in said
    assert len(server.asked) >= len(given) + 3
    assert numbers(Path("g.jsonl")) == list(GAMES)
    assert set(given.values()) == {1}
    assert len(given) == 12


def test_a_second_process_leaves_the_file_alone(server: Server) -> None:
    """While a game is on its way, another process is told who fetches, and the file stays as it is."""
    is_asked, may_answer = threading.Event(), threading.Event()

    def answers(handler: BaseHTTPRequestHandler) -> None:
        is_asked.set()
        may_answer.wait(60)
        answer(handler)

    server.answer = answers
    Path("g.jsonl").write_bytes(begun := b'{"id":100,"pla')
    with subprocess.Popen([*COMMAND, server.address], stdout=subprocess.DEVNULL) as process:
        try:
            assert is_asked.wait(60)
            assert Path("g.jsonl").read_bytes() == b""  # the first one removed what was not finished
            Path("g.jsonl").write_bytes(begun)
            ran = hanalyze("fetch", "101..112", "-o", "g.jsonl", "--site", server.address, *FAST)
            assert (ran.code, ran.out) == (2, "")
            way_out = "wait until it is done, or give -o another file"
            assert ran.err == (
                f"hanalyze: g.jsonl: process {process.pid} is fetching games into this file; {way_out}\n"
            )
            assert Path("g.jsonl").read_bytes() == begun
            Path("g.jsonl").write_bytes(b"")
        finally:
            may_answer.set()
    assert process.returncode == 0
    assert numbers(Path("g.jsonl")) == list(GAMES)
    assert len(server.asked) == 12


def test_dates_and_tags_are_lost_where_they_have_no_place(tmp_path: Path) -> None:
    record = next(iter(simulate("cautious", players=2, games=1, seed=1)))
    from msgspec.structs import replace

    with (tmp_path / "x").open("wb") as stream:
        done = convert([replace(record, started="2024", tags=("x",))], stream, "hle")
    assert {"dates", "tags"} <= set(done.lost)
