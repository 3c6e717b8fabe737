"""The moves of marked turns, with the numbers that their players knew: positions worked out by hand."""

from __future__ import annotations

from typing import Any

from hanalyze.conventions.run import read_records
from hanalyze.logs import load, read
from hanalyze.logs.sources.file_search import sample_folder
from hanalyze.replaying import replay
from hanalyze.report.game.game_mistakes import judge_game
from hanalyze.store.moves import MOST_MOVES, in_words, moves_of

ROW: dict[str, Any] = {
    "turn": 9,
    "seat": 0,
    "action": "discard",
    "slot": 4,
    "receiver": None,
    "clue_value": None,
    "could_clue": True,
    "could_discard": True,
    "letters": "rygbp",
    "colours": "Red,Yellow,Green,Blue,Purple",
    "p_playable": 0.1,
    "p_critical": 0.2,
    "best_p_playable": 0.5,
    "best_playable_slot": 2,
    "best_p_trash": 0.3,
    "best_trash_slot": 1,
    "least_p_critical": 0.05,
    "safest_slot": 5,
    "playable_in_games": [0.1, 0.5, 0.8, 0.1, 0.2],
    "critical_in_games": [0.1, 0.1, 0.1, 0.3, 0.12],
    "chop_slot": 5,
    "due_slot": None,
    "due_turn": None,
    "playable_slots": 0b110,
    "trash_slots": 0b1,
    "clue_convention": "critical_save",
    "clue_receiver": 2,
    "clue_kind": "rank_clue",
    "new_value": 4,
    "clue_suit": 3,
    "clue_rank": 4,
    "clue_gets": [],
    "clue_saves": True,
    "clue_fixes": False,
    "clue_stalls": False,
    "clue_slot": 2,
    "clue_trash": False,
    **dict.fromkeys(
        ("better_kind", "better_slot", "better_seat", "better_clue", "better_value", "better_chance")
    ),
    "convention": "plain_discard",
    "legal": False,
    "worth": 0,
    "left_card": None,
    "left_seat": None,
}


def told(**changes: Any) -> list[tuple[str, str]]:
    rows = in_words(moves_of(ROW | changes), ["Alice", "Bob", "Cathy"])
    return [(row["name"] + " (made)" * row["is_made"], row["effect"]) for row in rows]


def test_each_kind_of_move_has_its_best() -> None:
    left = "; leaves b4 on the chop of Cathy"
    assert told() == [
        ("play slot 3", f"called; 80% likely to be playable{left}"),
        ("clue Cathy 4", "critical save: saves b4"),
        ("discard slot 1", f"known trash: gains a token{left}"),
        ("discard slot 5", f"gains a token: the chop; 12% likely to be a last copy{left}"),
        ("discard slot 4 (made)", f"30% likely to be a last copy{left}"),
    ]


def test_a_called_card_goes_before_a_likelier_one_and_a_sure_one_before_both() -> None:
    assert told(due_slot=2, due_turn=7)[0] == (
        "play slot 2",
        "called on turn 8; leaves b4 on the chop of Cathy",
    )
    assert told(best_p_playable=1.0, clue_saves=False)[0] == ("play slot 2", "certainly playable")


def test_the_better_move_is_one_of_the_moves() -> None:
    """Slot 3 is likelier, but the better move is to play slot 2."""
    assert told(better_kind="play", better_slot=2, better_value="called")[0][0] == "play slot 2"
    assert told(better_kind="discard", better_slot=3, better_chance=0.1)[3][0] == "discard slot 3"
    assert told(better_kind="discard", better_slot=2, better_value="trash")[2] == (
        "discard slot 2",
        "known trash: gains a token; leaves b4 on the chop of Cathy",
    )
    assert told(better_kind="clue")[2] == ("give any clue", "passes the turn")
    assert told(better_kind="clue", better_seat=1, better_value="y3")[2] == (
        "clue Bob's y3",
        "tells Bob of it",
    )


