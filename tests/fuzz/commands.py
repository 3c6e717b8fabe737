"""A file of logs through the commands: each ends with a known code and says in whole lines what is wrong.

In: a file. Out: `Finding`s. In this process a command is run as `tests/cli/running.py` does; as a process of
its own it also gets the file through pipes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.cli.running import Ran, hanalyze
from tests.fuzz.checking import Finding
from tests.hostile import IMAGE, SCRIPT

_REJECTS: Final = "SELECT file, line, game, rule, message FROM rejects ORDER BY ALL"
_CODES: Final = (0, 1, 2)

IN_PROCESS: Final = (
    ("replay", "LOG"),
    ("replay", "LOG", "--json"),
    ("replay", "LOG", "--strict"),
    ("replay", "LOG", "--turn", "2"),
    ("ingest", "LOG", "--db", "NEW"),
    ("ingest", "LOG", "--db", "OTHER", "--strict"),
    ("mistakes", "LOG"),
    ("mistakes", "LOG", "--json"),
    ("conventions", "LOG"),
    ("review", "LOG", "-o", "PAGE"),
    ("sql", "NEW", _REJECTS),
    ("sql", "NEW", _REJECTS, "--csv", "-"),
    ("sql", "NEW", _REJECTS, "--json"),
)
"""The commands; words in capitals stand for files."""


def _filled(command: tuple[str, ...], log: str, folder: Path) -> list[str]:
    places = {"LOG": log, "NEW": "new.duckdb", "OTHER": "other.duckdb", "PAGE": "page.html"}
    return [
        str(folder / places[word]) if word in places and word != "LOG" else places.get(word, word)
        for word in command
    ]


def _judged(command: str, ran: Ran) -> Iterator[Finding]:
    """Yield what must not be in what a command said."""
    if ran.code not in _CODES:
        yield Finding(f"{command}: exit code", f"{ran.code}: {ran.err[-300:]!r}")
    for name, stream in (("output", ran.out), ("errors", ran.err)):
        if "Traceback (most recent call last)" in stream:
            yield Finding(f"{command}: traceback", ascii(stream[-600:]))
        wrong = next((line for line in stream.split("\n") if not line.replace("\r", "").isprintable()), None)
        if wrong is not None and not (name == "output" and "--csv" in command):
            yield Finding(f"{command}: unprintable in its {name}", ascii(wrong[:300]))
    for line in ran.err.splitlines():
        if not line.startswith("hanalyze: "):
            yield Finding(f"{command}: an error line that is not ours", ascii(line[:300]))
    if ran.code == 2 and not ran.err:
        yield Finding(f"{command}: fails without a word", ascii(ran.out[-300:]))
    if "--json" in command:
        for line in ran.out.splitlines():
            try:
                json.loads(line)
            except ValueError:
                yield Finding(f"{command}: output that is not JSON", ascii(line[:300]))
                break


def in_process(
    log: Path, folder: Path, step: Callable[[str], object] = lambda name: None
) -> Iterator[Finding]:
    """Run all commands on a log in this process."""
    for command in IN_PROCESS:
        name = " ".join(word for word in command if word == word.lower() and " " not in word)
        step(f"command {name}")
        try:
            ran = hanalyze(*_filled(command, str(log), folder))
        except Exception as error:
            yield Finding(f"{name}: exception {type(error).__name__}", ascii(str(error)[:300]))
        else:
            yield from _judged(name, ran)
    page = folder / "page.html"
    if page.exists():
        text = page.read_text(encoding="utf-8")
        if SCRIPT in text or IMAGE in text:
            yield Finding("review: a name that does something", "markup of a name in the page")
    for path in (page, folder / "new.duckdb", folder / "other.duckdb"):
        path.unlink(missing_ok=True)


def as_processes(
    log: Path, folder: Path, step: Callable[[str], object] = lambda name: None
) -> Iterator[Finding]:
    """Run some commands on a log as processes, and ingest it through pipes: all ingests must say the same."""
    hanalyze_ = [sys.executable, "-m", "hanalyze"]
    database = str(folder / "new.duckdb")
    quoted = f"'{log}'"
    ingests = {
        "ingest": [*hanalyze_, "ingest", str(log), "--db", database],
        "ingest -": ["sh", "-c", f'cat {quoted} | "$@"', "sh", *hanalyze_, "ingest", "-", "--db", database],
        "ingest /dev/stdin": [
            "sh",
            "-c",
            f'cat {quoted} | "$@"',
            "sh",
            *hanalyze_,
            "ingest",
            "/dev/stdin",
            "--db",
            database,
        ],
        "ingest <(cat)": ["bash", "-c", f'"$@" <(cat {quoted}) --db "$0"', database, *hanalyze_, "ingest"],
    }
    said: dict[str, str] = {}
    for name, command in ingests.items():
        step(f"process {name}")
        Path(database).unlink(missing_ok=True)
        ran = _ran(command)
        yield from _judged(name, ran)
        said[name] = ran.out.partition(";")[0]
    if len(set(said.values())) > 1:
        yield Finding("ingest as a process: differs by how the log is given", ascii(said))
    for arguments in (
        ("sql", database, _REJECTS),
        ("replay", str(log), "--nth", "1"),
        ("replay", str(log), "--strict", "--json"),
    ):
        step(f"process {arguments[0]}")
        yield from _judged(arguments[0] + " as a process", _ran([*hanalyze_, *arguments]))
    Path(database).unlink(missing_ok=True)


def _ran(command: list[str]) -> Ran:
    environment = {**os.environ, "COLUMNS": "120"}
    done = subprocess.run(
        command, capture_output=True, check=False, timeout=300, env=environment, stdin=subprocess.DEVNULL
    )
    return Ran(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )
