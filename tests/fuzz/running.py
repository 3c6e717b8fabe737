"""Many files over several processes, watched from outside: one that hangs, swells or dies is found, too.

In: how many logs, the seed, for how long. Out: `Outcome`. A worker is a process that makes files, checks them
and tells what it is about to do; this process looks at its memory and its time, ends it where it must, and
starts another in its place.
"""

from __future__ import annotations

import ctypes
import math
import multiprocessing
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.fuzz.checking import Checker, Finding
from tests.fuzz.commands import IN_PROCESS, as_processes, in_process
from tests.fuzz.files import FuzzFile, make_file, plan
from tests.fuzz.logs import Log
from tests.fuzz.shrinking import Budget, shrunk

_LOOK_EVERY: Final = 0.1
_MOST_KEPT: Final = 640 * 2**20
"""Bytes of memory that a worker may hold between two files: the allocator keeps what earlier ones left."""

_COMMANDS_EVERY: Final = 8
_PROCESSES_EVERY: Final = 400
_MOST_LOGS_FOR_COMMANDS: Final = 25


class Limits(NamedTuple):
    """What a worker may take before it is ended from outside.

    `memory` in bytes; `processor` and `wall` are seconds for one step, of the processor and of the clock. A
    step that ends, but takes more than `slow` seconds of the processor, is a finding and no end.
    """

    memory: int = 2**30
    processor: float = 20.0
    wall: float = 400.0
    slow: float = 5.0


_LIMITS: Final = Limits()
UNTIMED: Final = Limits(processor=3_600.0, wall=36_000.0, slow=math.inf)
"""For tests: whatever the machine, only what never ends is found."""


@dataclass
class Found:
    """A finding in a file of the run; `number` is what `--only` takes."""

    number: int
    finding: Finding
    shrunk: bytes | None = None


@dataclass
class Outcome:
    """What a run came to."""

    logs: int = 0
    files: int = 0
    seconds: float = 0.0
    most_memory: int = 0
    found: list[Found] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)


# --- the worker -------------------------------------------------------------------------------------------


def _work(
    connection: Connection,
    bases: Sequence[bytes],
    compiled: bool,
    prepare: Callable[[], object] | None,
    folder: str,
    slow: float,
) -> None:
    """Check what the connection asks for, until it asks for nothing."""
    if prepare is not None:
        prepare()
    printed = Path(folder) / "printed"
    with open(printed, "wb") as stream:
        for number in (1, 2):
            os.dup2(stream.fileno(), number)
    checker = Checker(
        Path(folder), lambda name: connection.send(("step", name)), compiled=compiled, most_seconds=slow
    )
    if compiled:
        checker.warm_up()
    connection.send(("ready",))
    while (asked := connection.recv()) is not None:
        seed, number, file, kind = asked
        own = file is None
        if file is None:
            file = make_file(seed, number, bases)
        checker.counts.clear()
        findings = checker.check(file, f"{seed} {number}", kind)
        for runs in _wants(number, file, kind):
            path = Path(folder) / "commands.json"
            path.write_bytes(file.data)
            findings.extend(runs(path, Path(folder), lambda name: connection.send(("step", name))))
            checker.counts["logs", "commands" if runs is in_process else "commands as processes"] += len(
                file.logs
            )
            connection.send(("step", ""))
        if printed.stat().st_size:
            findings.append(Finding("something was printed", ascii(printed.read_bytes()[-600:])))
            os.truncate(printed, 0)
            os.lseek(1, 0, os.SEEK_SET)
        changes = Counter(name for log in file.logs for name in log.changes) if own else Counter()
        _give_back()
        connection.send(("done", number, len(file.logs), findings, dict(checker.counts), dict(changes)))


