"""Clues, cards, efficiency and tokens: tables worked by hand, and slow twins on simulated games."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanalyze.analysis import card_origins, clue_values, efficiency_curve, wasted_tokens
from hanalyze.analysis.efficiency import CARDS_BY, CLUES_BY, CURVE_BY
from hanalyze.errors import UnknownName
from hanalyze.store.mistakes import BLAMELESS
from tests.analysis import tables
from tests.analysis.played import games, groups_of, played, rows, table_groups


def test_clues_by_hand() -> None:
    # Alice gives two clues in each game, Bob one in the first.
    clue = {"game_id": 1, "giver": 0}
    with tables.database(
        games=[tables.game(1, "Alice", "Bob"), tables.game(2, "Alice", "Bob")],
        seats=[*tables.seats(1, "Alice", "Bob"), *tables.seats(2, "Alice", "Bob")],
        turns=[*tables.turns(1, "ccc"), *tables.turns(2, "cpc")],
        clues=[
            {**clue, "turn": 0, "cards_gotten": 2, "touched": 3, "trash": 1, "bits": 4.5},
            {**clue, "turn": 1, "giver": 1, "plays_followed": 1, "kind": "rank", "touched": 2},
            {**clue, "turn": 2, "touched": 2, "duplicates": 1, "trash": 1, "chop_touched": True},
            {**clue, "game_id": 2, "turn": 0, "cards_gotten": 1, "chop_touched": True, "critical": 1},
            {**clue, "game_id": 2, "turn": 2, "kind": "rank", "bits": 0.0, "critical": 1},
        ],
    ) as db:
        names = ["clues", "games", "gotten", "followed", "saves", "bits", "bad_touch"]
        assert clue_values(db, minimum=1).select(names).row(0) == (5, 2, 3 / 5, 1 / 5, 1 / 5, 7.5 / 5, 3 / 9)
        by_giver = clue_values(db, "player", minimum=1).select("player", *names).rows()
        assert by_giver == [
            ("Alice", 4, 2, 3 / 4, 0, 1 / 4, 6.5 / 4, 3 / 7),
            ("Bob", 1, 1, 0, 1, 0, 1, 0),
        ]
        assert clue_values(db, "kind", minimum=3).select("kind", *names[:3]).rows() == [
            ("colour", 3, 2, 1.0),
            ("rank", 2, 2, None),
        ]
        # A single game says nothing of what happens from game to game.
        bob = clue_values(db, "player", minimum=1).row(1, named=True)
        assert bob["followed_low"] is None
        assert bob["saves_low"] == 0
        # Wilson's end for half a save in one clue: 1/2 + z / (1 + z²) * sqrt(1/4 + z²/4), with z = 1.96.
        assert bob["saves_high"] == pytest.approx(0.9454, abs=1e-4)


@pytest.mark.parametrize("by", [None, *CLUES_BY])
def test_the_slow_twin_of_clues(by: str | None) -> None:
    phases = {(row["game_id"], row["turn"]): row["phase"] for row in rows("SELECT * FROM decisions")}
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in rows("SELECT * FROM clues"):
        more = {"seat": row["giver"], "phase": phases[row["game_id"], row["turn"]]}
        for group in groups_of({**row, **more}, by):
            found[group].append(row)
    frame = clue_values(played(), by, minimum=1)
    width = 0 if by is None else 1
    assert {row[:width] for row in frame.iter_rows()} == set(found)
    for row in frame.iter_rows(named=True):
        clues = found[tuple(row.values())[:width]]
        assert row["clues"] == len(clues)
        assert row["games"] == len({clue["game_id"] for clue in clues})
        touched = sum(clue["touched"] for clue in clues)
        expected = {
            "gotten": sum(clue["cards_gotten"] for clue in clues) / len(clues),
            "followed": sum(clue["plays_followed"] for clue in clues) / len(clues),
            "saves": sum(clue["chop_touched"] and clue["critical"] > 0 for clue in clues) / len(clues),
            "bits": sum(clue["bits"] for clue in clues) / len(clues),
            "bad_touch": sum(clue["trash"] + clue["duplicates"] for clue in clues) / touched,
        }
        for name, value in expected.items():
            assert row[name] == pytest.approx(value)
            if row[f"{name}_low"] is not None:
                assert row[f"{name}_low"] <= value <= row[f"{name}_high"]


def test_cards_by_hand() -> None:
    card = {"game_id": 1, "fate_turn": 9}
    with tables.database(
        games=[tables.game(1, "Alice", "Bob")],
        seats=tables.seats(1, "Alice", "Bob"),
        cards=[
            {**card, "order": 0},
            {**card, "order": 1, "known_turn": 9},
            {**card, "order": 2, "known_turn": 3, "holder": 1},
            {**card, "order": 3, "known_turn": 3, "rank_clues": 1},
            {**card, "order": 4, "rank_clues": 1, "colour_clues": 1},
            {**card, "order": 5, "colour_clues": 2, "rank": 4},
            {**card, "order": 6, "colour_clues": 1, "holder": 1},
            {**card, "order": 7, "fate": "discarded"},
            {**card, "order": 8, "fate": "misplayed"},
        ],
    ) as db:
        names = ["cards", "games", "blind", "known", "once", "more"]
        assert card_origins(db, minimum=1).select(names).row(0) == (7, 1, 3 / 7, 2 / 3, 2 / 7, 2 / 7)
        assert card_origins(db, "player", minimum=3).select("player", *names).rows() == [
            ("Alice", 5, 1, 2 / 5, 1 / 2, 1 / 5, 2 / 5),
            ("Bob", 2, 1, None, None, None, None),
        ]
        assert card_origins(db, "rank", minimum=1)["cards"].to_list() == [6, 1]


@pytest.mark.parametrize("by", [None, *CARDS_BY])
def test_the_slow_twin_of_cards(by: str | None) -> None:
    found: dict[Any, list[Any]] = defaultdict(list)
    for row in rows("SELECT * FROM cards WHERE fate = 'played'"):
        for group in groups_of({**row, "seat": row["holder"]}, by):
            found[group].append(row)
    frame = card_origins(played(), by, minimum=1)
    width = 0 if by is None else 1
    assert {row[:width] for row in frame.iter_rows()} == set(found)
    for row in frame.iter_rows(named=True):
        cards = found[tuple(row.values())[:width]]
        clues = [card["colour_clues"] + card["rank_clues"] for card in cards]
        blind = [card for card, number in zip(cards, clues, strict=True) if number == 0]
        knew = [card for card in blind if (card["known_turn"] or 99) <= card["fate_turn"]]
        assert row["cards"] == len(cards)
        assert row["blind"] == pytest.approx(len(blind) / len(cards))
        assert row["known"] == (pytest.approx(len(knew) / len(blind)) if blind else None)
        assert row["once"] == pytest.approx(clues.count(1) / len(cards))
        assert row["blind"] + row["once"] + row["more"] == pytest.approx(1)


def test_blind_plays_are_those_of_the_games() -> None:
    row = card_origins(played()).row(0, named=True)
    assert round(row["blind"] * row["cards"]) == sum(game["blind_plays"] for game in games().values())


def test_a_curve_by_hand() -> None:
    # After turn 0: 1/1, 2/1, 3/1 and nothing without a clue; two games go on.
    def turn(number: int, at: int, gotten: int, clues: float, needed: float | None) -> dict[str, Any]:
        facts = {
            "cards_gotten_after": gotten,
            "clues_lost_after": clues,
            "future_efficiency_after": needed,
        }
        return tables.turns(number, "c", first=at, **facts)[0]

    with tables.database(
        games=[tables.game(number, "A", "B") for number in (1, 2, 3, 4)],
        seats=[seat for number in (1, 2, 3, 4) for seat in tables.seats(number, "A", "B")],
        turns=[
            turn(1, 0, 1, 1, 1.0),
            turn(2, 0, 2, 1, 2.0),
            turn(3, 0, 3, 1, None),
            turn(4, 0, 0, 0, 1.5),
            turn(1, 1, 3, 2, None),
            turn(2, 1, 3, 1.5, None),
        ],
    ) as db:
        frame = efficiency_curve(db)
        assert frame.select("turn", "games").rows() == [(0, 4), (1, 2)]
        columns = ["achieved_p10", "achieved_p25", "achieved_median", "achieved_p75", "achieved_p90"]
        assert frame.select(columns).row(0) == pytest.approx((1.2, 1.5, 2.0, 2.5, 2.8))
        assert frame.select(columns).row(1) == pytest.approx((1.55, 1.625, 1.75, 1.875, 1.95))
        assert frame["needed_median"].to_list() == [1.5, None]


@pytest.mark.parametrize("by", [None, *CURVE_BY])
def test_the_slow_twin_of_curves(by: str | None) -> None:
    there: dict[Any, int] = defaultdict(int)
    values: dict[Any, list[float]] = defaultdict(list)
    for row in rows("SELECT * FROM turns WHERE action <> 'end_game'"):
        for group in table_groups(games()[row["game_id"]], by):
            key = (*group, row["turn"])
            there[key] += 1
            if row["clues_lost_after"]:
                values[*key, "achieved"].append(row["cards_gotten_after"] / row["clues_lost_after"])
            if row["future_efficiency_after"] is not None:
                values[*key, "needed"].append(row["future_efficiency_after"])
    frame = efficiency_curve(played(), by)
    width = 1 if by is None else 2
    assert {row[:width]: row[width] for row in frame.iter_rows()} == there
    for row in frame.iter_rows(named=True):
        key = tuple(row.values())[:width]
        for what in ("achieved", "needed"):
            for name, level in (("p10", 0.1), ("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("p90", 0.9)):
                seen = values.get((*key, what))
                expected = None if seen is None else pytest.approx(np.quantile(seen, level))
                assert row[f"{what}_{name}"] == expected


def test_tokens_by_hand(tmp_path: Path) -> None:
    # A slip costs half a token; those that are nobody's fault cost nobody's.
    with tables.database(
        games=[
            tables.game(1, "Alice", "Bob"),
            tables.game(2, "Alice", "Cathy"),
            tables.game(3, "Alice", "Bob"),
        ],
        seats=[
            seat
            for number, other in ((1, "Bob"), (2, "Cathy"), (3, "Bob"))
            for seat in tables.seats(number, "Alice", other)
        ],
        turns=[*tables.turns(1, "mmf"), *tables.turns(2, "mnp"), *tables.turns(3, "ppp")],
    ) as db:
        folder = tables.definitions(tmp_path)
        # The same at half the price, so that `any` has something to choose from.
        half = tables.SLIP.replace("0.5 AS tokens", "0.25 AS tokens").replace("'slip'", "'half'")
        (folder / "half.sql").write_text(half)
        columns = ["kind", "found", "tokens", "games", "per_game"]
        assert wasted_tokens(db, folder=folder).select(columns).rows() == [
            ("half", 3, 0.75, 3, 0.25),
            ("slip", 3, 1.5, 3, 0.5),
            ("any", 3, 1.5, 3, 0.5),
        ]
        by_player = wasted_tokens(db, "player", folder=folder).select("player", *columns).rows()
        assert [row for row in by_player if row[1] == "any"] == [
            ("Alice", "any", 3, 1.5, 3, 0.5),
            ("Bob", "any", 2, 1.0, 2, 0.5),
            ("Cathy", "any", 1, 0.5, 1, 0.5),
        ]


@pytest.mark.parametrize("by", [None, "player", "partner", "players"])
def test_the_slow_twin_of_tokens(by: str | None) -> None:
    found: dict[Any, int] = defaultdict(int)
    tokens: dict[Any, float] = defaultdict(float)
    dearest: dict[Any, float] = defaultdict(float)
    for row in rows("SELECT * FROM mistakes"):
        if row["severity"] not in BLAMELESS and row["tokens"] > 0:
            for group in table_groups(games()[row["game_id"]], by):
                found[*group, row["kind"]] += 1
                tokens[*group, row["kind"]] += row["tokens"]
                key = (group, row["game_id"], row["turn"])
                dearest[key] = max(dearest[key], row["tokens"])
    for (group, _, _), cost in dearest.items():
        found[*group, "any"] += 1
        tokens[*group, "any"] += cost
    frame = wasted_tokens(played(), by)
    width = {None: 1, "partner": 3}.get(by, 2)
    got = {row[:width]: row[width : width + 2] for row in frame.iter_rows()}
    assert {key: value for key, value in got.items() if value[0]} == {
        key: (count, pytest.approx(tokens[key])) for key, count in found.items()
    }
    for row in frame.iter_rows(named=True):
        assert row["per_game"] == pytest.approx(row["tokens"] / row["games"])


def test_unknown_groupings() -> None:
    for function in (clue_values, card_origins, efficiency_curve, wasted_tokens):
        with pytest.raises(UnknownName, match="there is no grouping"):
            function(played(), "partners")
    with pytest.raises(UnknownName):
        efficiency_curve(played(), "turn")


def test_an_empty_database() -> None:
    with tables.database() as db:
        for function in (clue_values, card_origins, efficiency_curve, wasted_tokens):
            assert function(db).height == 0
            assert function(db, "player").height == 0
