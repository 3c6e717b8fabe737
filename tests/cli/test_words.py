"""Cards, colours and actions in the words of players: expected by hand."""

from __future__ import annotations

import pytest

from hanalyze.cli.screen import Words, plain
from hanalyze.game.editions import EDITION_VARIANTS, EDITIONS, edition
from hanalyze.game.names import suit_letters
from hanalyze.game.variants import variant, variant_names
from hanalyze.logs import GameRecord
from hanalyze.replaying import Replay, replay
from tests.building import game


def words_of(result: Replay) -> Words:
    return Words(result.variant, result.suit_names, result.record.players)


def said(record: GameRecord, *, brief: bool = False) -> list[str]:
    """Return what the players do in a game, in words."""
    result = replay(record)
    words = words_of(result)
    sentences = []
    for row in result.facts():
        action = record.actions[row["turn"]]
        sentences.append(f"{words.actor(row, action)} {plain(words.action(row, action, brief=brief))}")
    return sentences


# Alice holds orders 0 to 4, Bob 5 to 9; the newest card is slot 1.
DEALT = "r1 r3 g1 b4 g3 r1 y4 b2 r2 y4"


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        ("clue 1 red", "Alice clues Bob red (slots 2, 5)"),
        ("clue 1 4", "Alice clues Bob 4 (slots 1, 4)"),
        ("clue 1 2", "Alice clues Bob 2 (slots 2, 3)"),
        ("clue 1 blue", "Alice clues Bob blue (slot 3)"),
        ("clue 1 purple", "Alice clues Bob purple (no cards)"),
        ("clue 0 1", "Alice clues Alice 1 (slots 3, 5)"),
        ("play 0", "Alice plays r1 from slot 5"),
        ("play 4", "Alice plays g3 from slot 1, misplay"),
        ("discard 3", "Alice discards b4 from slot 2"),
        ("vote", "- ends the game (vote)"),
        ("end 3", "Alice ends the game (timeout)"),
        ("end 4", "Alice ends the game (terminated by player)"),
        ("end 6", "Alice ends the game (idle timeout)"),
    ],
)
def test_every_kind_of_action(moves: str, sentence: str) -> None:
    assert said(game(moves, DEALT)) == [sentence]


def test_brief() -> None:
    moves = "clue 1 red, clue 0 purple, play 4"
    assert said(game(moves, DEALT), brief=True) == [
        "Alice clues Bob red (2,5)",
        "Bob clues Alice purple (no cards)",
        "Alice plays g3 from slot 1, misplay",
    ]


def test_a_card_played_from_the_deck() -> None:
    # 39 discards and as many clues leave one card in the deck, then its order is played.
    moves = ", ".join(f"clue 1 1, discard {5 if turn == 0 else 10 + turn - 1}" for turn in range(39))
    record = game(f"{moves}, play 49", deck_plays=True)
    assert said(record)[-1].endswith("from the deck, misplay")


def test_the_player_who_ended_it_is_named_and_not_the_one_to_move() -> None:
    assert said(game("clue 1 red, end 4", DEALT))[-1] == "Alice ends the game (terminated by player)"


def test_odd_and_even() -> None:
    record = game("clue 1 1, clue 0 2", DEALT, variant="Odds and Evens (5 Suits)")
    assert said(record) == ["Alice clues Bob odd (slot 5)", "Bob clues Alice even (slot 2)"]


def test_the_start_card() -> None:
    name = "Up or Down (5 Suits)"
    record = game("play 0", "r7", variant=name)
    assert said(record) == ["Alice plays rS from slot 5"]


def test_an_edition_with_suits_of_its_own() -> None:
    # Cocktail Games: white, red, blue, yellow, green in the places of red, yellow, green, blue, purple.
    record = game("clue 1 red, clue 0 purple, play 0", DEALT, edition="cocktail")
    assert said(record) == [
        "Alice clues Bob white (slots 2, 5)",
        "Bob clues Alice green (no cards)",
        "Alice plays w1 from slot 5",
    ]


@pytest.mark.parametrize(
    ("text", "letters", "colours"),
    [
        ("hanab-live", "rygbp", "red yellow green blue purple"),
        ("hle", "rygwb", "red yellow green white blue"),
        ("keldon", "bgyrp", "blue green yellow red purple"),
        ("everdeck", "rygbp", "red yellow green blue purple"),
        # The sixth suit has the variant's name.
        ("abacus+farbrausch", "rygbwt", "red yellow green blue white teal"),
        ("abacus+farbrausch-2", "rygbwm", "red yellow green blue white"),
        ("rnr+variant-2", "wrbygk", "white red blue yellow green black"),
    ],
)
def test_letters_and_colours_of_the_editions(text: str, letters: str, colours: str) -> None:
    rules = edition(text)
    played = variant(rules.variant or "No Variant")
    names = (*rules.suits, *(suit.name for suit in played.suits[len(rules.suits) :]))
    words = Words(played, names, ("Alice", "Bob"))
    assert "".join(words.letters) == letters
    assert " ".join(words.colours) == colours


def test_letters_are_unique_in_every_variant_and_edition() -> None:
    own = [rules.suits for rules in EDITIONS.values() if rules.suits]
    assert EDITION_VARIANTS
    for name in variant_names():
        played = variant(name)
        theirs = tuple(suit.name for suit in played.suits)
        for suits in [(), *own] if len(theirs) >= 5 else [()]:
            names = (*suits, *theirs[len(suits) :])
            letters = suit_letters(played, names)
            assert len(set(letters)) == len(letters) == len(theirs)
            if not suits:
                assert letters == played.letters
            words = Words(played, names, ())
            assert len(set(words.colour_letters)) == len(words.colour_letters)


def test_names_are_cut_but_stay_different() -> None:
    players = ("anna_the_first", "anna_the_second", "Bob")
    words = Words(variant("No Variant"), tuple("abcde"), players, name_width=8)
    assert words.players == ["anna_th…", "ann… (2)", "Bob"]
    assert all(len(name) <= 8 for name in words.players)


def test_names_are_shown_escaped() -> None:
    words = Words(variant("No Variant"), tuple("abcde"), ("\x1b[31mAnn", "[red]Bob"))
    assert words.players == ["\\x1b[31mAnn", "[red]Bob"]
