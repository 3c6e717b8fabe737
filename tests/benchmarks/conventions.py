"""How many games a second the compiled conventions read, on one thread and on two.

    python -m tests.benchmarks.conventions [--games 5000] [--runs 5] [--log FILE]

In: simulated three-player games, or those of a log repeated until there are enough. Out: games a second with
meanings, outcomes and opportunities of every turn, and as yardsticks from the same run the engine alone and
the engine with the numbers of every turn, on the same games. One thread is timed by the processor; two,
each with half of the games, by the clock: they need two free cores.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hanalyze.agents import simulate
from hanalyze.conventions import run as conventions
from hanalyze.conventions.state import ConventionState
from hanalyze.engine.batch import GameBatch, deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.kernels.compiling import compiled
from hanalyze.logs import read
from tests.benchmarks.replay import engine_alone, seconds


def reader(batch: GameBatch, level: int, first: int = 0, last: int | None = None) -> Callable[[], object]:
    """Return the compiled loop over games of a batch, with its output arrays laid out beforehand."""
    last = len(batch.seats) if last is None else last
    findings = 2 * int(batch.actions[first:last].sum())
    out = conventions.room(batch, first, last, findings, cards=False, fast=True)
    game, state = Game.new(fast=True), ConventionState.new(fast=True)
    laid_out = batch.laid_out(fast=True)
    fast = compiled(conventions.read_batch)
    return lambda: fast(laid_out, game, state, out, first, last, level)


def seconds_of_two(batch: GameBatch, level: int, runs: int) -> list[float]:
    """Return how long two threads take for the halves of a batch, by the clock."""
    middle = len(batch.seats) // 2
    halves = [reader(batch, level, 0, middle), reader(batch, level, middle)]
    times = []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(runs + 1):
            begun = time.perf_counter()
            for done in [pool.submit(half) for half in halves]:
                done.result()
            times.append(time.perf_counter() - begun)
    return times[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()

    if options.log:
        records = list(itertools.islice(itertools.cycle(read(options.log)), options.games))
    else:
        records = list(simulate("cautious", players=3, games=options.games, seed=1))
    batch = make_batch(deal_records(records))
    turns = int(batch.actions.sum())
    games = len(batch.seats)
    print(f"{games} games, {turns / games:.1f} turns a game; median of {options.runs} runs, processor time")
    table = [
        ("the engine alone", seconds(engine_alone(batch, False), options.runs)),
        ("the engine, every turn measured", seconds(engine_alone(batch, True), options.runs)),
        ("conventions, level 5", seconds(reader(batch, 5), options.runs)),
        ("conventions, level 25", seconds(reader(batch, 25), options.runs)),
        ("conventions, as published columns", seconds(lambda: conventions.read_games(batch, fast=True), 3)),
    ]
    for level in (5, 25):
        name = f"conventions, level {level}, two threads"
        table.append((name, seconds_of_two(batch, level, options.runs)))
    measured = statistics.median(table[1][1])
    for name, times in table:
        each = statistics.median(times)
        spread = f"{games / max(times):.0f} to {games / min(times):.0f}"
        print(
            f"{name:38} {games / each:9.0f} games/s ({spread})  {each / turns * 1e6:6.2f} us a turn"
            f"  {each / measured:5.1f} times the engine measured"
        )


if __name__ == "__main__":
    main()
