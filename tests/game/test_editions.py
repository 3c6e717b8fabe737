"""Where the editions differ: the same log under each of them, and every other variant and rating scale.

The expected results are worked out by hand from the rule sheets.
"""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

import pytest
from msgspec.structs import replace as changed

from hanalyze.errors import HanalyzeError, LogError, UnknownName
from hanalyze.game.editions import EDITION_VARIANTS, EDITIONS, Rules, edition, rating
from hanalyze.game.variants import variant
from hanalyze.logs import GameRecord
from hanalyze.replaying import replay
from tests.building import defects, game

Result = tuple[int, str, list[str]]


def result(record: GameRecord, named: str) -> Result:
    """Return score, end condition and broken rules of a log under an edition."""
    replayed = replay(record, edition=named)
    return replayed.score, replayed.end_condition, defects(replayed)


class Case(NamedTuple):
    """A row of the table of differences: a log, what each edition makes of it, and why."""

    row: str
    record: GameRecord
    results: dict[str, Result]
    comment: str


# Two players. Alice holds a playable card and four 5s, Bob no red card and nothing playable but the y1.
DECK = "r1 y5 g5 b5 p5  y1 g4 b4 p4 y4"
# One suit with three 1s and one with one of each: four cards in all begin a stack, and Bob holds them.
NO_ONES = "r2 r2 r3 r3 k5  k1 r1 r1 r1 k2"

CASES = (
    Case(
        "strikes that end the game",
        game("play 1, play 6, play 2", DECK),
        {
            "cocktail keldon abacus rnr everdeck hanab-live hle hanabi-data": (0, "strikeout", []),
            # The last action came too late.
            "hle+strikes=2 abacus+fewer-storm-tokens": (0, "strikeout", ["action_after_end"]),
            "rnr+strikes=4": (0, "unfinished", []),
        },
        "three everywhere; rnr has four tiles, of which the third one turned ends it; in hle it can be set",
    ),
    Case(
        "score after the last strike",
        game("play 0, play 5, play 1, play 6, play 2", DECK),
        {
            "cocktail keldon rnr hanabi-data": (2, "strikeout", []),
            "abacus everdeck hanab-live hle": (0, "strikeout", []),
            "hle+zero_when_lost=no": (2, "strikeout", []),
        },
        "two points were on the stacks",
    ),
    Case(
        "clue that touches no card",
        game("clue 1 red", DECK),
        {
            "abacus everdeck": (0, "unfinished", []),
            "cocktail keldon rnr hanab-live hle hanabi-data": (0, "unfinished", ["clue_touches_nothing"]),
            "hanab-live+empty_clues=yes": (0, "unfinished", []),
        },
        "Bob has no red card",
    ),
    Case(
        "discard with all tokens there",
        game("discard 1", DECK),
        {
            "hanabi-data": (0, "unfinished", []),
            "cocktail keldon abacus rnr everdeck hanab-live hle": (
                0,
                "unfinished",
                ["discard_at_full_tokens"],
            ),
        },
        "the first action of a game",
    ),
    Case(
        "clue to oneself",
        game("clue 0 red", DECK),
        {
            "hanabi-data": (0, "unfinished", []),
            "cocktail keldon abacus rnr everdeck hanab-live hle": (0, "unfinished", ["clue_to_self"]),
        },
        "it touches the r1",
    ),
    Case(
        "end when nothing more can be played",
        game("clue 1 1, discard 5, clue 1 1, discard 6, clue 1 1, discard 7, clue 1 1, discard 8",
             NO_ONES, variant="R+Bk"),
        {
            "hanab-live": (0, "normal", []),
            "cocktail keldon abacus rnr everdeck hle hanabi-data": (0, "unfinished", []),
            "hle+ends_when_stuck=yes": (0, "normal", []),
        },
        "all 1s are discarded; one card is left in the deck",
    ),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.row for case in CASES])
