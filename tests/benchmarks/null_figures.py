"""Rate of false claims in figures of the dashboard, for each kind of claim, in games without differences.

    python -m tests.benchmarks.null_figures [--agents conventional] [--games 2000] [--figures 200]

The games are simulated by agents, read for conventions, and stored in a temporary folder. Their counts are
then randomised, so that every claim is false: labels (kinds, phases, team sizes, chances) are permuted within
each game, trends within games get a random sign, achieved and needed cards are exchanged at random, and uses
of a convention are assigned to random turns that offered it. The table has the share of figures with a false
claim, drawn alone, and the share that would have one if each claim were tested separately.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from hanalyze.analysis.convention_effects import OFFERABLE, OfferedTurns, bits, effects_of, offered_turns
from hanalyze.conventions.classes import OFFERED
from hanalyze.report.dashboard.counts import query
from hanalyze.report.dashboard.cube import BIN, BINS, Cube
from hanalyze.report.dashboard.figure_data import curve_rows, figure_data, questions_data
from hanalyze.report.dashboard.questions import QUESTIONS, Question
from hanalyze.report.page import render
from hanalyze.store import Database, connect
from tests.benchmarks.coverage import pool
from tests.benchmarks.false_alarms import Alarm, shares
from tests.report.figure_scripts import Z, claims_of, rows_from, strengths

KINDS = "top", "ends", "trend", "curve"
FIGURES = tuple(name for name, one in QUESTIONS.items() if one.say.get("kind") in KINDS)
"""The figures whose sentences compare labels, tell a trend, or compare clues with their need."""
CURVES = 40
"""Maximum number of randomised figures of kind `curve`, which take longer."""
SIZES = ("2 players", "3 players", "4 players")
FEW = 30
"""Minimum count of a label; rarer labels, which are never the most frequent, are omitted."""


class Found(NamedTuple):
    """Counts `x` and opportunities `y` of each label in each game, both (games, labels)."""

    panels: list[str]
    labels: list[str]
    x: np.ndarray
    y: np.ndarray

    def among_labels(self, random: np.random.Generator) -> Found:
        """Return the counts with labels permuted at random within each game."""
        order = random.random(self.x.shape).argsort(axis=1)
        return self._replace(**{name: np.take_along_axis(getattr(self, name), order, 1) for name in "xy"})

    def either_sign(self, random: np.random.Generator) -> Found:
        """Return the counts with a random sign for each game."""
        return self._replace(x=self.x * random.choice([-1, 1], (len(self.x), 1)))

    def as_data(self, name: str, question: Question, real: Cube) -> dict[str, Any]:
        """Return the data of a figure, with all games in one cell."""
        x, y = self.x, self.y
        place = [*range(len(self.labels))]
        cell = [0] * len(place)
        found = [cell, place, *(one.sum(axis=0).tolist() for one in (x, x**2, x * y))]
        of = [cell, place, *(one.sum(axis=0).tolist() for one in ((y > 0).astype(float), y, y**2))]
        sums = {"keys": [*zip(self.panels, self.labels, place, strict=True)], "found": found, "of": of}
        nothing = {"keys": [], "found": [[]], "of": [[]]}
        return {
            **questions_data(real, [question]),
            "cells": [[0, 0, -1, len(x)]],
            "sums": {asked: sums if asked == name else nothing for asked in question.counts},
        }


def found_in(cube: Cube, question: Question) -> Found:
    """Return the counts of the labels that the sentence of a figure compares, in each game."""
    games = cube.frame("SELECT game_id FROM games ORDER BY game_id")["game_id"]
    if question.counts[0] == "perfect_by":
        perfect = cube.frame(f"{cube.counts['perfect'].of} ORDER BY game_id")["x"].to_numpy().astype(float)
        first = np.arange(len(SIZES)) == 0
        return Found(
            ["Team size"] * len(SIZES), [*SIZES], perfect[:, None] * first, first + 0 * perfect[:, None]
        )
    name = question.counts[-1] if question.say["kind"] == "trend" else question.counts[0]
    one = cube.counts[name]
    cube._find_mistakes()
    of = cube.frame(one.of) if one.of else games.to_frame().with_columns(of=pl.lit("games"), y=1)
    found = cube.frame(one.found) if one.found else of.with_columns(panel=pl.lit(""), label="of")
    asked, shown = question.say.get("panel"), cube.labels(question)
    named = {} if one.found or one.keys is None else {key[2]: key[:2] for key in one.keys}
    columns: list[tuple[str, str, np.ndarray, np.ndarray]] = []
    at = {game: place for place, game in enumerate(games)}
    for group, some in found.group_by("panel", "label", "of", maintain_order=True):
        whole = group[2]
        panel, label = named.get(str(whole), group[:2])
        words = one.words.get(str(panel), str(panel)), one.words.get(str(label), str(label))
        if one.found and one.keys is not None and (panel, label, whole) not in one.keys:
            continue
        if (shown and words[1] not in shown) or (
            question.say["kind"] == "top" and asked not in (None, words[0])
        ):
            continue
        x, y = np.zeros(len(at)), np.zeros(len(at))
        x[[at[game] for game in some["game_id"]]] = some["x"].to_numpy()
        mine = of.filter(of["of"] == whole)
        y[[at[game] for game in mine["game_id"]]] = mine["y"].to_numpy()
        if abs(x).sum() >= FEW:
            columns.append((*words, x, y))
    if not columns:
        raise ValueError(f"{question.name} has no label of which {FEW} were found in these games")
    panels, labels, xs, ys = zip(*sorted(columns, key=lambda one: one[:2]), strict=True)
    if not one.found:
        panels, labels = zip(
            *(label.split("|", 1) if "|" in label else ("", "") for label in labels), strict=True
        )
    return Found(list(panels), list(labels), np.stack(xs, axis=1), np.stack(ys, axis=1))


def figure_alarms(db: Database, figures: int, names: tuple[str, ...] = FIGURES) -> Iterator[Alarm]:
    """Yield the alarms of figures with randomised counts."""
    with Cube(db) as cube:
        for name in names:
            question = QUESTIONS[name]
            if not cube.answers(question):
                continue
            if question.say["kind"] == "curve":
                for seed in range(min(figures, CURVES)):
                    yield f"curve: {name}", *_curve(cube, seed)
                continue
            found = found_in(cube, question)
            for seed in range(figures):
                random = np.random.default_rng([seed, len(name)])
                if question.say["kind"] == "trend":
                    count, some = question.counts[-1], found.either_sign(random)
                else:
                    count, some = question.counts[0], found.among_labels(random)
                rows = rows_from(some.as_data(count, question, cube))
                yield f"{question.say['kind']}: {name}", *_judged(question, rows)


def _judged(question: Question, rows: list[Any]) -> tuple[bool, bool]:
    found = strengths(question, rows)
    level = claims_of({question.name: rows}).level
    return any(one >= level for one in found), any(one >= Z for one in found)


def _curve(cube: Cube, seed: int) -> tuple[bool, bool]:
    """Return whether needed clearly exceeds achieved after a random exchange of both in each game."""
    swapped = f"hash(game_id, {seed}) % 2 = 0"
    sql = (
        f"SELECT game_id, turn + 1 AS turn, short, if({swapped}, achieved, needed) AS needed,"
        f" if({swapped}, needed, achieved) AS achieved"
        f" FROM (SELECT * REPLACE (turn - 1 AS turn) FROM ({query('curve')})) t WHERE true"
    )
    question = QUESTIONS["efficiency"]
    rows = rows_from({**figure_data(cube, question), "curve": curve_rows(_curve_of(cube, sql))})
    return _judged(question, rows)


def _curve_of(cube: Cube, sql: str) -> pl.DataFrame:
    values = {"query": sql, "step": cube.step, "bin": BIN, "bins": BINS}
    return cube.frame(render("dashboard/sql/cells/curve.sql", **values))


def effect_alarms(db: Database, tables: int) -> Iterator[Alarm]:
    """Yield the alarms of effects of conventions whose uses are assigned to random offering turns."""
    turns = offered_turns(db, "convention_games", 5000)
    for seed in range(tables):
        frame = effects_of(_by_chance(turns, seed), OFFERABLE, FEW)
        scores = frame.filter(pl.col("effect").is_not_null(), outcome="final_score")
        plain = ((scores["effect_low"] > 0) | (scores["effect_high"] < 0)).any()
        yield "count: convention_worth", scores["verdict"].is_in(["more", "less"]).any(), plain


def _by_chance(turns: OfferedTurns, seed: int) -> OfferedTurns:
    random = np.random.default_rng(seed)
    used = np.zeros_like(turns.used)
    for convention in OFFERABLE:
        which, bit = divmod(int(convention), OFFERED)
        offered = np.flatnonzero(bits(turns.available, convention))
        count = np.count_nonzero(bits(turns.used[offered], convention))
        used[random.choice(offered, count, replace=False), which] |= 1 << bit
    return replace(turns, used=used)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--agents", nargs="+", default=["conventional"])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--figures", type=int, default=200)
    parser.add_argument("--tables", type=int, default=20, help="tables of effects of conventions")
    options = parser.parse_args()
    print(f"{'agent':14}{'claims':36}{'of':>6}{'false':>8}{'error':>7}{'each for itself':>17}")
    for agent in options.agents:
        with connect(pool(agent, options.games), read_only=True) as db:
            alarms = [*figure_alarms(db, options.figures), *effect_alarms(db, options.tables)]
        for one in shares(iter(alarms)):
            false, plain = one.false / one.of, one.plain / one.of
            print(f"{agent:14}{one.kind:36}{one.of:6}{false:8.1%}{one.error:7.1%}{plain:17.1%}", flush=True)


if __name__ == "__main__":
    main()
