"""Suits: every name and code, flags and colours of one of each kind, and what is said of unknown ones."""

from __future__ import annotations

import csv
import pickle
from dataclasses import fields

import pytest

from hanalyze.errors import UnknownName
from hanalyze.game.suits import Suit, suit_coded, suit_named
from tests.shared import shared

FLAGS = [field.name for field in fields(Suit) if field.type == "bool"]

# name, code, colours, flags, comment
CASES = [
    ("Red", "R", "Red", "", "plain"),
    ("Ruby", "R2", "Red", "", "another red"),
    ("Olive", "AG2", "Green", "", "ambiguous"),
    ("Sky", "AB3", "Blue", "", "ambiguous, third"),
    ("Sky EA", "EB3", "Blue", "", "same word, extremely ambiguous"),
    ("Tangerine", "DRY", "Red Yellow", "", "two colours; the first such has no number"),
    ("Peach", "DRY2", "Red Yellow", "", "the second has"),
    ("Maroon", "DRK", "Red Black", "", "K is Black"),
    ("Taupe", "DRYGBPT", "Red Yellow Green Blue Purple Teal", "", "six colours"),
    ("Black", "Bk", "Black", "one_of_each", "dark by nature"),
    ("Rainbow", "Ra", "", "all_clue_colours", ""),
    ("Pink", "Pi", "Pink", "all_clue_ranks", "keeps its own colour"),
    ("White", "Wh", "", "no_clue_colours", ""),
    ("Brown", "Br", "Brown", "no_clue_ranks", "keeps its own colour"),
    ("Omni", "Om", "", "all_clue_colours all_clue_ranks", ""),
    ("Null", "Nu", "", "no_clue_colours no_clue_ranks", ""),
    ("Muddy Rainbow", "BrRa", "", "all_clue_colours no_clue_ranks", ""),
    ("Light Pink", "WhPi", "", "no_clue_colours all_clue_ranks", ""),
    ("Prism", "Pr", "", "prism", ""),
    ("Orange", "Or", "Orange", "inverted", ""),
    ("Dark Pink", "Pi1", "Pink", "all_clue_ranks one_of_each", "answers to Pink, not to Dark Pink"),
    ("Gray", "Wh1", "", "no_clue_colours one_of_each", "a dark twin with its own name"),
    ("Cocoa Rainbow", "BrRa1", "", "all_clue_colours no_clue_ranks one_of_each", "likewise"),
    ("Gray Pink", "WhPi1", "", "no_clue_colours all_clue_ranks one_of_each", "likewise"),
    ("Teal Reversed", "T:R", "Teal", "reversed", "answers to Teal"),
    ("Dark Orange Reversed", "Or1:R", "Orange", "inverted one_of_each reversed", "all at once"),
]


@pytest.mark.parametrize(("name", "code", "colours", "flags", "comment"), CASES)
def test_suit_by_name_and_code(name: str, code: str, colours: str, flags: str, comment: str) -> None:
    suit = suit_named(name)
    assert suit is suit_coded(code), comment
    assert (suit.name, suit.code) == (name, code)
    assert suit.clue_colours == tuple(colours.split()), comment
    assert {flag for flag in FLAGS if getattr(suit, flag)} == set(flags.split()), comment


def test_suits_and_codes_are_those_of_the_site() -> None:
    pairs = set()
    with shared("facts/variants.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            pairs |= set(zip(row["suits"].split(","), row["code"].split(",")[0].split("+"), strict=True))
    assert len(pairs) == 73
    for name, code in pairs:
        assert suit_named(name) is suit_coded(code)


def test_repr_rebuilds_the_suit() -> None:
    suit = suit_named("Dark Prism Reversed")
    assert eval(repr(suit)) is suit
    assert pickle.loads(pickle.dumps(suit)) == suit


def test_unknown_name_tells_the_nearest() -> None:
    with pytest.raises(UnknownName) as caught:
        suit_named("Rainbw")
    assert caught.value.kind == "suit"
    assert caught.value.nearest[0] == "Rainbow"


@pytest.mark.parametrize("code", ["", "r", "Red", "R1", "Ra2", "AR4", "Ra:R:R", "DYR", "x" * 10_000_000])
def test_unknown_code(code: str) -> None:
    with pytest.raises(UnknownName, match="there is no suit"):
        suit_coded(code)


def test_unknown_name_of_any_length_is_answered_at_once() -> None:
    with pytest.raises(UnknownName):
        suit_named("Rainbow" * 1_500_000)
