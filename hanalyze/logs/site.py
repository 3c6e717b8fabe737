"""Where a game can be looked at on hanab.live: by its number there, or with all of it in the address.

In: a record, or its number. Out: an address without a turn, or None where the site cannot show the game. With
`#12` behind it the address opens at the site's turn 12, which is before our turn 11.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from hanalyze.errors import UnknownName
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import Card
from hanalyze.game.variants import variant
from hanalyze.logs.record import GameRecord

__all__ = ["compact", "compact_address", "numbered_address"]

_SITE: Final = "https://hanab.live"
_LETTERS: Final = ascii_lowercase + digits + ascii_uppercase
_LINE: Final = 20
_ENDS: Final = (ActionKind.END_GAME, ActionKind.END_VOTE)
_LOST: Final = (
    "starting_player",
    "deck_plays",
    "empty_clues",
    "one_extra_card",
    "one_less_card",
    "all_or_nothing",
    "detrimental_characters",
)
"""Options by which a game is played otherwise, and which the string has no place for."""


def numbered_address(number: int | None, source: str | None) -> str | None:
    """Return the address of a game of the site's; None where it has no number, or one of somebody else's.

    >>> numbered_address(1, None), numbered_address(1, "an experiment")
    ('https://hanab.live/replay/1', None)
    """
    if number is None or (source is not None and "hanab.live" not in source.lower()):
        return None
    return f"{_SITE}/replay/{number}"


def compact_address(record: GameRecord, deck: Sequence[Card] | None = None) -> str | None:
    """Return an address that holds the whole game, as `compact` does."""
    text = compact(record, deck)
    return None if text is None else f"{_SITE}/replay-json/{text}"


def compact(record: GameRecord, deck: Sequence[Card] | None = None) -> str | None:
    """Return a game as the site's string for addresses; None where that has no place for it.

    Source: the site's client, `hypoCompress.ts`. Three parts between commas: players, ranks and the cards of
    the deck; kinds and actions; the number of the variant. Names, notes, seed and options other than the
    variant are lost, so a game that was played under such options has no string. How a game was ended by
    hand is left out. `deck` is the record's own unless given.

    >>> from hanalyze.game.actions import Action
    >>> cards = [Card(suit, rank) for suit, rank in ((0, 1), (1, 1), (0, 2), (1, 2))]
    >>> compact(GameRecord(players=("A", "B"), deck=cards, actions=[Action(3, 1, 2), Action(0, 3, 0)]))
    '212acbd,03pbad,0'
    """
    deck = record.deck if deck is None else deck
    if record.edition not in (None, "hanab-live") or any(getattr(record.options, name) for name in _LOST):
        return None
    try:
        number = variant(record.variant).id
    except UnknownName:
        return None
    ranks = [card.rank for card in deck or ()]
    actions = [action for action in record.actions if action.kind not in _ENDS]
    if number is None or not ranks or min(ranks) != 1 or not 2 <= len(record.players) <= 6:
        return None  # where there is no 1, the site reads other ranks than it wrote
    kinds = [action.kind for action in actions] or [0]
    first, width = min(kinds), max(kinds) - min(kinds) + 1
    if first < ActionKind.PLAY or max(kinds) > ActionKind.RANK_CLUE:
        return None
    cards = _text(card.suit * max(ranks) + card.rank - 1 for card in deck or ())
    moves = _text(
        code
        for kind, target, value in actions
        for code in ((value + 1 if kind >= ActionKind.COLOUR_CLUE else 0) * width + kind - first, target)
    )
    if cards is None or moves is None:
        return None
    text = f"{len(record.players)}1{max(ranks)}{cards},{first}{max(kinds)}{moves},{number}"
    return "-".join(text[i : i + _LINE] for i in range(0, len(text), _LINE))


def _text(numbers: Iterable[int]) -> str | None:
    """Return numbers as letters; None where one is too large."""
    listed = list(numbers)
    if not all(0 <= number < len(_LETTERS) for number in listed):
        return None
    return "".join(_LETTERS[number] for number in listed)
