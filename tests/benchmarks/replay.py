"""How many turns a second the compiled engine replays, with all checks, on one thread.

    python -m tests.benchmarks.replay [--games 20000] [--runs 7]

In: simulated three-player games. Out: turns a second of `play_batch` compiled (the engine alone), of `play`
(with its columns in their published types), of the engine with the numbers of every turn, and, as yardsticks
from the same run, the interpreted engine and the JSON parser reading the same games.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import msgspec
import numpy as np

from hanalyze.agents import simulate
from hanalyze.engine import run
from hanalyze.engine.batch import GameBatch, deal_records, make_batch
from hanalyze.engine.game import Game
from hanalyze.engine.turn_rows import NextRows, empty
from hanalyze.kernels.compiling import compiled
from hanalyze.logs.formats.hanab_live import to_json
from hanalyze.tables import CARDS, CLUES, DEFECTS, GAMES, TURNS


def seconds(work: Callable[[], object], runs: int) -> list[float]:
    """Return the processor seconds of each of `runs` runs, after one that does not count."""
    work()
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return times


def engine_alone(batch: GameBatch, measured: bool) -> Callable[[], object]:
    """Return the compiled loop over a batch, with its output arrays laid out beforehand."""
    rows = int(batch.actions.sum())
    out = run.Arrays(
        turns=empty(TURNS, rows),
        games=empty(GAMES, len(batch.seats)),
        clues=empty(CLUES, rows),
        cards=empty(CARDS, int(batch.cards.sum())).ints,
        defects=np.zeros((len(DEFECTS), 256), np.int64),
    )
    state = Game.new(fast=True)
    laid_out = batch.laid_out(fast=True)
    fast = compiled(run.play_batch)
    return lambda: fast(laid_out, state, NextRows.new(fast=True), out, 0, len(batch.seats), measured)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()

    records = list(simulate("cautious", players=3, games=options.games, seed=1))
    turns = sum(len(record.actions) for record in records)
    batch = make_batch(deal_records(records))
    some = min(200, options.games)
    some_turns = sum(len(record.actions) for record in records[:some])
    lines = [to_json(record) for record in records]
    decoder = msgspec.json.Decoder()

    print(f"{options.games} games of 3 players, {turns} turns; median of {options.runs} runs, processor time")
    alone = seconds(engine_alone(batch, False), options.runs)
    measured = seconds(engine_alone(batch, True), options.runs)
    published = seconds(lambda: run.play(batch, fast=True, measured=False), options.runs)
    interpreted = seconds(lambda: run.play(batch, fast=False, measured=False, last=some), 3)
    table = [
        ("compiled, the engine alone", alone, turns),
        ("compiled, with published columns", published, turns),
        ("compiled, and every turn measured", measured, turns),
        ("interpreted", interpreted, some_turns),
        ("yardstick: parse their JSON", seconds(lambda: [decoder.decode(one) for one in lines], 3), turns),
    ]
    best = statistics.median(alone) / turns
    for name, times, count in table:
        each = statistics.median(times) / count
        spread = f"{min(times) / count * 1e9:.0f} to {max(times) / count * 1e9:.0f}"
        print(
            f"{name:34} {1e-6 / each:8.2f} million turns/s  {each * 1e9:7.0f} ns a turn ({spread})"
            f"  {each / best:6.1f} times the engine alone"
        )


if __name__ == "__main__":
    main()
