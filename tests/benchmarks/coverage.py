"""Coverage of 95% intervals, measured on games drawn from a pool with known values.

    python -m tests.benchmarks.coverage [--databases 500] [--pool 3000] [--solved 600]
        [--compared 200] [--only compare|mixed]

The games are simulated once, in a folder for temporary files. A database is a sample of the pool with
replacement. Each measure and number of games has a row: the share of `--databases` whose interval contains
the value of the whole pool, for `hanalyze.analysis` and for the dashboard, beside the goal. The last column
names shares that fall short by more than twice their standard error. A `mixed` pool has games of variants
with different full scores; it is for mean scores only. `--solved` adds points lost with all
cards open, for this number of games of each pool. `compare` rows are differences of two groups of equal size,
from two pools or from one, in the strata of `hanalyze.analysis.compare`: its intervals for a single measure,
with ends moved where permutations disagree about 0.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain, combinations_with_replacement
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

import hanalyze
from hanalyze.agents import simulate
from hanalyze.analysis import Measure, measures
from hanalyze.analysis.matching import games_query, match_games
from hanalyze.analysis.statistics.differences import Design, differences
from hanalyze.analysis.statistics.intervals import FEWEST_GAMES, FEWEST_MIXED, Interval
from hanalyze.analysis.statistics.multiplicity import adjusted_intervals
from hanalyze.analysis.statistics.ratios import GroupSums, ratios
from hanalyze.logs import write
from hanalyze.store import Database, connect
from tests.analysis.sums import group_sums
from tests.report.figure_scripts import Sum, estimate

GOAL = 0.93, 0.97
FEW = 5
"""Expected finds below which a coverage may be above the goal, because so few finds allow few outcomes."""

SCORES = ("score", "finished", "score_share")
VARIANTS = ("3 Suits", "No Variant", "6 Suits")
"""The variants of a mixed pool."""
MEASURES: tuple[str | Measure, ...] = (
    *SCORES,
    Measure(
        "short",
        "points short of finished games",
        "points/game",
        "SELECT game_id, full_score - score AS found, 1 AS opportunities FROM games"
        " WHERE end_condition = 'normal'",
    ),
    "strikeout",
    "perfect",
    "misplays",
    "discard",
    "discard_last_copy",
    "discard_five",
    "clue_value",
    "efficiency",
    "mistake_points",
    "play_clue_success",
    "finesse_success",
    Measure(
        "forfeited",
        "points forfeited by strikes",
        "points/game",
        "SELECT game_id, if(end_condition = 'strikeout', max_score - score, 0) AS found, 1 AS opportunities"
        " FROM games",
    ),
    Measure(
        "idle_clues",
        "clues that got no card",
        "clues/game",
        "SELECT game_id, count(*) FILTER (cards_gotten = 0) AS found, 1 AS opportunities FROM clues"
        " GROUP BY ALL",
    ),
)
LOST = (("all", "all"), ("cause", "cards"), ("cause", "time"), ("cause", "strikes"), ("kind", "misplay"))
"""Parts of the points lost with all cards open."""
COMPARED = ("score", "finished", "mistake_points", "turns", "efficiency", "bottom_deck", "clue_value")
"""Means that are compared between two groups."""


class Cell(NamedTuple):
    """Coverage of a measure: how often intervals from databases of `games` contain the `value` of the pool.

    `kind` is share, mean or compare. `stats` and `page` are shares of the `databases` that had an interval;
    `page` is NaN if the dashboard does not have the measure. `expected` is the mean number of finds of a
    share (or of the other opportunities, if these are fewer), or of games with a loss; for comparisons, the
    number of games of a group.
    """

    pool: str
    measure: str
    kind: str
    games: int
    value: float
    expected: float
    databases: int
    stats: float
    page: float

    @property
    def error(self) -> float:
        """The standard error of a coverage of 95 %."""
        return math.sqrt(0.95 * 0.05 / max(self.databases, 1))

    def missed(self, covered: float, errors: float = 2.0) -> bool:
        """Return whether a coverage is beyond the goal by more than so many standard errors."""
        if math.isnan(covered):
            return False
        too_wide = covered > GOAL[1] + errors * self.error and self.expected >= FEW
        return covered < GOAL[0] - errors * self.error or too_wide


def _sources() -> str:
    """Return a digest of the package's sources, so that pools of other versions are not reused."""
    digest = hashlib.sha256()
    for file in sorted(Path(hanalyze.__file__).parent.rglob("*")):
        if file.suffix in (".py", ".sql", ".json", ".csv"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def pool(
    agent: str, games: int, folder: Path | None = None, variants: Sequence[str] = ("No Variant",)
) -> Path:
    """Return a database of three-player games of an agent, read for conventions; it is created only once."""
    place = folder or Path(tempfile.gettempdir()) / "hanalyze-coverage"
    place.mkdir(exist_ok=True)
    path = place / f"{agent}-{games}-{len(variants)}-{_sources()}.duckdb"
    if not path.exists():
        log, fresh = path.with_suffix(".jsonl"), path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        count = games // len(variants)
        records = (simulate(agent, players=3, games=count, seed=1, variant=one) for one in variants)
        write(chain.from_iterable(records), log)
        with connect(fresh) as db:
            db.ingest(log, jobs=1)
            db.read_conventions()
        log.unlink()
        fresh.rename(path)
    return path


def per_game(db: Database, measure: Measure) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return for each game of a pool the finds, the opportunities, and the largest possible value, if any."""
    frame = db.sql(
        f"SELECT coalesce(m.found, 0)::DOUBLE AS f, coalesce(m.opportunities, 0)::DOUBLE AS o,"
        f" ({measure.full or 0})::DOUBLE AS full"
        f" FROM games d LEFT JOIN ({measure.sql(db)}) m USING (game_id) ORDER BY game_id",
        temporary=True,
    )
    return frame["f"].to_numpy(), frame["o"].to_numpy(), frame["full"].to_numpy() if measure.full else None


def cell(
    name: str,
    measure: Measure,
    found: np.ndarray,
    of: np.ndarray,
    games: int,
    databases: int,
    full: np.ndarray | None = None,
) -> Cell:
    """Return how often intervals of a measure contain the value of the pool."""
    random = np.random.default_rng([games, len(measure.name)])
    value = found.sum() / of.sum()
    drawn = random.integers(0, len(found), (databases, games))
    f, o = found[drawn], of[drawn]
    group = np.repeat(np.arange(databases), games)

    def sums(values: np.ndarray) -> GroupSums:
        return group_sums(group, databases, values.ravel(), o.ravel())

    below = () if full is None else (sums(full[drawn] - f), sums(full[drawn]))
    result = ratios(sums(f), share=measure.share, fewest=measure.fewest, below=below)
    there = ~np.isnan(result.low)
    held = (result.low <= value + 1e-12) & (value - 1e-12 <= result.high)
    page = []
    # The dashboard has no means that include struck-out games, and shows points short in place of scores.
    for x, y in zip(f, o, strict=True) if measure.fewest < FEWEST_MIXED and full is None else ():
        parts = ((y > 0).sum(), x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum())
        one = Sum("", "", *map(float, parts))
        _, low, high = estimate(one, share=measure.share) if one.y else (0.0, None, None)
        if low is not None and high is not None:
            page.append(low <= value + 1e-12 and value - 1e-12 <= high)
    kind = "share" if measure.share else "mean"
    lost = found if full is None else full - found
    counted = min(found.sum(), (of - found).sum()) if measure.share else (lost > 0).sum()
    expected = float(counted) / len(found) * games
    return Cell(
        name,
        measure.name,
        kind,
        games,
        float(value),
        expected,
        int(there.sum()),
        float(held[there].mean()) if there.any() else math.nan,
        float(np.mean(page)) if page else math.nan,
    )


def ratio_cells(
    name: str, db: Database, wanted: Sequence[str | Measure], sizes: Sequence[int], databases: int
) -> Iterator[Cell]:
    """Yield the cells of rates and means of a pool, except for measures that hardly occur in it."""
    for measure in measures(wanted):
        found, of, full = per_game(db, measure)
        if found.sum() >= FEW and (not measure.share or found.sum() < of.sum()):
            for games in sizes:
                yield cell(name, measure, found, of, games, databases, full)


def lost_cells(name: str, db: Database, sizes: Sequence[int], databases: int) -> Iterator[Cell]:
    """Yield the cells of points lost with all cards open, of the games of a pool that are solved."""
    where = {part: "true" if split == "all" else f"l.{split} = '{part}'" for split, part in LOST}
    parts = ", ".join(
        f'coalesce(sum(l.points) FILTER ({condition}), 0)::DOUBLE AS "{part}"'
        for part, condition in where.items()
    )
    frame = db.sql(
        f"SELECT {parts} FROM solved_games z LEFT JOIN losses l USING (game_id)"
        " WHERE z.open_points IS NOT NULL GROUP BY game_id ORDER BY game_id"
    )
    for _, part in LOST:
        values = frame[part].to_numpy()
        fewest = FEWEST_MIXED if part in ("all", "misplay") else FEWEST_GAMES
        one = Measure(part, part, "points", "", fewest=fewest)
        for games in sizes if values.any() else ():
            yield cell(name, one, values, np.ones(frame.height), games, databases)


def games_to_compare(db: Database) -> pl.DataFrame:
    """Return the games of a pool with the columns for matching, finds (`f`) and opportunities (`o`)."""
    frame = db.sql(games_query("true"))
    for number, measure in enumerate(measures(COMPARED)):
        values = db.sql(measure.sql(db), temporary=True).select(
            "game_id",
            pl.col("found").cast(pl.Float64).alias(f"f{number}"),
            pl.col("opportunities").cast(pl.Float64).alias(f"o{number}"),
        )
        frame = frame.join(values, on="game_id", how="left")
    return frame.fill_null(0.0).sort("game_id")


def compare_cells(
    name: str, pools: tuple[pl.DataFrame, pl.DataFrame], sizes: Sequence[int], databases: int
) -> Iterator[Cell]:
    """Yield the cells of differences between two groups of games drawn from pools, on different deals."""
    wanted = measures(COMPARED)
    numbers = range(len(wanted))
    truths = [
        [float(frame[f"f{n}"].to_numpy().sum() / frame[f"o{n}"].to_numpy().sum()) for n in numbers]
        for frame in pools
    ]
    for games in sizes:
        random = np.random.default_rng([games, len(name)])
        held: list[list[bool]] = [[] for _ in numbers]
        for _ in range(databases):
            drawn = pl.concat(
                frame[random.integers(0, frame.height, games)].with_columns(
                    pl.lit(side).alias("group"),
                    pl.Series("game_id", np.arange(games) + side * games),
                    pl.Series("deck", (np.arange(games) + side * games).astype(np.uint64)),
                )
                for side, frame in enumerate(pools)
            )
            for n, one in enumerate(_compared(drawn, wanted)):
                if not math.isnan(one[0]):
                    held[n].append(one[0] <= truths[0][n] - truths[1][n] <= one[1])
        for n, measure in enumerate(wanted):
            covered = float(np.mean(held[n])) if held[n] else math.nan
            truth = truths[0][n] - truths[1][n]
            yield Cell(name, measure.name, "compare", games, truth, games, len(held[n]), covered, math.nan)


def _compared(games: pl.DataFrame, wanted: Sequence[Measure]) -> list[tuple[float, float]]:
    """Return the interval of the difference of each measure, as `compare` computes it."""
    matched = match_games(games, ("players", "variant", "difficulty"))
    kept = matched.games.join(games, on=["group", "game_id"], how="left", maintain_order="left")
    design = Design(
        kept["group"].to_numpy().astype(np.int64),
        kept["stratum"].to_numpy(),
        kept["deal"].rank("dense").to_numpy().astype(np.int64),
        kept["weight"].to_numpy(),
        matched.paired.to_numpy(),
    )
    results = differences(
        design,
        [kept[f"f{n}"].to_numpy() for n in range(len(wanted))],
        [kept[f"o{n}"].to_numpy() for n in range(len(wanted))],
        shares=[one.share for one in wanted],
        minimum=[0] * len(wanted),
        fewest=[one.fewest for one in wanted],
    )
    return [
        adjusted_intervals(
            [one.effect],
            [Interval(one.low, one.high)],
            [one.p_value],
            [one.p_value],
            shares=[one.shares],
        )[0]
        for one in results
    ]


def _line(one: Cell) -> str:
    mark = "  <" if one.missed(one.stats) or one.missed(one.page) else ""
    covered = "  ".join(
        "    -" if math.isnan(part) else f"{100 * part:5.1f}" for part in (one.stats, one.page)
    )
    return (
        f"{one.pool:<28}{one.measure:<20}{one.kind:<9}{one.games:>5}{one.value:>10.4f}"
        f"{one.expected:>9.1f}{one.databases:>6}  {covered}   93-97{mark}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--databases", type=int, default=500)
    parser.add_argument("--pool", type=int, default=3000)
    parser.add_argument("--agents", nargs="+", default=["cautious", "conventional"])
    parser.add_argument("--games", type=int, nargs="+", default=[20, 40, 100, 200, 400])
    parser.add_argument("--solved", type=int, default=0, help="games of each pool to solve")
    parser.add_argument("--compared", type=int, default=200, help="databases of two groups")
    parser.add_argument("--only", choices=["compare", "mixed"], help="a part of the table alone")
    asked = parser.parse_args()
    print(f"{'pool':28}measure             kind     games     value    found   dbs  stats   page    goal")
    paths = {agent: pool(agent, asked.pool) for agent in asked.agents}
    frames = {}
    for agent, path in paths.items():
        with connect(path, read_only=True) as db:
            frames[agent] = games_to_compare(db)
    for pair in combinations_with_replacement(asked.agents, 2) if asked.only != "mixed" else ():
        of_both = frames[pair[0]], frames[pair[1]]
        for one in compare_cells(" - ".join(pair), of_both, [10, 20, 40, 100], asked.compared):
            print(_line(one), flush=True)
    for agent in asked.agents if not asked.only else ():
        if asked.solved:
            with connect() as db:
                db.add(simulate(agent, players=3, games=asked.solved, seed=1))
                db.solve(nodes=300)
                for one in lost_cells(agent, db, asked.games, asked.databases):
                    print(_line(one), flush=True)
        with connect(paths[agent], read_only=True) as db:
            for one in ratio_cells(agent, db, MEASURES, asked.games, asked.databases):
                print(_line(one), flush=True)
    for agent in asked.agents if asked.only != "compare" else ():
        with connect(pool(agent, asked.pool, variants=VARIANTS), read_only=True) as db:
            for one in ratio_cells(f"{agent}, mixed", db, SCORES, asked.games, asked.databases):
                print(_line(one), flush=True)


if __name__ == "__main__":
    main()
