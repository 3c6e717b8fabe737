"""Files: every form gives the same games, and whatever is wrong with one becomes an error of one line."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import sys
import threading
import tracemalloc
import zlib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from hanalyze.errors import LogError
from hanalyze.logs import GameRecord, load, read, to_json
from hanalyze.logs.formats.hanab_live import parse
from hanalyze.logs.sources import open_log as opening, streams
from tests.logs.documents import BAD, GOOD, game
from tests.logs.problems import checked, read_all, read_bytes
from tests.shared import golden

GAMES = [text for text, _ in GOOD]
RECORDS = [parse(text) for text in GAMES]
SMALL = 2**16
"""A limit on a game's length under which a long one is made quickly."""


def pretty(text: bytes) -> bytes:
    return json.dumps(json.loads(text), indent=2).encode()


FORMS = {
    "lines": b"\n".join(" ".join(text.decode().split()).encode() for text in GAMES),
    "lines, each with its end": b"".join(b" ".join(text.split()) + b"\n" for text in GAMES),
    "lines as Windows ends them, and blank ones": b"".join(
        b"\r\n \t\r\n" + b" ".join(text.split()) + b"\r\n" for text in GAMES
    ),
    "games over many lines": b"\n".join(map(pretty, GAMES)),
    "games over many lines, blank lines between": b"\n\n".join(map(pretty, GAMES)) + b"\n",
    "array": b"[" + b",".join(GAMES) + b"]",
    "array, a game per line": b"[\n" + b",\n".join(GAMES) + b"\n]\n",
    "array over many lines": b"\n [ " + b" , ".join(map(pretty, GAMES)) + b" ] \n\n",
    "array with commas as they come": b"[," + b",\n,".join(GAMES) + b",]",
}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "byte order mark"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_games(tmp_path, form, mark):
    data = mark + FORMS[form]
    assert read_bytes(tmp_path, data) == (RECORDS, [])
    assert read_bytes(tmp_path, gzip.compress(data), "packed whatever its name") == (RECORDS, [])
    halves = gzip.compress(data[:300]) + gzip.compress(data[300:])
    assert read_bytes(tmp_path, halves, "two members.gz") == (RECORDS, [])


@pytest.mark.parametrize("block", [1, 2, 7, 64])
@pytest.mark.parametrize("form", FORMS)
def test_it_does_not_matter_where_a_block_ends(tmp_path, monkeypatch, form, block):
    monkeypatch.setattr(opening, "BLOCK", block)
    monkeypatch.setattr(streams, "BLOCK", block)
    assert read_bytes(tmp_path, FORMS[form]) == (RECORDS, [])
    assert read_bytes(tmp_path, gzip.compress(FORMS[form])) == (RECORDS, [])


@pytest.mark.parametrize("text", [game(b'"id":3'), pretty(game(b'"id":3')), b"[" + game(b'"id":3') + b"]"])
def test_one_game(tmp_path, text):
    path = tmp_path / "game.json"
    path.write_bytes(text)
    assert load(path) == load(str(path)) == parse(game(b'"id":3'))


def test_games_know_where_they_were_read(tmp_path):
    def lines(data):
        records, errors = read_bytes(tmp_path, data)
        assert {record.file for record in records} == {str(tmp_path / "games.json")}
        assert not errors
        return [record.line for record in records]

    one, tall = game(), pretty(game())
    height = tall.count(b"\n") + 1
    assert lines(one + b"\n\n" + one) == [1, 3]
    assert lines(tall + b"\n" + tall) == [1, 1 + height]
    assert lines(b"[" + one + b"," + one + b"]") == [1, 1]
    assert lines(b"\n[\n" + tall + b",\n\n" + one + b"\n]") == [3, 3 + height + 1]


def test_several_files_in_their_order(tmp_path):
    paths = [tmp_path / "b.json", str(tmp_path / "a.json"), tmp_path / "b.json"]
    (tmp_path / "a.json").write_bytes(game(b'"id":1') + b"\n" + game(b'"id":2'))
    (tmp_path / "b.json").write_bytes(game(b'"id":3'))
    assert [record.id for record in read(paths)] == [3, 1, 2, 3]
    assert list(read([])) == []


