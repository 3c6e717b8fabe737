"""The verdict on a turn: six kinds of turns in words, on a sample game and on games written by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hanalyze.conventions.game_reading import follow_game
from hanalyze.game.meanings import Convention, OutcomeKind, Reason
from hanalyze.logs import load
from hanalyze.logs.record import GameRecord
from hanalyze.replaying import replay
from hanalyze.report.game import game_view as views
from hanalyze.report.game.game_view import game_view
from hanalyze.report.game.sentence_parts import FAULTS, MISPLAYS, SEVERE
from hanalyze.store import connect
from hanalyze.store.definitions import definitions
from hanalyze.store.mistakes import SEVERITIES
from hanalyze.tables.conventions import FAULT_RULE_WORDS
from hanalyze.words import outcome_words
from tests.building import game as built
from tests.cases.positions import Log, record
from tests.report.laid import CALLED, case, laid

SAMPLE = Path(__file__).parents[2] / "sample_logs/game.json"
FREE = "hanab-live+discard_at_full_tokens=yes"
Row = dict[str, Any]


@pytest.fixture(autouse=True)
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the solver out: no verdict depends on the best reachable score."""
    nothing = {"low": [], "high": [], "sentence": [], "losses": {}}
    monkeypatch.setattr(views, "solved", lambda replay, names, fast: nothing)


def text(parts: list[Any], view: Row) -> str:
    """Return parts as the page shows them."""
    said = ""
    for part in parts:
        if isinstance(part, str):
            said += part.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{NO-BREAK SPACE}", " ")
        elif "seat" in part:
            said += view["players"][part["seat"]]
        elif "card" in part:
            suit, rank = part["card"]
            said += f"{view['suits'][suit]['letter']}{rank}"
        elif "clue" in part:
            row, place = part["clue"]
            said += view["clues"][row][place]["letter"]
        elif "turn" in part:
            said += f"turn {part['turn'] + 1}"
        elif "b" in part:
            said += text(part["b"], view)
        else:
            said += part["text"]
    return said


def told(verdict: Row, source: str, view: Row) -> tuple[list[str], str]:
    """Return the lines and the text of a row of evidence."""
    [row] = [one for one in verdict["why"] if one["source"] == source]
    return [text(line, view) for line in row["messages"]], text(row["text"], view)


def seen(game: tuple[GameRecord, int]) -> tuple[Row, Row, int]:
    """Return the view of a game, the verdict on its judged turn, and that turn."""
    record, turn = game
    view = game_view(replay(record))
    return view, view["verdicts"][turn], turn


def test_a_convention_that_worked() -> None:
    view, verdict, turn = seen(laid(*CALLED, "A clue C r !; B play r2; C play r3"))
    assert not [mark for mark in view["marks"] if mark["turn"] == turn]
    assert text(verdict["title"], view) == "Finesse: two cards for one clue"
    assert text(verdict["move"], view) == "Bob clues Alice R on R3; red is at 1."
    lines, _ = told(verdict, "convention", view)
    # Alice sees one r2 and no r3: the odds are 2 to the power of 0.59, times e to that of 0.99: 4 to 1.
    assert lines == [
        "To Cathy: slot 1 is R2: play it now",
        "To Alice: slot 2 is R2 (20%) or R3 (about 80%): wait for Cathy",
    ]
    [note] = [row["note"] for row in verdict["why"] if row["source"] == "convention"]
    assert note == "Chances in brackets: from 657 such clues in 111 games."
    _, odds = told(verdict, "chance", view)
    assert odds.startswith("By card counting, the chance that Cathy's slot 1 is playable is ")
    assert odds.endswith("%: only the call makes it safe.")
    steps = verdict["consequences"]["turns"]
    assert [step["turn"] for step in steps] == [turn, turn + 1, turn + 2]
    assert [text(step["result"], view) for step in steps] == ["to Alice", "blind", "played"]
    assert text(verdict["consequences"]["text"], view) == f"Worked on turn {turn + 3}."
    assert "better" not in verdict
    assert "hindsight" not in verdict


def test_the_chance_of_a_called_card_is_that_of_its_possibilities() -> None:
    """Worked by hand: 50 cards less the 11 that the called player saw and holds no other copy of."""
    record, turn = laid(*CALLED, "A clue C r !; B play r2; C play r3")
    view = game_view(replay(record))
    position = replay(record).state(turn)
    playable = {tuple(card) for card in position.playable}
    sees = [held.card for seat, hand in enumerate(position.hands) for held in hand if seat != 2]
    table = [card for stack in position.stacks for card in stack]
    deck = list(replay(record).deck)
    for card in [*sees, *table]:
        deck.remove(card)
    chance = sum(tuple(card) in playable for card in deck) / len(deck)
    _, odds = told(view["verdicts"][turn], "chance", view)
    assert f"{int(100 * chance + 0.5)}%" in odds