def test_the_same_log_under_each_edition(case: Case) -> None:
    seen = []
    for names, expected in case.results.items():
        for name in names.split():
            assert result(case.record, name) == expected, (case.row, name, case.comment)
            seen.append(name)
    assert set(EDITIONS) <= set(seen)
    assert len(set(map(repr, case.results.values()))) > 1


SUITS = {
    "cocktail": "White Red Blue Yellow Green",
    "keldon": "Blue Green Yellow Red Purple",
    "abacus": "Red Yellow Green Blue White",
    "rnr": "White Red Blue Yellow Green",
    "everdeck": "Red Yellow Green Blue Purple",  # it names none: those of hanab.live
    "hanab-live": "Red Yellow Green Blue Purple",
    "hle": "Red Yellow Green White Blue",
    "hanabi-data": "Green Yellow White Blue Red",
}


def test_suits_in_order() -> None:
    record = game("play 0", DECK)
    named = {name: " ".join(replay(record, edition=name).suit_names) for name in EDITIONS}
    assert named == SUITS
    six = game("play 0", variant="6 Suits")
    assert replay(six, edition="abacus").suit_names[5] == "Teal"


def test_new_card_is_shown() -> None:
    shown = {name: replay(game("play 0"), edition=name).rules.newest for name in EDITIONS}
    assert shown == {name: "right" if name in ("hle", "hanabi-data") else "left" for name in SUITS}


def test_six_players() -> None:
    record = game("play 0", players=6)
    for name in EDITIONS:
        if name == "hanab-live":
            assert [len(hand) for hand in replay(record, edition=name).state(0).hands] == [3] * 6
            continue
        with pytest.raises(LogError) as caught:
            replay(record, edition=name)
        assert caught.value.rule == "player_count"
        assert f"6 players, but {name} is for 2 to 5" in str(caught.value)
        assert replay(record, edition=f"{name}+max_players=6").turn_count == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hand_sizes_that_all_agree_on(players: int) -> None:
    for name in EDITIONS:
        hands = replay(game("play 0", players=players), edition=name).state(0).hands
        assert [len(hand) for hand in hands] == [{2: 5, 3: 5, 4: 4, 5: 4}[players]] * players


def test_an_edition_of_the_log_and_one_from_outside() -> None:
    record = game("play 0, play 5, play 1, play 6, play 2", DECK, edition="cocktail")
    assert (replay(record).score, replay(record).rules.edition) == (2, "cocktail")
    assert (replay(record, edition="abacus").score, replay(record, edition="abacus").rules.edition) == (
        0,
        "abacus",
    )


# --- other variants ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "end"),
    [
        ("", ["unfinished", "unfinished", "strikeout"]),
        ("+fewer-storm-tokens", ["unfinished", "strikeout", "strikeout"]),
        ("+strikes=1", ["strikeout", "strikeout", "strikeout"]),
    ],
)
def test_fewer_storm_tokens(change: str, end: list[str]) -> None:
    strikes = ["play 1", "play 6", "play 2"]
    ends = []
    for count in (1, 2, 3):
        found = replay(game(", ".join(strikes[:count]), DECK), edition=f"abacus{change}")
        ends.append(found.end_condition)
        assert found.turn_count == min(count, found.rules.strikes)
    assert ends == end


def test_spare_notes() -> None:
    nine = "clue 1 yellow, clue 0 red, " * 4 + "clue 1 yellow"
    assert result(game(nine, DECK), "abacus") == (0, "unfinished", ["clue_without_token"])
    assert result(game(nine, DECK), "abacus+spare-notes") == (0, "unfinished", [])
    # They are the most there can be, too: with nine of ten a card may be discarded, with ten none.
    two = game("clue 1 yellow, discard 6, discard 1", DECK)
    assert result(two, "abacus+spare-notes") == (0, "unfinished", ["discard_at_full_tokens"])
    tokens = [row["clue_tokens_after"] for row in replay(two, edition="abacus+spare-notes").rows()]
    assert tokens == [9, 10, 10]
    assert replay(two, edition="abacus+clue_tokens=12").state(0).clue_tokens == 12


