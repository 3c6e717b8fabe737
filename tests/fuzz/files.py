"""Files of many logs: how many, in which form, and what stands between them.

In: the seed of a run and the number of a file. Out: `FuzzFile`, the same for the same numbers.

- `apart`: a log on a line of its own (or on several), and no log can touch its neighbours: one that does not
  begin with a brace has a sound log before it. So each must fare there as it fares alone.
- `wild`: logs as they come: an array with commas too many or few, blank lines, other line ends, no line ends,
  another encoding, a mark before it.
- `borders`: apart, with logs laid across the places at which the readers cut files.
- `rubbish`: mostly lines that are nothing, more than are listed one by one; in half of them one that is
  longer than a game can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from hanalyze.logs.formats.hanab_live import MAX_GAME_BYTES
from tests.fuzz.logs import Log, make_log, sound_log
from tests.fuzz.texts import RUBBISH

_BORDERS: Final = (2**18, 2**19, 2**20, 3 * 2**20, 2**18 * 5)


class FuzzFile(NamedTuple):
    """A file; `data` is its text, `logs` what it was made of, `begins` the lines (from 1) of those apart."""

    form: str
    data: bytes
    logs: list[Log]
    begins: list[int]


def source(seed: int, number: int) -> Random:
    """Return the source of chance of a file."""
    return Random(f"{seed} {number}")


def plan(seed: int, number: int) -> tuple[str, int]:
    """Return the form of a file, and of how many logs it is made."""
    random = source(seed, number)
    pick = random.random()
    if pick < 0.65:
        return "apart", random.randint(900, 1300)
    if pick < 0.8:
        return "apart", random.randint(1, 60)
    if pick < 0.96:
        return "wild", random.choice((1, 2, 5, 30, 200, 1000))
    if pick < 0.963:
        return "rubbish", random.choice((5_000, 20_000, 22_000, 26_000))
    return "borders", random.randint(700, 1000)


def make_file(seed: int, number: int, bases: Sequence[bytes]) -> FuzzFile:
    """Return file `number` of a run."""
    form, count = plan(seed, number)
    random = source(seed, number)
    random.random()
    if form == "rubbish":
        logs = [
            _nothing(random) if random.random() < 0.995 else make_log(random, bases, i) for i in range(count)
        ]
    else:
        logs = [make_log(random, bases, number * 10_000 + i) for i in range(count)]
    if form == "rubbish":
        if random.random() < 0.5:
            logs[random.randrange(count)] = Log(
                b'{"x":"' + b"y" * MAX_GAME_BYTES + b'"}', ("very long line",)
            )
        return FuzzFile(form, b"\n".join(log.text for log in logs), logs, [])
    if form == "wild":
        return FuzzFile(form, _wild(random, logs), logs, [])
    return _apart(random, form, logs, bases, number * 10_000 + 5_000)


def _nothing(random: Random) -> Log:
    """Return a line that is no game, or the beginning of none."""
    pick = random.random()
    if pick < 0.5:
        return Log(random.choice(RUBBISH), ("rubbish",))
    return Log(
        b"%x" % random.getrandbits(64) if pick < 0.9 else b'{"id":%d,' % random.getrandbits(40), ("rubbish",)
    )


def _apart(random: Random, form: str, logs: list[Log], bases: Sequence[bytes], first: int) -> FuzzFile:
    parts: list[bytes] = []
    begins: list[int] = []
    line, size = 1, 0

    def put(text: bytes) -> None:
        nonlocal line, size
        parts.append(text + b"\n")
        line += text.count(b"\n") + 1
        size += len(text) + 1

    border = iter(sorted(_BORDERS)) if form == "borders" else iter(())
    next_border = next(border, None)
    put(sound_log(random, bases, first))
    for number, log in enumerate(logs):
        if next_border is not None:
            while next_border is not None and size + len(log.text) >= next_border:
                next_border = next(border, None)
            if next_border is not None and random.random() < 0.03:
                # The border falls somewhere into the log, or right behind it.
                want = next_border - random.randint(0, len(log.text) + 1)
                filler = sound_log(random, bases, first + number + 1)
                put(filler[:-1] + b" " * max(want - size - len(filler) - 1, 0) + b"}")
        if not log.text.startswith(b"{"):
            put(sound_log(random, bases, first + number + 1))
        begins.append(line)
        put(log.text)
    begins.append(line)
    put(sound_log(random, bases, first + len(logs) + 1))
    return FuzzFile(form, b"".join(parts), logs, begins)


def _wild(random: Random, logs: list[Log]) -> bytes:
    texts = [log.text for log in logs]
    form = random.randrange(8)
    if form == 0:
        data = b"[" + b",".join(texts) + random.choice((b"]", b"]", b"]\n", b"", b",]", b"] x", b"]]"))
    elif form == 1:
        data = (
            random.choice((b"[", b"[\n", b" [", b"\n["))
            + b"".join(
                one + random.choice((b",", b",", b",\n", b"\n,", b",,", b"", b" ", b"\n")) for one in texts
            )
            + random.choice((b"]", b"\n]", b"", b"]]"))
        )
    elif form == 2:
        data = b"".join(
            one + random.choice((b"\n", b"\r\n", b"\n\n", b"\n \t\n", b"\r", b"")) for one in texts
        )
    elif form == 3:
        data = b"\r\n".join(texts)
    elif form == 4:
        data = b"\r".join(texts)
    elif form == 5:
        data = b"".join(texts)
    elif form == 6:
        data = b"\n\n \n" + b"\n".join(texts)
    else:
        data = b"\n".join(texts)
    pick = random.random()
    if pick < 0.1:
        return b"\xef\xbb\xbf" + data
    if pick < 0.13:
        return data.decode("utf-8", "replace").encode(random.choice(("utf-16", "utf-16-le", "utf-16-be")))
    if pick < 0.2:
        return data[: random.randrange(len(data) + 1)]
    if pick < 0.22:
        return random.choice((b"", b"\n", b" \r\n\t"))
    return data
