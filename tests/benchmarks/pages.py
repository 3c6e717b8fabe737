"""How long the pages take, as whole commands, beside the ingest of the same games.

    python -m tests.benchmarks.pages [--games 100000] [--runs 3] [--conventions]

In: games of 2 to 5 players, made by `simulate`. Out: seconds of `hanalyze ingest`, `hanalyze dashboard` and
`hanalyze review` of one of the games (least, middle and most of the runs, and processor time), the sizes of
both pages and the ratio of the dashboard to the ingest.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.ingest import make_games


def seconds(*arguments: str | Path) -> tuple[float, float]:
    """Run a command, and return what it took: seconds, and those of all processors together."""
    start, used = time.perf_counter(), _used()
    subprocess.run([sys.executable, "-m", "hanalyze", *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start, _used() - used


def _used() -> float:
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of_children.ru_utime + of_children.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--conventions", action="store_true", help="read the games for conventions, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log, database = folder / "games.jsonl", folder / "games.duckdb"
        make_games(log, options.games)
        one = folder / "game.json"
        with log.open() as lines:
            one.write_text(next(lines))
        ingested, used = seconds("ingest", log, "--db", database, *["--conventions"] * options.conventions)
        print(f"ingest     {ingested:7.2f} s, {used:.2f} s of processor")
        middle = {}
        for what, source in (("dashboard", database), ("review", one)):
            page = folder / f"{what}.html"
            took = sorted(seconds(what, source, "-o", page) for _ in range(options.runs))
            middle[what] = statistics.median(one for one, _ in took)
            used = statistics.median(one for _, one in took)
            print(
                f"{what:10} {middle[what]:7.2f} s ({took[0][0]:.2f} to {took[-1][0]:.2f}),"
                f" {used:.2f} s of processor  {page.stat().st_size / 1e6:.2f} MB"
            )
    print(f"ratio of the dashboard to the ingest: {middle['dashboard'] / ingested:.2f}")


if __name__ == "__main__":
    main()
