"""How many decks a second one core deals from seeds.

Run `python -m tests.benchmarks.decks [seeds]` (200,000 seeds unless told; some seconds). Each figure is the
best of three runs. The ratios compare within one run, so they hold on other machines where the rates do not.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from hanalyze.decks import deck, decks, hanab_live


def per_second(call: Callable[[], object], decks_dealt: int) -> float:
    """Return the decks a second of the best of three calls."""
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return decks_dealt / best


def main(count: int) -> None:
    """Measure and print."""
    begin = time.perf_counter()
    hanab_live._constants()
    print(f"Go's constants, once in a process: {(time.perf_counter() - begin) * 1000:.1f} ms")

    seeds = [f"p3v0s{number}" for number in range(1, count + 1)]
    few = seeds[: max(count // 100, 1)]
    pile = list(range(50))

    together = per_second(lambda: decks(seeds), len(seeds))
    alone = per_second(lambda: [deck(seed) for seed in few], len(few))
    shuffled = per_second(lambda: [random.shuffle(pile) for _ in few], len(few))
    hashed = [seed.encode() for seed in seeds]
    crcs = per_second(lambda: hanab_live._crc64s(hashed), len(seeds))

    print(f"hanab-live, array of {len(seeds):,} seeds: {together:,.0f} decks/s")
    print(
        f"hanab-live, seed by seed: {alone:,.0f} decks/s; the array is {together / alone:.0f} times as fast"
    )
    print(f"random.shuffle of 50: {shuffled:,.0f} /s; the array is {together / shuffled:.1f} times as fast")
    print(f"CRC-64 alone: {crcs:,.0f} seeds/s")
    for shuffle in ("hle", "hanabi-data"):
        numbers = range(len(few))
        rate = per_second(lambda: decks(numbers, shuffle=shuffle), len(few))  # noqa: B023 - called before the loop goes on
        print(f"{shuffle}, array of {len(few):,} seeds: {rate:,.0f} decks/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
