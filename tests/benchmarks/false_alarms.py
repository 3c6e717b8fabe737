"""Rate of false claims of pages and reports, in games without differences.

    python -m tests.benchmarks.false_alarms [--only compare] [--games 200] [--pools 5] [--pages 40]
        [--reports 20]

In: games of agents, made once and kept in a temporary folder. Names are dealt at random, the clues of each
game are shuffled, games are split at random, so that whatever is claimed about players, trends or halves is
false. Other figures of the page go on making claims, most of them true. Out: a table, the share of pages and
reports with a false claim, and beside it what would be claimed by every 95% interval for itself.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

import hanalyze as hz
from hanalyze import analysis
from hanalyze.errors import HanalyzeError
from hanalyze.logs import write
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.teams import Teams
from hanalyze.store import Database
from tests.report.board import judged_page
from tests.report.figure_scripts import Row, Z

PEOPLE = 10, 6
"""How many players there are whose names are dealt, in turn: of six, pairs have enough games to be judged."""

Alarm = tuple[str, bool, bool]
"""A kind of claim, whether a page or report has a false one, and whether 95% intervals would have."""


class Share(NamedTuple):
    """Of so many pages or reports those with a false claim, and those with one by 95% intervals."""

    kind: str
    of: int
    false: int
    plain: int

    @property
    def error(self) -> float:
        """The standard error of a share of 5%."""
        return math.sqrt(0.05 * 0.95 / self.of)


def pool(agent: str, games: int, number: int) -> Database:
    """Return a database of games of an agent; those of each number are others."""
    folder = Path(tempfile.gettempdir()) / "hanalyze-false-alarms"
    folder.mkdir(exist_ok=True)
    path = folder / f"{agent}-{games}-{number}.jsonl"
    if not path.exists():
        draft = path.with_suffix(".draft")
        write(hz.simulate(agent, players=3, games=games, seed=1 + number * games), draft)
        draft.replace(path)
    db = hz.connect()
    db.ingest(path)
    return db


_NAMES = """
UPDATE seats SET player = dealt.name
FROM (
    SELECT game_id, 'P' || place AS name,
        row_number() OVER (PARTITION BY game_id ORDER BY hash(game_id, place, {seed})) - 1 AS seat
    FROM games, range({people}) people(place)
) dealt
WHERE dealt.game_id = seats.game_id AND dealt.seat = seats.seat
"""
_SHUFFLE = """
UPDATE clues SET cards_gotten = other.cards_gotten
FROM (
    SELECT game_id, turn, row_number() OVER (PARTITION BY game_id ORDER BY turn) AS place FROM clues
) mine
JOIN (
    SELECT game_id, cards_gotten,
        row_number() OVER (PARTITION BY game_id ORDER BY hash(game_id, turn, {seed})) AS place
    FROM clues
) other USING (game_id, place)
WHERE clues.game_id = mine.game_id AND clues.turn = mine.turn
"""
_LABELS = "UPDATE games SET edition = 'label ' || hash(game_id, {seed}) % 5"


def page_alarms(db: Database, pages: int) -> Iterator[Alarm]:
    """Yield the alarms of dashboards of games with randomly assigned names and shuffled clues."""
    with Cube(db) as cube:
        for seed in range(pages):
            for change in (_NAMES, _SHUFFLE):
                db.connection.execute(change.format(seed=seed, people=PEOPLE[seed % 2]))
            cube._source = Teams(cube._cursor, stored=False)  # it read the names when it was made
            cube.narrow(cube.variants_most, cube.players_most)
            _, rows = judged_page(cube)
            everywhere = []
            for name, kind in (
                ("players", "page: players"),
                ("partners", "page: partners"),
                ("player_rates", "page: rates of players"),
                ("clue_value", "page: clues by turn"),
            ):
                judged = [row for row in rows[name] if row.error]
                alarm = any(row.clear for row in judged), any(map(_is_clear_alone, judged))
                everywhere.append(alarm)
                if judged:
                    yield kind, *alarm
            yield "page: any", any(one for one, _ in everywhere), any(one for _, one in everywhere)


def _is_clear_alone(row: Row) -> bool:
    return abs(row.value or 0.0) > Z * row.error


def compare_alarms(db: Database, reports: int, few: Sequence[int] = (5, 10, 20)) -> Iterator[Alarm]:
    """Yield the alarms of comparisons of two groups chosen at random: halves, and few games with the rest."""
    games = db.games()["game_id"].sort().to_list()
    sizes = [("halves", len(games) // 2), *((f"{size} games and the others", size) for size in few)]
    for seed in range(reports):
        order = np.random.default_rng(seed).permutation(games).tolist()
        for name, first in sizes:
            try:
                frame = analysis.compare(db, a=order[:first], b=order[first:], match=[]).frame
            except HanalyzeError:
                continue
            claimed = frame["q_value"].fill_null(1).min() <= 0.05
            plain = (frame["p_value"].fill_null(1) <= 0.05).any()
            yield f"compare: {name}, q", claimed, plain
            yield f"compare: {name}, intervals", _without_zero(frame, "low", "high"), plain


def stats_alarms(db: Database, reports: int) -> Iterator[Alarm]:
    """Yield the alarms of statistics of games with randomly assigned names and labels."""
    for seed in range(reports):
        for change in (_NAMES, _LABELS):
            db.connection.execute(change.format(seed=seed, people=PEOPLE[0]))
        scores = analysis.scores(db, "edition")
        yield "scores: five labels", _any_low(scores), _apart(scores, "mean_low", "mean_high")
        rates = analysis.rates(db, by="player")
        plain = bool((rates["p_value"].fill_null(1) <= 0.05).any())
        yield "stats: kinds by player", _any_low(rates), plain


def _any_low(frame: pl.DataFrame) -> bool:
    return bool((frame["q_value"].fill_null(1) <= 0.05).any())


def _without_zero(frame: pl.DataFrame, low: str, high: str) -> bool:
    return bool(frame.select(((pl.col(low) > 0) | (pl.col(high) < 0)).fill_null(False).any()).item())


def _apart(frame: pl.DataFrame, low: str, high: str) -> bool:
    return bool((frame[low].max() or 0) > (frame[high].min() or math.inf))


def shares(alarms: Iterator[Alarm]) -> list[Share]:
    """Return the share of alarms of each kind."""
    counts: dict[str, list[int]] = {}
    for kind, false, plain in alarms:
        mine = counts.setdefault(kind, [0, 0, 0])
        mine[:] = mine[0] + 1, mine[1] + false, mine[2] + plain
    return [Share(kind, *numbers) for kind, numbers in counts.items()]


_PARTS = {"compare": compare_alarms, "stats": stats_alarms, "pages": page_alarms}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--agents", nargs="+", default=["conventional", "cautious"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--pools", type=int, default=5)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--reports", type=int, default=20)
    parser.add_argument("--only", nargs="+", choices=_PARTS, default=[*_PARTS], metavar="PART")
    options = parser.parse_args()
    print(f"{'agent':14}{'claims':36}{'of':>6}{'false':>8}{'error':>7}{'95% intervals':>16}")
    for agent in options.agents:

        def alarms(agent: str = agent) -> Iterator[Alarm]:
            for number in range(options.pools):
                with pool(agent, options.games, number) as db:
                    for part in options.only:
                        yield from _PARTS[part](db, options.pages if part == "pages" else options.reports)

        for one in shares(alarms()):
            print(
                f"{agent:14}{one.kind:36}{one.of:6}{one.false / one.of:8.1%}{one.error:7.1%}"
                f"{one.plain / one.of:16.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
