"""How long all mistakes and rates of many games take, beside the ingest of the same games.

    python -m tests.benchmarks.mistakes [--games 100000] [--jobs 2]

In: games of 2 to 5 players, made by `simulate`. Out: seconds of the ingest, of all mistakes, of the rates of
every kind by several groups and of the other numbers of `hanalyze.analysis`; the ratio to the ingest, also in
processor time, and the peak memory. Ingest and numbers are processes of their own, so that each has its own
peak.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hanalyze import analysis
from hanalyze.store import connect
from tests.benchmarks.ingest import make_games

GROUPS = (
    None,
    "players",
    "player",
    "seat",
    "partner",
    "turn",
    "rank",
    "phase",
    "score",
    "variant",
    "edition",
)


def ingest(log: Path, database: Path, jobs: int) -> None:
    """Ingest, and print what it took."""
    start = time.perf_counter()
    with connect(database) as db:
        db.ingest(log, jobs=jobs)
    _say({"ingest": time.perf_counter() - start})


def numbers(database: Path) -> None:
    """Find all mistakes and rates, and print what each took."""
    took = {}
    with connect(database, read_only=True) as db:

        def timed(name: str, start: float) -> None:
            took[name] = time.perf_counter() - start

        start = time.perf_counter()
        rows = db.sql(
            "SELECT count(*), sum(length(evidence) + length(evidence_values::VARCHAR)) FROM mistakes"
        ).row(0)
        timed("mistakes", start)
        for group in GROUPS:
            start = time.perf_counter()
            analysis.rates(db, by=group)
            timed(f"rates by {group}", start)
        start = time.perf_counter()
        analysis.clue_values(db, by="player")
        analysis.efficiency_curve(db)
        analysis.card_origins(db)
        analysis.wasted_tokens(db)
        analysis.scores(db, by="players")
        analysis.points_short(db, by="players")
        timed("clues, scores and losses", start)
    took["rows"] = rows[0]
    _say(took)


def _say(took: dict[str, float]) -> None:
    own = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({**took, "used": own.ru_utime + own.ru_stime, "peak": own.ru_maxrss / 1024}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--measure", nargs=3, metavar=("WHAT", "LOG", "DB"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        what, log, database = options.measure
        if what == "ingest":
            ingest(Path(log), Path(database), options.jobs)
        else:
            numbers(Path(database))
        return
    with tempfile.TemporaryDirectory() as folder:
        log, database = Path(folder) / "games.jsonl", Path(folder) / "games.duckdb"
        make_games(log, options.games)
        found = []
        for what in ("ingest", "numbers"):
            command = [sys.executable, "-m", "tests.benchmarks.mistakes", "--jobs", str(options.jobs)]
            ran = subprocess.run(
                [*command, "--measure", what, log, database], check=True, capture_output=True, text=True
            )
            found.append(json.loads(ran.stdout))
    ingested, took = found
    peak, rows, used = took.pop("peak"), took.pop("rows"), took.pop("used")
    for name, seconds in took.items():
        print(f"{name:28} {seconds:7.2f} s")
    total = sum(took.values())
    print(f"{'all of them':28} {total:7.2f} s  peak {peak:,.0f} MiB (at most 1024)  {rows:,} mistakes")
    print(f"{'the ingest':28} {ingested['ingest']:7.2f} s  peak {ingested['peak']:,.0f} MiB")
    print(
        f"ratio: {total / ingested['ingest']:.2f} (at most 1), of processor time {used:.2f} s to"
        f" {ingested['used']:.2f} s: {used / ingested['used']:.2f}"
    )


if __name__ == "__main__":
    main()