# Bob's hand, under the sixth suit as a colour of its own and as one that every colour touches.
SIXTH = "r1 r2 r3 r4 r5  r1 y1 g1 {0}1 {0}2"


@pytest.mark.parametrize(
    "name", ["abacus+farbrausch", "rnr+variant-1", "abacus+farbrausch-2", "rnr+variant-3"]
)
def test_a_sixth_suit(name: str) -> None:
    wild = name in ("abacus+farbrausch-2", "rnr+variant-3")
    played = variant("Rainbow (6 Suits)" if wild else "6 Suits")
    deck = SIXTH.format(played.letters[5])
    # The log says no variant, and has a deck of 60 cards. Slots count from the newest card.
    record = changed(
        game("clue 1 red, clue 0 red, clue 1 colour 5", deck, variant=played.name), variant="No Variant"
    )
    found = replay(record, edition=name)
    slots = [row["touched_slots"] for row in found.rows()]
    if wild:
        # It cannot be named; a clue of red touches the red card and the two of the sixth suit.
        assert slots == [0b10011, 0b11111]
        assert defects(found) == ["clue_not_in_variant"]
    else:
        assert slots == [0b10000, 0b11111, 0b00011]
        assert defects(found) == []
    assert found.state(0).max_score == 30
    # It builds its own stack.
    plays = changed(
        game("clue 1 red, play 8, clue 1 red, play 9", deck, variant=played.name), variant="No Variant"
    )
    assert replay(plays, edition=name).state(-1).stacks[5] == ((5, 1), (5, 2))
    with pytest.raises(LogError) as caught:
        replay(record, edition=name.partition("+")[0])
    assert caught.value.rule == "deck_size"


@pytest.mark.parametrize("name", ["abacus+farbrausch-short", "rnr+variant-2"])
def test_a_short_sixth_suit(name: str) -> None:
    whole, short = variant("6 Suits"), variant("Black (6 Suits)")
    longer = name.replace("-short", "").replace("variant-2", "variant-1")
    discard = "clue 1 red, discard 8"
    lost = game(discard, SIXTH.format("k"), variant=short.name)
    spare = game(discard, SIXTH.format(whole.letters[5]), variant=whole.name)
    # One card of each rank: with its 1 the whole suit is lost.
    assert len(lost.deck or ()) == 55
    assert replay(changed(lost, variant="No Variant"), edition=name).max_score == 25
    assert replay(changed(spare, variant="No Variant"), edition=longer).max_score == 30
    # It is a colour of its own.
    own = replay(game("clue 1 black", SIXTH.format("k"), variant=short.name), edition=name)
    assert [row["touched_slots"] for row in own.rows()] == [0b00011]


def test_a_log_of_another_variant_than_the_editions() -> None:
    record = game("play 0", variant="Rainbow (6 Suits)")
    assert replay(record, edition="rnr+variant-3").turn_count == 1
    with pytest.raises(LogError) as caught:
        replay(record, edition="rnr+variant-1")
    assert caught.value.rule == "variant_of_edition"
    assert 'the log says variant "Rainbow (6 Suits)", but the edition plays "6 Suits"' in str(caught.value)
    endless = GameRecord(players=("A", "B"), seed="p2v0s1", variant="x" * 20_000, edition="rnr+variant-1")
    with pytest.raises(LogError) as caught:
        replay(endless)
    assert len(str(caught.value)) < 300


# One suit, two players with four cards each, two cards in the deck. Alice can play all but the r5.
ALONE = "r1 r2 r3 r4  r5 r1 r1 r2  r3 r4"
# Bob can play up to the r4; he draws an r1 and an r3 that nobody needs then.
EMPTY = "r5 r1 r2 r4  r1 r2 r3 r4  r1 r3"
EMPTIES = (
    "clue 1 1, play 4, clue 1 2, play 5, clue 1 3, play 6, clue 1 4, play 7, clue 1 1, discard 8,"
    "clue 1 3, play 9, play 1"
)

