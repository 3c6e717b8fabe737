"""How long whole commands take, from the shell's view, beside a Python that does nothing.

    python -m tests.benchmarks.startup [--runs 15]

In: nothing. Out: the median wall seconds of each command, and its ratio to `python -c pass` in the same
rounds.
"""

from __future__ import annotations

import argparse
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs + 1):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - start)
    nothing = statistics.median(times["python -c pass"][1:])
    for name, each in times.items():
        middle = statistics.median(each[1:])
        spread = f"{min(each[1:]):.3f} to {max(each[1:]):.3f}"
        print(f"{name:28} {middle:6.3f} s ({spread})  {middle / nothing:5.1f} times nothing")


if __name__ == "__main__":
    main()