def test_a_missed_call() -> None:
    view, verdict, turn = seen(laid(*CALLED, "A clue C r; B discard chop !; C play r3"))
    assert text(verdict["title"], view) == f"Missed the finesse of turn {turn}"
    assert text(verdict["blame"], view) == f"The strike of turn {turn + 2} is Cathy's, not Alice's."
    lines, source = told(verdict, "convention", view)
    assert lines == ["To Cathy: slot 1 is R2: play it first"]
    assert source.startswith(f"By Bob's finesse of turn {turn}.")
    assert [step["turn"] for step in verdict["consequences"]["turns"]] == [turn - 1, turn, turn + 1]
    assert text(verdict["consequences"]["turns"][2]["result"], view) == "strike 1"
    strike = view["verdicts"][turn + 1]
    assert text(strike["blame"], view) == "The strike is Cathy's: the card before it was not played."
    [mark] = [one for one in view["marks"] if one["turn"] == turn + 1 and one["kind"] == "misplay"]
    assert (mark["seat"], mark["whose"]) == (0, 2)


def test_a_fair_mistake() -> None:
    view, verdict, turn = seen(case("fault-no-wait"))
    assert text(verdict["title"], view) == "Played too early"
    player = view["players"][view["turns"][turn]["seat"]]
    assert text(verdict["blame"], view) == f"The strike is {player}'s: the call left time to wait."
    assert {row["source"] for row in verdict["why"]} == {"convention", "chance"}
    [chance] = [row for row in verdict["why"] if row["source"] == "chance"]
    assert [kind for kind, *_ in chance["bars"]] == ["raw", "called", "like"]
    # What the player could know is said by the blame, not twice.
    assert "gambled" not in str(verdict)


