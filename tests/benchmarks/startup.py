"""Time of whole commands, compared with a replay and with a bare Python that imports NumPy.

    python -m tests.benchmarks.startup [--runs 15] [--only mistakes]

Prints the median wall-clock and processor seconds of each command, and its ratios to
`python -c 'import numpy'` and to `hanalyze replay` in the same rounds. The ratios use processor time, which a
busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

SAMPLE = Path(__file__).parents[2] / "sample_logs" / "game.json"

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
    "hanalyze --help": [sys.executable, "-m", "hanalyze", "--help"],
    "hanalyze deck p3v0s1": [sys.executable, "-m", "hanalyze", "deck", "p3v0s1"],
    "hanalyze replay game.json": [sys.executable, "-m", "hanalyze", "replay", str(SAMPLE)],
    "hanalyze mistakes game.json": [sys.executable, "-m", "hanalyze", "mistakes", str(SAMPLE)],
    "hanalyze review game.json": [sys.executable, "-m", "hanalyze", "review", str(SAMPLE), "-o", "-"],
}


BARE, REPLAY = "python -c 'import numpy'", "hanalyze replay game.json"


def seconds(command: list[str]) -> tuple[float, float]:
    """Run a command; return its wall-clock and processor seconds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--only", default="", help="run only commands with this word, and the two baselines")
    options = parser.parse_args()
    commands = {
        name: command for name, command in COMMANDS.items() if name in (BARE, REPLAY) or options.only in name
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(options.runs + 1):
        for name, command in commands.items():
            times[name].append(seconds(command))
    middle = {
        name: tuple(map(statistics.median, zip(*each[1:], strict=True))) for name, each in times.items()
    }
    for name, (clock, processor) in middle.items():
        numpy, replay = (processor / middle[yardstick][1] for yardstick in (BARE, REPLAY))
        ratios = f"{numpy:5.2f} times NumPy, {replay:5.2f} times replay"
        print(f"{name:28} {clock:6.3f} s, processor {processor:6.3f} s  {ratios}")


if __name__ == "__main__":
    main()
