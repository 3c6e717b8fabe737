"""`hanalyze deck`."""

from __future__ import annotations

import json

import pytest

from hanalyze.decks import deck
from tests.cli.running import hanalyze


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["p2v0s1"], deck("p2v0s1")),
        (["p4v16s1", "--variant", "Rainbow (5 Suits)"], deck("p4v16s1", "Rainbow (5 Suits)")),
        (["p4v16s1", "--variant", "16"], deck("p4v16s1", 16)),
        (["p4v16s1"], deck("p4v16s1", 16)),  # as the seed says
        (["p4v16s1", "--variant", "No Variant"], deck("p4v16s1", "No Variant")),
        (["p3v2s1x"], deck("p3v2s1x", 2)),
        (["any-text"], deck("any-text")),
        (["-5", "--shuffle", "hle"], deck(-5, shuffle="hle")),
        (["--shuffle", "hle", "-5"], deck(-5, shuffle="hle")),
        (["--shuffle", "hle", "--", "-5"], deck(-5, shuffle="hle")),
        (["--", "-5", "--shuffle", "hle"], deck(-5, shuffle="hle")),
        (["7", "--shuffle", "hanabi-data"], deck(7, shuffle="hanabi-data")),
        (["--", "-x"], deck("-x")),
    ],
)
def test_json_is_the_deck_on_one_line(arguments: list[str], expected: list[tuple[int, int]]) -> None:
    ran = hanalyze("deck", "--json", *arguments)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    assert json.loads(ran.out) == [list(card) for card in expected]


def test_ten_cards_a_line() -> None:
    ran = hanalyze("deck", "p2v0s1")
    assert ran.lines[0] == (
        "deck p2v0s1 of variant No Variant, shuffle hanab-live: 50 cards in dealing order"
    )
    assert ran.lines[1].startswith("   0  b5 p4 b3 ")
    assert [len(line.split()) for line in ran.lines[1:]] == [11] * 5
    assert [line.split()[0] for line in ran.lines[1:]] == ["0", "10", "20", "30", "40"]


def test_letters_are_those_of_the_shuffles_own_suits() -> None:
    # The fourth suit of the Hanabi Learning Environment is white, the first of HanabiData green.
    assert deck(1, shuffle="hle")[0] == (4, 5)
    assert hanalyze("deck", "1", "--shuffle", "hle").lines[1].split()[1] == "b5"
    assert set("".join(hanalyze("deck", "1", "--shuffle", "hle").lines[1:])) >= set("rygwb")
    first = deck(7, shuffle="hanabi-data")[0]
    shown = hanalyze("deck", "7", "--shuffle", "hanabi-data").lines[1].split()[1]
    assert shown == f"{'gywbr'[first.suit]}{first.rank}"


def test_a_start_card() -> None:
    assert " rS" in hanalyze("deck", "p2v24s1", "--variant", "Up or Down (5 Suits)").out


def test_too_many_players() -> None:
    ran = hanalyze("deck", "p9v0s1")
    assert (ran.code, ran.out) == (2, "")
    assert 'the seed "p9v0s1" names 9 players, but hanab-live is for 2 to 6; use a seed such as' in ran.err
    assert hanalyze("deck", "p9v0s1", "--variant", "No Variant").code == 0
