"""The rules of play, worked out by hand: options, special variants, the last round, every way to end.

Unless a case says otherwise it has two players, five suits, and the rules of hanab.live. Alice has the orders
0 to 4, Bob 5 to 9; the card that is drawn first is number 10.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from hanalyze.errors import UnsupportedOption
from hanalyze.game.actions import Action
from hanalyze.game.editions import EndCondition
from hanalyze.game.variants import variant
from hanalyze.logs import GameRecord, Options
from hanalyze.replaying import replay
from tests.building import NAMES, action, deck_starting, defects, game
from tests.engine.test_golden import status


class Case(NamedTuple):
    """A game, as `tests.building.game` takes it; what it comes to, of the numbers below; and why."""

    name: str
    moves: str
    deck: str
    how: dict[str, Any]
    expected: dict[str, Any]
    comment: str = ""


def numbers(record: GameRecord) -> dict[str, Any]:
    """Return what a log comes to, in plain values."""
    found = replay(record)
    end = found.state(-1)
    rows = list(found.rows())
    return {
        "score": end.score,
        "raw_score": found.raw_score,
        "max_score": end.max_score,
        "tokens": end.clue_tokens,
        "strikes": end.strikes,
        "deck": end.deck,
        "end": end.end_condition,
        "turns": found.turn_count,
        "defects": defects(found),
        "hands": [" ".join(str(held.order) for held in hand) for hand in end.hands],
        "stacks": [" ".join(str(card.rank) for card in stack) for stack in end.stacks],
        "seats": [row["seat"] for row in rows],
        "slots": [row["slot"] for row in rows],
        "touched": [row["touched_slots"] for row in rows],
    }


def check(case: Case) -> None:
    record = game(case.moves, case.deck, **case.how)
    expected = {"defects": [], "turns": len(record.actions), **case.expected}
    found = numbers(record)
    assert {key: found[key] for key in expected} == expected, case.comment


FIVES = "r1 y5 g5 b5 p5  y1 g4 b4 p4 y4"
RED = "r1 r2 r3 r4 r5  y1 y2 y3 y4 g1"
RED_MOVES = "play 0, clue 0 red, play 1, clue 0 red, play 2, clue 0 red, play 3, clue 0 red, play 4"

# Ten cards of one suit and hands of four: the orders 8 and 9 are in the deck.
ONE_SUIT = "r1 r2 r3 r4  r5 r1 r1 r2  r3 r4"
ONE = {"variant": "R", "one_less_card": True}
DECK_PLAYS = {**ONE, "deck_plays": True}
NOTHING = {**ONE, "all_or_nothing": True}
SOFTLOCK = (
    "clue 1 1, play 4, clue 1 2, play 5, clue 1 3, play 6, clue 1 4, play 7, clue 1 1, discard 8,"
    "clue 1 3, play 9, play 1"
)

OPTIONS = (
    Case("startingPlayer", "play 5, clue 0 5, play 0, clue 2 yellow", FIVES,
         {"players": 3, "starting_player": 1},
         {"seats": [1, 2, 0, 1], "hands": ["1 2 3 4 16", "6 7 8 9 15", "10 11 12 13 14"], "strikes": 0},
         "cards are dealt from seat 0 on all the same"),
    Case("no emptyClues", "clue 1 red", FIVES, {}, {"defects": ["clue_touches_nothing"], "tokens": 7}),
    Case("emptyClues", "clue 1 red", FIVES, {"empty_clues": True}, {"touched": [0], "tokens": 7}),
    Case("deckPlays", "play 0, play 9, clue 1 1, clue 0 red", "r1 r3 r3 r4  r5 r1 r1 r2  r4 r2",
         {**DECK_PLAYS, "edition": "hle"},
         {"slots": [4, 0, None, None], "deck": 0, "hands": ["1 2 3 8", "4 5 6 7"], "stacks": ["1 2"],
          "end": "normal"},
         "the last card of the deck is an r2, and with it the last round begins"),
    Case("deckPlays: a misplay", "clue 1 2, discard 5, play 9", ONE_SUIT, DECK_PLAYS,
         {"slots": [None, 3, 0], "strikes": 1, "deck": 0, "max_score": 5}),
    Case("deckPlays: two cards are left", "play 9", ONE_SUIT, DECK_PLAYS,
         {"defects": ["card_not_in_hand"], "turns": 0}),
    Case("no deckPlays", "play 0, play 9", ONE_SUIT, ONE, {"defects": ["card_not_in_hand"], "turns": 1}),
    Case("deckPlays: no discard", "clue 1 2, discard 5, discard 9", ONE_SUIT, DECK_PLAYS,
         {"defects": ["card_not_in_hand"], "turns": 2}),
    Case("deckPlays: a discard with an inverted suit", "clue 1 2, discard 5, discard 9",
         ONE_SUIT.replace("r", "o"), {**DECK_PLAYS, "variant": "Or"},
         {"slots": [None, 3, 0], "strikes": 0, "deck": 0, "tokens": 8},
         "that is how a card of such a suit is played, or not played, from the deck"),
    Case("cardCycle", "clue 1 yellow", RED, {"card_cycle": True}, {"hands": ["1 2 3 4 0", "5 6 7 8 9"]},
         "the giver's chop becomes the newest card"),
    Case("cardCycle: the oldest is clued", "clue 1 yellow, clue 0 2, clue 1 yellow", RED,
         {"card_cycle": True},
         {"hands": ["1 3 4 0 2", "5 6 7 8 9"]}, "Bob's chop, the g1, is his newest card already"),
    Case("cardCycle: all are clued", "clue 1 yellow, clue 0 red", RED.replace("g1", "y1"),
         {"card_cycle": True},
         {"hands": ["1 2 3 4 0", "5 6 7 8 9"]}, "Bob has no chop"),
    Case("no cardCycle", "clue 1 yellow", RED, {}, {"hands": ["0 1 2 3 4", "5 6 7 8 9"]}),
    Case("oneExtraCard", "play 0", "", {"one_extra_card": True},
         {"hands": ["1 2 3 4 5 12", "6 7 8 9 10 11"]}),
    Case("oneLessCard", "play 0", "", {"one_less_card": True}, {"hands": ["1 2 3 8", "4 5 6 7"]}),
    Case("oneExtraCard and oneLessCard", "play 0", "", {"one_extra_card": True, "one_less_card": True},
         {"hands": ["1 2 3 4 10", "5 6 7 8 9"]}, "they cancel out"),
    Case("speedrun", "clue 1 4, clue 0 5, discard 1", FIVES, {"speedrun": True},
         {"end": "speedrun_fail", "max_score": 24, "score": 0}),
    Case("speedrun: a misplay", "play 0, play 5, play 1", FIVES, {"speedrun": True},
         {"end": "speedrun_fail", "score": 0, "raw_score": 2}),
    Case("no speedrun", "clue 1 4, clue 0 5, discard 1", FIVES, {}, {"end": "unfinished", "max_score": 24}),
    Case("allOrNothing: won", "play 0, clue 0 red, play 1, clue 0 red, play 2, clue 0 4, play 3, play 4",
         ONE_SUIT, NOTHING, {"score": 5, "end": "normal", "deck": 0},
         "the deck is empty after the third action, and there is no last round"),
    Case("no allOrNothing", "play 0, clue 0 red, play 1, clue 0 red, play 2", ONE_SUIT, ONE,
         {"score": 3, "end": "normal", "deck": 0}),
    Case("allOrNothing: fail", "clue 1 4, clue 0 5, discard 1", FIVES, {"all_or_nothing": True},
         {"end": "all_or_nothing_fail", "score": 0}),
    Case("allOrNothing: softlock", SOFTLOCK, "r5 r1 r2 r4  r1 r2 r3 r4  r1 r3",
         {**NOTHING, "edition": "hanab-live+clue_tokens=5"},
         {"end": "all_or_nothing_softlock", "score": 0, "raw_score": 4, "hands": ["0 2 3", ""], "tokens": 0},
         "Bob must move, and has neither card nor token"),
    Case("six players", "play 0, clue 2 1, clue 3 1, clue 4 1, clue 5 1, clue 0 1",
         "r1 y1 g1  r1 y1 g1  r1 y1 b1  b1 b1 g1  p1 p1 p1  y2 y2 y3", {"players": 6},
         {"hands": ["1 2 18", "3 4 5", "6 7 8", "9 10 11", "12 13 14", "15 16 17"], "deck": 31,
          "seats": [0, 1, 2, 3, 4, 5], "defects": ["clue_touches_nothing"]}, "Frank has no 1"),
)  # fmt: skip

STARVED = {"variant": "Clue Starved (5 Suits)"}
HOLE = {"variant": "Throw It in a Hole (5 Suits)"}
TURNS = {"variant": "Alternating Clues (5 Suits)"}
REVERSED = {"variant": "Reversed (5 Suits)"}
UP_OR_DOWN = {"variant": "Up or Down (5 Suits)"}
SUDOKU = {"variant": "Sudoku (5 Suits)"}
FIVE_PLAYS = "play 0, play 5, play 1, play 6, play 2"
TWO_DISCARDS = "clue 1 yellow, discard 5, clue 1 yellow, discard 6"
FOUR_DISCARDS = f"{TWO_DISCARDS}, clue 1 yellow, discard 7, clue 1 yellow, discard 8"

VARIANTS = (
    Case("a discard", "clue 1 yellow, discard 5", RED, {}, {"tokens": 8}),
    Case("Clue Starved: a discard", "clue 1 yellow, discard 5", RED, STARVED, {"tokens": 7.5}),
    Case("Clue Starved: full tokens", "clue 1 yellow, discard 5, discard 0, discard 6", RED, STARVED,
         {"tokens": 8, "defects": ["discard_at_full_tokens"]}, "7.5, 8, and then one too many"),
    Case("Clue Starved: half a token is none", "clue 1 yellow, clue 0 red, " * 4 + "discard 0, clue 0 red",
         RED, STARVED, {"tokens": 0, "defects": ["clue_without_token"]}),
    Case("a complete stack", RED_MOVES, RED, {}, {"tokens": 5, "score": 5}, "four clues, one token back"),
    Case("a complete stack with all tokens there", FIVE_PLAYS + ", play 7, play 3, play 8, play 4", RED, {},
         {"tokens": 8, "score": 9}),
    Case("Clue Starved: a complete stack", RED_MOVES, RED, STARVED, {"tokens": 4.5, "score": 5}),
    Case("Throw It in a Hole: a complete stack", RED_MOVES, RED, HOLE, {"tokens": 4, "score": 5}),
    Case("Alternating Clues", "clue 1 yellow, clue 0 5, clue 1 yellow", RED, TURNS, {"tokens": 5}),
    Case("Alternating Clues: the other's clue counts", "clue 1 yellow, clue 0 red", RED, TURNS,
         {"defects": ["clue_kind_repeated"], "tokens": 6}),
    Case("Alternating Clues: a play between", "clue 1 2, play 5, clue 1 2", RED, TURNS,
         {"defects": ["clue_kind_repeated"], "tokens": 6}),
    Case("inverted", "discard 0", "", {"variant": "Orange (5 Suits)"}, {"tokens": 8, "deck": 39}),
    Case("not inverted", "discard 0", "", {},
         {"tokens": 8, "deck": 39, "defects": ["discard_at_full_tokens"]}),
    Case("reversed", FIVE_PLAYS, "p5 p4 p2 p1 r4  r1 p3 r2 r2 r3", REVERSED,
         {"stacks": ["1", "", "", "", "5 4 3 2"]}, "purple goes down, red up"),
    Case("reversed: its 1 comes last", "play 0", "p1 p2 p2 p3 p3", REVERSED, {"strikes": 1, "max_score": 24},
         "there is one 1"),
    Case("reversed: three 5s", TWO_DISCARDS, "p2 p2 p3 p3 p4  p5 p5 y1 y1 y2", REVERSED, {"max_score": 25}),
    Case("reversed: no 5", f"{TWO_DISCARDS}, clue 1 yellow, discard 7", "p2 p2 p3 p3 p4  p5 p5 p5 y1 y2",
         REVERSED, {"max_score": 20}),
    Case("Up or Down: up from 1", FIVE_PLAYS, "r1 r3 r5 r7 y1  r2 r4 y2 y3 y4", UP_OR_DOWN,
         {"stacks": ["1 2 3 4 5", "", "", "", ""]}),
    Case("Up or Down: down from 5", FIVE_PLAYS, "r5 r3 r1 r7 y1  r4 r2 y2 y3 y4", UP_OR_DOWN,
         {"stacks": ["5 4 3 2 1", "", "", "", ""]}),
    Case("Up or Down: up from START", FIVE_PLAYS, "r7 r3 r5 r1 y1  r2 r4 y2 y3 y4", UP_OR_DOWN,
         {"stacks": ["7 2 3 4 5", "", "", "", ""]}),
    Case("Up or Down: down from START", FIVE_PLAYS, "r7 r3 r1 r5 y1  r4 r2 y2 y3 y4", UP_OR_DOWN,
         {"stacks": ["7 4 3 2 1", "", "", "", ""]}),
    Case("Up or Down: 1 after START", "play 0, play 5", "r7 r3 r3 r4 y1  r1 r2 y2 y3 y4", UP_OR_DOWN,
         {"strikes": 1, "max_score": 25}, "it can still go up"),
    Case("Up or Down: going down to a lost 1", "play 0, play 5, play 1", "r7 r4 r3 r3 y1  r1 r2 y2 y3 y4",
         UP_OR_DOWN, {"strikes": 1, "max_score": 24, "stacks": ["7 4", "", "", "", ""]}),
    Case("Up or Down: START after 1", "play 0, play 5", "r1 r3 r3 r4 y1  r7 r2 y2 y3 y4", UP_OR_DOWN,
         {"strikes": 1, "max_score": 25}),
    Case("Up or Down: 5 on the way down", "play 0, play 5, play 1", "y7 y5 r3 r4 y1  y4 r2 y2 y3 y4",
         UP_OR_DOWN,
         {"strikes": 1, "max_score": 25, "stacks": ["", "7 4", "", "", ""]}),
    Case("Up or Down: 2 begins nothing", "play 0", "r2 r3 r3 r4 y1", UP_OR_DOWN,
         {"strikes": 1, "max_score": 25}),
    Case("Up or Down: nothing to begin with", f"{TWO_DISCARDS}, clue 1 yellow, discard 7",
         "r2 r2 r3 r3 r4  r1 r5 r7 y1 y2", UP_OR_DOWN, {"max_score": 20}),
    Case("Sudoku: 1 after 5", FIVE_PLAYS, "r3 r5 r2 r3 y1  r4 r1 y2 y4 y5", SUDOKU,
         {"stacks": ["3 4 5 1 2", "", "", "", ""], "tokens": 8}),
    Case("Sudoku: a beginning that another stack had", "play 0, play 5, play 1",
         "r3 y4 r2 r3 y1  y3 r1 y2 y4 y5",
         SUDOKU, {"stacks": ["3", "4", "", "", ""], "strikes": 1, "max_score": 25}),
    Case("Sudoku: a lost rank", TWO_DISCARDS, "r3 y4 r2 r3 y1  r4 r4 y2 y4 y5", SUDOKU, {"max_score": 24},
         "5 1 2 3"),
    Case("Sudoku: two lost ranks of a suit", FOUR_DISCARDS, "r1 r1 g2 g3 y1  r4 r4 r2 r2 y5", SUDOKU,
         {"max_score": 22}, "5 1"),
    Case("Sudoku: a lost rank of two suits", FOUR_DISCARDS, "r1 g4 b2 p3 g1  r4 r4 y4 y4 y5", SUDOKU,
         {"max_score": 22}, "only one of them can begin with 5, for four cards: the other gets 1 2 3"),
    Case("Sudoku: the good beginning is taken", f"play 0, clue 0 4, {TWO_DISCARDS}",
         "y5 g4 b2 p3 g1  r4 r4 y4 y3 y1", SUDOKU, {"max_score": 23}, "red can only have 1 2 3"),
    Case("Sudoku: a lost rank of a stack begun and of another",
         "play 0, clue 0 green, clue 1 yellow, discard 5, clue 1 yellow, discard 6,"
         "clue 1 yellow, discard 7, clue 1 yellow, discard 8",
         "y3 g1 g2 r1 r2  b4 b4 y5 y5 y1", SUDOKU, {"max_score": 21}, "yellow 3 4, blue 5 1 2 3"),
    Case("Sudoku of four", "play 0, play 5, play 1, play 6", "r4 r2 y1 y2 y3  r1 r3 b1 b2 b3",
         {"variant": "Sudoku (4 Suits)"}, {"stacks": ["4 1 2 3", "", "", ""], "max_score": 16, "tokens": 8}),
    Case("Critical Fours", "clue 1 1, discard 5", "y1 y2 y3 y4 y5  r4 r1 r1 r2 r2",
         {"variant": "Critical Fours (5 Suits)"}, {"max_score": 23, "deck": 34}),
    Case("Scarce Ones", TWO_DISCARDS, "y2 y3 y4 b3 b4  r1 r1 r2 r2 y1",
         {"variant": "Scarce Ones (5 Suits)"}, {"max_score": 20, "deck": 33}),
    Case("no Scarce Ones", TWO_DISCARDS, "y2 y3 y4 b3 b4  r1 r1 r2 r2 y1", {}, {"max_score": 25, "deck": 38}),
    Case("a dark suit", "clue 1 2, discard 5", "y1 y2 y3 y4 y5  k2 r1 r2 r2 r3",
         {"variant": "Black (5 Suits)"},
         {"max_score": 21}),
    Case("Color Blind", "clue 1 red", RED, {"variant": "Color Blind (5 Suits)"}, {"touched": [0]},
         "such a clue touches no card, and may be given"),
    Case("Number Blind", "clue 1 1", RED, {"variant": "Number Blind (5 Suits)"}, {"touched": [0]}),
    Case("Number Blind: a colour", "clue 1 red", RED, {"variant": "Number Blind (5 Suits)"},
         {"defects": ["clue_touches_nothing"]}),
)  # fmt: skip


@pytest.mark.parametrize("case", OPTIONS + VARIANTS, ids=lambda case: case.name)
def test_options_and_variants(case: Case) -> None:
    check(case)


STRIKES = "r1 y4 g4 b5 p5  y3 g3 b4 p4 y4"
NO_ONES = "r2 r2 r3 r3 k5  k1 r1 r1 r1 k2"
ALL_ONES = "clue 1 1, discard 5, clue 1 1, discard 6, clue 1 1, discard 7, clue 1 1, discard 8"
TEN_PLAYS = "play 0, play 5, play 1, play 6, play 2, play 7, play 3, play 8, play 4, play 9"
TWO_SUITS = {"variant": "R+Y"}
# Strikes of an r4 and an r3, of which the second draws the last card; then Bob's last turn is a strike, too.
LATE = "play 0, play 4, clue 1 3, play 6"
LATE_DECK = "r4 r1 r1 r1  r3 r3 r4 r2  r2 r5"

ENDS = (
    Case("0: not over", "play 0", FIVES, {}, {"end": "unfinished", "score": 1}),
    Case("0: nothing at all", "", FIVES, {}, {"end": "unfinished", "score": 0, "turns": 0}),
    Case("1: full score", TEN_PLAYS, "r1 r3 r5 y2 y4  r2 r4 y1 y3 y5", TWO_SUITS,
         {"end": "normal", "score": 10}),
    Case("1: last round", "play 0, clue 0 red, play 1, clue 0 red, play 2", ONE_SUIT,
         {**ONE, "edition": "hle"},
         {"end": "normal", "score": 3}, "the last card is drawn in the third turn"),
    Case("0: before the end of it", "play 0, clue 0 red, play 1, clue 0 red", ONE_SUIT,
         {**ONE, "edition": "hle"},
         {"end": "unfinished", "score": 2}),
    Case("1: the score is all there can be", ALL_ONES, NO_ONES, {"variant": "R+Bk"},
         {"end": "normal", "score": 0, "max_score": 0, "deck": 1}),
    Case("1: who could play has no turn left", "play 0, play 4, clue 1 1", "r1 r1 r3 r3  r2 r1 r2 r4  r4 r5",
         ONE, {"end": "normal", "score": 2, "max_score": 5}, "Alice did not play her r3, Bob has none"),
    Case("0: under other rules Bob moves", "play 0, play 4, clue 1 1", "r1 r1 r3 r3  r2 r1 r2 r4  r4 r5",
         {**ONE, "edition": "hle"}, {"end": "unfinished", "score": 2}),
    Case("2: strikes", "play 1, play 5, play 0, play 6", STRIKES, {},
         {"end": "strikeout", "strikes": 3, "score": 0, "raw_score": 1}),
    Case("3: by the clock", "play 0, end 3", FIVES, {}, {"end": "timeout", "score": 0, "raw_score": 1}),
    Case("4: by a player", "play 0, end 4", FIVES, {},
         {"end": "terminated_by_player", "score": 0, "raw_score": 1}),
    Case("5: speedrun", "play 0, clue 0 5, clue 1 4, clue 0 5, discard 1", FIVES, {"speedrun": True},
         {"end": "speedrun_fail", "score": 0, "raw_score": 1}),
    Case("6: nobody there", "play 0, end 6", FIVES, {}, {"end": "idle_timeout", "score": 0, "raw_score": 1}),
    Case("8: all or nothing", "play 0, clue 0 5, clue 1 4, clue 0 5, discard 1", FIVES,
         {"all_or_nothing": True},
         {"end": "all_or_nothing_fail", "score": 0, "raw_score": 1}),
    Case("9: softlock", SOFTLOCK, "r5 r1 r2 r4  r1 r2 r3 r4  r1 r3",
         {**NOTHING, "edition": "hanab-live+clue_tokens=5"},
         {"end": "all_or_nothing_softlock", "score": 0, "raw_score": 4}),
    Case("10: by vote", "play 0, vote", FIVES, {}, {"end": "terminated_by_vote", "score": 0, "raw_score": 1}),
    # Of several ends, the first in the site's order.
    Case("2 before 5", "play 1, play 5, play 3", STRIKES, {"speedrun": True}, {"end": "strikeout"},
         "the third strike is a b5"),
    Case("2 before 8", "play 1, play 5, play 3", STRIKES, {"all_or_nothing": True}, {"end": "strikeout"}),
    Case("5 before 8", "clue 1 4, clue 0 5, discard 4", STRIKES, {"all_or_nothing": True, "speedrun": True},
         {"end": "speedrun_fail"}),
    Case("2 before 1", LATE, LATE_DECK, {**ONE, "edition": "hle"}, {"end": "strikeout", "score": 0}),
)  # fmt: skip


@pytest.mark.parametrize("case", ENDS, ids=lambda case: case.name)
def test_ends(case: Case) -> None:
    check(case)


def test_every_end_that_can_be_is_above() -> None:
    seen = {case.expected["end"] for case in ENDS}
    assert seen == {end.label for end in EndCondition} - {"character_softlock"}
    for case in ENDS:
        number = case.name.partition(":")[0]
        if number.isdecimal():
            assert EndCondition(int(number)).label == case.expected["end"]


def test_the_end_that_needs_characters_is_refused() -> None:
    with pytest.raises(UnsupportedOption) as caught:
        replay(game("play 0", detrimental_characters=True))
    assert caught.value.option == "detrimentalCharacters"
    assert "detrimentalCharacters" in str(caught.value)
    assert caught.value.rule == "unsupported_option"


def test_the_row_of_an_end_by_hand() -> None:
    *_, row = replay(game("play 0, end 4", FIVES)).rows()
    assert (row["turn"], row["seat"], row["action"], row["result"]) == (1, 1, "end_game", "ended")
    assert row["order"] is row["receiver"] is row["clue_value"] is row["drawn"] is None
    assert (row["score_before"], row["score_after"], row["pace_before"], row["pace_after"]) == (
        1,
        0,
        17,
        None,
    )


STATUS = (
    Case("at the start", "play 0", "y1 r3", {}, {"status": "nnnnc"}),
    Case("played and trash", "play 0", "r1", {}, {"status": "tnnnc"}),
    Case("one copy left", "clue 1 3, discard 5", "y2 y2 y3 y3 y4  r3", {}, {"status": "nncnc"}),
    Case("a lost card", TWO_DISCARDS, "y2 y2 y3 y3 y4  r3 r3 y1", {}, {"status": "nnntt"},
         "hanab.live counts the rank that is gone as needed, and those above it not"),
    Case("a lost card beside a reversed suit", TWO_DISCARDS, "y2 y2 y3 y3 y4  r3 r3 y1", REVERSED,
         {"status": "nnttt"}, "and not even that one in a variant with a reversed suit"),
    Case("a lost card of a reversed suit", TWO_DISCARDS, "y2 y2 y3 y3 y4  r3 r3 y1", {"variant": "R:R+Y"},
         {"status": "tttnn"}),
    Case("Up or Down: at the start", "play 0", "y1", UP_OR_DOWN, {"status": "nnnnnn"},
         "none of the three beginnings is critical"),
    Case("Up or Down: a lost 1", "clue 1 1, discard 5", "y2 y2 y3 y3 y4  r1", UP_OR_DOWN,
         {"status": "nnnncc"}, "now the other two are"),
    Case("Up or Down: START", "play 0", "r7", UP_OR_DOWN, {"status": "nnnnnt"}, "both ends are needed"),
    Case("Up or Down: START, and a lost 5", "play 0, clue 0 3, clue 1 5, discard 5", "r7 y2 y3 y3 y4  r5",
         UP_OR_DOWN, {"status": "cnnntt"}),
    Case("Up or Down: going up", "play 0, play 5", "r7 y2 y2 y3 y3  r2", UP_OR_DOWN, {"status": "ttnnct"}),
    Case("Up or Down: up, with a lost 5", "play 0, clue 0 3, clue 1 5, discard 5, play 1",
         "r1 r2 y3 y3 y4  r5", UP_OR_DOWN, {"status": "ttnntt"}),
    Case("Sudoku: a lost 4", TWO_DISCARDS, "y2 y2 y3 y3 y5  r4 r4 y1", SUDOKU, {"status": "nnntn"}),
    Case("Sudoku: begun with 3", "play 0", "r3", SUDOKU, {"status": "nntnn"}),
)  # fmt: skip


@pytest.mark.parametrize("case", STATUS, ids=lambda case: case.name)
def test_status_of_red(case: Case) -> None:
    """Per rank n needed, c critical, t trash; START comes last."""
    found = replay(game(case.moves, case.deck, **case.how))
    assert not found.defects
    *_, (_, state) = found.states()
    assert status(state, variant(case.how.get("variant", "No Variant")))[0] == case.expected["status"], case


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_last_round(players: int) -> None:
    """Clues and discards in turn use up the deck; then everybody has one more turn, the drawer too."""
    deck = deck_starting()
    size = {2: 5, 3: 5, 4: 4, 5: 4, 6: 3}[players]
    hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(players)]
    left = list(range(players * size, 50))
    expected_turns = 2 * len(left) + players
    actions: list[Action] = []
    while len(actions) < expected_turns:
        seat = len(actions) % players
        if len(actions) % 2 == 0:
            actions.append(action(f"clue {(seat + 1) % players} 1"))
        else:
            actions.append(action(f"discard {hands[seat].pop(0)}"))
            hands[seat] += [left.pop(0)] if left else []
    record = GameRecord(
        players=NAMES[:players],
        deck=deck,
        actions=actions,
        options=Options(empty_clues=True),
        edition="hanab-live+ends_when_stuck=no",
    )
    found = replay(record)
    assert not found.defects
    assert (found.turn_count, found.end_condition) == (expected_turns, "normal")
    assert [row["deck_after"] for row in found.rows()].index(0) == expected_turns - players - 1
    assert found.state(-2).end_condition == "unfinished"