def test_a_discard_that_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without marks: the convention explains the discard."""
    plain = views.judge_game
    monkeypatch.setattr(
        views, "judge_game", lambda *arguments, **options: (plain(*arguments, **options)[0], [], None)
    )
    view, verdict, turn = seen(case("sarcastic-discard"))
    assert text(verdict["title"], view) == "Sarcastic discard: a token, nothing lost"
    [receiver] = follow_game(case("sarcastic-discard")[0]).messages[turn]
    name = view["players"][receiver.seat]
    assert text(verdict["move"], view).endswith(f"{name}'s slot 5 is R2, too.")
    lines, _ = told(verdict, "convention", view)
    assert lines == [f"To {name}: slot 5 is R2: play it now"]


def test_a_loss_by_a_blameless_move() -> None:
    view, verdict, turn = seen((load(SAMPLE), 17))
    marks = [one for one in view["marks"] if one["turn"] == turn]
    # Alice, who did not save it, is to blame.
    assert (marks[0]["kind"], marks[0]["sign"], marks[0]["whose"]) == ("discard_last_copy", "none", 0)
    assert text(verdict["title"], view) == "Threw away the last B5, from the chop"
    assert text(verdict["move"], view) == "Cathy discards B5 from slot 5: 25 points become 24."
    assert text(verdict["blame"], view) == "Not saved by Alice on turn 16."
    left = view["verdicts"][15]
    assert text(left["title"], view) == "Left B5 unsaved"
    assert text(left["consequences"]["text"], view).endswith("Cost: 1 point.")
    assert view["headline"] == (
        "19 of 25: save missed on turns 16 and 22 (3 points), out of pace on turns 57 and 59 (3 points)."
    )
    assert [row["source"] for row in verdict["why"]] == ["chance", "convention"]
    assert told(verdict, "convention", view) == ([], "Nobody had clued or chop-moved slot 5.")
    assert told(verdict, "chance", view)[1] == "Cathy could not know. Slot 5 is a last copy:"
    [row] = [one for one in verdict["why"] if one["source"] == "chance"]
    assert [said for *_, said in row["bars"]] == ["25%", "27%"]
    assert row["note"] == "Calibrated chances: model “real”, fitted to 111 games."
    assert text(verdict["hindsight"], view) == "Slot 2 B3, slot 3 Y2 and slot 4 B3 would have played."


def test_a_card_lost_at_negative_pace_costs_its_points_alone() -> None:
    """Pace 5 - 15 + 5 = -5: at most 10 points. Without k2 to k5 it is -2: at most 9, one less, not five."""
    discards = Log(5, "R+Y+Bk", FREE, "", "r1 r1 r1 y1 y3 y4 k2 r4", "c1:r d2" + 14 * " d1")
    view = game_view(replay(record(discards)))
    assert kinds_at(view, 1) == ["discard_last_copy", "discard_out_of_pace"]
    came = text(view["verdicts"][1]["consequences"]["text"], view)
    assert came.endswith(" K3, K4 and K5 are out of reach, too. Cost: 4 points.")
    assert came.count("out of reach") == 1


def test_an_end_is_of_the_player_who_ended_the_game() -> None:
    """Alice ends the game, or the players do by a vote."""
    said = []
    for end in ("end 4", "vote"):
        view = game_view(replay(built(f"clue 1 1, clue 0 1, {end}")))
        said.append((text(view["verdicts"][2]["title"], view), view["about"].split(", ")[-1]))
    assert said == [("Alice ends the game", "ended by player."), ("The game is ended", "ended by vote.")]


def test_the_card_before_a_misplayed_one_is_the_next_on_its_stack() -> None:
    """In a reversed suit, p5 comes before p4."""
    view = game_view(replay(record(Log(2, "Reversed (5 Suits)", "", "", "p4 r4 y4 g4 b4 p5", "p5 p5"))))
    came = view["verdicts"][0]["consequences"]
    assert [step["turn"] for step in came["turns"]] == [0, 1]
    assert text(came["text"], view) == "One P4 was left."


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (26, "Against convention: had a card that seemed playable (slot 5, since turn 14)."),
        (51, "Against convention: had a card that seemed trash (slot 4)."),
    ],
)
def test_a_reason_about_other_cards_in_hand_names_the_card(at: int, said: str) -> None:
    """Slot 5 is a 2, and all 2s but r2 and p2 are clued elsewhere; slot 4 is b4, or y4, which Bob holds."""
    view, verdict, _ = seen((load(SAMPLE), at))
    assert told(verdict, "convention", view) == ([], said)


def test_a_fix_clue_as_better_move_shows_something_new() -> None:
    """Bob's g2 in slot 4 is known to be green, and green is at 2: only 2 shows that it is trash."""
    view, verdict, _ = seen((load(SAMPLE), 27))
    assert text(verdict["better"]["title"], view) == "clue Bob 2"
    assert text(verdict["better"]["text"], view) == "Fix clue: shows that slot 4 is trash; stops a misplay."


def test_near_the_end_the_hand_may_be_known_as_a_whole() -> None:
    """Bob's 4s can only be r4 and p4, so he knows that two more turns score two more points."""
    view, verdict, _ = seen((load(SAMPLE), 58))
    assert text(verdict["title"], view) == "Discarded at negative pace"
    assert text(verdict["consequences"]["text"], view).endswith("Cost: 2 points, 1 pace.")
    assert text(verdict["better"]["text"], view) == "Burn: passes the turn."


def test_a_clue_that_overrode_the_call_before_a_strike() -> None:
    """The holder of the last r3 shares the fault: it could wait for the r2 that the clue touched."""
    hands = "y4 g4 b4 p4/p3 y3 g3 b3/r2 p3 y3 g5/r3 y4 g4 b4"
    view, verdict, turn = seen(
        laid("r1 C5 -r3", hands, "A clue D r; B clue C r !; C discard chop; D play r3")
    )
    assert text(verdict["title"], view) == "Led a teammate to misplay R3"
    [mark] = [one for one in view["marks"] if one["turn"] == turn and one["kind"] == "strike_caused"]
    why = "it had to wait for a card whose call this clue had overridden"
    assert text(mark["evidence"], view) == f"Cathy misplayed R3 on turn {turn + 3}: {why}"


_LEFT = ("r1 y1 C4", "g4 b4 p3 r3 y2/y3 g3 b3 p4 r4/g4 b4 p4 r4 y4")
"""Yellow is at 1, and A's chop is y2; the other y2 is in the deck."""


def kinds_at(view: Row, turn: int) -> list[str]:
    return [one["kind"] for one in view["marks"] if one["turn"] == turn]


