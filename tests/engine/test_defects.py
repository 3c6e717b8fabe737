"""Broken logs: the smallest one for each rule, what goes on after it, strict and forgiving replays.

And logs that cannot be dealt at all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace as changed

from hanalyze.decks import deck as deal
from hanalyze.errors import HanalyzeError, IllegalAction, LogError, UnknownName, UnsupportedOption
from hanalyze.game.cards import Card
from hanalyze.game.defects import STOPPING, Defect
from hanalyze.logs import GameRecord
from hanalyze.replaying import replay, replay_many
from tests.building import action, deck_starting, defects, game

# Alice has the orders 0 to 4, Bob 5 to 9.
DECK = "r1 y5 g5 b5 p5  y1 g4 b4 p4 y4"
EIGHT = "clue 1 yellow, clue 0 red, " * 4
NO_ONES = "r2 r2 r3 r3 k5  k1 r1 r1 r1 k2"
ALL_ONES = "clue 1 1, discard 5, clue 1 1, discard 6, clue 1 1, discard 7, clue 1 1, discard 8, "
THREE_STRIKES = "play 1, play 6, play 2, "
MUTE = {"variant": "Number Mute (5 Suits)"}
TURNS = {"variant": "Alternating Clues (5 Suits)"}


class Case(NamedTuple):
    """A log whose last action but one is broken; then Alice or Bob clues.

    `tokens`: the clue tokens at the end, None if the broken action was not carried out.
    """

    rule: Defect
    moves: str
    found: str
    tokens: float | None = None
    how: dict[str, Any] | None = None
    deck: str = DECK


CASES = (
    Case(Defect.UNKNOWN_ACTION, "raw 6 0 0", "Alice, action type 6"),
    Case(Defect.UNKNOWN_ACTION, "play 0, raw -1 0 0", "Bob, action type -1"),
    Case(Defect.ORDER_OUT_OF_RANGE, "play 50", "Alice plays the card of order 50, of a deck of 50"),
    Case(Defect.ORDER_OUT_OF_RANGE, "clue 1 1, discard -1",
         "Bob discards the card of order -1, of a deck of 50"),
    Case(Defect.CARD_NOT_IN_HAND, "play 5", "Alice plays the card of order 5, of a deck of 50"),
    Case(Defect.CARD_NOT_IN_HAND, "discard 10", "Alice discards the card of order 10, of a deck of 50"),
    Case(Defect.CARD_NOT_IN_HAND, "play 0, play 5, play 0",
         "Alice plays the card of order 0, of a deck of 50"),
    Case(Defect.SEAT_OUT_OF_RANGE, "clue 2 red", "Alice clues target 2 Red"),
    Case(Defect.SEAT_OUT_OF_RANGE, "clue -1 3", "Alice clues target -1 rank 3"),
    Case(Defect.CLUE_NOT_IN_VARIANT, "clue 1 colour 5", "Alice clues Bob colour 5 of 5"),
    Case(Defect.CLUE_NOT_IN_VARIANT, "clue 1 colour -1", "Alice clues Bob colour -1 of 5"),
    Case(Defect.CLUE_NOT_IN_VARIANT, "clue 1 6", "Alice clues Bob rank 6"),
    Case(Defect.CLUE_NOT_IN_VARIANT, "clue 1 0", "Alice clues Bob rank 0"),
    Case(Defect.CLUE_NOT_IN_VARIANT, "clue 1 1", "Alice clues Bob rank 1", how=MUTE),
    Case(Defect.UNKNOWN_END, "play 0, end 5", "action type 4 with value 5"),
    Case(Defect.UNKNOWN_END, "raw 5 -1 4", "action type 5 with value 4"),
    Case(Defect.ACTION_AFTER_END, THREE_STRIKES + "play 5",
         "Bob plays the card of order 5, of a deck of 50"),
    Case(Defect.ACTION_AFTER_END, "end 4, clue 0 red", "Bob clues Alice Red"),
    Case(Defect.ACTION_AFTER_END, ALL_ONES + "clue 1 black", "Alice clues Bob Black", 6,
         {"variant": "R+Bk"}, NO_ONES),
    Case(Defect.CLUE_TO_SELF, "clue 0 red", "Alice clues Alice Red", 6),
    Case(Defect.CLUE_WITHOUT_TOKEN, EIGHT + "clue 1 4", "Alice clues Bob rank 4", 0),
    Case(Defect.CLUE_TOUCHES_NOTHING, "clue 1 red", "Alice clues Bob Red", 6),
    Case(Defect.CLUE_KIND_REPEATED, "clue 1 1, clue 0 5", "Bob clues Alice rank 5", 5, TURNS),
    Case(Defect.DISCARD_AT_FULL_TOKENS, "discard 1",
         "Alice discards the card of order 1, of a deck of 50", 7),
)  # fmt: skip


def record_of(case: Case) -> tuple[GameRecord, int]:
    """Return the log with a legal clue behind it, where one is, and the turn of the broken action."""
    record = game(case.moves, case.deck, **(case.how or {}))
    turn = len(record.actions) - 1
    seats = ("clue 1 colour 1", "clue 0 colour 0")
    if case.deck == NO_ONES:
        seats = ("clue 1 black", "clue 0 black")
    if case.tokens != 0:
        record = changed(record, actions=[*record.actions, action(seats[(turn + 1) % 2], record.variant)])
    return record, turn


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule.label}: {case.moves[-20:]}")
def test_the_smallest_log(case: Case) -> None:
    record, turn = record_of(case)
    found = replay(record)
    [defect] = found.defects
    assert (defect.rule, defect.turn, defect.seat, defect.game) == (case.rule, turn, turn % 2, "-")
    assert defect.found == case.found
    if case.tokens is None:
        assert found.turn_count == turn
    else:
        assert found.turn_count == len(record.actions)
        assert found.state(-1).clue_tokens == case.tokens
    assert (case.tokens is None) >= (case.rule in STOPPING)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule.label}: {case.moves[-20:]}")
def test_strict_and_forgiving(case: Case) -> None:
    record, turn = record_of(case)
    record = changed(record, id=17)
    with pytest.raises(IllegalAction) as caught:
        replay(record, strict=True)
    error = caught.value
    assert (error.rule, error.turn, error.seat, error.game) == (case.rule.label, turn, turn % 2, "17")
    assert str(error) == f"game 17, turn {turn + 1}: {case.rule.sentence}: {case.found}"
    assert str(error).isprintable()
    for name in (case.rule, case.rule.label):
        if case.rule in STOPPING:
            with pytest.raises(HanalyzeError) as refused:
                replay(record, forgive=[name])
            assert refused.value.rule == "bad_forgive"
        else:
            assert replay(record, forgive=[name]).defects == ()
            # What the game comes to is the same.
            assert replay(record, forgive=[name]).turn_count == replay(record).turn_count
    others = [other for other in Defect if other not in STOPPING and other != case.rule]
    assert defects(replay(record, forgive=others)) == [case.rule.label]


def test_every_defect_has_a_log_here() -> None:
    whole = {Defect.DECK_DIFFERS_FROM_SEED, Defect.SCORE_DIFFERS}
    assert {case.rule for case in CASES} == set(Defect) - whole
    assert len({defect.sentence for defect in Defect}) == len(Defect)


def test_a_deck_that_its_seed_does_not_deal() -> None:
    assert replay(game("play 0", seed="p2v0s1")).defects[0].rule == Defect.DECK_DIFFERS_FROM_SEED
    record = game("play 0, clue 0 red", DECK, seed="p2v0s1", score=3)
    first, second = replay(record).defects
    assert str(first) == "game p2v0s1: a deck other than the one that its seed deals: seed p2v0s1 is ignored"
    assert str(second) == "game p2v0s1: a score other than the one that its actions reach: 3 instead of 1"
    assert first.turn is first.seat is second.turn is second.seat is None
    assert replay(record).deck == record.deck
    assert defects(replay(record, forgive=["deck_differs_from_seed"])) == ["score_differs"]
    assert defects(replay(record, forgive=[Defect.SCORE_DIFFERS])) == ["deck_differs_from_seed"]
    with pytest.raises(IllegalAction, match="seed p2v0s1 is ignored"):
        replay(record, strict=True)
    same = changed(record, deck=deal("p2v0s1"), actions=[], score=0)
    assert replay(same).defects == ()


def test_a_score_is_compared_under_the_logs_own_rules_only() -> None:
    record = game("play 0, play 5, play 1, play 6, play 2", DECK, edition="cocktail", score=2)
    assert replay(record).defects == ()
    assert replay(record, edition="abacus").defects == ()
    assert defects(replay(changed(record, score=0))) == ["score_differs"]


def test_all_defects_in_order() -> None:
    record = game("clue 1 red, clue 1 green, discard 0, discard 5, discard 1, play 7, play 5", DECK)
    found = replay(record)
    assert [(one.rule.label, one.turn, one.seat) for one in found.defects] == [
        ("clue_touches_nothing", 0, 0),
        ("clue_to_self", 1, 1),
        ("discard_at_full_tokens", 4, 0),
        ("card_not_in_hand", 6, 0),
    ]
    assert (found.turn_count, found.state(-1).strikes) == (6, 1)


def test_a_game_that_goes_on_when_nothing_can_be_played() -> None:
    # Bob draws the last card in turn 9, Alice misplays, Bob clues; the last action is one too many.
    record = game(
        ALL_ONES + "clue 1 black, discard 9, play 1, clue 0 5, clue 1 black", NO_ONES, variant="R+Bk"
    )
    found = replay(record)
    # One defect, not one for each action; it goes on as under rules that do not know this end.
    assert [(one.rule.label, one.turn) for one in found.defects] == [
        ("action_after_end", 8),
        ("action_after_end", 12),
    ]
    assert (found.turn_count, found.end_condition) == (12, "normal")
    other = replay(record, edition="hle")
    assert [(one.rule.label, one.turn) for one in other.defects] == [("action_after_end", 12)]
    assert (other.turn_count, other.end_condition) == (12, "normal")
    assert found.state(8).end_condition == "normal"
    assert found.state(9).end_condition == other.state(9).end_condition == "unfinished"
    assert found.state(-1) == other.state(-1)


def test_forgiving_what_does_not_exist() -> None:
    with pytest.raises(UnknownName) as caught:
        replay(game(), forgive=["rudeness"])
    assert caught.value.kind == "defect"
    assert "clue_to_self" in str(caught.value)


# --- logs that cannot be dealt -----------------------------------------------------------------------------

NO_PLAIN = deck_starting(variant="6 Suits")[:50]
TWICE = [Card(0, 5), *deck_starting("... r1")[:-1]]

REFUSED = (
    ("player_count", changed(game(), players=("Alice",)), "1 player, but hanab-live is for 2 to 6"),
    ("player_count", game(players=7), "7 players, but hanab-live is for 2 to 6"),
    ("player_count", game(players=6, edition="hle"), "6 players, but hle is for 2 to 5"),
    ("player_count", changed(game(), players=()), "0 players"),
    ("starting_player", game(starting_player=2), "starting player 2, but seats are 0 to 1"),
    ("starting_player", game(starting_player=-1), "starting player -1, but seats are 0 to 1"),
    (
        "deck_size",
        changed(game(), deck=deck_starting()[:49]),
        'a deck of 49 cards, but "No Variant" has 50',
    ),
    ("deck_size", changed(game(), deck=[]), "a deck of 0 cards"),
    (
        "deck_composition",
        changed(game(), deck=NO_PLAIN),
        'card 15 is suit 5 rank 1, which "No Variant" does not have',
    ),
    ("deck_composition", changed(game(), deck=TWICE), "2 copies of suit 0 rank 5 in the deck"),
    (
        "deck_composition",
        changed(game(), deck=[Card(-1, 2**40), *deck_starting()[1:]]),
        "card 0 is suit -1 rank 1099511627776",
    ),
    ("too_many_actions", game("clue 1 1 * 32768"), "32768 actions, but a log can have at most 32767"),
    ("deck_too_small", game(players=3, variant="R"), '3 hands of 5 cards, but "R" has 10 cards'),
    (
        "deck_too_small",
        game(players=6, variant="Bk+Ra1+Om1"),
        '6 hands of 3 cards, but "Bk+Ra1+Om1" has 15',
    ),
    ("no_deck", changed(game(), deck=None), "neither a deck nor a seed"),
    (
        "variant_of_edition",
        game(variant="Rainbow (6 Suits)", edition="rnr+variant-1"),
        'the log says variant "Rainbow (6 Suits)", but the edition plays "6 Suits"',
    ),
    ("unknown_variant", changed(game(), variant="Rainbow (7 Suits)"), 'did you mean "Rainbow (6 Suits)"'),
    ("unknown_variant", changed(game(), variant="no varient"), 'did you mean "No Variant"'),
    ("unknown_edition", game(edition="hannab-live"), 'did you mean "hanab-live"'),
    ("bad_seed", changed(game(), deck=None, seed="x", shuffle="hle"), "x"),
    ("unknown_shuffle", changed(game(), deck=None, seed="1", shuffle="riffle"), "riffle"),
    ("unsupported_option", game(detrimental_characters=True), "detrimentalCharacters"),
)


@pytest.mark.parametrize(("rule", "record", "words"), REFUSED)
def test_logs_that_cannot_be_dealt(rule: str, record: GameRecord, words: str) -> None:
    record = changed(record, id=17, file="games.jsonl", line=3)
    with pytest.raises(HanalyzeError) as caught:
        replay(record)
    error = caught.value
    assert (error.rule, error.game, error.file, error.line) == (rule, "17", "games.jsonl", 3)
    assert isinstance(error, UnknownName) is rule.startswith("unknown_")
    assert isinstance(error, UnsupportedOption) is (rule == "unsupported_option")
    assert isinstance(error, LogError) or rule in (
        "bad_seed",
        "unknown_variant",
        "unknown_edition",
        "unknown_shuffle",
    )
    assert words in str(error)
    assert str(error).startswith("games.jsonl, line 3: game 17: ")
    assert str(error).isprintable()
    assert "\n" not in str(error)
    # The others of a collection are replayed all the same.
    errors: list[tuple[GameRecord, HanalyzeError]] = []
    good = game("play 0", DECK)
    replays = list(replay_many([good, record, good], on_error=lambda *both: errors.append(both)))
    assert [one.score for one in replays] == [1, 1]
    assert [(one is record, error.rule) for one, error in errors] == [(True, rule)]


def test_a_log_without_a_deck_is_dealt_from_its_seed() -> None:
    bare = changed(game("play 0"), deck=None, seed="p2v0s1")
    assert replay(bare).deck == deal("p2v0s1")
    hle = changed(bare, seed="42", shuffle="hle", edition="hle")
    assert replay(hle).deck == deal(42, shuffle="hle")
    # One seed that cannot be dealt among others.
    bad = changed(hle, seed="one")
    errors: list[str] = []
    replays = list(replay_many([hle, bad, hle], on_error=lambda _, error: errors.append(error.rule)))
    assert [one.deck for one in replays] == [deal(42, shuffle="hle")] * 2
    assert errors == ["bad_seed"]


def test_strict_among_many() -> None:
    good, bad = game("play 0", DECK), changed(game("play 5", DECK), id=3, file="games.jsonl", line=2)
    errors: list[HanalyzeError] = []
    replays = list(
        replay_many([good, bad, good], strict=True, on_error=lambda _, error: errors.append(error))
    )
    assert len(replays) == 2
    [error] = errors
    assert str(error) == (
        "games.jsonl, line 2: game 3, turn 1: a card that is not in the player's hand:"
        " Alice plays the card of order 5, of a deck of 50"
    )
    stream = replay_many([good, bad, good], strict=True)
    assert next(stream).score == 1
    with pytest.raises(IllegalAction):
        next(stream)
