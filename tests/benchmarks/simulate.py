"""How many games a second the players make, with and without writing them.

    python -m tests.benchmarks.simulate [--games 20000]

In: nothing. Out: for each player and speed the games a second, made and written; the yardstick is the
random player, compiled.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from hanalyze.agents import AGENTS, simulate
from hanalyze.logs import write


def seconds(agent: str, games: int, fast: bool, path: Path | None) -> float:
    """Return the processor seconds that `games` games take, written to `path` if there is one."""
    start = time.process_time()
    records = simulate(agent, players=3, games=games, seed=7, fast=fast)
    if path is None:
        for _ in records:
            pass
    else:
        write(records, str(path))
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    games = parser.parse_args().games
    print(
        f"3 players, No Variant; {games} games compiled, {max(games // 200, 1)} interpreted; processor time"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        best = 0.0
        for agent in AGENTS:
            for fast in (True, False):
                count = games if fast else max(games // 200, 1)
                seconds(agent, 1, fast, None)
                made = count / seconds(agent, count, fast, None)
                written = count / seconds(agent, count, fast, path)
                best = best or written
                print(
                    f"{agent:9} {'compiled' if fast else 'interpreted':12} {made:10.0f} games/s made"
                    f" {written:10.0f} games/s with writing {written / best:7.3f} times random compiled"
                )


if __name__ == "__main__":
    main()