@pytest.mark.parametrize(
    ("after", "draws", "kinds"),
    [
        ("C clue B 2; A clue C 4; B play y2", "p3 y2", []),
        ("C clue B 2; A clue C 4; B discard y2", "p3 y2", []),
        ("C play g4; A play g4; B play g3", "p3 g1 r2 b1 p1 g2 y2", ["discard_bottom_deck"]),
    ],
    ids=["it was played", "it came in time and was discarded", "it never came"],
)
def test_a_last_copy_left_in_the_deck_counts_where_it_came_too_late(
    after: str, draws: str, kinds: list[str]
) -> None:
    """The other y2 is the second card of the deck, or the seventh of a game that three strikes end."""
    view, verdict, turn = seen(laid(*_LEFT, f"A discard chop !; B discard chop; {after}", draws))
    assert kinds_at(view, turn) == kinds
    if kinds:
        assert text(verdict["title"], view) == "Left the last Y2 in the deck"
    else:
        assert set(verdict) == {"title", "move"}


def test_what_somebody_is_to_blame_for_comes_first() -> None:
    """A discards y2, which is clued; that the other one was in the deck, A could not know."""
    before, hands = _LEFT
    view, verdict, turn = seen(
        laid(before.replace("C4", "A2"), hands, "A discard y2 !; B discard chop", "p3 y2")
    )
    assert kinds_at(view, turn) == ["discard_clued", "discard_bottom_deck"]
    assert text(verdict["title"], view) == "Discarded a clued card that was needed"
    assert "could not know" not in str(verdict)


@pytest.mark.parametrize(
    ("severity", "title", "why"),
    [
        ("nothing_to_lose", "A try with nothing to lose", "there was nothing to lose"),
        ("forced", "The only play left", "it was the only play left"),
    ],
)
def test_a_strike_that_was_no_mistake_is_not_blamed(
    severity: str, title: str, why: str, with_row: Callable[[Row], None]
) -> None:
    record, turn = case("fault-guess")
    fault = {"fault": "player", "fault_rule": "no_message"}
    with_row({"turn": turn, "kind": "misplay", "severity": severity, **fault})
    view = game_view(replay(record))
    assert text(view["verdicts"][turn]["title"], view) == title
    assert text(view["verdicts"][turn]["blame"], view) == f"Not blamed: {why}."
    # A misplay that was a mistake is its player's, as before.
    with_row({"turn": turn, "kind": "misplay", "severity": "uncalled", **fault})
    view = game_view(replay(record))
    assert text(view["verdicts"][turn]["title"], view) == "Played without a call"


def test_a_discard_that_would_not_have_played_is_not_said_to(with_row: Callable[[Row], None]) -> None:
    record, turn = laid(*_LEFT, "A discard chop !")
    for came, title in (
        (True, "Discarded a card that would have played"),
        (False, "Discarded a card that was likely to be playable"),
    ):
        with_row({"turn": turn, "kind": "discard_playable", "severity": "could_tell", "came_true": came})
        view = game_view(replay(record))
        assert text(view["verdicts"][turn]["title"], view) == title


def test_a_card_that_could_not_fit_is_no_gamble() -> None:
    view, verdict, _ = seen(case("fault-gamble"))
    assert text(verdict["title"], view) == "Played a card known to be unplayable"
    assert told(verdict, "logic", view)[1].endswith("Slot 2 was not playable, whatever its identity.")


def test_who_plays_ones_out_of_order_answers_for_the_bad_one() -> None:
    """Of g1, y1 and r1, clued as 1s while red is at 1, r1 is the last by age, and is played first."""
    view, verdict, turn = seen(case("fault-ones-out-of-order"))
    assert kinds_at(view, turn) == ["misplay"]
    assert text(verdict["title"], view) == "Played a 1 before its turn"
    assert text(verdict["blame"], view).endswith("'s: another 1 was to be played first.")
    view, verdict, turn = seen(case("fault-ones-in-order"))
    assert text(verdict["title"], view) == "The clued card was useless"


def test_a_card_that_was_of_use_when_clued_is_bad_luck_whatever_became_of_the_others() -> None:
    _, verdict, _ = seen(case("fault-unlucky-copy"))
    assert "the giver could not know that the card would be useless" in str(verdict["blame"])


def test_a_try_in_the_last_round_is_no_message(with_row: Callable[[Row], None]) -> None:
    record, turn = case("fault-guess")
    fault = {"fault": "nobody", "fault_rule": "intended"}
    with_row({"turn": turn, "kind": "misplay", "severity": "could_not_know", **fault})
    view = game_view(replay(record))
    assert text(view["verdicts"][turn]["title"], view) == "A try in the last round"
    record, turn = case("fault-intended")
    with_row({"turn": turn, "kind": "misplay", "severity": "could_not_know", **fault})
    view = game_view(replay(record))
    assert text(view["verdicts"][turn]["title"], view) == "A misplay on purpose"
    assert text(view["verdicts"][turn]["blame"], view) == "Not blamed: it was intentional."


