"""Players' notes: what is understood, and what is held against what."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from hanalyze.agents import simulate
from hanalyze.analysis import note_accuracy
from hanalyze.analysis.notes import note_meaning
from hanalyze.game.actions import Action
from hanalyze.game.cards import Card, IdentitySet
from hanalyze.game.variants import variant
from hanalyze.logs import GameRecord, write
from tests.cli.running import hanalyze

PLAIN = variant("No Variant")
SIX = variant("6 Suits")

# note, the identities that it allows, marks; by hand. "?" stands for not understood.
UNDERSTOOD = [
    ("r1", "r1", ""),
    ("R1", "r1", ""),
    ("1r", "r1", ""),
    ("red 1", "r1", ""),
    ("1 red", "r1", ""),
    ("red1", "r1", ""),
    ("r 1", "r1", ""),
    ("r1,y2", "r1 y2", ""),
    ("r1/y2; g3 & b4", "r1 y2 g3 b4", ""),
    ("r1 or y2", "r1 y2", ""),
    ("r1 y2", "r1 y2", ""),
    ("rb12", "r1 r2 b1 b2", ""),
    ("red", "r1 r2 r3 r4 r5", ""),
    ("g", "g1 g2 g3 g4 g5", ""),
    ("2", "r2 y2 g2 b2 p2", ""),
    ("2s", "r2 y2 g2 b2 p2", ""),
    ("45", "r4 r5 y4 y5 g4 g5 b4 b5 p4 p5", ""),
    ("r1?", "r1", ""),
    ("[r1]", "r1", ""),
    ("surely [r1] I think", "r1", ""),
    ("[f] [b2]", "b2", "finessed"),
    ("f r1", "r1", "finessed"),
    ("[f]", "", "finessed"),
    ("cm", "", "chop_moved"),
    ("Chop Moved", "", "chop_moved"),
    ("known trash", "", "trash"),
    ("kt", "", "trash"),
    ("x", "", "unclued"),
    ("!r1, !r2, !r3, !r4, !r5, !y, !g, !b", "p1 p2 p3 p4 p5", ""),
    ("red, !r5", "r1 r2 r3 r4", ""),
    ("not 1, not 2, not 3, !4", "r5 y5 g5 b5 p5", ""),
    ("r1 | y2", "y2", ""),
    ("r1 | y2 | what a turn that was", "y2", ""),
    ("p", "p1 p2 p3 p4 p5", ""),
]
NOT_UNDERSTOOD = [
    *("", "?", "|", "hello", "r1 because of the finesse", "r6", "k3", "r1 y", "red green 1", "3 4 5 r"),
    *("r1, not r1", "!r !y !g !b !p"),
    *("[ ]", "<b>r1</b>", "r1\u202e", "11r1", "turn 5: prompt: r1", "r1" * 60, "!", "not"),
]


@pytest.mark.parametrize(("note", "cards", "marks"), UNDERSTOOD)
def test_what_is_understood(note: str, cards: str, marks: str) -> None:
    said = note_meaning(note, PLAIN)
    assert said.understood
    assert str(IdentitySet(said.identities, PLAIN.letters)) == cards
    assert " ".join(sorted(said.marks)) == marks


@pytest.mark.parametrize("note", NOT_UNDERSTOOD)
def test_what_is_not(note: str) -> None:
    assert note_meaning(note, PLAIN) == (0, frozenset(), False)


def test_letters_are_the_variants() -> None:
    assert note_meaning("t1", SIX).identities == 1 << 5 * 8 + 1
    assert not note_meaning("t1", PLAIN).understood
    names = variant("Rainbow (5 Suits)")
    assert note_meaning("m3", names) == note_meaning("rainbow 3", names)


@given(st.text(alphabet=st.sampled_from("ryg b12!?,/|[]fcm or not"), max_size=30) | st.text(max_size=40))
def test_any_text_is_something(note: str) -> None:
    said = note_meaning(note, PLAIN)
    assert said.understood or said == (0, frozenset(), False)
    assert 0 <= said.identities < 1 << 40


def game() -> GameRecord:
    """Return a game of two: Alice holds r1 r2 r3 r4 r5, Bob y1 y1 y2 y2 y3."""
    told = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 1), (1, 1), (1, 2), (1, 2), (1, 3)]
    rest = list(PLAIN.deck)
    for card in told:
        rest.remove(Card(*card))
    random.Random(1).shuffle(rest)
    actions = [Action(0, 0, 0), Action(2, 0, 0), Action(3, 1, 1), Action(1, 5, 0)]
    return GameRecord(players=("Alice", "Bob"), deck=[Card(*one) for one in [*told, *rest]], actions=actions)


def test_notes_by_hand() -> None:
    """Alice plays r1; Bob clues red; Alice clues Bob his ones; Bob discards one of them."""
    alice = ("r1", "b2", "r3, r4", "y", "cm", "y1")  # cards 1 to 4 are known to be red; 5 is Bob's
    bob = ("", "", "", "", "", "y1", "1", "nice", "r2", "r1")
    record = game()
    noted = GameRecord(
        **{name: getattr(record, name) for name in ("players", "deck", "actions")}, notes=(alice, bob)
    )
    a, b = note_accuracy([noted]).to_dicts()
    assert (a["player"], a["games"], a["notes"], a["marks"], a["not_understood"]) == ("Alice", 1, 5, 1, 0)
    # r1: true, before any clue, so that logic knew less; b2 and y: logic had ruled them out by the red clue.
    assert (a["identities"], a["right"], a["open"], a["wrong"]) == (4, 1, 1, 2)
    assert (a["beyond"], a["beyond_right"], a["ruled_out"], a["on_others"]) == (2, 2, 2, 1)
    # Bob: y1 is a 1 for logic, so the colour is beyond it; "1" says what logic says; r2 is wrong, but no 1;
    # r1 on y3, which is no 1 for logic.
    assert (b["notes"], b["not_understood"], b["identities"]) == (5, 1, 4)
    assert (b["right"], b["open"], b["wrong"], b["known"]) == (1, 1, 2, 0)
    assert (b["beyond"], b["beyond_right"], b["ruled_out"]) == (2, 1, 1)


def test_the_command(tmp_path: Path) -> None:
    record = next(iter(simulate("cautious", players=2, games=1, seed=1)))
    noted = GameRecord(
        players=("Al\x1b[31m", "Bob"), seed="p2v0s1", actions=[Action(3, 1, 5)], notes=(("r1",),)
    )
    file = tmp_path / "games.jsonl"
    write([record, noted], file)
    [row] = json.loads(hanalyze("research", file, "--what", "notes", "--json").out)["note_accuracy"]
    assert (row["notes"], row["identities"]) == (1, 1)
    ran = hanalyze("research", file, "--what", "notes")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b[31m" not in ran.out
    write([record], file)
    assert hanalyze("research", file, "--what", "notes").lines == ["no notes in these games"]
    assert hanalyze("research", file, "--what", "notes", "--what", "hints").code == 2
    assert '"notez"; did you mean "notes"?' in hanalyze("research", file, "--what", "notez").err
