"""The table of docs/speed.md: times of kernels and commands, each as a ratio to a yardstick of the same run.

    python -m tests.benchmarks.table [--small] [--check]

Prints the table in Markdown. Times are medians of processor seconds, from runs that alternate with runs of
the yardstick. `--small` uses fewer games, for CI; with `--check` the exit code is 1 if a ratio is more than
twice the one recorded here for few games.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from hanalyze.agents import simulate
from hanalyze.engine.batch import deal_records, make_batch
from hanalyze.logs.formats.hanab_live import to_json
from tests.benchmarks import ingest, mistakes
from tests.benchmarks.conventions import reader
from tests.benchmarks.replay import engine_alone
from tests.benchmarks.startup import SAMPLE

RECORDED: Final = {
    "replay with all rules": 0.42,
    "replay with every column": 8.0,
    "meanings and outcomes of moves": 34.0,
    "ingest": 3.1,
    "all mistakes and rates": 4.6,
    "dashboard": 3.3,
    "sums": 2.8,
    "rates of mistakes by player, from sums": 1.8,
    "first ingest of 300 games, nothing compiled": 1.0,
    "mistakes game.json": 2.8,
    "review game.json": 3.4,
    "solve game.json --turn 20 --as Cathy": 6.8,
    "mistakes games.jsonl --by players": 13.2,
    "conventions --by players of 41 games": 5.5,
    "compare of 41 games": 7.5,
    "demo": 64.0,
}
"""The ratio of each line with `--small`, after `python -m tools.compile_kernels`."""


class Line(NamedTuple):
    """A line of the table: what was measured, its speed or time, and its ratio to a yardstick."""

    what: str
    amount: str
    ratio: float
    yardstick: str


def medians(runs: int, *works: Callable[[], object], warm_up: bool = False) -> list[float]:
    """Return the median processor seconds of each function; all run once a round."""

    def seconds(work: Callable[[], object]) -> float:
        start = _used()
        work()
        return _used() - start

    rounds = [[seconds(work) for work in works] for _ in range(runs + warm_up)][warm_up:]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def kernel_lines(games: int, runs: int) -> Iterator[Line]:
    """Measure compiled code on one core."""
    records = list(simulate("cautious", players=3, games=games, seed=1))
    batch = make_batch(deal_records(records))
    turns = int(batch.actions.sum())
    texts = [to_json(record) for record in records]
    decoder = msgspec.json.Decoder()
    parse, alone, measured, meanings = medians(
        runs,
        lambda: [decoder.decode(text) for text in texts],
        engine_alone(batch, False),
        engine_alone(batch, True),
        reader(batch, 25),
        warm_up=True,
    )
    per_second = f"{turns / alone / 1e6:.1f} million turns a second"
    yield Line("replay with all rules", per_second, alone / parse, "parsing the games' JSON")
    per_second = f"{turns / measured / 1e6:.2f} million turns a second"
    yield Line("replay with every column", per_second, measured / alone, "the replay alone")
    per_second = f"{games / meanings:,.0f} three-player games a second"
    yield Line("meanings and outcomes of moves", per_second, meanings / alone, "the replay alone")


def database_lines(folder: Path, games: int) -> Iterator[Line]:
    """Measure the ingest, all numbers and the dashboard of one database, each in separate processes."""
    log, database, other = folder / "games.jsonl", folder / "games.duckdb", folder / "floor.duckdb"
    ingest.make_games(log, games)
    ours = ingest.measured("ours", log, database, 2)
    floor = ingest.measured("floor", log, other, 2, database)["used"]
    amount = f"{games / ours['seconds']:,.0f} games a second"
    yield Line("ingest", amount, ours["used"] / floor, "DuckDB's reading and writing of the same rows")
    ran = python(None, "-m", mistakes.__name__, "--measure", "numbers", str(log), str(database))
    commands = [
        ["dashboard", str(database), "-o", "page.html"],
        ["sums", str(database)],
        ["mistakes", str(database), "--by", "player"],
    ]
    page, sums, rates = medians(1, *(hanalyze(folder, command) for command in commands))
    for what, used in (
        ("all mistakes and rates", json.loads(ran)["used"]),
        ("dashboard", page),
        ("sums", sums),
        ("rates of mistakes by player, from sums", rates),
    ):
        yield Line(what, f"{used:.1f} s for {games:,} games", used / ours["used"], "the ingest of the games")


def first_ingest_line(folder: Path) -> Iterator[Line]:
    """Measure the ingest of a few games into a new database with an empty cache of compiled code."""
    log = folder / "few.jsonl"
    ingest.make_games(log, 300)
    empty = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "NUMBA_CACHE_DIR": ""}
    works = [
        lambda: python(folder, "-c", f"{_NO_COMPILER}{_INGEST}", "few.jsonl", env=empty),
        lambda: python(folder, "-c", _INGEST, "few.jsonl", env=empty),
    ]
    interpreted, first = medians(1, *works)
    what = "first ingest of 300 games, nothing compiled"
    yield Line(what, f"{first:.1f} s", first / interpreted, "this ingest without a compiler")


_NO_COMPILER: Final = "from hanalyze.kernels import compiling; compiling.can_compile = lambda: False\n"
_INGEST: Final = "import sys, hanalyze as hz; hz.connect(files_in=()).ingest(sys.argv[1])"


def command_lines(folder: Path, runs: int) -> Iterator[Line]:
    """Measure commands on the sample logs; the yardstick is the replay of one game."""
    game, several = str(SAMPLE), str(SAMPLE.with_name("games.jsonl"))
    more = str(SAMPLE.with_name("editions.jsonl"))
    hanalyze(folder, ["ingest", several, more, "--db", "41.duckdb", "--conventions"])()
    commands = {
        "mistakes game.json": ["mistakes", game],
        "review game.json": ["review", game, "-o", "page.html"],
        "solve game.json --turn 20 --as Cathy": ["solve", game, "--turn", "20", "--as", "Cathy"],
        "mistakes games.jsonl --by players": ["mistakes", several, "--by", "players"],
        "conventions --by players of 41 games": ["conventions", "41.duckdb", "--by", "players"],
        "compare of 41 games": ["compare", "41.duckdb", "--a", "players=3", "--match", "none"],
        "demo": ["demo", "--replace"],
    }
    works = [hanalyze(folder, command) for command in commands.values()]
    replay, *times = medians(runs, hanalyze(folder, ["replay", game]), *works)
    for what, seconds in zip(commands, times, strict=True):
        amount = f"{seconds:.2f} s of processor"
        yield Line(what, amount, seconds / replay, f"`replay game.json` ({replay:.2f} s)")


def hanalyze(folder: Path, command: list[str]) -> Callable[[], object]:
    """Return a function that runs a command in a folder."""
    return lambda: python(folder, "-m", "hanalyze", *command)


def python(folder: Path | None, *arguments: str, env: dict[str, str] | None = None) -> str:
    """Run Python in a folder, by default the current one, and return its output."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder, env=env).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="fewer games and runs")
    parser.add_argument("--check", action="store_true", help="fail if a ratio has doubled")
    options = parser.parse_args()
    games, runs = (1_000, 1) if options.small else (20_000, 3)
    machine = f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}"
    print(f"Measured on {date.today():%Y-%m-%d} on {machine}; {games:,} simulated games, processor time.\n")
    print("| measured | ratio | compared with | time or speed |\n|---|---|---|---|")
    doubled = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for line in chain(
            kernel_lines(games, runs),
            database_lines(folder, games),
            first_ingest_line(folder),
            command_lines(folder, runs),
        ):
            print(f"| {line.what} | {line.ratio:.2f} | {line.yardstick} | {line.amount} |", flush=True)
            if line.ratio > 2 * RECORDED[line.what]:
                doubled.append(line.what)
    if options.check and doubled:
        sys.exit(f"over twice the recorded ratio: {', '.join(doubled)}")


if __name__ == "__main__":
    main()
