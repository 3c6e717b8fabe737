"""How many games a second an ingest stores, beside what DuckDB alone takes for as much.

    python -m tests.benchmarks.ingest [--games 100000] [--jobs 2] [--runs 1] [--flat]

In: games of 2 to 5 players, made by `simulate`. Out: games/s, turns/s, peak memory, bytes a game on the disk,
and the ratio to the floor, measured in the same run: DuckDB reads the same JSON lines (decks and actions
parsed into lists) and writes tables of the same rows and columns, copied from a finished database, with the
same settings and threads. Each measurement is a process of its own, so that its peak memory is its own; ours
loads the compiled engine within its time. `--flat` compares 100,000 and 400,000 games instead.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hanalyze.agents import simulate
from hanalyze.logs import GameRecord, write
from hanalyze.store import connect
from hanalyze.tables.store import TABLES

PLAYERS = (2, 3, 4, 5)


def make_games(path: Path, games: int) -> None:
    """Write the games to read."""

    def records() -> Iterator[GameRecord]:
        for start in range(0, games, 4000):
            for players in PLAYERS:
                count = max(min(4000, games - start) // len(PLAYERS), 1)
                yield from simulate("cautious", players=players, games=count, seed=1 + start)

    write(records(), path)


def _size(path: Path) -> int:
    wal = Path(f"{path}.wal")
    return path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)


def ours(log: Path, database: Path, jobs: int) -> dict[str, Any]:
    """Ingest, and say what it took."""
    start, used = time.perf_counter(), time.process_time()
    with connect(database) as db:
        summary = db.ingest(log, jobs=jobs)
        assert summary.stored == summary.read, summary
    seconds, used = time.perf_counter() - start, time.process_time() - used
    return {"seconds": seconds, "used": used, "games": summary.stored}


def floor(log: Path, database: Path, jobs: int, source: Path) -> dict[str, Any]:
    """Let DuckDB alone read the same lines and write the same tables."""
    import duckdb

    start, used = time.perf_counter(), time.process_time()
    connection = duckdb.connect(str(database), config={"threads": jobs})
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET enable_progress_bar = false")
    columns = (
        "{players: 'VARCHAR[]', deck: 'STRUCT(suitIndex TINYINT, \"rank\" TINYINT)[]',"
        ' actions: \'STRUCT("type" TINYINT, target TINYINT, "value" TINYINT)[]\','
        " seed: 'VARCHAR', score: 'TINYINT', source: 'VARCHAR'}"
    )
    games = connection.execute(
        "SELECT count(*), sum(len(deck)), sum(len(actions)), count(players), count(seed), count(score),"
        f" count(source) FROM read_json(?, format = 'newline_delimited', columns = {columns})",
        [str(log)],
    ).fetchone()
    assert games is not None
    reading = time.perf_counter() - start
    connection.execute(f"ATTACH '{source}' AS source (READ_ONLY)")
    for table in TABLES:
        connection.execute(f"CREATE TABLE {table} AS SELECT * FROM source.{table}")
    connection.execute("CHECKPOINT")
    connection.close()
    seconds, used = time.perf_counter() - start, time.process_time() - used
    return {"seconds": seconds, "used": used, "games": games[0], "reading": reading}


def measured(what: str, *arguments: object) -> dict[str, Any]:
    """Run `ours` or `floor` in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.ingest", "--measure", what, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def compare(folder: Path, games: int, jobs: int, runs: int) -> None:
    """Print ours beside the floor; of several runs the median of the ratios counts."""
    log, database, other = folder / "games.jsonl", folder / "ours.duckdb", folder / "floor.duckdb"
    make_games(log, games)
    ratios = []
    for _ in range(runs):
        database.unlink(missing_ok=True)
        mine = measured("ours", log, database, jobs)
        with connect(database, read_only=True) as db:
            rows = {table: db.sql(f"SELECT count(*) FROM {table}").item() for table in TABLES}
        other.unlink(missing_ok=True)
        least = measured("floor", log, other, jobs, database)
        ratios.append(mine["seconds"] / least["seconds"])
        print(
            f"ours:  {mine['seconds']:6.2f} s ({mine['used']:.2f} s of processor)"
            f"  {mine['games'] / mine['seconds']:8,.0f} games/s"
            f"  {rows['turns'] / mine['seconds']:10,.0f} turns/s  peak {mine['peak'] / 2**20:6.0f} MiB"
            f"  {_size(database) / mine['games']:5,.0f} bytes a game"
        )
        print(
            f"floor: {least['seconds']:6.2f} s ({least['used']:.2f} s of processor; reading"
            f" {least['reading']:.2f})  {least['games'] / least['seconds']:8,.0f} games/s"
            f"  peak {least['peak'] / 2**20:6.0f} MiB  {_size(other) / least['games']:5,.0f} bytes a game"
        )
        print(f"ratio: {ratios[-1]:.2f}", flush=True)
    print("rows: " + ", ".join(f"{table} {count:,}" for table, count in rows.items()))
    print(f"median ratio to the floor: {sorted(ratios)[len(ratios) // 2]:.2f} (at most 1.6, goal 1.3)")


def flat(folder: Path, games: int, jobs: int) -> None:
    """Print what four times as many games take, in memory and time."""
    found = []
    for count in (games, 4 * games):
        log, database = folder / f"{count}.jsonl", folder / f"{count}.duckdb"
        make_games(log, count)
        found.append(measured("ours", log, database, jobs))
        log.unlink()
        database.unlink()
        print(
            f"{count:,} games: {found[-1]['seconds']:.1f} s, peak {found[-1]['peak'] / 2**20:.0f} MiB",
            flush=True,
        )
    less, more = found
    print(
        f"four times the games: {more['peak'] / less['peak']:.2f} times the memory (at most 1.1),"
        f" {more['seconds'] / less['seconds']:.2f} times the time (at most 4.4)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--flat", action="store_true")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        what, log, database, jobs, *rest = options.measure
        if what == "ours":
            found = ours(Path(log), Path(database), int(jobs))
        else:
            found = floor(Path(log), Path(database), int(jobs), Path(rest[0]))
        # KiB on Linux.
        found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps(found))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warm = folder / "warm.jsonl"
        make_games(warm, 400)
        measured("ours", warm, folder / "warm.duckdb", options.jobs)
        if options.flat:
            flat(folder, options.games, options.jobs)
        else:
            compare(folder, options.games, options.jobs, options.runs)


if __name__ == "__main__":
    main()
