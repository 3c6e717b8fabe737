"""Changes to the text of a log: cut, flipped, spliced, spread over lines, in another encoding, or none.

In: a source of chance, the text of a log and another log. Out: another text.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Final

Change = Callable[[Random, bytes, bytes], bytes]


def truncated(random: Random, log: bytes, other: bytes) -> bytes:
    return log[: random.randrange(len(log) + 1)]


def bits_flipped(random: Random, log: bytes, other: bytes) -> bytes:
    data = bytearray(log)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if data:
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def byte_put_in(random: Random, log: bytes, other: bytes) -> bytes:
    at = random.randrange(len(log) + 1)
    piece = random.choice(
        (
            b"\x00",
            b"\xff",
            b'"',
            b"{",
            b"}",
            b"[",
            b"]",
            b",",
            b":",
            b"\\",
            b"\n",
            b"\r",
            b"\x1f\x8b",
            b" ",
            b"\t",
            b"0",
            b"-",
            b"//",
        )
    )
    return log[:at] + piece + log[at:]


def bytes_left_out(random: Random, log: bytes, other: bytes) -> bytes:
    at = random.randrange(len(log) + 1)
    return log[:at] + log[at + random.choice((1, 1, 2, 10, 200)) :]


def mark_left_out(random: Random, log: bytes, other: bytes) -> bytes:
    """Leave out a bracket, comma, colon or quote."""
    places = [at for at, byte in enumerate(log) if byte in b'{}[],:"']
    at = random.choice(places) if places else 0
    return log[:at] + log[at + 1 :]


def mark_doubled(random: Random, log: bytes, other: bytes) -> bytes:
    places = [at for at, byte in enumerate(log) if byte in b'{}[],:"']
    at = random.choice(places) if places else 0
    return log[:at] + log[at : at + 1] + log[at:]


def spliced(random: Random, log: bytes, other: bytes) -> bytes:
    """Go on with another log somewhere."""
    return log[: random.randrange(len(log) + 1)] + other[random.randrange(len(other) + 1) :]


def spliced_at_mark(random: Random, log: bytes, other: bytes) -> bytes:
    """Go on with another log behind the same mark."""
    mark = random.choice((b"},{", b'"actions":', b'"deck":', b"]", b",", b"}"))
    return log[: log.find(mark) % (len(log) + 1)] + other[other.find(mark) % (len(other) + 1) :]


def something_behind(random: Random, log: bytes, other: bytes) -> bytes:
    return log + random.choice(
        (
            b"}",
            b"]",
            b",",
            b"x",
            b"\x00",
            b"{}",
            b"[]",
            b" null",
            b" \t ",
            b";",
            b"\xff",
            b"//",
            b"1",
            log,
            other,
            b"\x1a",
        )
    )


def something_before(random: Random, log: bytes, other: bytes) -> bytes:
    return (
        random.choice(
            (
                b" ",
                b"\t",
                b",",
                b"[",
                b"\xef\xbb\xbf",
                b"\x00",
                b"x",
                b"//\n",
                b"\x0b",
                b"\xc2\xa0",
                b"\r",
                b"data: ",
                b"\xff\xfe",
                b"1",
            )
        )
        + log
    )


def in_array(random: Random, log: bytes, other: bytes) -> bytes:
    return random.choice((b"[%b]", b"[%b,%b]", b"[[%b]]", b"[%b", b"%b]")).replace(b"%b", log)


def over_lines(random: Random, log: bytes, other: bytes) -> bytes:
    """Spread a log over lines, wherever space may stand."""
    end = random.choice((b"\n", b"\n", b"\r\n", b"\r", b"\n\n", b"\n \n"))
    place = random.choice((b",", b"{", b"[", b":"))
    return log.replace(place, place + end)


def pretty(random: Random, log: bytes, other: bytes) -> bytes:
    """Indent a log, its brackets in the first column or not."""
    try:
        parsed = json.loads(log)
    except (ValueError, RecursionError):
        return over_lines(random, log, other)
    return json.dumps(parsed, indent=random.choice((0, 1, "\t"))).encode("utf-8", "surrogatepass")


def ascii_only(random: Random, log: bytes, other: bytes) -> bytes:
    """Write all text with escapes, or none of it."""
    try:
        return json.dumps(json.loads(log), ensure_ascii=random.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):
        return log


def ends_of_lines(random: Random, log: bytes, other: bytes) -> bytes:
    return log + random.choice(
        (b"\r", b"\r\n", b"\r\r\n", b"\n\n\n", b" \n", b"\x85", b"\xe2\x80\xa8", b"\x0b\n", b"\x0c")
    )


def python_words(random: Random, log: bytes, other: bytes) -> bytes:
    """Write a log as Python does."""
    return log.replace(b'"', b"'").replace(b"true", b"True").replace(b"null", b"None")


RUBBISH: Final = (
    b"once upon a time",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[]",
    b"{}",
    b"[{}]",
    b",",
    b'"',
    b"null",
    b"0",
    b"-",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"a,b,c",
    b"<html>",
    b"<?xml?>",
    b"# comment",
    b"{{{{",
    b"{}{}",
    b"{]",
    b'{"',
    b'{"players"',
    b'{"players":["A","B"],"actions":[]}',
    b'{"players":["A","B"],"actions":[]',
    b'{"actions":[{"type":0,"target":1}],"seed":"p2v0s1"}',
    b" ",
    b"",
    b"\t",
    b"\r",
)


def rubbish(random: Random, log: bytes, other: bytes) -> bytes:
    return random.choice(RUBBISH)


def random_bytes(random: Random, log: bytes, other: bytes) -> bytes:
    return random.randbytes(random.choice((1, 3, 20, 300))).replace(b"\n", b"")


def brackets_only(random: Random, log: bytes, other: bytes) -> bytes:
    return bytes(random.choices(b'{}[]",:0\\ \n', k=random.randint(1, 60)))


def very_long(random: Random, log: bytes, other: bytes) -> bytes:
    """Make a line long by what says nothing."""
    size = random.choice((10_000, 10_000, 70_000, 300_000 if random.random() < 0.05 else 20_000))
    at = log.find(b",") + 1 if random.random() < 0.5 else len(log)
    return log[:at] + random.choice((b" ", b"\t", b"\r", b"[", b"\x00", b"x")) * size + log[at:]


def byte_order_mark(random: Random, log: bytes, other: bytes) -> bytes:
    return b"\xef\xbb\xbf" + log


def utf_16(random: Random, log: bytes, other: bytes) -> bytes:
    return log.decode("utf-8", "replace").encode(
        random.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-32"))
    )


def latin_1(random: Random, log: bytes, other: bytes) -> bytes:
    name = random.choice(("Zoë", "Ærø", "ÿ")).encode("latin-1")
    return log.replace(b'["', b'["' + name, 1)


TEXTS: Final[dict[str, Change]] = {
    "truncated": truncated,
    "bits flipped": bits_flipped,
    "byte put in": byte_put_in,
    "bytes left out": bytes_left_out,
    "mark left out": mark_left_out,
    "mark doubled": mark_doubled,
    "spliced": spliced,
    "spliced at a mark": spliced_at_mark,
    "something behind": something_behind,
    "something before": something_before,
    "in an array": in_array,
    "over lines": over_lines,
    "pretty": pretty,
    "other escapes": ascii_only,
    "line ends": ends_of_lines,
    "as Python writes": python_words,
    "rubbish": rubbish,
    "random bytes": random_bytes,
    "brackets only": brackets_only,
    "very long line": very_long,
    "byte order mark": byte_order_mark,
    "UTF-16": utf_16,
    "Latin-1": latin_1,
}