def test_what_a_discharge_said_to_be_trash_is_not_said_to_fit() -> None:
    """Red touches C's r1; B's third finesse position says that it is trash, though C could hold r3."""
    hands = "g3 b4 p4 r4 b5/b4 g3 y1 p3 g4/g1 r1 y4 b3 p4"
    view, verdict, _ = seen(laid("r1 r2 A5", hands, "A clue C r; B play y1; C play r1 !"))
    lines, source = told(verdict, "convention", view)
    assert "unknown trash discharge" in source
    assert [line.partition(":")[2] for line in lines] == [" slot 2 is R1 or R2"]
    [bars] = [row["bars"] for row in verdict["why"] if row["source"] == "chance"]
    assert [share for what, _, share, _ in bars if what == "called"] == [0.0]
    assert text(verdict["title"], view) == "Played a card that was marked as trash"
    assert text(verdict["blame"], view).endswith("'s: messages had marked the card as trash.")


@pytest.mark.parametrize(
    ("kind", "severity", "said"),
    [
        ("discard_over_trash", "hit", "It might still have been needed, and it was. Slot 5 is trash:"),
        ("discard_over_trash", "lucky", "It might still have been needed, but was not. Slot 5 is trash:"),
        ("discard_last_copy", "gamble", "Alice gambled. Slot 5 is a last copy:"),
    ],
)
def test_a_risk_says_what_it_was_and_chances_stand_beside_what_they_are_of(
    kind: str, severity: str, said: str, with_row: Callable[[Row], None]
) -> None:
    """Beside "is trash", "It was a risk, and it came true" was said of a card that was needed."""
    record, turn = laid(*_LEFT, "A discard chop !")
    with_row({"turn": turn, "kind": kind, "severity": severity})
    view = game_view(replay(record))
    [row] = [one for one in view["verdicts"][turn]["why"] if one["source"] == "chance"]
    assert text(row["text"], view) == said
    assert row["bars"]


def test_a_definition_of_ones_own_shows_the_chance_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "discard_first.sql").write_text(
        "-- Discarded first\n-- chance: p_trash\n-- definition: A first discard.\n-- opportunity: discards\n"
        "-- where: result = 'discarded'\nSELECT game_id, turn, seat, 'gamble' AS severity, 1 AS points,"
        " 0.0 AS tokens, 0 AS pace, 'first' AS evidence FROM decisions WHERE result = 'discarded'"
    )
    record, turn = laid(*_LEFT, "A discard chop !")
    view = game_view(replay(record), folder=tmp_path)
    [row] = [one for one in view["verdicts"][turn]["why"] if one["source"] == "chance"]
    assert kinds_at(view, turn)[0] == "discard_first"
    assert text(row["text"], view) == "Alice gambled. Slot 5 is trash:"


def test_the_clue_that_puts_a_last_copy_on_the_chop_is_judged() -> None:
    """b3 is gone once; yellow moves C's chop from y4 to the other b3, which goes at once."""
    hands = "y3 g4 r3 r4 g3/y1 r3 g4 p3 p2/p4 g2 r4 b3 y4"
    view, _, turn = seen(laid("r1 -b3 p1", hands, "A clue B 2; B clue C y !; C discard chop"))
    assert kinds_at(view, turn) == ["discard_unsaved"]
    assert "where this clue had put it" in str(view["marks"])


@pytest.mark.parametrize(
    ("then", "shared"), [("C play slot 5", True), ("C play slot 2", False), ("C discard chop", False)]
)
def test_who_leaves_what_seemed_to_be_called_shares_the_loss(then: str, shared: bool) -> None:
    """Yellow calls y4 for y1: C, who plays it a turn later, had no need to discard b3 first."""
    hands = "y3 g4 r3 r4 g3/g1 r3 g4 p3 p2/p4 g2 r4 b3 y4"
    actions = f"A clue B 2; B clue C y !; C discard chop; A clue B 2; B discard chop; {then}"
    view, _, turn = seen(laid("r1 -b3 p1", hands, actions))
    signs = {one["kind"]: one["sign"] for one in view["marks"] if one["turn"] == turn + 1}
    assert signs == {"discard_last_copy": "none"} | ({"call_missed": "warn"} if shared else {})
    end = "; Cathy is to blame, too." if shared else "."
    assert text(view["verdicts"][turn + 1]["blame"], view) == f"Not saved by Bob on turn {turn + 1}{end}"