VARIANT_4 = (
    (
        "won",
        game("play 0, clue 0 red, play 1, clue 0 red, play 2, clue 0 4, play 3, play 4",
             ALONE, variant="R", one_less_card=True),
        # Alice draws the last card in her second turn.
        ("rnr", (3, "normal", ["action_after_end"])),
        ("rnr+variant-4", (5, "normal", [])),
    ),
    (
        "lost by strikes",
        game("play 0, play 5, play 1, play 6, play 2", "r1 y4 g4 b4 p4  y1 y3 g3 b3 p3"),
        ("rnr", (2, "strikeout", [])),
        ("rnr+variant-4", (2, "strikeout", [])),
    ),
    (
        "lost by an indispensable card",
        game("clue 1 yellow, clue 0 red, discard 1", DECK),
        ("rnr", (0, "unfinished", [])),
        ("rnr+variant-4", (0, "all_or_nothing_fail", [])),
    ),
    (
        "lost by a strike of an indispensable card",
        game("play 0, play 5, play 1", DECK),
        ("rnr", (2, "unfinished", [])),
        ("rnr+variant-4", (2, "all_or_nothing_fail", [])),
    ),
    (
        "lost as Bob has neither card nor token",
        game(EMPTIES, EMPTY, variant="R", one_less_card=True),
        ("rnr+clue_tokens=5", (3, "normal", ["action_after_end"])),
        ("rnr+variant-4+clue_tokens=5", (4, "all_or_nothing_softlock", [])),
    ),
    (
        "the same with tokens left",
        game(EMPTIES, EMPTY, variant="R", one_less_card=True),
        ("rnr", (3, "normal", ["action_after_end"])),
        ("rnr+variant-4", (4, "unfinished", [])),
    ),
)  # fmt: skip


@pytest.mark.parametrize(("comment", "record", "plain", "without_last_round"), VARIANT_4)
def test_variant_4(
    comment: str, record: GameRecord, plain: tuple[str, Result], without_last_round: tuple[str, Result]
) -> None:
    for name, expected in (plain, without_last_round):
        assert result(record, name) == expected, (comment, name)
    # The scale of points is not used.
    assert replay(record, edition=plain[0]).rating is not None
    assert replay(record, edition=without_last_round[0]).rating is None


def test_variant_4_combines_with_the_others() -> None:
    for other in ("variant-1", "variant-2", "variant-3"):
        name = edition(f"rnr+{other}").variant
        record = changed(
            game("clue 1 yellow, clue 0 red, discard 1", DECK, variant=name), variant="No Variant"
        )
        assert result(record, f"rnr+{other}") == (0, "unfinished", [])
        for both in (f"rnr+{other}+variant-4", f"rnr+variant-4+{other}"):
            assert result(record, both) == (0, "all_or_nothing_fail", [])


def test_every_other_variant_has_a_test_above() -> None:
    assert {name: sorted(variants) for name, variants in EDITION_VARIANTS.items()} == {
        "abacus": ["farbrausch", "farbrausch-2", "farbrausch-short", "fewer-storm-tokens", "spare-notes"],
        "rnr": ["variant-1", "variant-2", "variant-3", "variant-4"],
    }


# --- ratings -----------------------------------------------------------------------------------------------

SCALES = {
    "cocktail": ("horrible", "mediocre", "honourable", "excellent", "amazing", "legendary"),
    "abacus": ("booed", "poor", "ok", "good", "very good", "legendary"),
    "everdeck": ("booed", "poor", "ok", "good", "very good", "legendary"),
    "rnr": ("horrible", "mediocre", "honourable attempt", "excellent", "amazing", "legendary"),
}
# First and last points of each label. For 30, which no sheet rates: the same shares of the maximum.
BOUNDS = {
    25: ((0, 5), (6, 10), (11, 15), (16, 20), (21, 24), (25, 25)),
    30: ((0, 7), (8, 13), (14, 19), (20, 25), (26, 29), (30, 30)),
    20: ((0, 4), (5, 8), (9, 12), (13, 16), (17, 19), (20, 20)),
}


