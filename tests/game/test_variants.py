"""Variants: all of the site's against its own values, cases worked out by hand, lookups, codes of our own."""

from __future__ import annotations

import csv
import itertools
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, strategies as st

from hanalyze.errors import UnknownName
from hanalyze.game.cards import MAX_CARDS, MAX_SUITS, Card, cards_in
from hanalyze.game.suits import Suit
from hanalyze.game.variants import Variant, variant, variant_names
from tests.shared import golden, shared

ALL = range(2426)


def facts() -> list[dict[str, str]]:
    with shared("facts/variants.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def special_of(found: Variant) -> set[str]:
    """Write what is special about a variant in the words of the table of facts."""
    words = {
        "up_or_down": "upOrDown",
        "sudoku": "sudoku",
        "throw_it_in_a_hole": "throwItInAHole",
        "clue_starved": "clueStarved",
        "alternating_clues": "alternatingClues",
        "cow_and_pig": "cowAndPig",
        "duck": "duck",
        "odds_and_evens": "oddsAndEvens",
        "funnels": "funnels",
        "chimneys": "chimneys",
        "synesthesia": "synesthesia",
        "scarce_ones": "scarceOnes",
        "colour_clues_touch_nothing": "colorCluesTouchNothing",
        "rank_clues_touch_nothing": "rankCluesTouchNothing",
        "special_rank_all_clue_colours": "specialRankAllClueColors",
        "special_rank_no_clue_colours": "specialRankNoClueColors",
        "special_rank_all_clue_ranks": "specialRankAllClueRanks",
        "special_rank_no_clue_ranks": "specialRankNoClueRanks",
        "special_rank_deceptive": "specialRankDeceptive",
    }
    special = {word for field, word in words.items() if getattr(found, field)}
    if found.special_rank is not None:
        special.add(f"specialRank={found.special_rank}")
    if found.critical_rank is not None:
        special.add(f"criticalRank={found.critical_rank}")
    if found.stack_size != 5:
        special.add(f"stackSize={found.stack_size}")
    if found.clue_ranks != (1, 2, 3, 4, 5):
        special.add(f"clueRanks={list(found.clue_ranks)}".replace(" ", ""))
    if not found.clue_colours:
        special.add("clueColors=[]")
    return special


def test_names_codes_suits_and_flags_of_all_variants() -> None:
    rows = facts()
    assert len(rows) == len(ALL) == len(variant_names())
    for row in rows:
        found = variant(row["name"])
        assert (found.id, found.name, found.code) == (int(row["id"]), row["name"], row["code"])
        assert [suit.name for suit in found.suits] == row["suits"].split(","), row
        assert special_of(found) == set(row["special"].split()), row


def test_clues_copies_and_touch_masks_of_all_variants() -> None:
    rows = golden("touch")
    assert [row["id"] for row in rows] == list(ALL)
    for row in rows:
        found = variant(row["id"])
        name = row["name"]
        assert found.name == name
        assert list(found.clue_colours) == row["clue_colors"], name
        assert list(found.clue_ranks) == row["clue_ranks"], name
        assert list(found.ranks) == row["ranks"], name
        assert [list(copies) for copies in found.copies] == row["copies"], name
        assert [f"{mask:x}" for mask in found.colour_touch] == row["color_touch"], name
        assert [f"{mask:x}" for mask in found.rank_touch] == row["rank_touch"], name


def test_decks_hold_the_cards_that_the_site_deals() -> None:
    dealt = {row["variant"]: row["deck"] for row in golden("decks") if row["shuffle"] == "hanab-live"}
    assert dealt
    for name, deck in dealt.items():
        assert sorted(map(tuple, deck)) == sorted(variant(name).deck), name


@pytest.mark.parametrize("number", [*range(0, 2426, 97), 2425])
def test_a_variant_is_found_by_name_id_and_code(number: int) -> None:
    found = variant(number)
    assert found.id == number
    for key in (found.name, found.name.upper(), f" {found.name} ", str(number), found.code):
        assert variant(key) is found, key


def test_codes_and_letters_of_all_variants_tell_them_apart() -> None:
    for number in ALL:
        found = variant(number)
        assert variant(found.code) is found
        assert len(set(found.letters)) == len(found.suits), found
        assert all(letter.isalpha() and letter.islower() for letter in found.letters), found
    assert len({variant(number).code for number in ALL}) == len(ALL)


# variant, clue, the cards that it touches, comment. A row of cards: letter of the suit, ranks (7: START).
TOUCHES: list[tuple[str, str | int, str, str]] = [
    ("No Variant", "Red", "r12345", "a colour touches its suit"),
    ("No Variant", 5, "r5 y5 g5 b5 p5", "a rank touches its rank"),
    ("Rainbow (3 Suits)", "Blue", "b12345 m12345", "every colour touches Rainbow"),
    ("Rainbow (3 Suits)", 2, "r2 b2 m2", "ranks touch it as usual"),
    ("White (3 Suits)", "Blue", "b12345", "no colour touches White"),
    ("White (3 Suits)", 1, "r1 b1 w1", "ranks do"),
    ("Pink (3 Suits)", 1, "r1 b1 i12345", "every rank touches Pink"),
    ("Pink (3 Suits)", "Pink", "i12345", "Pink can be named"),
    ("Brown (3 Suits)", 1, "r1 b1", "no rank touches Brown"),
    ("Brown (3 Suits)", "Brown", "n12345", "Brown can be named"),
    ("Omni (3 Suits)", "Red", "r12345 o12345", "everything touches Omni"),
    ("Omni (3 Suits)", 4, "r4 b4 o12345", "everything touches Omni"),
    ("Null (3 Suits)", "Red", "r12345", "nothing touches Null"),
    ("Null (3 Suits)", 4, "r4 b4", "nothing touches Null"),
    ("Muddy Rainbow (3 Suits)", 4, "r4 b4", "all colours, no ranks"),
    ("Muddy Rainbow (3 Suits)", "Red", "r12345 m12345", "all colours, no ranks"),
    ("Light Pink (3 Suits)", "Red", "r12345", "no colours, all ranks"),
    ("Light Pink (3 Suits)", 4, "r4 b4 i12345", "no colours, all ranks"),
    ("Prism (3 Suits)", "Red", "r12345 s135", "two colours: Prism's odd ranks have the first"),
    ("Prism (3 Suits)", "Blue", "b12345 s24", "and its even ranks the second"),
    ("Prism (4 Suits)", "Red", "r12345 s14", "three colours: 4 begins again with the first"),
    ("Prism (6 Suits)", "Purple", "p12345 s5", "five colours: 5 has the last"),
    ("Up or Down & Prism (5 Suits)", "Blue", "b123457 s47", "START has the last colour, not 7's turn"),
    ("Up or Down & Prism (5 Suits)", "Green", "g123457 s3", "which would have been this one"),
    ("Up or Down (5 Suits)", 1, "r1 y1 g1 b1 p1", "no rank touches START"),
    ("Dual-Color (3 Suits)", "Red", "t12345 v12345", "Tangerine is red and yellow, Violet red and blue"),
    ("Ambiguous (4 Suits)", "Red", "t12345 m12345", "Tomato and Mahogany are both red"),
    ("Matryoshka (3 Suits)", "Yellow", "y12345 g12345", "Yam and Geas have yellow in them, Ruby has not"),
    ("White Reversed (3 Suits)", 5, "r5 b5 w5", "the direction changes no clue"),
    ("Rainbow-Ones (3 Suits)", "Red", "r12345 g1 b1", "every colour touches ones"),
    ("Rainbow-Ones & White (3 Suits)", "Red", "r12345 b1", "but none touches White: the suit goes first"),
    ("Omni-Ones (3 Suits)", 3, "r13 g13 b13", "every rank touches ones"),
    ("Omni-Ones & Brown (3 Suits)", 3, "r13 b13", "but none touches Brown"),
    ("Omni-Ones & Brown (3 Suits)", "Red", "r12345 b1 n1", "colours touch its one"),
    ("Null-Fives (3 Suits)", "Red", "r1234", "nothing touches fives"),
    ("Null-Fives & Omni (3 Suits)", "Red", "r1234 o12345", "but all touches Omni"),
    ("White-Ones & Prism (3 Suits)", "Red", "r2345 s35", "Prism's one has no colour left"),
    ("Deceptive-Ones (3 Suits)", 2, "r12 g2 b2", "ranks 2 to 5: the first suit's 1 answers to 2"),
    ("Deceptive-Ones (3 Suits)", 4, "r4 g4 b14", "the third suit's to 4"),
    ("Deceptive-Ones (6 Suits)", 2, "r12 y2 g2 b2 p12 t2", "the fifth suit's to 2 again"),
    ("Deceptive-Fives (3 Suits)", 1, "r15 g1 b1", "ranks 1 to 4: the first suit's 5 answers to 1"),
    ("Deceptive-Fives & Pink (3 Suits)", 1, "r15 b1 i12345", "Pink's 5 answers to all"),
    ("Odds and Evens (3 Suits)", 1, "r135 g135 b135", "1 means odd"),
    ("Odds and Evens (3 Suits)", 2, "r24 g24 b24", "2 means even"),
    ("Funnels (3 Suits)", 2, "r12 g12 b12", "this rank and lower"),
    ("Chimneys (3 Suits)", 4, "r45 g45 b45", "this rank and higher"),
    ("Chimneys & Brown (3 Suits)", 4, "r45 b45", "Brown still answers to no rank"),
    ("Synesthesia (3 Suits)", "Red", "r12345 g14 b14", "1 and 4 are red"),
    (
        "Synesthesia & Brown (4 Suits)",
        "Red",
        "r12345 g15 b15",
        "Brown is the fourth colour; its ranks have none",
    ),
    (
        "Synesthesia & White (3 Suits)",
        "Red",
        "r12345 b135",
        "no colour touches White, not of its ranks either",
    ),
    ("Color Blind (3 Suits)", "Red", "", "colours touch nothing"),
    ("Number Blind (3 Suits)", 1, "", "ranks touch nothing"),
    ("Totally Blind (3 Suits)", 1, "", "nothing touches anything"),
    ("R+Ra,CB", "Red", "", "not even Rainbow (a code of our own)"),
]


@pytest.mark.parametrize(("name", "clue", "expected", "comment"), TOUCHES)
def test_touched_cards_worked_out_by_hand(name: str, clue: str | int, expected: str, comment: str) -> None:
    found = variant(name)
    clues: tuple[str | int, ...] = (*found.clue_colours, *found.clue_ranks)
    masks = dict(zip(clues, found.colour_touch + found.rank_touch, strict=True))
    touched = itertools.groupby(cards_in(masks[clue]), key=lambda card: card.suit)
    rows = [found.letters[suit] + "".join(str(card.rank) for card in cards) for suit, cards in touched]
    assert rows == expected.split(), comment


# variant, cards, highest score, copies of each identity suit by suit, comment
DECKS = [
    ("No Variant", 50, 25, "32221 32221 32221 32221 32221", ""),
    ("Black (5 Suits)", 45, 25, "32221 32221 32221 32221 11111", "one of each"),
    ("Reversed (3 Suits)", 30, 15, "32221 32221 12223", "the last suit is reversed: three 5s"),
    ("Gray Reversed (5 Suits)", 45, 25, "32221 32221 32221 32221 11111", "one of each goes first"),
    ("Up or Down (5 Suits)", 45, 25, "122211 122211 122211 122211 122211", "one 1, one 5, one START"),
    ("Up or Down & Gray (6 Suits)", 51, 30, "122211 122211 122211 122211 122211 111111", ""),
    ("Sudoku (5 Suits)", 50, 25, "22222 22222 22222 22222 22222", "two of everything"),
    ("Sudoku (4 Suits)", 32, 16, "2222 2222 2222 2222", "ranks 1 to 4"),
    ("Critical Fours (5 Suits)", 45, 25, "32211 32211 32211 32211 32211", "one 4"),
    ("Scarce Ones (5 Suits)", 45, 25, "22221 22221 22221 22221 22221", "two 1s"),
]


@pytest.mark.parametrize(("name", "size", "score", "copies", "comment"), DECKS)
def test_decks_worked_out_by_hand(name: str, size: int, score: int, copies: str, comment: str) -> None:
    found = variant(name)
    assert (found.deck_size, found.max_score) == (size, score), comment
    assert ["".join(map(str, row)) for row in found.copies] == copies.split(), comment


def test_the_deck_is_laid_out_as_the_site_does() -> None:
    deck = variant("Up or Down (5 Suits)").deck
    assert deck[:9] == tuple(Card(0, rank) for rank in (1, 2, 2, 3, 3, 4, 4, 5, 7))
    assert deck[9] == Card(1, 1)


# variant, letters, comment
LETTERS = [
    ("6 Suits", "rygbpt", ""),
    ("Special Mix (6 Suits)", "kmiwnu", "what players use"),
    ("R+Y+BrRa+BrRa1", "rymd", "a dark twin wants the letters of the light one"),
    ("Wh+Wh1", "wg", "and finds one in its name when they are taken"),
    ("Pink & Prism (6 Suits)", "rygbis", ""),
    ("Omni & Orange (6 Suits)", "rygboa", "o and r are taken"),
    ("Extremely Ambiguous (6 Suits)", "iasbno", ""),
    ("Dual-Color (5 Suits)", "tlcia", "Cardinal finds c taken"),
]


@pytest.mark.parametrize(("name", "letters", "comment"), LETTERS)
def test_letters_worked_out_by_hand(name: str, letters: str, comment: str) -> None:
    assert "".join(variant(name).letters) == letters, comment


def test_a_code_may_be_one_that_the_site_does_not_have() -> None:
    small = variant("R+Y")
    assert (small.id, small.name, small.code) == (None, "R+Y", "R+Y")
    assert (small.deck_size, small.max_score, small.clue_colours) == (20, 10, ("Red", "Yellow"))
    lone = variant("Pr")
    assert (lone.clue_colours, lone.colour_touch) == ((), ())
    assert not lone.touches("Red", Card(0, 1))


SUIT_CODES = ["R", "Y", "Bk", "Ra", "Pi1", "Wh", "Nu", "Pr", "Pr1:R", "Or", "DRYGBPT", "EB1", "G:R", "BrRa1"]
SPECIAL_CODES = [
    "",
    "UD",
    "Su",
    "C4",
    "S1",
    "R1",
    "D5",
    "NM,Sy",
    "NM",
    "CM",
    "CB",
    "TH",
    "OE",
    "Fu",
    "Ch",
    "XX",
]


@given(
    suits=st.lists(st.sampled_from([*SUIT_CODES, "Zz", ""]), max_size=7),
    special=st.sampled_from(SPECIAL_CODES),
)
def test_any_code_is_a_variant_that_fits_our_arrays_or_unknown(suits: list[str], special: str) -> None:
    code = "+".join(suits) + (f",{special}" if special else "")
    try:
        found = variant(code)
    except UnknownName:
        return
    assert found.code == code
    assert len(found.suits) == len(suits) <= MAX_SUITS
    assert len(found.clue_colours) <= MAX_SUITS
    assert found.deck_size <= MAX_CARDS
    everything = {Card(suit, rank) for suit in range(len(suits)) for rank in found.ranks}
    assert set(found.deck) == everything
    clues: tuple[str | int, ...] = (*found.clue_colours, *found.clue_ranks)
    for clue, mask in zip(clues, found.colour_touch + found.rank_touch, strict=True):
        assert set(cards_in(mask)) == {card for card in everything if found.touches(clue, card)}
    assert eval(repr(found)) is found


# code, part of what is said about it
BAD_CODES = [
    ("R+Zz", 'there is no suit "Zz"'),
    ("R+Y,XX", "the special rule"),
    ("R+Y,R1,TH", "the special rule"),
    ("R+Y+G,Su", "Sudoku needs 4 or 5 suits"),
    ("R+R", "its suits must differ"),
    ("R+Y+G+B+P+T+Ra", "6 suits and 6 colours"),
    ("DRYGBPT+Pi", "6 suits and 6 colours"),
    ("R+Y:R,UD", "sets the direction"),
    ("R+Y+G+B:R,Su", "sets the direction"),
    ("R+", 'there is no suit ""'),
]


@pytest.mark.parametrize(("code", "advice"), BAD_CODES)
def test_a_code_that_makes_no_sense_says_why(code: str, advice: str) -> None:
    with pytest.raises(UnknownName, match="there is no variant") as caught:
        variant(code)
    assert caught.value.kind == "variant"
    assert caught.value.name == code
    assert advice in str(caught.value)


# name, the nearest ones
MISSPELT = [
    ("Rainbow", ("Rainbow (6 Suits)", "Rainbow (5 Suits)", "Rainbow (4 Suits)")),
    ("no varient", ("No Variant",)),
    ("Throw it in a Hole", ("Throw It in a Hole (6 Suits)", "Throw It in a Hole (5 Suits)")),
    ("5 Suits", ("6 Suits", "4 Suits", "3 Suits")),
    ("Colour Blind (5 Suits)", ("Color Blind (5 Suits)",)),
    ("Black (3 Suits)", ("Black (5 Suits)",)),  # follows the rules of names, but the site has no such variant
]


@pytest.mark.parametrize(("name", "nearest"), MISSPELT)
def test_an_unknown_name_tells_the_nearest(name: str, nearest: tuple[str, ...]) -> None:
    with pytest.raises(UnknownName) as caught:
        variant(name)
    assert len(caught.value.nearest) <= 3
    assert set(nearest) <= set(caught.value.nearest)
    assert caught.value.nearest[0] in str(caught.value)


STRANGE: list[Any] = [
    "",
    " ",
    "+",
    ",",
    "R,",
    "²",
    "٣",
    "-1",
    "2426",
    "9" * 79,
    "\ud800",
    "\x1b[31m",
    "No Variant" + " " * 80 + "x",
    "x" * 10_000_000,
    "R+" * 5_000_000,
    "1" * 10_000_000,
    -1,
    2426,
    10**10_000,
    -(10**10_000),
]


@pytest.mark.parametrize("key", STRANGE, ids=range(len(STRANGE)))
def test_what_is_no_variant_is_said_in_a_short_line(key: str | int) -> None:
    with pytest.raises(UnknownName) as caught:
        variant(key)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_hash_equality_and_pickle() -> None:
    found = variant("Rainbow (5 Suits)")
    assert found == pickle.loads(pickle.dumps(found))
    assert hash(found) == hash(pickle.loads(pickle.dumps(found)))
    assert found != variant("Rainbow (4 Suits)")
    assert eval(repr(found)) is found
    assert isinstance(found.suits[0], Suit)


def test_no_variant_needs_no_list_of_names() -> None:
    code = (
        "from hanalyze.game import variants as v\n"
        "v.variant('No Variant').rank_touch\n"
        "assert v.variant_names.cache_info().currsize == 0\n"
        "assert v._ids_of_codes.cache_info().currsize == 0\n"
        "v.variant('6 Suits')\n"
        "assert v._numbered.cache_info().currsize == 2\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