def test_who_answers_an_unclear_clue_went_against_no_convention() -> None:
    """A clues p2 and y2 of C, whose chop is y1: B takes p2 for a finesse, and holds no p1."""
    hands = "y4 g4 r1 r2 g1/b4 p3 g3 g2 p3/p2 y2 g4 b3 y1"
    view, verdict, _ = seen(laid("", hands, "A clue C 2; B play b4 !"))
    assert text(verdict["blame"], view) == "The strike is Alice's: the clue called the wrong card."
    lines, source = told(verdict, "convention", view)
    assert lines == ["To Bob: slot 1 seemed to be called"]
    assert source == "By Alice's clue of turn 1. Perhaps answers a clue."


@pytest.mark.parametrize(
    ("name", "others", "earlier"),
    [
        ("fault-not-fixed-by-the-last-idle-player", (1, 2), 2),
        ("fault-helped-and-seen", (0, 2), 1),
    ],
)
def test_a_shared_strike_names_both_players_on_both_turns(
    name: str, others: tuple[int, int], earlier: int
) -> None:
    """C let the second b2 be that A had clued to B; B left b1 and C did not wait. Seats from the player's."""
    view, strike, turn = seen(case(name))
    player = view["turns"][turn]["seat"]
    one, two = (view["players"][(player + ahead) % 3] + "'s" for ahead in others)
    assert text(strike["blame"], view).startswith(f"The strike is {one} and {two}: ")
    innocent = "" if 0 in others else f", not {view['players'][player]}'s"
    cause = view["verdicts"][turn - earlier]
    assert text(cause["blame"], view) == f"The strike of turn {turn + 1} is {one} and {two}{innocent}."


def test_who_could_have_fixed_a_wrong_clue_is_named() -> None:
    """A clued both b2 to B; C could have fixed it."""
    view, strike, turn = seen(case("fault-two-copies-that-a-teammate-saw"))
    player, teammate, giver = (
        view["players"][(view["turns"][turn]["seat"] + ahead) % 3] for ahead in range(3)
    )
    ending = f"; {teammate} could have fixed it on turn {turn - 1}."
    cause = view["verdicts"][turn - 4]
    assert text(strike["blame"], view).startswith(f"The strike is {giver}'s: ")
    assert text(strike["blame"], view).endswith(ending)
    assert text(cause["blame"], view) == f"The strike of turn {turn + 1} is {giver}'s, not {player}'s{ending}"
    assert "could have fixed" not in str(seen(case("fault-two-copies-and-only-saves"))[0]["verdicts"])


def test_an_own_clue_to_the_other_copy_is_no_gamble_if_the_card_is_likely_another() -> None:
    """B's 1 is one of 14, two of them r1; C's r1, which B clued, has been played."""
    hands = "y4 g4 b4 p4 y3/p3 r1 b3 g3 g2/r1 p3 y3 b3 g4"
    actions = "A clue B 1; B clue C r; C play r1; A clue C 3; B play r1 !"
    view, _, turn = seen(laid("", hands, actions))
    [mark] = [one for one in view["marks"] if one["turn"] == turn]
    assert mark["sign"] == "none"
    said = "(86% by card counting); best in hand 98%; on turn 2 Bob had clued another copy"
    assert said in text(mark["evidence"], view)


def test_a_strike_by_a_second_clue_is_told_by_that_clue() -> None:
    """C's r2 is clued 2 by B; then A's green to B calls g2, for which C is prompted. A is to blame, not B."""
    before, hands = "g1 y1 y2 b1 b2", "y4 b4 p4 r3 y3/b4 y4 g3 p4 r5/b3 r2 r4 g4 p3"
    actions = "A discard chop; B clue C 2; C clue B 5; A clue B g; B discard chop; C play r2 !"
    view, verdict, turn = seen(laid(before, hands, actions))
    giver = view["players"][view["turns"][turn - 2]["seat"]]
    assert text(verdict["blame"], view) == f"The strike is {giver}'s: the clue called the wrong card."
    lines, source = told(verdict, "convention", view)
    assert [line.partition(":")[2] for line in lines] == [" slot 2 is G2"]
    assert source.startswith(f"By {giver}'s clue of turn {turn - 1}.")


