"""Compile all kernels into the installation's cache, in two processes: `python -m tools.compile_kernels`."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import hanalyze as hz
from hanalyze.conventions.run import read_records
from hanalyze.replaying import replay_deals

SAMPLE: Final = Path(__file__).parents[1] / "sample_logs" / "game.json"
RUNS: Final[dict[str, Callable[[hz.Replay], object]]] = {
    "conventional agents": lambda game: [*hz.simulate("conventional", fast=True)],
    "conventions": lambda game: read_records([game.record], fast=True),
    "engine": lambda game: [*replay_deals([game.deal], fast=True)],
    "solver": lambda game: hz.solve(game, 50, nodes=100, fast=True),
    "agents": lambda game: [*hz.simulate("cautious", fast=True)],
}
"""A short run of each entry function."""


def compile_one(name: str) -> str:
    """Run one entry function compiled; return its name and the seconds that it took."""
    game = hz.replay(hz.load(SAMPLE))
    start = time.perf_counter()
    RUNS[name](game)
    return f"{name}: {time.perf_counter() - start:.0f} s"


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for line in pool.imap(compile_one, RUNS):
            sys.stdout.write(f"{line}\n")
