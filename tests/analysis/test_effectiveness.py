"""How conventions fare, against a slow twin that counts row by row, and hand-made tables."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest

import hanalyze as hz
from hanalyze.analysis import compare, measures
from hanalyze.analysis.effectiveness import (
    CONVENTIONS_BY,
    convention_coverage,
    convention_stats,
)
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.meanings import Convention
from hanalyze.words import named_convention
from tests.store.logs import log


@cache
def played() -> hz.Database:
    """Games of three agents' tables, read for conventions."""
    db = hz.connect()
    with TemporaryDirectory() as folder:
        files = [log(Path(folder) / f"{agent}.jsonl", 25, agent=agent) for agent in ("cautious", "random")]
        db.ingest(files)
    db.read_conventions()
    return db


@cache
def every(by: str | None) -> pl.DataFrame:
    """Return the statistics of all conventions that were used."""
    return convention_stats(played(), by=by, minimum=1)


CLUES = {
    one.label
    for one in Convention
    if Convention.PLAY_CLUE <= one <= Convention.DISTRIBUTION_CLUE
    or (one > Convention.PLAIN_DISCARD and one != Convention.BLAZE_DISCARD)
}


def twin(by: str | None) -> dict[tuple[Any, str], dict[str, float]]:
    """Count what `convention_stats` does, in plain loops."""
    db = played()
    names = {
        (game, seat): player
        for game, seat, player in db.sql("SELECT game_id, seat, player FROM seats").rows()
    }
    games = {row["game_id"]: row for row in db.games().iter_rows(named=True)}

    def group(game: int, seat: int, called: int | None = None) -> Any:
        if by == "receiver":
            return None if called is None else names[game, called]
        return {None: None, "player": names[game, seat], "players": games[game]["players"]}[by]

    cards: dict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
    for card in db.cards().collect().iter_rows(named=True):
        cards[card["game_id"]][card["order"]] = card

    def played_for(row: dict[str, Any]) -> int:
        """Return how many cards that it touched or called were played within two rounds, and not clued."""
        count = 0
        for order, card in cards[row["game_id"]].items():
            touched = card["last_clue_turn"] == row["turn"]
            called = order in row["cards"] and (card["last_clue_turn"] or -1) < row["turn"]
            if (touched or called) and card["fate"] == "played":
                waited = card["fate_turn"] - row["turn"]
                count += 0 < waited <= 2 * games[row["game_id"]]["players"]
        return count

    def called_first(row: dict[str, Any]) -> int | None:
        first = row["cards"][0]
        return row["receiver"] if first < 0 else cards[row["game_id"]][first]["holder"]

    found: dict[tuple[Any, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    used = defaultdict(set)
    rows = db.findings().rows(named=True)
    played_by = [played_for(row) if row["convention"] in CLUES else 0 for row in rows]
    for row, brought in zip(rows, played_by, strict=True):
        name = row["convention"]
        used[row["game_id"], row["turn"]].add(name)
        if by == "receiver" and called_first(row) is None:
            continue
        one = found[group(row["game_id"], row["seat"], called_first(row)), name]
        one["uses"] += 1
        one["played"] += brought
        outcome = row["outcome"]
        one["success"] += outcome == "success"
        one["settled"] += outcome in ("success", "failed", "missed", "stomped", "broken", "passed_back")
        one["read"] += outcome in ("success", "broken", "passed_back") or (
            outcome == "failed" and row["strikes"] > 0
        )
        one["cut_off"] += outcome in ("censored", "open")
        one["superseded"] += outcome == "superseded"
        one["worth"] += row["worth"]
    query = "SELECT game_id, turn, seat, available, available_more FROM convention_opportunities"
    for game, turn, seat, low, more in db.sql(query).rows():
        available = low | more << 63
        groups = [group(game, seat)]
        if by == "receiver":
            groups = [names[game, other] for other in range(games[game]["players"]) if other != seat]
        for convention, key in product(Convention, groups):
            took = convention.label in used[game, turn]
            one = found[key, convention.label]
            one["actions"] += 1
            one["opportunities"] += bool(available >> convention & 1) or took
            one["taken"] += took
    return found


@pytest.mark.parametrize(
    "by", [None, *(pytest.param(by, marks=pytest.mark.heavy) for by in ("player", "players", "receiver"))]
)
def test_counts_are_those_of_a_slow_twin(by: str | None) -> None:
    slow = twin(by)
    frame = every(by)
    assert frame.height > 20
    seen = set()
    for row in frame.iter_rows(named=True):
        key = (None if by is None else row[by], row["convention"])
        seen.add(key)
        one = slow[key]
        for name in ("uses", "settled", "cut_off", "superseded"):
            assert row[name] == one[name], (key, name)
        assert row["per_100"] == pytest.approx(100 * one["uses"] / one["actions"])
        for name in ("read", "success"):
            expected = one[name] / one["settled"] if one["settled"] else None
            assert row[name] == (expected if expected is None else pytest.approx(expected)), (key, name)
        if row["convention"] in CLUES:
            assert row["cards"] == pytest.approx(one["worth"] / one["uses"])
            assert row["played"] == pytest.approx(one["played"] / one["uses"])
        else:
            assert row["cards"] is row["played"] is row["taken"] is None
        assert by != "receiver" or row["taken"] is row["opportunities"] is None
        if row["taken"] is not None:
            assert row["opportunities"] == one["opportunities"]
            assert row["taken"] == pytest.approx(one["taken"] / one["opportunities"])
    assert seen == {key for key, one in slow.items() if one["uses"]}


@pytest.mark.heavy
def test_levels_take_their_conventions_together() -> None:
    each = every(None)
    uses = dict(zip(each["convention"], each["uses"], strict=True))
    together = convention_stats(played(), by="level", minimum=1)
    for level, count in zip(together["level"], together["uses"], strict=True):
        messages = [
            one.label
            for one in Convention
            if one.level == level
            and one.label not in ("unexplained", "blind_play", "prompted_play", "deferral")
            and not one.label.startswith("plain_")
        ]
        assert count == sum(uses.get(name, 0) for name in messages)


_LONG = [pytest.param(by, marks=pytest.mark.heavy) for by in CONVENTIONS_BY if by != "receiver"]


@pytest.mark.parametrize("by", [None, "receiver", *_LONG])
def test_every_grouping(by: str | None) -> None:
    frame = convention_stats(played(), by=by, minimum=20)
    for name in ("read", "success") if by == "receiver" else ("taken", "read", "success"):
        shown = frame.drop_nulls([name, f"{name}_low", f"{name}_high"])
        assert shown.height
        assert (shown[f"{name}_low"] <= shown[name] + 1e-12).all()
        assert (shown[name] <= shown[f"{name}_high"] + 1e-12).all()
        assert shown[f"{name}_low"].min() >= 0
        assert shown[f"{name}_high"].max() <= 1 + 1e-12
    assert frame.filter(frame["uses"] < 20)["success"].is_null().all()


def test_coverage() -> None:
    row = convention_coverage(played()).row(0, named=True)
    assert (row["games"], row["level"]) == (50, 25)
    assert row["actions"] == played().sql("SELECT count(*) FROM turns").item()
    assert 0 < row["unexplained"] < 0.6


def test_names() -> None:
    assert named_convention("Layered finesse") is Convention.LAYERED_FINESSE
    with pytest.raises(UnknownName, match=r"did you mean .finesse."):
        named_convention("finese")
    with pytest.raises(UnknownName, match="grouping"):
        convention_stats(played(), by="turn")


def test_games_that_were_not_read(tmp_path: Path) -> None:
    with hz.connect() as db:
        for ask in (convention_coverage, convention_stats):
            with pytest.raises(HanalyzeError, match="the database has no games") as caught:
                ask(db)
            assert caught.value.rule == "no_game"
        db.ingest(log(tmp_path / "games.jsonl", 1))
        for ask in (convention_coverage, convention_stats):
            with pytest.raises(HanalyzeError, match="were not read for conventions") as caught:
                ask(db)
            assert caught.value.rule == "not_read"


def test_groups_with_a_convention_and_without() -> None:
    db = played()
    found = compare(db, a="convention=two-save", match=[], minimum=1, measure=["score", "two_save"])
    by_name = {row["measure"]: row for row in found.frame.iter_rows(named=True)}
    for side, negation in (("a", ""), ("b", "NOT")):
        mean = db.sql(f"""SELECT avg(score) FROM games g WHERE {negation} EXISTS (
            FROM conventions c WHERE c.game_id = g.game_id AND convention = 'two_save')""").item()
        assert by_name["score"][side] == pytest.approx(mean)
    assert by_name["two_save"]["b"] == 0 < by_name["two_save"]["a"]
    with pytest.raises(UnknownName, match="convention"):
        compare(db, a="convention=two-safe")


def test_measures_of_conventions_agree() -> None:
    db = played()
    whole = {row["convention"]: row for row in every(None).iter_rows(named=True)}
    for name in ("play_clue", "five_save"):
        uses, worked = measures([name, f"{name}_success"])
        for measure, expected in ((uses, whole[name]["per_100"]), (worked, whole[name]["success"])):
            found, of = db.sql(f"SELECT sum(found), sum(opportunities) FROM ({measure.sql(db)})").row(0)
            assert float(found) / float(of) == pytest.approx(expected)
    assert {one.name for one in measures(["conventions"])} >= {"bluff", "bluff_success"}
    assert "bluff" not in {one.name for one in measures()}


def test_promises_that_nobody_keeps_bring_nothing() -> None:
    """A cautious agent blind-plays nothing: its "finesses" promise two cards, and bring less than one."""
    row = convention_stats(played(), "bluff", "self_bluff", by="level", minimum=1).row(0, named=True)
    assert row["cards"] > 1.5
    assert row["played"] < 0.5


def test_a_comparison_by_a_convention_says_what_it_cannot_know() -> None:
    found = compare(played(), a="convention=two_save|finesse", match=[], measure=["score"])
    assert found.note.conventions == ("two_save", "finesse")
    assert "games with two_save or finesse also differ" in found.note.caution
    assert "exposure" in found.note.caution
    other = compare(played(), a='source="hanalyze simulate, cautious"', match=[], measure=["score"])
    assert (other.note.conventions, other.note.caution) == ((), "")