def test_an_array_of_no_games_is_no_error(tmp_path):
    assert read_bytes(tmp_path, b"[]") == ([], [])
    assert read_bytes(tmp_path, b" [ \n ] ") == ([], [])


def test_golden_games(tmp_path):
    exports = [line["game"] for line in golden("variants")]
    expected = [parse(json.dumps(export).encode()) for export in exports]
    lines = "\n".join(map(json.dumps, exports)).encode()
    assert read_bytes(tmp_path, lines) == (expected, [])
    assert read_bytes(tmp_path, json.dumps(exports, indent=1).encode()) == (expected, [])


# --- standard input ---------------------------------------------------------------------------------------


class Trickle(io.RawIOBase):
    """A pipe whose other end writes a byte at a time."""

    def __init__(self, data: bytes) -> None:
        self.data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        return self.data.readinto(memoryview(buffer)[:1])


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    "stream",
    [
        io.BytesIO,
        lambda data: io.BufferedReader(io.BytesIO(data)),
        lambda data: io.BufferedReader(Trickle(data)),
    ],
    ids=["without peek", "buffered", "slow"],
)
def test_standard_input(monkeypatch, stream, pack):
    for form in FORMS.values():
        stdin = io.TextIOWrapper(stream(pack(form)))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert read_all("-") == (RECORDS, [])
        assert not stdin.buffer.closed
    assert {record.file for record in RECORDS} == {None}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[gzip.compress(FORMS["lines"])])
    writer.start()
    assert read_all(path) == (RECORDS, [])
    writer.join()


# --- what is wrong with games -----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "rule", "says", "comment"), BAD, ids=[comment for *_, comment in BAD])
def test_a_bad_line_costs_no_other(tmp_path, text, rule, says, comment):
    records, errors = read_bytes(tmp_path, game(b'"id":1') + b"\n" + text + b"\n" + game(b'"id":2') + b"\n")
    assert [record.id for record in records] == [1, 2]
    assert [error.rule for error in errors] == [rule]
    assert errors[0].line == 2
    assert says in str(errors[0])


@pytest.mark.parametrize(("text", "rule", "says", "comment"), BAD, ids=[comment for *_, comment in BAD])
def test_a_bad_game_of_an_array_costs_no_other_if_its_brackets_are_right(tmp_path, text, rule, says, comment):
    first, last = game(b'"id":1'), game(b'"id":2')
    records, errors = read_bytes(tmp_path, b"[" + first + b",\n" + text + b",\n" + last + b"]")
    assert records[0].id == 1
    if says.startswith("there is text after the game"):
        # Commas may be missing.
        assert records[-1].id == 2
        return
    assert errors[0].line == 2
    if rule in {"not_json", "truncated", "too_deep"} or text.count(b"[" * 99):
        # What comes after may be lost, and that is said.
        assert len(records) == 2 or any(
            "the rest of the array was not read" in str(error) for error in errors
        )
    else:
        assert [record.id for record in records] == [1, 2]
        assert [error.rule for error in errors] == [rule]
        assert says in str(errors[0])


def test_without_a_handler_errors_are_raised(tmp_path):
    path = tmp_path / "games.json"
    path.write_bytes(game(b'"id":1') + b"\n" + b"x\n" + game(b'"id":2'))
    games = read(path)
    assert next(games).id == 1
    with pytest.raises(LogError) as caught:
        next(games)
    assert checked(caught.value, str(path)).rule == "not_json"


def test_what_a_handler_raises_is_passed_on(tmp_path):
    def refuse(error):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        list(read(tmp_path / "none.json", on_error=refuse))


def test_a_game_cut_short_does_not_swallow_the_next(tmp_path):
    whole = game(b'"id":7')
    for end in range(1, len(whole)):
        records, errors = read_bytes(tmp_path, whole + b"\n" + whole[:end] + b"\n" + whole + b"\n")
        assert [record.line for record in records] == [1, 3], whole[:end]
        assert [(error.rule, error.line) for error in errors] == [("truncated", 2)]