def test_clues_say_what_they_do() -> None:
    """A fix clue gets no card, and a clue that passes the turn may get one."""
    fix = {"clue_convention": "fix_clue", "clue_saves": False, "clue_fixes": True, "clue_slot": 4}
    assert told(**fix, clue_trash=True)[1][1] == "fix clue: shows that slot 4 is trash; stops a misplay"
    assert told(**fix, clue_trash=False)[1][1] == "fix clue: corrects slot 4, b4; stops a misplay"
    assert told(clue_convention="burn", clue_saves=False, clue_stalls=True)[1][1] == "burn: passes the turn"
    five = told(clue_convention="five_stall", clue_saves=False, clue_stalls=True)[1][1]
    assert five == "five stall: gets b4, and passes the turn"
    made = {"action": "colour_clue", "slot": None, "receiver": 1, "clue_value": 1, "legal": True, "worth": 0}
    assert told(**made, convention="delayed_play_clue", clue_saves=False)[-1][1] == "delayed play clue"


def test_a_clue_that_is_made_leaves_nothing_on_the_chop_that_it_clues() -> None:
    made = {"action": "colour_clue", "slot": None, "clue_value": 1, "convention": "play_clue", "legal": True}
    assert told(**made, receiver=2, worth=1)[-1] == ("clue Cathy yellow (made)", "play clue: gets 1 card")
    assert told(**made, receiver=1, worth=2)[-1] == (
        "clue Bob yellow (made)",
        "play clue: gets 2 cards; leaves b4 on the chop of Cathy",
    )
    same = {"action": "rank_clue", "slot": None, "receiver": 2, "clue_value": 4}
    assert ("clue Cathy 4 (made)", "critical save: saves b4") in told(**same)


def test_without_conventions_cards_alone_count() -> None:
    chances = ("playable_in_games", "critical_in_games")
    unread = dict.fromkeys((*chances, "chop_slot", "playable_slots", "trash_slots", "convention"))
    assert told(**unread, clue_convention=None, clue_saves=None, left_card="r5", left_seat=1) == [
        ("play slot 2", "50% likely to be playable; leaves r5 on the chop of Bob"),
        (
            "discard slot 5",
            "gains a token: the safest card; 5% likely to be a last copy; leaves r5 on the chop of Bob",
        ),
        ("discard slot 4 (made)", "20% likely to be a last copy; leaves r5 on the chop of Bob"),
    ]


def test_every_mark_of_a_game_has_its_moves() -> None:
    """Alice's clue of turn 16 left b5, which the five save would have kept."""
    played = replay(load(sample_folder() / "game.json"))
    output = read_records([played.record], fast=False, cards=True)
    _, mistakes, _ = judge_game(played, read=lambda: output)
    for row in mistakes:
        assert 1 < len(row["moves"]) <= MOST_MOVES
        assert sum(one.is_made for one in row["moves"]) == 1
        better = (row["better_kind"], row["better_slot"], row["better_clue"])
        assert better[0] is None or better in {(one.kind, one.slot, one.clue) for one in row["moves"]}
    # Slots 1 and 2 are 97% likely to be playable: the older card is played first.
    assert {row["better_slot"] for row in mistakes if row["turn"] == 56} == {2}
    [row] = [row for row in mistakes if row["turn"] == 15]
    words = {one["name"]: one["effect"] for one in in_words(row["moves"], played.record.players)}
    assert words["clue Cathy 5"] == "five save: saves b5"
    assert words["clue Bob red"] == "fill in; leaves b5 on the chop of Cathy"


def test_the_safest_card_of_a_locked_hand_has_the_chance_of_its_evidence() -> None:
    """Turn 37 of the last game by Rio Grande's rules: every card of Alice's hand is clued."""
    record = next(
        one for one in read(sample_folder() / "editions.jsonl") if one.edition == "rnr+variant-3+variant-4"
    )
    played = replay(record)
    output = read_records([record], fast=False, cards=True)
    decisions, mistakes, _ = judge_game(played, read=lambda: output)
    decision = decisions[36]
    assert decision["locked"]
    assert decision["result"] == "discarded"
    safest = min(chance for chance in decision["critical_in_games"] if chance is not None)
    [row] = [row for row in mistakes if row["turn"] == 36]
    [other] = [one for one in row["moves"] if one.kind == "discard" and not one.is_made]
    assert other.chance == safest != decision["least_p_critical"]
    assert decision["critical_in_games"][other.slot - 1] == safest
