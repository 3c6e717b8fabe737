"""Values that a log might have in the wrong place: numbers at every bound, hostile texts, other types.

In: a source of chance. Out: pieces of JSON, some of which are none.
"""

from __future__ import annotations

from random import Random
from typing import Final

from tests.fuzz.trees import text
from tests.hostile import NAMES, TERMINAL

_BOUNDS: Final = (7, 8, 15, 16, 31, 32, 53, 63, 64, 127, 1024)
NUMBERS: Final = (
    *(b"%d" % (sign * (2**bits + step)) for bits in _BOUNDS for sign in (1, -1) for step in (-1, 0, 1)),
    *(
        b"%d" % number
        for number in (*range(-2, 11), 49, 50, 59, 60, 61, 99, 100, 255, 999_999_999, 10**9, 10**10)
    ),
    *b"-0 1.0 1.5 0.0 -0.0 1e0 1E2 1e-1 1e400 -1e400 0.1e1 00 01 -01 +1 1. .5 - --".split(),
    *b"0x1 1_0 1e 1e+ 0b1".split(),
    *b"NaN Infinity -Infinity nan inf 1n 1L 1f".split(),
    b"9" * 18,
    b"9" * 19,
    b"9" * 400,
    b"-" + b"9" * 5000,
    b"0." + b"3" * 3000,
    "\u0661".encode(),
    "\uff11".encode(),
)

_RAW: Final = (
    b'"\x00"',
    b'"\x01\x1f"',
    b'"\x1b[31m"',
    b'"\t"',
    b'"a\nb"',
    b'"a\r\nb"',
    b'"\xff"',
    b'"\xc3"',
    b'"\xed\xa0\x80"',
    b'"\xed\xa0\xbd\xed\xb8\x80"',
    b'"\xf4\x90\x80\x80"',
    b'"\xc0\x80"',
    b'"\xe2\x80"',
    b'"\\ud800"',
    b'"\\udc00"',
    b'"\\ud800\\ud800"',
    b'"\\ud83d\\ude00"',
    b'"\\udc00\\ud800x"',
    b'"\\ud800',
    b'"\\u00',
    b'"\\u12g4"',
    b'"\\x41"',
    b'"\\',
    b'"\\"',
    b'"\\u0000"',
    b'"\\u001b[2J\\u009b31m"',
    b'"\\/\\b\\f\\n\\r\\t"',
    b'"',
    b"''",
    b"'a'",
    b'""',
    b'" "',
    b'"""',
)
TEXTS: Final = (
    *map(text, NAMES[:4]),
    text(TERMINAL),
    text("W" * 3_000),
    *map(
        text,
        (
            "=1+1",
            "=cmd|' /C calc'!A0",
            "+1",
            "@SUM(1)",
            "-A1",
            'a,b"c\nd',
            "{}",
            "{player}",
            "%s%n%d",
            "$1",
            "[bold red]x[/]",
            "[/]",
            "\u2028\u2029\x85\x0b\x0c",
            "\ufeff",
            "\U0001f600",
            "e\u0301" * 3,
            "Zoë 花火",
            "null",
            "0",
            "-1",
            "../../etc/passwd",
            "\u200b",
            "\x7f",
            "A" * 61,
        ),
    ),
    *_RAW,
)

SEEDS: Final = (
    *tuple(
        map(
            text,
            (
                "",
                "p2v0s1",
                "p3v0s5",
                "p6v0s1",
                "p0v0s0",
                "p2v2426s1",
                "p2v99999s1",
                "p-1v0s1",
                "legacy-a-p2v0s1",
                "legacy-",
                "legacy-a-",
                "legacy-a",
                "legacy-b-p2v0s1",
                "legacy-z-p2v0s1",
                "!p2v0s1",
                "1",
                "-1",
                "0",
                "007",
                "1.5",
                "4294967295",
                "4294967296",
                "18446744073709551616",
                "9" * 5000,
                "x" * 10000,
                "é",
                "\x00",
                "�",
                "p2v0s" + "1" * 400,
                " p2v0s1 ",
                "p2v0s1\n",
                "P2V0S1",
                "JSON",
                "null",
            ),
        )
    ),
    b"0",
    b"1",
    b"-1",
    b"42",
    b"2147483648",
    b"4294967296",
    b"9223372036854775807",
    b"9223372036854775808",
    b"1.5",
    b"true",
)

OTHERS: Final = (
    b"null",
    b"true",
    b"false",
    b"[]",
    b"{}",
    b"[null]",
    b"[[]]",
    b"[{}]",
    b'{"a":1}',
    b'[{"type":0,"target":1,"value":0}]',
    b'[{"suitIndex":0,"rank":1}]',
    b'["A","B"]',
    b"nul",
    b"True",
    b"None",
    b"undefined",
    b"tru",
    b"",
    b"/*1*/1",
    b"1//1",
)


def any_value(random: Random) -> bytes:
    """Return some value, or what is none."""
    pick = random.random()
    if pick < 0.35:
        return random.choice(NUMBERS)
    return random.choice(TEXTS if pick < 0.65 else OTHERS)


def deep(random: Random) -> bytes:
    """Return brackets in brackets, mostly around the depths at which readers give up."""
    levels = random.choice((5, 28, 29, 30, 31, 32, 33, 34, 64, 200, 900, 1100, 3_000, 20_000))
    kind = random.randrange(5)
    if kind == 0:
        return b"[" * levels + b"]" * levels
    if kind == 1:
        return b'{"a":' * levels + b"1" + b"}" * levels
    if kind == 2:
        return b"[" * levels
    if kind == 3:
        return b'[{"type":' * levels + b"0" + b"}]" * levels
    return b"[" * levels + b"]" * (levels - 1)


def huge_text(random: Random) -> bytes:
    """Return a long string; now and then a very long one."""
    length = random.choice((300, 5_000, 5_000, 40_000, 40_000, 300_000 if random.random() < 0.05 else 10_000))
    return (
        b'"' + random.choice((b"x", b"\\n", b"\\u0041", "é".encode(), b"<b>", b'\\"')) * (length // 2) + b'"'
    )