def test_where_the_trouble_is_in_an_array(tmp_path):
    def told(data):
        (error,) = read_bytes(tmp_path, data)[1]
        return str(error).removeprefix(str(tmp_path / "games.json"))

    assert told(b"[\n" + game() + b",\n[]]") == ", line 3: game [1]: the game is [], not an object"
    assert told(b"[" + game(b'"id":5,"score":[]') + b"]") == ", line 1: game 5: score is [], not an integer"
    assert told(b"[" + game() + b"\n") == ", line 2: the file ends inside an array"
    assert told(b"[" + game() + b"] x") == ", line 1: there is text after the array"
    assert told(b"[" + game() + b"]\n\n" + game()) == ", line 1: there is text after the array"
    assert told(b"[" + game() + b",}]").startswith(", line 1: game [1]: not JSON near byte 0: }]; the rest")
    assert told(b"[" + game()[:-1] + b"," + game() + b"]").endswith("; the rest of the array was not read")
    deep = game(b'"x":' + b"[" * 40 + b"]" * 40)
    assert ", line 1: game [0]: brackets are nested too deeply; the rest" in told(b"[" + deep + b"]")


# --- what is too large ------------------------------------------------------------------------------------


def test_a_line_of_200_megabytes_is_passed_over_in_little_memory(tmp_path):
    path = tmp_path / "huge.jsonl"
    with open(path, "wb") as file:
        file.write(game(b'"id":1') + b'\n{"players":["')
        # A hole: the zeros are read, but never written.
        file.seek(200 * 2**20, io.SEEK_CUR)
        file.write(b'"]}\n' + game(b'"id":2') + b"\n")
    tracemalloc.start()
    records, errors = read_all(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(record.id, record.line) for record in records] == [(1, 1), (2, 3)]
    assert [(error.rule, error.line) for error in errors] == [("too_large", 2)]
    assert peak < 4 * streams.MAX_GAME_BYTES


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_too_large_in_every_form(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(streams, "MAX_GAME_BYTES", SMALL)
    first, last = game(b'"id":1'), game(b'"id":2')
    most = game(b'"seed":"%b"' % (b"x" * (SMALL - len(game(b'"seed":""')) - 1)))
    large = game(b'"seed":"%b"' % (b"x" * 3 * SMALL))

    def told(data):
        records, errors = read_bytes(tmp_path, pack(data))
        return [record.line for record in records], [(error.rule, error.line) for error in errors]

    assert told(b"\n".join([first, most, last])) == ([1, 2, 3], [])
    assert told(b"\n".join([first, large, last])) == ([1, 3], [("too_large", 2)])
    assert told(large) == ([], [("too_large", 1)])
    assert told(b"[" + most + b"]") == ([1], [])
    # A game that spreads over lines, each of them short; or one of them long.
    tall = b'{\n"x": "' + b'",\n"x": "'.join([b"y" * 1000] * 200) + b'",\n' + game()[1:]
    assert told(b"\n".join([first, tall, last])) == ([1, 2 + 202], [("too_large", 2)])
    broad = b'{\n"x": "' + b"y" * 2 * SMALL + b'",\n' + game()[1:]
    assert told(b"\n".join([first, broad, last])) == ([1, 5], [("too_large", 2)])
    # In an array the end of a long game is not looked for, unless it came with the rest.
    records, errors = read_bytes(tmp_path, pack(b"[\n" + first + b",\n" + large * 9 + b",\n" + last + b"]"))
    assert [record.line for record in records][:1] == [2]
    assert (errors[0].rule, errors[0].line) == ("too_large", 3)


@pytest.mark.heavy
def test_a_long_array_is_read_in_little_memory(tmp_path):
    many = 60_000
    text = b",".join([game()] * many)
    assert len(text) > 2_000_000
    path = tmp_path / "long.json"
    path.write_bytes(b"[\n" + text + b"]")
    tracemalloc.start()
    count = sum(1 for _ in read(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == many
    assert peak < 3_000_000


@pytest.mark.parametrize(
    "inside",
    [
        b'"' + b'\\"' * 100_000,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a":[' + b"[]," * 100_000,
        b'{"a":"' + b'\\"' * 100_000 + b"}",
        b'{"a":' + b'"",' * 100_000,
        b"{}}" * 1000,
    ],
    ids=["quotes", "brackets", "braces", "pairs", "open text", "texts", "closed too often"],
)
def test_an_array_made_to_be_slow_is_not(tmp_path, inside):
    records, errors = read_bytes(tmp_path, b"[" + inside)
    assert not records
    assert errors


# --- what is wrong with files -----------------------------------------------------------------------------


def only_error(path: Path | str) -> LogError:
    records, (error,) = read_all(path)
    assert not records
    return error


def test_files_that_cannot_be_opened(tmp_path, monkeypatch):
    none = tmp_path / "none.json"
    assert (only_error(none).rule, only_error(none).message) == ("no_file", "there is no such file")
    assert only_error(tmp_path).rule == "no_file"
    assert str(only_error(tmp_path)).startswith(f"{tmp_path}: there is no log in this folder; logs end in ")
    for name in ("a\0b", "\ud800"):
        (error,) = _errors(name)
        assert error.rule in {"unreadable", "no_file"}
        assert str(error).isprintable()

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(opening, "open_file", refuse)
    assert only_error(none).rule == "no_permission"


def _errors(path: str) -> list[LogError]:
    errors: list[LogError] = []
    assert list(read(path, on_error=errors.append)) == []
    return errors


def test_a_missing_file_costs_no_other(tmp_path):
    (tmp_path / "a.json").write_bytes(game(b'"id":1'))
    errors: list[LogError] = []
    paths = [tmp_path / "none.json", tmp_path, tmp_path / "a.json"]
    assert [record.id for record in read(paths, on_error=errors.append)] == [1, 1]
    assert [error.rule for error in errors] == ["no_file"]


def test_folders_and_patterns(tmp_path):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "b.json").write_bytes(game(b'"id":2'))
    (tmp_path / "in" / "deep" / "a.JSONL.gz").write_bytes(gzip.compress(game(b'"id":3')))
    (tmp_path / "in" / "notes.txt").write_bytes(b"no log")
    (tmp_path / "c.txt").write_bytes(game(b'"id":1'))
    paths = [tmp_path / "*.txt", tmp_path / "in", tmp_path / "*.none"]
    errors: list[LogError] = []
    assert [record.id for record in read(paths, on_error=errors.append)] == [1, 2, 3]
    assert [str(error) for error in errors] == [
        f"{tmp_path}/*.none: there is no such file, and no file matches it as a pattern"
    ]
    assert load(tmp_path / "in" / "deep").id == 3


def test_a_folder_that_may_not_be_searched_is_named(tmp_path, monkeypatch):
    (tmp_path / "shut").mkdir()
    (tmp_path / "a.json").write_bytes(game(b'"id":1'))
    scan = os.scandir

    def refuse(path):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    errors: list[LogError] = []
    assert [record.id for record in read(tmp_path, on_error=errors.append)] == [1]
    assert [str(error) for error in errors] == [f"{tmp_path}/shut: permission denied"]


def test_a_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert str(only_error("-")) == "-: standard input is closed"


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0), gzip.compress(b"\n", mtime=0)],
)
def test_an_empty_file(tmp_path, data):
    (tmp_path / "empty.json").write_bytes(data)
    assert only_error(tmp_path / "empty.json").rule == "empty"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf_16(tmp_path, encoding):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    (tmp_path / "wide.json").write_bytes((mark + game().decode()).encode(encoding))
    error = only_error(tmp_path / "wide.json")
    assert (error.rule, error.advice) == ("bad_encoding", "save it as UTF-8")


