"""Any metric by any dimensions: against the reports, and a slow twin that loops over turns."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import t as student

from hanalyze import sum_up
from hanalyze.analysis import clue_values, explore, explore_sql, family_rates, rates, scores
from hanalyze.analysis.columns import schema
from hanalyze.analysis.explore import DECISION_DIMENSIONS, GAME_DIMENSIONS
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.store import Database
from tests.analysis.played import STRANGE, games, groups_of, played, rows, table_groups
from tests.report.board import make_read_database

WITH_TURNS: dict[str, Callable[[dict[str, Any]], tuple[int, int]]] = {
    "misplays": lambda row: (int(row["result"] == "misplayed"), int(row["action"] == "play")),
    "clue_share": lambda row: (int("clue" in row["action"]), 1),
    "discard_share": lambda row: (int(row["result"] == "discarded"), 1),
}
"""Numerator and denominator of metrics for a row of `decisions`."""
LABELS = {
    **{"discard": ["kind"], "convention_success": ["convention"]},
    **{"kind": ["part"], "convention": ["part"]},
}
"""The dimension of the parts of a metric, and its column."""
OF_TURNS = [name for name in DECISION_DIMENSIONS if name != "level"]
OF_GAMES = [name for name in GAME_DIMENSIONS if name != "level"]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return make_read_database(tmp_path_factory.mktemp("read"))


def of_turn(row: dict[str, Any], name: str) -> set[Any]:
    """Return the groups of a turn by a dimension; the package counts the player of a pair separately."""
    return {group[-1] for group in groups_of(row, name)}


def counted(
    metric: str, by: list[str], where: dict[str, list[Any]]
) -> dict[tuple[Any, ...], dict[int, list[int]]]:
    """Return x and y by group and game, from a loop over all turns."""
    found: dict[tuple[Any, ...], dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for row in rows(
        "SELECT game_id, turn, seat, action, result, phase FROM decisions WHERE action <> 'end_game'"
    ):
        if any(not of_turn(row, name) & set(values) for name, values in where.items()):
            continue
        groups: list[tuple[Any, ...]] = [()]
        for name in by:
            kept = of_turn(row, name)
            if name in where:
                kept &= set(where[name])
            groups = [(*group, one) for group in groups for one in kept]
        x, y = WITH_TURNS[metric](row)
        for group in groups:
            found[group][row["game_id"]][0] += x
            found[group][row["game_id"]][1] += y
    return found


def by_group(frame: pl.DataFrame, by: list[str]) -> dict[tuple[Any, ...], tuple[float, float, int]]:
    return {
        tuple(row[name] for name in by): (row["found"], row["opportunities"], row["games"])
        for row in frame.to_dicts()
    }


@given(st.data())
@settings(max_examples=12, deadline=None)
def test_counts_are_those_of_a_loop(data: st.DataObject) -> None:
    metric = data.draw(st.sampled_from(sorted(WITH_TURNS)))
    by = data.draw(st.lists(st.sampled_from(OF_TURNS), max_size=2, unique=True))
    where: dict[str, list[Any]] = {}
    for name in data.draw(st.lists(st.sampled_from(OF_TURNS), max_size=2, unique=True)):
        known = sorted(
            {one for row in rows("SELECT * FROM decisions") for one in of_turn(row, name)}, key=str
        )
        where[name] = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True))
    expected = {
        group: (
            sum(x for x, _ in of.values()),
            sum(y for _, y in of.values()),
            sum(y > 0 for _, y in of.values()),
        )
        for group, of in counted(metric, by, where).items()
    }
    expected = {group: sums for group, sums in expected.items() if sums[1]}
    frame = explore(played(), metric, by, where)
    assert by_group(frame, by) == expected


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_games_count_once_for_a_group(data: st.DataObject) -> None:
    by = data.draw(st.lists(st.sampled_from(OF_GAMES), max_size=1))
    where: dict[str, list[Any]] = {}
    if data.draw(st.booleans()):
        where["player"] = data.draw(st.lists(st.sampled_from(STRANGE), min_size=1, max_size=2, unique=True))
    expected: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0, 0])
    for game in games().values():
        pairs = table_groups(game, "partner")
        players = where.get("player")
        if players and not set(players) & set(game["names"]):
            continue
        groups = {group[-1:] for group in table_groups(game, by[0])} if by else {()}
        if by == ["partner"]:
            groups = {pair[1:] for pair in pairs if not players or pair[0] in players}
        if by == ["player"] and players:
            groups = {group for group in groups if group[0] in players}
        for group in groups:
            expected[group][0] += game["score"]
            expected[group][1] += 1
    frame = explore(played(), "score", by, where)
    assert by_group(frame, by) == {group: (x, y, y) for group, (x, y) in expected.items()}


def test_values_are_those_of_the_reports() -> None:
    db = played()
    ours = explore(db, "discard", "player")
    theirs = family_rates(db, by="player").filter(pl.col("kind") == "discard")
    for name, other in (("found", "found"), ("opportunities", "opportunities"), ("value", "rate")):
        assert ours[name].to_list() == theirs[other].to_list()
    assert ours.select("low", "high").equals(theirs.select("low", "high"))
    kinds = explore(db, "clue", ["kind", "phase"]).sort("part", "phase")
    listed = rates(db, "clue", by="phase").sort("kind", "phase")
    assert kinds.select("phase", "value", "low").rows() == listed.select("phase", "rate", "low").rows()
    clues = explore(db, "clue_value", "phase")
    assert clues.select("value", "low", "high").rows() == (
        clue_values(db, by="phase").select("gotten", "gotten_low", "gotten_high").rows()
    )
    # Games of two players have another full score.
    for by in (None, "players", "player"):
        names = ("finished", "finished_low", "finished_high")
        mean = explore(db, "finished", by or ())
        assert mean["low"].count()
        assert mean.select("value", "low", "high").rows() == (
            scores(db, by=by).filter(pl.col("finished_games") > 0).select(names).rows()
        )
    perfect = explore(db, "perfect", "players")
    assert perfect.select("value", "low", "high").rows() == (
        scores(db, by="players").select("perfect", "perfect_low", "perfect_high").rows()
    )


def test_reports_take_two_groups() -> None:
    frame = family_rates(played(), by="player,phase").filter(pl.col("kind") == "play")
    assert frame.select("player", "phase", "found", "opportunities").rows() == (
        explore(played(), "play", ["player", "phase"])
        .select("player", "phase", "found", "opportunities")
        .rows()
    )


def test_difference_is_that_of_the_games() -> None:
    """Alice against all others at the same tables: the influence of each game, added up in NumPy."""
    name = STRANGE[2]
    frame = explore(played(), "clue_share", where={"player": [name]}, versus="others").to_dicts()[0]
    ours = counted("clue_share", [], {"player": [name]})[()]
    others: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for game, (x, y) in counted("clue_share", [], {})[()].items():
        others[game] = [x - ours[game][0], y - ours[game][1]] if game in ours else [x, y]
    keys = sorted(games())
    a, b = (np.array([one.get(key, [0, 0]) for key in keys], float) for one in (ours, others))
    (x, y), (u, v) = a.sum(axis=0), b.sum(axis=0)
    own = (a[:, 0] - x / y * a[:, 1]) / y
    other = (b[:, 0] - u / v * b[:, 1]) / v
    n, m = (a[:, 1] > 0).sum(), (b[:, 1] > 0).sum()
    pooled = (x + u) / (y + v)
    variance = max((own**2).sum() * n / (n - 1), pooled * (1 - pooled) / y)
    variance += max((other**2).sum() * m / (m - 1), pooled * (1 - pooled) / v)
    few = min(n, m)
    variance -= 2 * (own * other).sum() * few / (few - 1)
    half = student.ppf(0.975, few - 1) * math.sqrt(variance)
    assert frame["difference"] == pytest.approx(x / y - u / v)
    assert (frame["difference_low"], frame["difference_high"]) == pytest.approx(
        (x / y - u / v - half, x / y - u / v + half)
    )
    assert frame["p_value"] == pytest.approx(
        2 * student.sf(abs(x / y - u / v) / math.sqrt(variance), few - 1)
    )
    assert (frame["other_found"], frame["other_opportunities"]) == (u, v)


def test_columns_are_the_declared_ones() -> None:
    frame = explore(played(), "clue_share", ["player", "turn"], {"player": [STRANGE[2]]}, versus="others")
    assert list(frame.schema.items()) == list(schema("explore", ["player", "turn"]).items())


@pytest.mark.heavy
def test_stored_sums_give_the_same(read: Database) -> None:
    questions: list[tuple[str, list[str], dict[str, Any]]] = [
        ("discard", ["player", "phase"], {}),
        ("misplays", ["turn"], {"players": [3]}),
        ("mistake_points", ["before"], {}),
        ("convention_uses", ["convention"], {"phase": ["middle"]}),
        ("convention_success", ["level"], {}),
        ("play", ["kind"], {"family": ["Rainbow"]}),
    ]
    before = [explore(read, *question) for question in questions]
    by_turn = rates(read, by="turn")
    sum_up(read)
    for question, frame in zip(questions, before, strict=True):
        assert frame.height
        assert explore(read, *question).equals(frame), question
    assert rates(read, by="turn").equals(by_turn)


@pytest.mark.heavy
def test_sql_gives_the_same_counts(read: Database) -> None:
    """SQL for questions drawn at random, as somebody pastes it, against the frames."""
    sum_up(read)
    choice = random.Random(20261128)
    metrics = (
        "discard",
        "misplays",
        "clue_value",
        "mistake_points",
        "convention_success",
        "perfect",
        "score",
    )
    asked = 0
    while asked < 20:
        metric = choice.choice(metrics)
        of_games = metric in ("perfect", "score")
        known = [*(GAME_DIMENSIONS if of_games else DECISION_DIMENSIONS), *LABELS.get(metric, ())]
        by = choice.sample(known, choice.choice((0, 1, 1, 2)))
        where = {}
        for name in choice.sample(known, choice.choice((0, 1, 2))):
            groups = explore(read, metric, name)[LABELS.get(name, [name])[0]].drop_nulls().unique().sort()
            where[name] = choice.sample(groups.to_list(), 1 if name in LABELS else min(2, groups.len()))
        versus = "others" if where and choice.random() < 0.4 else None
        frame = explore(read, metric, by, where, versus=versus)
        asked += frame.height > 0
        table = read.sql(explore_sql(read, metric, by, where, versus=versus))
        names = [*(name for name in by if name not in LABELS), "part"]
        counts = [name for name in table.columns if name not in names]
        texts = [pl.col(name).cast(pl.String) for name in names]
        numbers = [pl.col(name).cast(pl.Float64).fill_null(0).round(9) for name in counts]
        mine, theirs = (one.select(*texts, *numbers).sort(names).rows() for one in (table, frame))
        assert mine == theirs, (metric, by, where, versus)


def test_sql_has_quoted_names() -> None:
    name = "O'Brien"
    frame = played().sql(explore_sql(played(), "score", where={"player": [name]}))
    assert frame["games"].to_list() == [sum(name in game["names"] for game in games().values())]


def test_errors_name_the_way_out(tmp_path: Path) -> None:
    db = played()
    for call in (
        lambda: explore(db, "discards"),
        lambda: explore(db, "score", "phase"),
        lambda: explore(db, "discard", "convention"),
        lambda: explore(db, "discard", where={"kind": ["misplay"]}),
        lambda: explore(db, "discard", where={"phase": ["opening"]}),
        lambda: explore(db, "discard", where={"turn": ["first"]}),
        lambda: explore(db, "discard", versus="everyone"),
    ):
        with pytest.raises(UnknownName):
            call()
    with pytest.raises(HanalyzeError, match="several values of kind"):
        explore(db, "discard", where={"kind": ["discard_five", "discard_double"]})
    with pytest.raises(HanalyzeError, match="not read for conventions"):
        explore(db, "convention_uses")
