"""Logs written by hand: a deck that begins (and ends) as a test wants it, and actions in words.

In: texts like `"r1 r2 ... b5"` and `"clue 1 red"`. Out: decks and `GameRecord`s. Cards are written with the
letters of the variant, START as rank 7; a deck is completed with its other cards, the high ranks last.
"""

from __future__ import annotations

from typing import Any

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import Card
from hanalyze.game.variants import variant as variant_named
from hanalyze.logs.record import GameRecord, Options
from hanalyze.replaying import Replay, replay

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")


def cards(text: str, variant: str = "No Variant") -> list[Card]:
    """Return the cards that a text names.

    >>> cards("r1 p5")
    [Card(suit=0, rank=1), Card(suit=4, rank=5)]
    """
    letters = variant_named(variant).letters
    return [Card(letters.index(word[0]), int(word[1:])) for word in text.split()]


def deck_starting(text: str = "", variant: str = "No Variant") -> list[Card]:
    """Return a whole deck that starts with the cards named, and ends with those after "...".

    >>> deck = deck_starting("b5 ... r1 r2")
    >>> len(deck), deck[0], deck[-2:]
    (50, Card(suit=3, rank=5), [Card(suit=0, rank=1), Card(suit=0, rank=2)])
    """
    start, _, end = text.partition("...")
    first, last = cards(start, variant), cards(end, variant)
    rest = sorted(variant_named(variant).deck, key=lambda card: (card.rank, card.suit))
    for card in first + last:
        rest.remove(card)
    return first + rest + last


def action(words: str, variant: str = "No Variant") -> Action:
    """Return the action that a few words name.

    Cards are named by their orders, receivers by their seats; colours by name, or as `colour 3`. A game ends
    with `end 4` (how it ended) or `vote`; `raw 7 0 0` is any action at all.

    >>> action("clue 1 red")
    Action(kind=<ActionKind.COLOUR_CLUE: 2>, target=1, value=0)
    """
    verb, *rest = words.split()
    if verb == "play":
        return Action(ActionKind.PLAY, int(rest[0]), 0)
    if verb == "discard":
        return Action(ActionKind.DISCARD, int(rest[0]), 0)
    if verb == "clue":
        if rest[1] == "colour":
            return Action(ActionKind.COLOUR_CLUE, int(rest[0]), int(rest[2]))
        if rest[1].lstrip("-").isdecimal():
            return Action(ActionKind.RANK_CLUE, int(rest[0]), int(rest[1]))
        colours = [colour.lower() for colour in variant_named(variant).clue_colours]
        return Action(ActionKind.COLOUR_CLUE, int(rest[0]), colours.index(rest[1].lower()))
    if verb == "end":
        return Action(ActionKind.END_GAME, 0, int(rest[0]))
    if verb == "vote":
        return Action(ActionKind.END_VOTE, -1, 10)
    assert verb == "raw", words
    return Action(*map(int, rest))


def game(
    moves: str = "",
    deck: str = "",
    *,
    players: int = 2,
    variant: str = "No Variant",
    edition: str | None = None,
    seed: str | None = None,
    score: int | None = None,
    **options: Any,
) -> GameRecord:
    """Return the record of a game: moves separated by commas, the deck as `deck_starting` takes it.

    A move with `* 3` after it is made three times; further arguments are options of the record.

    >>> len(game("play 0, clue 1 red * 2").actions)
    3
    """
    actions = []
    for move in filter(None, map(str.strip, moves.split(","))):
        words, _, times = move.partition("*")
        actions += [action(words, variant)] * int(times or 1)
    return GameRecord(
        players=NAMES[:players] if players <= len(NAMES) else tuple(map(str, range(players))),
        deck=deck_starting(deck, variant),
        actions=actions,
        variant=variant,
        options=Options(**options),
        edition=edition,
        seed=seed,
        score=score,
    )


def outcome(record: GameRecord, edition: str | None = None, **how: Any) -> tuple[int, str]:
    """Return score and end condition of a replay that must find nothing wrong."""
    result = replay(record, edition=edition, **how)
    assert defects(result) == [], result.defects
    assert result.turn_count == len(record.actions)
    return result.score, result.end_condition


def defects(result: Replay) -> list[str]:
    """Return the labels of the broken rules that a replay found, in order."""
    return [found.rule.label for found in result.defects]


def five_chop_move() -> GameRecord:
    """Return a game in which Cathy clues Bob 5 on turn 5, which keeps Bob's y3 (order 6), next to b5."""
    moves = "clue 2 1, clue 0 red, play 10, play 4, discard 5, clue 1 5"
    return game(moves, "y4 g3 b3 p3 r2 y1 y3 b5 g4 p4 r1 g1 r4 p4 b4", players=3)