def test_damaged_gzip(tmp_path):
    lines = b"".join(to_json(GameRecord(players=(str(n),), id=n)) + b"\n" for n in range(20_000))
    packed = gzip.compress(lines)
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) // 2])
    records, (error,) = read_all(tmp_path / "cut.gz")
    assert [record.id for record in records[:3]] == [0, 1, 2]
    assert (error.rule, error.message) == ("truncated", "the compressed file ends too early")

    for name, data, rule in [
        (
            "flipped.gz",
            packed[:900] + bytes(byte ^ 0xFF for byte in packed[900:950]) + packed[950:],
            "bad_gzip",
        ),
        ("sum.gz", packed[:-8] + b"\0" * 8, "bad_gzip"),
        ("more.gz", packed + b"garbage", "bad_gzip"),
        ("kind.gz", b"\x1f\x8b\x07" + packed[3:], "bad_gzip"),
        ("one byte", b"\x1f", "bad_gzip"),
        ("two bytes", b"\x1f\x8b", "truncated"),
        ("head.gz", packed[:10], "truncated"),
    ]:
        (tmp_path / name).write_bytes(data)
        *_, error = read_all(tmp_path / name)[1]
        assert error.rule == rule, name


def unpacked_before(packed: bytes) -> bytes:
    """Return what comes before the damage, a byte at a time."""
    unpacker = zlib.decompressobj(31)
    text = b""
    for i in range(len(packed)):
        try:
            text += unpacker.decompress(packed[i : i + 1])
        except zlib.error:
            break
    return text


