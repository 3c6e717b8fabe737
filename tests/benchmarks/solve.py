"""How soon deals and games are solved, with all cards open, on one thread.

    python -m tests.benchmarks.solve [--deals 2000] [--games 200] [--stored 5000]

In: deals of No Variant for 2 to 5 players, games of our own players, and, where `../shared` is there, 111
games of people. Out: how many can be won, cannot, and stay open; how many are decided within a second;
milliseconds. As a yardstick from the same run: a replay of the same games by the interpreted engine. Then
databases of games for each team size, solved by all cores as `hanalyze solve DB` does: games a second, time
of the processors a game, which other work on the machine does not change, and the share that stays open.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import pytest

from hanalyze.agents import simulate
from hanalyze.agents.game import NAMES
from hanalyze.logs import GameRecord
from hanalyze.logs.formats.hanab_live import decode
from hanalyze.replaying import Replay, replay, replay_many
from hanalyze.solver.search_plan import Budget
from hanalyze.solver.solving import Best, solve_many, solved
from hanalyze.store import connect
from tests.shared import golden

T = TypeVar("T")


def timed(stream: Iterable[T]) -> Iterator[tuple[T, float]]:
    start = time.perf_counter()
    for one in stream:
        yield one, time.perf_counter() - start
        start = time.perf_counter()


def deals(players: int, count: int, nodes: int) -> None:
    """Print how deals fare."""
    records = [
        GameRecord(players=NAMES[:players], seed=f"p{players}v0s{900_000 + number}")
        for number in range(count)
    ]
    games = list(replay_many(records))
    found: list[tuple[Best, float]] = list(
        timed(solved(games, Budget(nodes), lambda case: case.best(0, 24, 25), fast=True))
    )
    times = [seconds for _, seconds in found]
    soon = sum(best.score is not None and seconds <= 1 for best, seconds in found)
    print(
        f"{players} players, {count} deals: won {sum(best.low == 25 for best, _ in found)},"
        f" impossible {sum(best.high < 25 for best, _ in found)},"
        f" open {sum(best.score is None for best, _ in found)}; decided within 1 s {soon / count:.2%};"
        f" ms: median {statistics.median(times) * 1e3:.2f}, mean {statistics.mean(times) * 1e3:.2f},"
        f" worst {max(times) * 1e3:.0f}"
    )


def whole(name: str, games: list[Replay]) -> None:
    """Print how whole games fare."""
    found = list(timed(solve_many(games, fast=True)))
    times = [seconds for _, seconds in found]
    decided = sum(solution.decided for solution, _ in found)
    points = sum(solution.open_points for solution, _ in found)
    some = games[:100]
    start = time.perf_counter()
    for one in some:
        replay(one.record)
    each = (time.perf_counter() - start) / len(some)
    print(
        f"{name}, {len(games)} games: decided {decided / len(games):.2%},"
        f" points of open turns {points}; ms: median {statistics.median(times) * 1e3:.2f},"
        f" mean {statistics.mean(times) * 1e3:.2f}, worst {max(times) * 1e3:.0f};"
        f" yardstick, a replay: {each * 1e3:.2f} ms"
    )


def stored(players: int, count: int) -> None:
    """Print how a database of games fares."""
    with connect() as db:
        db.add(simulate("cautious", players=players, games=count, seed=1))
        busy = time.process_time()
        solving = db.solve()
        busy = time.process_time() - busy
    print(
        f"stored, {players} players, {count} games: {count / solving.seconds:.0f} games/s,"
        f" {busy / count * 1e3:.2f} ms of a processor each; open {solving.still_open / count:.2%}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--stored", type=int, default=5000)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    options = parser.parse_args()
    list(solve_many(replay_many(simulate("cautious", players=2, games=3)), fast=True))
    for players in (2, 3, 4, 5):
        deals(players, options.deals, options.nodes)
    try:
        real = [replay(decode(json.dumps(one["game"]).encode())) for one in golden("real-3p")]
        whole("people, 3 players", real)
    except pytest.skip.Exception as missing:
        print(missing)
    for players in (2, 3, 4, 5):
        whole(
            f"cautious, {players} players",
            list(replay_many(simulate("cautious", players=players, games=options.games))),
        )
    for players in (2, 3, 4, 5):
        stored(players, options.stored)


if __name__ == "__main__":
    main()
