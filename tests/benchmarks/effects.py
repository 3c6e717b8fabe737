"""Coverage of the intervals of `convention_effects`: how often they contain the effect in an experiment.

    python -m tests.benchmarks.effects [CONVENTION ...] [--pool 20000] [--games 1000] [--databases 200]
    python -m tests.benchmarks.effects --control cheating [--games 1500] [--databases 10]

For each convention a pool of games of `conventional` is simulated, in which a fair coin decides whether it
is given (`simulate --override`). The truth is the difference between the sides of the coin where the other
action was a clue, over the whole pool. The estimate is made from the same uses of the convention: others,
against a play or a discard, are left out, because no coin says what another clue would have been worth. It
does not know the sides of the coin, and compares with all other clues. Each database is a sample of the pool
without replacement. A line has the truth and its standard error, the estimate from the whole pool, the same
with all uses, as a report has them, the share of the databases whose 95% interval contains the truth, and
the same share and number of the databases that are balanced, without which there is no claim.

A control is an agent that knows no convention, in databases of seeds of their own: `cautious`, or one that
heeds no clue, `random`, `cheating` or `muddler` (`tests.analysis.muddler`). Its line has the conventions with
an estimate, those with a verdict, and those of these that say more or less, all of them false where no clue
is heeded; for `cautious`, `tests.benchmarks.effect_replays` has the truth.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from hanalyze.agents import simulate
from hanalyze.analysis.columns import OUTCOMES
from hanalyze.analysis.convention_effects import (
    BALANCED,
    Estimate,
    OfferedTurns,
    bits,
    convention_effects,
    estimates,
    offered_turns,
)
from hanalyze.analysis.statistics.intervals import student
from hanalyze.game.meanings import Convention
from hanalyze.logs import write
from hanalyze.store import connect
from hanalyze.words import named_convention
from tests.analysis.muddler import Muddler

CONVENTIONS = ("play_clue", "finesse", "delayed_play_clue", "two_save", "critical_save")
SCORE = OUTCOMES.index("final_score")
FEW = 30
COUNTED = "estimated", "tested", "claimed"


def turns_of(convention: str, games: int) -> tuple[OfferedTurns, OfferedTurns]:
    """Return the tossed turns and the offered turns of a new pool."""
    with tempfile.TemporaryDirectory() as folder, connect() as db:
        log = Path(folder) / "games.jsonl"
        write(simulate("conventional", games=games, seed=1, overrides={convention: 0.5}), log)
        db.ingest(log, jobs=1)
        db.read_conventions()
        tossed, offered = (offered_turns(db, "convention_games", games, tossed=one) for one in (True, False))
    return tossed, offered


def chosen(turns: OfferedTurns, kept: np.ndarray) -> OfferedTurns:
    """Return a selection of the turns."""
    names = ("covariates", "outcomes", "game", "turn", "player", "available", "used")
    return replace(turns, **{name: getattr(turns, name)[kept] for name in names})


def comparable(offered: OfferedTurns, tossed: OfferedTurns, convention: Convention) -> OfferedTurns:
    """Return the turns without the uses of the convention that no coin compared with another clue."""
    mine, theirs = (turns.game << 16 | turns.turn for turns in (offered, tossed))
    return chosen(offered, ~bits(offered.used, convention) | np.isin(mine, theirs))


def interval(one: Estimate) -> tuple[float, float]:
    """Return the effect on the final score, and half the width of its interval."""
    assert one.effect is not None
    value, error = float(one.effect.value[SCORE]), float(one.effect.error[SCORE])
    return value, student(0.975, one.games - 1) * error


def line(convention: str, pool: int, games: int, databases: int) -> str:
    """Return a line of the table."""
    key = named_convention(convention)
    tossed, every = turns_of(convention, pool)
    offered = comparable(every, tossed, key)
    experiment, whole, report = (next(estimates(turns, [key], FEW)) for turns in (tossed, offered, every))
    assert experiment.effect is not None
    assert whole.effect is not None
    assert report.effect is not None
    truth = float(experiment.effect.value[SCORE])
    keys, random = np.unique(offered.game), np.random.default_rng(1)
    covered: dict[bool, list[bool]] = {True: [], False: []}
    for one in _samples(offered, keys, random, games, databases):
        [estimate] = estimates(one, [key], FEW)
        if estimate.effect is not None:
            value, half = interval(estimate)
            covered[estimate.effect.balance <= BALANCED].append(abs(value - truth) <= half)
    shares = [
        100 * float(np.mean(one)) if one else math.nan
        for one in (covered[True] + covered[False], covered[True])
    ]
    return (
        f"{convention:20}{truth:8.3f}{experiment.effect.error[SCORE]:7.3f}{whole.effect.value[SCORE]:8.3f}"
        f"{whole.effect.error[SCORE]:7.3f}{report.effect.value[SCORE]:8.3f}"
        f"{shares[0]:8.1f}{shares[1]:10.1f}{len(covered[True]):5}"
    )


def control(agent: str, games: int, databases: int) -> str:
    """Return how many conventions are estimated, tested and claimed in databases of an agent."""
    counts = np.zeros(3, int)
    for number in range(databases):
        player = Muddler if agent == "muddler" else agent
        with connect() as db:
            db.add(simulate(player, players=3, games=games, seed=1_010_001 + 10_000 * number))
            db.read_conventions()
            scores = convention_effects(db).filter(outcome="final_score")
        verdicts = scores["verdict"]
        counts += [scores["effect"].count(), verdicts.count(), verdicts.is_in(["more", "less"]).sum()]
    shown = " ".join(f"{count:4} {word}" for count, word in zip(counts, COUNTED, strict=True))
    return f"{agent:12}{databases:4} databases of {games} games:{shown}"


def _samples(
    turns: OfferedTurns, keys: np.ndarray, random: np.random.Generator, games: int, databases: int
) -> Iterator[OfferedTurns]:
    for _ in range(databases):
        kept = np.isin(turns.game, random.choice(keys, games, replace=False))
        yield replace(chosen(turns, kept), games=games)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("conventions", nargs="*", default=CONVENTIONS)
    parser.add_argument("--pool", type=int, default=20_000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--databases", type=int, default=200)
    parser.add_argument("--control", nargs="+", default=())
    asked = parser.parse_args()
    for agent in asked.control:
        print(control(agent, asked.games, asked.databases), flush=True)
    if asked.control:
        return
    print("convention             truth  error   whole  error  report covered  balanced   of")
    for convention in asked.conventions:
        print(line(convention, asked.pool, asked.games, asked.databases), flush=True)


if __name__ == "__main__":
    main()