@pytest.mark.parametrize("kind", ["cut", "flip"])
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.heavy if seed >= 6 else ()) for seed in range(20)]
)
def test_every_game_before_the_damage_is_kept_and_the_damage_is_one_error(tmp_path, seed, kind):
    chance = random.Random(seed)
    games = [game(b'"id":%d,"seed":"%d"' % (n, chance.randrange(10**30))) for n in range(2000)]
    packed = gzip.compress(b"\n".join(games) + b"\n", chance.randrange(1, 10))
    place = chance.randrange(20, len(packed))
    if kind == "cut":
        damaged = packed[:place]
    else:
        damaged = packed[:place] + bytes([packed[place] ^ 1 << chance.randrange(8)]) + packed[place + 1 :]
    before = unpacked_before(damaged)
    # A bit that is another may make other text, too.
    records, errors = read_bytes(tmp_path, b"\n" + before[: before.rfind(b"\n") + 1])
    found, problems = read_bytes(tmp_path, damaged)
    assert found == records
    assert kind == "flip" or [record.id for record in records] == list(range(len(records)))
    assert [error.rule for error in problems[:-1]] == [
        error.rule for error in errors if error.rule != "empty"
    ]
    assert problems[-1].rule in {"bad_gzip", "truncated"}
    assert problems[-1].message.startswith("the compressed file ")


def test_a_last_game_without_a_line_end_is_kept_where_the_checksum_is_missing(tmp_path):
    records, (error,) = read_bytes(tmp_path, gzip.compress(game(b'"id":1') + b"\n" + game(b'"id":2'))[:-8])
    assert [record.id for record in records] == [1, 2]
    assert error.rule == "truncated"


def test_what_follows_the_compressed_text_costs_no_game(tmp_path):
    records, (error,) = read_bytes(tmp_path, gzip.compress(game(b'"id":1')) + b"more")
    assert [record.id for record in records] == [1]
    assert "(something follows the compressed text)" in error.message
    padded = gzip.compress(game(b'"id":1') + b"\n") + b"\0" * 600_000 + gzip.compress(game(b'"id":2'))
    assert [record.id for record in read_bytes(tmp_path, padded)[0]] == [1, 2]
    assert read_bytes(tmp_path, gzip.compress(game()) + b"\0" * 512)[1] == []


# --- what is too much -------------------------------------------------------------------------------------

RUBBISH = {
    "braces": (b"", b"{\n"),
    "numbers": (b"", b"1\n"),
    "strings that do not end": (b"", b'"x\n'),
    "lines of text": (b"", b"lorem ipsum dolor sit amet, consectetur adipisici elit\n"),
    "objects that are no games": (b"", b'{"a":{"b":[1,2,3]}}\n'),
    "an array of numbers": (b"[", b"1,"),
    "an array of objects": (b"[", b"{},"),
}