def _give_back() -> None:
    """Give memory that is free back to the system, where that can be asked for."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _wants(number: int, file: FuzzFile, kind: str | None) -> list[Callable[..., Iterator[Finding]]]:
    """Return which commands are run on a file; with `kind`, none unless they can show such a finding."""
    wanted: list[Callable[..., Iterator[Finding]]] = []
    if kind is not None and not any(kind.startswith(command[0]) for command in IN_PROCESS):
        return wanted
    if len(file.logs) <= _MOST_LOGS_FOR_COMMANDS and number % _COMMANDS_EVERY == 0:
        wanted.append(in_process)
    if number % _PROCESSES_EVERY == _PROCESSES_EVERY // 2:
        wanted.append(as_processes)
    return wanted


# --- the watch --------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """A file to check: one of a run, or another in its place, when only findings of one kind are wanted."""

    seed: int
    number: int
    logs: int
    file: FuzzFile | None = None
    kind: str | None = None


class _Worker:
    """A worker process, and what is known of it."""

    def __init__(
        self,
        bases: Sequence[bytes],
        compiled: bool,
        prepare: Callable[[], object] | None,
        limits: Limits,
        parent: str,
    ) -> None:
        self._limits = limits
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.folder = tempfile.mkdtemp(dir=parent)
        self.process = context.Process(
            target=_work, args=(theirs, bases, compiled, prepare, self.folder, limits.slow), daemon=True
        )
        self.process.start()
        theirs.close()
        self.number: int | None = None
        self.logs = 0
        self.step = "start"
        self._since = (time.monotonic(), 0.0)

    def begin(self, step: str) -> None:
        """Note that a step begins."""
        self.step = step
        self._since = (time.monotonic(), self.processor())

    def ask(self, question: Question) -> None:
        """Hand over a file."""
        self.number, self.logs = question.number, question.logs
        self.begin("make")
        self.connection.send((question.seed, question.number, question.file, question.kind))

    def _status(self, name: str) -> str:
        try:
            with open(f"/proc/{self.process.pid}/{name}", encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""

    def processor(self) -> float:
        """Return seconds of the processor that it used."""
        parts = self._status("stat").rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK") if parts else 0.0

    def memory(self) -> int:
        """Return bytes of memory that it holds."""
        parts = self._status("statm").split()
        return int(parts[1]) * os.sysconf("SC_PAGE_SIZE") if parts else 0

    def trouble(self) -> Finding | None:
        """Return why it must be ended, if it must."""
        if self.number is None:
            return None
        if self.memory() > self._limits.memory:
            return Finding(f"{self.step}: memory", f"{self.memory() >> 20} MiB")
        wall, processor = time.monotonic() - self._since[0], self.processor() - self._since[1]
        if processor > self._limits.processor or wall > self._limits.wall:
            return Finding(f"{self.step}: hangs", f"{processor:.0f} s of processor time, {wall:.0f} s in all")
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Pool:
    """Workers, kept alive: files go in, and findings come out. Each calls `prepare` first, if it is given."""

    def __init__(
        self,
        bases: Sequence[bytes],
        *,
        jobs: int = 1,
        compiled: bool = True,
        prepare: Callable[[], object] | None = None,
        limits: Limits = _LIMITS,
    ) -> None:
        self._how = (bases, compiled, prepare, limits)
        self.most_memory = 0
        self._folder = tempfile.mkdtemp(prefix="hanalyze-fuzz-")
        # The first one compiles, and the others find that in the cache.
        self._workers = [self._new()]
        try:
            self._workers[0].connection.poll(None if jobs > 1 else 0)
        finally:
            self._workers += [self._new() for _ in range(jobs - 1)]

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _new(self) -> _Worker:
        return _Worker(*self._how, self._folder)

    def check(self, asked: Iterator[Question]) -> Iterator[tuple[Any, ...]]:
        """Yield for each file what `_work` sends when it is done."""
        ready: set[int] = set()
        more = True
        for at, worker in enumerate(self._workers):
            if worker.step == "idle":
                ready.add(at)
        while True:
            while more and ready:
                question = next(asked, None)
                if question is None:
                    more = False
                    break
                self._workers[ready.pop()].ask(question)
            busy = [worker for worker in self._workers if worker.number is not None]
            if not more and not busy:
                return
            for at, worker in enumerate(self._workers):
                if at in ready:
                    continue
                answer = self._look(at, worker)
                if answer == ("ready",):
                    ready.add(at)
                elif answer is not None:
                    if self._workers[at] is worker:
                        ready.add(at)
                    yield answer
            wait(
                [worker.connection for at, worker in enumerate(self._workers) if at not in ready], _LOOK_EVERY
            )

    def _look(self, at: int, worker: _Worker) -> tuple[Any, ...] | None:
        """Return what a worker has to say by now, or what was found about it."""
        self.most_memory = max(self.most_memory, worker.memory())
        finding = worker.trouble()
        try:
            while finding is None and worker.connection.poll():
                message = worker.connection.recv()
                if message[0] == "step":
                    worker.begin(message[1] or "between")
                    continue
                worker.number = None
                worker.begin("idle")
                if message[0] == "done" and worker.memory() > _MOST_KEPT:
                    worker.end()
                    self._workers[at] = self._new()
                return tuple(message)
        except (EOFError, OSError):
            worker.process.join(5)
            finding = Finding(f"{worker.step}: the process died", f"exit code {worker.process.exitcode}")
        if finding is None:
            return None
        number, logs = worker.number, worker.logs
        worker.end()
        if number is None:
            raise RuntimeError(f"a worker does not start: {finding.what}")
        self._workers[at] = self._new()
        return ("done", number, logs, [finding], {}, {})


# --- a run ------------------------------------------------------------------------------------------------


def run(
    pool: Pool,
    *,
    seed: int,
    count: int,
    minutes: float | None = None,
    only: int | None = None,
    say: Callable[[str], object] = print,
) -> Outcome:
    """Check so many logs, or those of one file; stop when the time is over."""
    start = time.monotonic()
    outcome = Outcome()

    def asked() -> Iterator[Question]:
        planned = 0
        number = 0
        if only is not None:
            yield Question(seed, only, plan(seed, only)[1])
            return
        while planned < count and (minutes is None or time.monotonic() - start < 60 * minutes):
            _, logs = plan(seed, number)
            planned += logs
            yield Question(seed, number, logs)
            number += 1

    said = start
    for _, number, logs, findings, counts, changes in pool.check(asked()):
        outcome.logs += logs
        outcome.files += 1
        outcome.counts.update(counts)
        outcome.changes.update(changes)
        for finding in findings:
            outcome.kinds[finding.kind] += 1
            if outcome.kinds[finding.kind] == 1:
                outcome.found.append(Found(number, finding))
                say(f"FOUND --seed {seed} --only {number}: {finding.kind}: {finding.what}")
        if time.monotonic() - said > 60:
            said = time.monotonic()
            say(
                f"{outcome.logs:,} logs, {outcome.files:,} files, {said - start:.0f} s,"
                f" {sum(outcome.kinds.values())} findings"
            )
    outcome.seconds = time.monotonic() - start
    outcome.most_memory = pool.most_memory
    return outcome


SOUND: Final = b'{"players":["A","B"],"actions":[],"seed":"p2v0s1"}'


def _apart(parts: Sequence[bytes]) -> FuzzFile:
    """Put logs apart again, as `make_file` does, with the shortest sound log between them."""
    lines: list[bytes] = [SOUND]
    begins: list[int] = []
    count = 2
    for text in parts:
        if not text.startswith(b"{"):
            lines.append(SOUND)
            count += 1
        begins.append(count)
        lines.append(text)
        count += text.count(b"\n") + 1
    begins.append(count)
    lines.append(SOUND)
    return FuzzFile("apart", b"\n".join(lines) + b"\n", [Log(text) for text in parts], begins)


def _lines(parts: Sequence[bytes]) -> FuzzFile:
    return FuzzFile("wild", b"".join(parts), [Log(text) for text in parts], [])


def shrink(
    pool: Pool, seed: int, number: int, kind: str, bases: Sequence[bytes], budget: Budget
) -> bytes | None:
    """Return the smallest file that shows a finding of this kind; None if it does not show again."""
    file = make_file(seed, number, bases)

    def shows(made: FuzzFile) -> bool:
        [answer] = pool.check(iter([Question(seed, number, len(made.logs), made, kind)]))
        return any(finding.kind == kind for finding in answer[3])

    def shown(build: Callable[[Sequence[bytes]], FuzzFile], some: Sequence[bytes]) -> bool:
        return shows(build(some))

    ways: list[tuple[Callable[[Sequence[bytes]], FuzzFile], list[bytes]]] = []
    if file.begins:
        ways.append((_apart, [log.text for log in file.logs]))
    ways.append((_lines, file.data.splitlines(keepends=True)))
    for build, parts in ways:
        if shows(build(parts)):
            return build(shrunk(parts, partial(shown, build), budget)).data
    return file.data if shows(file) else None
