"""Ways to hand over the same bytes: packed, in several members, through pipes; and packed, but damaged.

In: bytes, and a folder. Out: a path to read while the context lasts.
"""

from __future__ import annotations

import gzip
import io
import itertools
import os
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch


def _file(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def members(random: Random, data: bytes) -> bytes:
    """Return data as gzip of one or several members, some of them empty."""
    cuts = sorted(random.randint(0, len(data)) for _ in range(random.choice((0, 1, 1, 3))))
    ends = [0, *cuts, len(data)]
    return b"".join(gzip.compress(data[a:b], 1, mtime=0) for a, b in itertools.pairwise(ends))


@contextmanager
def gzipped(random: Random, data: bytes, folder: Path) -> Iterator[str]:
    yield _file(folder / "log.gz", members(random, data))


@contextmanager
def gzipped_by_another_name(random: Random, data: bytes, folder: Path) -> Iterator[str]:
    """Zeros behind gzip are no damage: tapes and some programs write them."""
    yield _file(folder / "log.json", members(random, data) + b"\0" * random.choice((0, 1, 512)))


def _pump(target: int, data: bytes) -> threading.Thread:
    def write() -> None:
        with suppress(BrokenPipeError, OSError), os.fdopen(target, "wb") as stream:
            stream.write(data)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


@contextmanager
def through_a_pipe(random: Random, data: bytes, folder: Path) -> Iterator[str]:
    """As process substitution does: `/dev/fd/N`."""
    ours, theirs = os.pipe()
    thread = _pump(theirs, data)
    try:
        yield f"/dev/fd/{ours}"
    finally:
        os.close(ours)
        thread.join(5)


@contextmanager
def through_a_named_pipe(random: Random, data: bytes, folder: Path) -> Iterator[str]:
    path = folder / "pipe"
    path.unlink(missing_ok=True)
    os.mkfifo(path)

    def write() -> None:
        with suppress(BrokenPipeError, OSError), open(path, "wb") as stream:
            stream.write(data)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield str(path)
    finally:
        # Nobody may have opened it: then the writer still waits for a reader.
        with suppress(OSError):
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
        thread.join(5)
        path.unlink(missing_ok=True)


@contextmanager
def standard_input(random: Random, data: bytes, folder: Path) -> Iterator[str]:
    stream = io.BytesIO(members(random, data) if random.random() < 0.3 else data)
    with patch.object(sys, "stdin", io.TextIOWrapper(io.BufferedReader(stream))):
        yield "-"


Packing = Callable[[Random, bytes, Path], AbstractContextManager[str]]

PACKINGS: Final[dict[str, Packing]] = {
    "gzip": gzipped,
    "gzip by another name": gzipped_by_another_name,
    "pipe": through_a_pipe,
    "named pipe": through_a_named_pipe,
    "standard input": standard_input,
}
"""Ways that change nothing."""


def cut(random: Random, packed: bytes) -> bytes:
    return packed[: random.randint(1, len(packed) - 1)]


def rubbish_behind(random: Random, packed: bytes) -> bytes:
    return packed + random.choice(
        (b"x", b"garbage", b"\0\0x", b"\x1f\x8b", b"\x1f\x8b\x07", random.randbytes(2000), b"{}\n")
    )


def flipped(random: Random, packed: bytes) -> bytes:
    data = bytearray(packed)
    data[random.randrange(10, len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def hole(random: Random, packed: bytes) -> bytes:
    at = random.randrange(len(packed))
    return packed[:at] + b"\0" * len(packed[at : at + 600]) + packed[at + 600 :]


DAMAGES: Final[dict[str, Callable[[Random, bytes], bytes]]] = {
    "gzip cut": cut,
    "gzip with rubbish behind": rubbish_behind,
    "gzip flipped": flipped,
    "gzip with a hole": hole,
}


def before_damage(packed: bytes) -> tuple[bytes, bool]:
    """Return what gzip holds before it is damaged, and whether it is.

    >>> whole = gzip.compress(b"abc", mtime=0)
    >>> before_damage(whole + b"\\0\\0"), before_damage(whole + b"x"), before_damage(whole[:-9])
    ((b'abc', False), (b'abc', True), (b'abc', True))
    """
    out: list[bytes] = []
    rest = packed
    while True:
        rest = rest.lstrip(b"\0") if out else rest
        if not rest:
            return b"".join(out), not out
        unpacker = zlib.decompressobj(31)
        out.append(b"")
        while rest and not unpacker.eof:
            saved = unpacker.copy()
            try:
                out.append(unpacker.decompress(rest[:4096]))
            except zlib.error:
                for byte in rest[:4096]:
                    try:
                        out.append(saved.decompress(bytes([byte])))
                    except zlib.error:
                        break
                return b"".join(out), True
            rest = unpacker.unused_data + rest[4096:]
        if not unpacker.eof:
            return b"".join(out), True