@pytest.mark.parametrize("most", BOUNDS)
@pytest.mark.parametrize("name", EDITIONS)
def test_rating_scales(name: str, most: int) -> None:
    for i, (first, last) in enumerate(BOUNDS[most]):
        label = SCALES[name][i] if name in SCALES else None
        assert [rating(points, most, edition(name)) for points in (first, last)] == [label, label]


def test_the_rating_of_a_replay() -> None:
    # A lost game is rated by what it scores: here 2 points or none.
    record = game("play 0, play 5, play 1, play 6, play 2", DECK)
    rated = {name: replay(record, edition=name).rating for name in EDITIONS}
    assert rated == {name: SCALES[name][0] if name in SCALES else None for name in EDITIONS}
    # 4 of 5 points are as 20 of 25.
    four = game("play 0, clue 0 red, play 1, clue 0 red, play 2, clue 0 4, play 3", ALONE, variant="R",
                one_less_card=True)  # fmt: skip
    assert replay(four, edition="cocktail+all_or_nothing=yes").rating == "excellent"


# --- names of editions -------------------------------------------------------------------------------------


def test_an_edition_is_hanab_lives_with_its_own_differences() -> None:
    assert edition("hanab-live") == Rules(max_players=6, ends_when_stuck=True)
    assert edition(" Abacus + Spare-Notes ") == edition("abacus+clue_tokens=10")
    for name, rules in EDITIONS.items():
        assert rules.edition == name


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        ("abakus", "unknown_edition", 'did you mean "abacus"'),
        ("", "unknown_edition", "one of: cocktail, keldon"),
        ("rnr+variant-5", "unknown_variant_of_rnr", '"variant-4"'),
        ("hle+variant-4", "unknown_variant_of_hle", "variant-4"),
        ("hle+strike=2", "unknown_rule", 'did you mean "strikes"'),
        ("hle+edition=rnr", "unknown_rule", "edition"),
        ("hle+strikes=0", "bad_rule", "a number from 1 to 99"),
        ("hle+strikes=two", "bad_rule", "a number from 1 to 99"),
        ("hle+max_players=7", "bad_rule", "a number from 2 to 6"),
        ("hle+hand_size_change=2", "bad_rule", "a number from -3 to 1"),
        ("hle+empty_clues=maybe", "bad_rule", "yes or no"),
        ("hle+newest=top", "bad_rule", "'left', 'right'"),
        ("hle+rating=stars", "bad_rule", "'abacus'"),
        ("hle" + "+strikes=1" * 1_000_000, "bad_rule", "1,000,000 changes, but at most 100 are allowed"),
    ],
)
def test_names_that_are_no_edition(text: str, rule: str, words: str) -> None:
    with pytest.raises(HanalyzeError) as caught:
        edition(text)
    assert caught.value.rule == rule
    assert words in str(caught.value)
    assert isinstance(caught.value, UnknownName) is rule.startswith("unknown")


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [("max_players", 2, 6), ("clue_tokens", 1, 63), ("strikes", 1, 99), ("hand_size_change", -3, 1)],
)
def test_limits_of_numbers(field: str, least: int, most: int) -> None:
    for value in (least, most):
        assert getattr(edition(f"hle+{field}={value}"), field) == value
    for value in (least - 1, most + 1):
        with pytest.raises(HanalyzeError, match=f"a number from {least} to {most}"):
            edition(f"hle+{field}={value}")


def test_every_field_can_be_set_but_those_that_name_things() -> None:
    values = {
        "max_players": "4",
        "clue_tokens": "7",
        "strikes": "2",
        "hand_size_change": "1",
        "newest": "right",
        "rating": "cocktail",
    }
    for field in fields(Rules):
        if field.name not in ("edition", "suits", "variant"):
            old = getattr(Rules(), field.name)
            value = values.get(field.name, "no" if old else "yes")
            assert getattr(edition(f"hanab-live+{field.name}={value}"), field.name) != old, field.name