def test_a_call_that_is_over_says_nothing_of_the_card_that_goes(with_row: Callable[[Row], None]) -> None:
    """B lets the finesse of r2 pass; A plays the other r2, so that B's is called no more."""
    hands = "y4 g3 b3 p4 r2/r2 y4 g4 b4 p3/y3 r3 g4 b4 p4"
    actions = "A clue C r; B discard chop; C clue A r; A play r2; B discard r2 !"
    record, turn = laid("r1", hands, actions)
    with_row({"turn": turn, "kind": "discard_over_play"})
    view = game_view(replay(record))
    lines, source = told(view["verdicts"][turn], "convention", view)
    assert lines == []
    assert "finesse of" not in source


def test_what_a_clue_said_stays_said_when_the_card_has_been_played(with_row: Callable[[Row], None]) -> None:
    """Red to B called r1; C plays the other one. That B's card could be another red card nobody has said."""
    hands = "y4 g4 b4 p4 r4/y4 g3 r1 b4 p3/g4 r1 b3 p4 y3"
    record, turn = laid("", hands, "A clue B r; B clue C 1; C play r1; A clue C y; B discard r1 !")
    with_row({"turn": turn, "kind": "discard_over_play"})
    view = game_view(replay(record))
    lines, source = told(view["verdicts"][turn], "convention", view)
    assert lines == ["To Bob: slot 3 is R1"]
    assert source.startswith("By Alice's play clue of turn 1.")


def test_a_card_that_was_kept_and_goes_says_so() -> None:
    """B plays the newer of two 1s first: an order chop move of the next player's chop, which goes."""
    hands = "y4 g4 b4 p4 r4/g1 y3 g3 b1 p3/y3 g4 b4 p4 r3"
    view, verdict, turn = seen(laid("", hands, "A clue B 1; B play g1; C discard chop !"))
    assert told(verdict, "convention", view)[1].startswith(f"Slot 5 was chop-moved on turn {turn}. ")


def test_a_quiet_turn_says_the_move_and_no_more() -> None:
    view, verdict, _ = seen((load(SAMPLE), 9))
    assert text(verdict["title"], view) == "Alice plays Y1 from slot 5"
    assert text(verdict["move"], view) == "Known for certain."
    assert set(verdict) == {"title", "move"}


def test_what_a_message_came_to_is_said_with_its_outcome_and_reasons() -> None:
    """On every turn of the sample the words of the findings stand on the page, and lead to definitions."""
    record = load(SAMPLE)
    view = game_view(replay(record))
    checked = 0
    for row in follow_game(record).findings:
        if row["number"] or Convention(row["convention"]).label.startswith("plain_"):
            continue
        verdict = view["verdicts"][row["turn"]]
        for reason in Reason.among(row["reasons"]):
            assert f"reason {reason.label}" in str(verdict)
            assert view["definitions"][f"reason {reason.label}"][2]
        kind = OutcomeKind(row["outcome"]).label
        if kind != "nothing_expected":
            closed = row["closed_turn"] if row["closed_turn"] >= 0 else None
            words = outcome_words({**row, "outcome": kind, "closed_turn": closed})
            assert words.lower() in text(verdict["consequences"]["text"], view).lower()
            checked += 1
    assert checked > 15


def test_every_term_has_its_definition() -> None:
    view = game_view(replay(load(SAMPLE)))

    def terms(value: Any) -> set[str]:
        if isinstance(value, dict):
            own = {value["term"]} if "term" in value else set()
            return own.union(*map(terms, value.values()))
        return set().union(*map(terms, value)) if isinstance(value, list) else set()

    assert terms(view["verdicts"]) <= set(view["definitions"])
    for title, kind, sentence, *_ in view["definitions"].values():
        assert title
        assert kind
        assert sentence


def test_the_words_cover_the_database() -> None:
    for kind, one in definitions().items():
        assert one.noun != one.title
        assert one.example
        assert one.sentence or kind in {"misplay", "call_missed"}, "by fault, or by the call"
    assert set(SEVERE) >= set(SEVERITIES)
    assert set(MISPLAYS) <= set(SEVERE)
    assert set(FAULTS) == set(FAULT_RULE_WORDS) - {"no_rule"}


def basis_of(values: Row) -> str:
    """Return the basis that the database gives to a mistake whose definition has none."""
    with connect() as db:
        db.prepare_decisions()
        query = "SELECT basis_of(NULL, ?, ?)"
        given = [values.get("severity", "knew"), values.get("fault")]
        return str(db.sql(query, given, temporary=True).item())


