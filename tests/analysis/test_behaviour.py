"""What players do and make of each other's actions, worked by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hanalyze.agents import simulate
from hanalyze.analysis import (
    action_diversity,
    action_information,
    deal_results,
    dominated_moves,
    hint_response,
    misreadings,
)
from hanalyze.analysis.measures import measures
from hanalyze.store import Database, connect
from tests.analysis import tables

SEATS = [{"game_id": 1, "seat": 0, "player": "A"}, {"game_id": 1, "seat": 1, "player": "B"}]


def turn(number: int, action: str, **facts: Any) -> dict[str, Any]:
    return {"game_id": 1, "turn": number, "seat": number % 2, "action": action, **facts}


def clue(number: int, value: int, kind: str = "rank", **facts: Any) -> dict[str, Any]:
    said = {"receiver": (number + 1) % 2, "clue_value": value, "result": "clued"}
    return turn(number, f"{kind}_clue", **said, **facts)


def hint(number: int, **facts: Any) -> dict[str, Any]:
    giver = number % 2
    return {"game_id": 1, "turn": number, "giver": giver, "receiver": 1 - giver, **facts}


def test_hints_by_hand() -> None:
    turns = [
        clue(0, 1),  # touches 5 and 6 anew
        turn(1, "play", order=5, slot=5),
        clue(2, 5),  # touches 6 again
        turn(3, "discard", order=6, slot=4, result="discarded"),  # not newly touched by turn 2
        clue(4, 3),
        clue(5, 2),
        turn(6, "play", order=0, slot=5),  # touched by no clue
        clue(7, 4),
        turn(8, "discard", order=1, slot=5, result="discarded"),
        clue(9, 4),  # the game ends: nobody can answer
    ]
    hints = [hint(number) for number in (0, 2, 4, 5, 7, 9)]
    first = {5: 0, 6: 0, 1: 7, 0: None}
    cards = [{"game_id": 1, "order": order, "first_clue_turn": one} for order, one in first.items()]
    with tables.database(games=[{"game_id": 1}], seats=SEATS, turns=turns, clues=hints, cards=cards) as db:
        a, b = hint_response(db).to_dicts()
    # A was told on turns 5 and 7, and answered the second by a discard of the card that it touched.
    assert (a["player"], a["hints"], a["played"], a["discarded"], a["response"]) == ("A", 2, 0, 0.5, 0.5)
    assert (a["other_play"], a["other_discard"], a["hint"]) == (0.5, 0, 0)
    # B on turns 0, 2 and 4: a play of it, a discard of an older one, a hint.
    assert (b["hints"], b["played"], b["response"]) == (3, pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (b["other_discard"], b["hint"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_hints_to_a_seat_further_on() -> None:
    turns = [
        {"game_id": 1, "turn": 0, "seat": 0, "action": "rank_clue", "receiver": 2, "clue_value": 1},
        {"game_id": 1, "turn": 1, "seat": 1, "action": "play", "order": 9},
        {"game_id": 1, "turn": 2, "seat": 2, "action": "play", "order": 12},
    ]
    cards = [{"game_id": 1, "order": order, "first_clue_turn": 0} for order in (9, 12)]
    seats = [{"game_id": 1, "seat": seat, "player": name} for seat, name in enumerate("ABC")]
    hints = [{"game_id": 1, "turn": 0, "giver": 0, "receiver": 2}]
    with tables.database(
        games=[{"game_id": 1, "players": 3}], seats=seats, turns=turns, clues=hints, cards=cards
    ) as db:
        [row] = hint_response(db).to_dicts()
    assert (row["player"], row["hints"], row["played"]) == ("C", 1, 1)


def test_diversity_by_hand() -> None:
    turns = [
        clue(0, 5),
        turn(1, "play", slot=5),
        clue(2, 5),
        turn(3, "discard", slot=1),
        clue(4, 1),
        turn(5, "play", slot=5),
        turn(6, "play", slot=1),
        turn(7, "play", slot=5),
    ]
    with tables.database(games=[{"game_id": 1}], seats=SEATS, turns=turns) as db:
        a, b = action_diversity(db).to_dicts()
    # A: R5 twice, R1, P1: entropy 1/2 + 2 * 1/4 * 2 = 1.5 bits. Next: P5 D1 P5 P5.
    assert (a["actions"], a["diversity"], a["pairs"]) == (4, pytest.approx(1.5), 4)
    assert a["diversity_corrected"] == pytest.approx(1.5 + 2 / (2 * 4 * math.log(2)))
    # After R5 a play or a discard, one bit with weight 1/2; after the others nothing is open.
    assert a["response_diversity"] == pytest.approx(0.5)
    after = -(3 / 4 * math.log2(3 / 4) + 1 / 4 * math.log2(1 / 4))
    assert a["coordination"] == pytest.approx(after - 0.5)
    assert a["coordination_corrected"] == pytest.approx(after - 0.5 - (4 - 3 - 2 + 1) / (8 * math.log(2)))
    # Of hints alone: R5 R5 R1 before P5 D1 P5.
    assert a["hint_pairs"] == 3
    hinted = -(2 / 3 * math.log2(2 / 3) + 1 / 3 * math.log2(1 / 3))
    assert a["hint_coordination"] == pytest.approx(hinted - 2 / 3)
    # B: P5 three times and D1; nothing follows the last.
    assert (b["actions"], b["pairs"], b["hint_pairs"], b["hint_coordination"]) == (4, 3, 0, None)
    assert b["diversity"] == pytest.approx(after)


def test_dominated_moves_by_hand() -> None:
    sure = {"could_discard": True, "could_clue": True}
    turns = [
        turn(0, "play", p_playable=0.0, best_p_playable=0.5, best_p_trash=0.0, **sure),
        turn(1, "play", p_playable=0.0, could_discard=False, could_clue=False, best_p_playable=0.0),
        turn(2, "discard", p_playable=1.0, p_trash=0.0, best_p_playable=1.0, best_p_trash=0.0, **sure),
        turn(3, "discard", p_playable=0.3, p_trash=0.4, best_p_playable=0.9, best_p_trash=1.0, **sure),
        turn(4, "play", p_playable=1.0, best_p_playable=1.0, **sure),
        turn(5, "discard", p_playable=0.0, p_trash=1.0, best_p_trash=1.0, best_p_playable=1.0, **sure),
        clue(6, 1, best_p_playable=1.0),
    ]
    with tables.database(games=[{"game_id": 1}], seats=SEATS, turns=turns) as db:
        a, b = dominated_moves(db).to_dicts()
    assert (a["actions"], a["sure_misplays"], a["playables_discarded"], a["needless_risks"]) == (4, 1, 1, 0)
    assert (a["dominated"], a["sure_plays"], a["dominant"]) == (0.5, 3, pytest.approx(1 / 3))
    # B was forced to play, then threw away what might be needed, then what could not be.
    assert (b["sure_misplays"], b["playables_discarded"], b["needless_risks"]) == (0, 0, 1)
    assert (b["dominated"], b["sure_plays"], b["dominant"]) == (pytest.approx(1 / 3), 1, 0)


def bits(*cards: tuple[int, int]) -> int:
    return sum(1 << suit * 8 + rank for suit, rank in cards)


def message(number: int, focus: int, truth: tuple[int, int], readings: int, name: str = "play_clue") -> Any:
    return {
        "game_id": 1,
        "turn": number,
        "number": 0,
        "seat": number % 2,
        "convention": name,
        "focus": focus,
        "focus_suit": truth[0],
        "focus_rank": truth[1],
        "readings": readings,
    }


def test_misreadings_by_hand() -> None:
    messages = [
        message(0, 5, (0, 1), bits((0, 1), (1, 1))),  # true
        message(2, 5, (0, 1), bits((1, 1)), "finesse"),  # not true, for the first time
        message(4, 5, (0, 1), bits((2, 1)), "bluff"),  # wrong already
        message(6, 6, (4, 5), bits((4, 4))),  # another card
        message(7, 0, (0, 2), bits((0, 2))),  # B's message on A's card
        message(9, 6, (4, 5), bits((4, 4))),  # of a card of one's own: no message
        message(8, 7, (4, 5), 0),  # says nothing of identities
    ]
    cards = [{"game_id": 1, "order": order, "holder": int(order > 4)} for order in (0, 5, 6, 7)]
    games = [{"game_id": key} for key in (1, 2, 3)]
    seats = [*SEATS, *({**one, "game_id": 2} for one in SEATS), *({**one, "game_id": 3} for one in SEATS)]
    read = [{"game_id": key, "level": 25, "conventions_version": 1} for key in (1, 2)]
    with tables.database(
        games=games, seats=seats, cards=cards, conventions=messages, convention_games=read
    ) as db:
        found = {(row["giver"], row["convention"]): row for row in misreadings(db).to_dicts()}
    assert {key: (row["cards"], row["wrong"], row["per_100_games"]) for key, row in found.items()} == {
        ("A", "all"): (2, 2, 100),
        ("A", "play_clue"): (2, 1, 50),
        ("A", "finesse"): (1, 1, 50),
        ("A", "bluff"): (1, 0, 0),
        ("B", "all"): (1, 0, 0),
        ("B", "play_clue"): (1, 0, 0),
    }
    assert {row["games"] for row in found.values()} == {2}
    assert found["A", "all"]["receiver"] == "B"


def values(db: Database, name: str) -> dict[int, int]:
    [one] = measures([name])
    return {row["game_id"]: row["found"] for row in db.sql(one.sql(db)).to_dicts()}


def test_bottom_decks_by_hand() -> None:
    turns = [
        # One copy left, in the deck; drawn later.
        turn(0, "discard", order=0, suit=0, rank=3, result="discarded", status="needed"),
        # The copy is in a hand.
        turn(1, "discard", order=1, suit=1, rank=3, result="discarded", status="needed"),
        # A misplay counts, too.
        turn(2, "play", order=2, suit=2, rank=2, result="misplayed", status="needed"),
        # Two copies of a 1 are left.
        turn(3, "discard", order=3, suit=3, rank=1, result="discarded", status="needed"),
        # Trash.
        turn(4, "discard", order=4, suit=4, rank=2, result="discarded", status="trash"),
        # The last copy: nothing is left.
        turn(5, "discard", order=5, suit=0, rank=5, result="discarded", status="critical"),
        # The other copy of turn 0's, drawn on turn 4.
        turn(6, "discard", order=20, suit=0, rank=3, result="discarded", status="critical"),
    ]
    places = [
        (0, 0, 3, 0, 0),
        (20, 0, 3, 4, 6),
        (1, 1, 3, 0, 1),
        (6, 1, 3, 0, None),
        (2, 2, 2, 0, 2),
        (21, 2, 2, None, None),
        (3, 3, 1, 0, 3),
        (22, 3, 1, None, None),
        (23, 3, 1, None, None),
        (4, 4, 2, 0, 4),
        (24, 4, 2, None, None),
        (5, 0, 5, 0, 5),
    ]
    names = ("order", "suit", "rank", "drawn_turn", "fate_turn")
    cards = [{"game_id": 1, **dict(zip(names, place, strict=True))} for place in places]
    with tables.database(games=[{"game_id": 1}, {"game_id": 2}], turns=turns, cards=cards) as db:
        assert values(db, "bottom_deck") == {1: 2, 2: 0}


def test_turns_left_by_hand() -> None:
    games = [{"game_id": key, "raw_score": 25, "max_score": 25, "players": 3} for key in (1, 2, 3)]
    turns = [
        # 7 cards, 4 clues, score full: pace 7 + 3, clues 4, points 0.
        {"game_id": 1, "turn": 30, "deck_after": 7, "clues_left_after": 4},
        # The deck ran out on turn 40, and one of three turns was played.
        {"game_id": 2, "turn": 40, "deck_after": 0},
        {"game_id": 2, "turn": 41, "deck_after": 0},
        {"game_id": 2, "turn": 42, "deck_after": 0, "action": "end_game"},
        # All turns were.
        *({"game_id": 3, "turn": 40 + one, "deck_after": 0} for one in range(4)),
    ]
    with tables.database(games=games, turns=turns) as db:
        assert values(db, "turns_left") == {1: 14, 2: 2, 3: 0}


def test_real_tables_add_up() -> None:
    with connect() as db:
        for seed in (1, 2):
            db.add(simulate(["cautious", "random"], games=6, seed=seed), jobs=1)
        db.add(simulate("cautious", players=3, games=6, seed=1), jobs=1)
        hints = hint_response(db)
        diversity = action_diversity(db)
        dominated = dominated_moves(db)
        total = action_information(db)
        results = deal_results(db)
        actions = db.sql("SELECT count(*) FROM turns WHERE action <> 'end_game'").item()
        # A cautious player plays only what is certain: no sure misplay, no playable card discarded.
        cautious = dominated.filter(dominated["player"] == "cautious").to_dicts()
        slow = slow_bottom_decks(db)
    assert diversity["actions"].sum() == dominated["actions"].sum() == actions
    assert diversity["pairs"].sum() == total["pairs"].sum()
    for row in hints.to_dicts():
        parts = ("played", "discarded", "other_play", "other_discard", "hint")
        assert sum(row[part] for part in parts) == pytest.approx(1)
    for row in diversity.to_dicts():
        assert 0 <= row["coordination"] <= row["diversity"] + 1e-9
    assert [row["sure_misplays"] + row["playables_discarded"] for row in cautious] == [0]
    assert dict(results.select("game_id", "bottom_deck").iter_rows()) == slow
    assert results["turns_left"].min() >= 0


def slow_bottom_decks(db: Database) -> dict[int, int]:
    """Return the same, card by card in plain Python."""
    cards: dict[tuple[int, int, int], list[dict[str, Any]]] = {}
    for row in db.sql("SELECT * FROM cards").to_dicts():
        cards.setdefault((row["game_id"], row["suit"], row["rank"]), []).append(row)
    found = dict.fromkeys(db.games()["game_id"].to_list(), 0)
    lost = db.sql("SELECT * FROM turns WHERE result IN ('discarded', 'misplayed') AND status <> 'trash'")
    for one in lost.to_dicts():
        left = [
            card
            for card in cards[one["game_id"], one["suit"], one["rank"]]
            if card["order"] != one["order"]
            and (card["fate_turn"] is None or card["fate_turn"] > one["turn"])
        ]
        held = [card for card in left if card["drawn_turn"] is not None and card["drawn_turn"] <= one["turn"]]
        found[one["game_id"]] += len(left) == 1 and not held
    return found