@pytest.mark.parametrize("kind", RUBBISH)
def test_errors_are_listed_up_to_a_bound_and_then_counted(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(streams, "LISTED", 10)
    begin, rubbish = RUBBISH[kind]
    end = b"," if begin else b"\n"
    last = game(b'"id":2') + (b"]" if begin else b"")
    records, errors = read_bytes(tmp_path, begin + game(b'"id":1') + end + rubbish * 1000 + last)
    assert [record.id for record in records] == [1, 2]
    if kind == "strings that do not end":
        assert [error.rule for error in errors] == ["not_json"]  # they are one text
        return
    assert [error.rule for error in errors][10:] == ["unlisted"]
    assert errors[10].message == "990 more games could not be read; 10 are listed"


@pytest.mark.parametrize("kind", [kind for kind in RUBBISH if kind != "strings that do not end"])
def test_after_too_many_errors_in_a_row_the_rest_is_not_read(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(streams, "LISTED", 10)
    monkeypatch.setattr(streams, "PATIENCE", 500)
    begin, rubbish = RUBBISH[kind]
    end = b"," if begin else b"\n"
    texts = [begin + game(b'"id":1') + end, rubbish * 499, game(b'"id":2') + end, rubbish * 600, game()]
    records, errors = read_bytes(tmp_path, b"".join(texts))
    assert [record.id for record in records] == [1, 2]
    assert [error.rule for error in errors][10:] == ["given_up", "unlisted"]
    assert str(errors[10]).endswith(": the rest of the file was not read after 500 errors in a row")
    assert errors[11].message == "989 more games could not be read; 10 are listed"


@pytest.mark.heavy
def test_rubbish_takes_little_memory(tmp_path):
    path = tmp_path / "braces.jsonl.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(10):
            file.write(b"{\n" * 1_000_000)
    tracemalloc.start()
    (error,) = _errors(str(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert error.message.endswith("and 999,999 more like it: the rest of the file was not read")
    assert peak < 40_000_000


def test_a_disk_that_fails_while_it_is_read(tmp_path, monkeypatch):
    class Failing(io.RawIOBase):
        left = 2

        def readable(self):
            return True

        def readinto(self, buffer):
            self.left -= 1
            if not self.left:
                raise OSError(5, "Input/output error")
            line = game() + b"\n"
            buffer[: len(line)] = line
            return len(line)

    monkeypatch.setattr(opening, "open_file", lambda *_: Failing())
    records, (error,) = read_all("disk.json")
    assert len(records) == 1
    assert (error.rule, str(error)) == ("unreadable", "disk.json: Input/output error")


def test_names_of_files_are_printed_escaped(tmp_path):
    path = tmp_path / "a\n\x1b[31mb.json"
    path.write_bytes(b"x")
    (error,) = _errors(str(path))
    problem = "not JSON near byte 0: x; `hanalyze formats` lists what can be read"
    assert str(error) == f"{tmp_path}/a\\n\\x1b[31mb.json, line 1: {problem}"


@given(st.binary(max_size=200) | st.lists(st.sampled_from([*b'{}[]",:0\\\n ']), max_size=40).map(bytes))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    read_bytes(folder, data, "any")
    read_bytes(folder, b"[" + data, "any")
    read_bytes(folder, b"\x1f\x8b" + data, "any")


# --- one game ---------------------------------------------------------------------------------------------

SEVERAL = "several games, but one was expected; `hz.read` reads all games of a file"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"[]", "no game, but one was expected"),
        (game() + b"\n" + game(), SEVERAL),
        (b"[" + b",".join([game()] * 3) + b"]", SEVERAL),
    ],
)
def test_load_wants_one_game(tmp_path, data, says):
    path = tmp_path / "games.json"
    path.write_bytes(data)
    with pytest.raises(LogError) as caught:
        load(path)
    assert checked(caught.value, str(path)).rule == "not_one_game"
    assert str(caught.value) == f"{path}: {says}"


def test_load_says_what_is_wrong(tmp_path):
    (tmp_path / "empty.json").write_bytes(b"")
    for path, rule in [(tmp_path / "empty.json", "empty"), (tmp_path / "none.json", "no_file")]:
        with pytest.raises(LogError) as caught:
            load(path)
        assert checked(caught.value, str(path)).rule == rule