@pytest.fixture
def with_row(monkeypatch: pytest.MonkeyPatch) -> Callable[[Row], None]:
    """Return a function that puts values into the mistakes of the next game, as the database would."""
    plain = views.judge_game

    def put(values: Row) -> None:
        blank = dict.fromkeys(("better_kind", "better_slot", "better_seat", "better_value", "better_chance"))
        numbers = {"points": 0, "tokens": 0.0, "pace": 0, "severity": "knew"}
        words = {"evidence": "did something else", "evidence_values": "{}", "basis": basis_of(values)}

        def found(*arguments: Any, **options: Any) -> tuple[list[Row], list[Row], None]:
            decisions, *_ = plain(*arguments, **options)
            seat = decisions[values["turn"]]["seat"]
            return decisions, [{"seat": seat, **blank, **numbers, **words, **values}], None

        monkeypatch.setattr(views, "judge_game", found)

    return put


def test_a_clue_that_worked_in_the_end_still_led_to_its_strike(with_row: Callable[[Row], None]) -> None:
    record, turn = laid(*CALLED, "A clue C r !; B play r2; C play r3")
    with_row({"turn": turn, "kind": "strike_caused", "evidence_values": f'{{"turn": {turn + 1}}}'})
    view = game_view(replay(record))
    came = text(view["verdicts"][turn]["consequences"]["text"], view)
    assert came == f"Worked on turn {turn + 3}. But it had led to the strike of turn {turn + 2}."


def test_a_better_clue_is_drawn_on_the_hand_of_its_receiver(with_row: Callable[[Row], None]) -> None:
    record, turn = laid(*CALLED, "A clue C r; B discard chop !; C play r3")
    better = {"better_kind": "clue", "better_seat": 1, "better_value": "g3", "better_clue": "3"}
    named = {"better_convention": "critical_save", "better_gets": ["g3", "b3"], "basis": "convention"}
    with_row({"turn": turn, "kind": "discard_double", **better, **named})
    view = game_view(replay(record))
    move = view["verdicts"][turn]["better"]
    assert text(move["title"], view) == "clue Bob 3"
    assert text(move["text"], view) == "Critical save: keeps G3 and B3."
    for name, words in (("five_stall", "Five stall: keeps"), ("play_clue", "Play clue: gets")):
        with_row({"turn": turn, "kind": "discard_double", **better, **named, "better_convention": name})
        other = game_view(replay(record))
        assert text(other["verdicts"][turn]["better"]["text"], other) == f"{words} G3 and B3."
    hand = view["turns"][turn]["hands"][1]
    threes = [order for order in hand if view["deck"][order][1] == 3]
    assert move["drawn"]["orders"] == threes
    assert (move["drawn"]["seat"], move["drawn"]["tag"], move["drawn"]["cards"]) == (1, "3", None)
    assert text(move["drawn"]["label"], view) == "The clue 3 touches slots 2, 3 and 5 of Bob's hand"
    assert view["verdicts"][turn]["why"][0]["source"] == "convention"


def test_a_better_play_is_drawn_as_its_player_knew_the_hand(with_row: Callable[[Row], None]) -> None:
    record, turn = laid(*CALLED, "A clue C r; B discard chop !; C play r3")
    with_row({"turn": turn, "kind": "call_missed", "better_kind": "play", "better_slot": 1})
    view = game_view(replay(record))
    verdict = view["verdicts"][turn]
    assert view["kinds"]["call_missed"]["noun"] == "Missed call"
    assert text(verdict["title"], view) == f"Missed the finesse of turn {turn}"
    # By the call it is R2; of the others the player knew nothing.
    assert verdict["better"]["drawn"]["cards"] == [[0, 2, 1], *[[None, None, 0]] * 4]
    assert text(verdict["better"]["text"], view) == "Then Alice's R3."


@pytest.mark.parametrize(("share", "said"), [(0.08, "8%"), (0.34, "about 30%")])
def test_chances_of_recorded_games_are_a_second_bar(
    share: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the chops of 111 games 67 were critical with 30 to 40 %: too few for two digits."""
    plain = views.judge_game

    def found(*arguments: Any, **options: Any) -> tuple[list[Row], list[Row], None]:
        decisions, mistakes, _ = plain(*arguments, **options)
        return [{**row, "p_critical_in_games": share} for row in decisions], mistakes, None

    monkeypatch.setattr(views, "judge_game", found)
    view, verdict, _ = seen((load(SAMPLE), 17))
    [row] = [one for one in verdict["why"] if one["source"] == "chance"]
    assert [(kind, label, round(part, 2), words) for kind, label, part, words in row["bars"]] == [
        ("raw", "by card counting", 0.25, "25%"),
        ("like", "calibrated", share, said),
    ]
    assert text(row["text"], view) == "Cathy could not know. Slot 5 is a last copy:"
