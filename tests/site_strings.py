"""The site's strings for whole games, decoded as the site's client does."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase, digits

from hanalyze.game.actions import Action
from hanalyze.game.cards import Card
from hanalyze.game.variants import variant_names
from hanalyze.logs.record import GameRecord

LETTERS = ascii_lowercase + digits + ascii_uppercase


def expanded(text: str) -> GameRecord:
    """Return the game that a string encodes, with invented names."""
    cards, moves, number = text.replace("-", "").split(",")
    width = int(cards[2]) - int(cards[1]) + 1
    indexes = [LETTERS.index(letter) for letter in cards[3:]]
    kinds = int(moves[1]) - int(moves[0]) + 1
    actions = []
    for one, other in zip(moves[2::2], moves[3::2], strict=True):
        value, kind = divmod(LETTERS.index(one), kinds)
        actions.append(Action(kind + int(moves[0]), LETTERS.index(other), max(0, value - 1)))
    return GameRecord(
        players=tuple("ABCDEF"[: int(cards[0])]),
        deck=[Card(index // width, index % width + 1) for index in indexes],
        actions=actions,
        variant=variant_names()[int(number)],
    )
