"""Parts of sentences on the page of a game; the page's script joins them and hides cards from a player.

A part is a string, or an object with one of these keys: `seat`; `card`, with `orders` (the cards in hands
that the part may refer to); `clue` (row and index in `Names.clue_values`); `turn`; `term`, with `text`; `if`
(orders), with a `text` that is omitted if one of these cards is hidden; `b` (parts in bold).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from hanalyze.words import GameNames, listed, percent

Part: TypeAlias = Any
Parts: TypeAlias = list[Any]

APOSTROPHE: Final = "\N{RIGHT SINGLE QUOTATION MARK}"
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


def seat(number: int) -> Part:
    """Return the name of a player."""
    return {"seat": number}


def owner(number: int) -> Parts:
    """Return the possessive of a player's name, with a space after it."""
    return [{"seat": number}, APOSTROPHE + "s "]


def card(identity: Iterable[int], orders: Iterable[int] = ()) -> Part:
    """Return a card; without `orders` it is an identity, not a specific card, and is never hidden."""
    return {"card": list(identity), "orders": list(orders)}


def turn(number: int) -> Part:
    """Return a link to a turn; `number` is 0-based, and the page shows it 1-based."""
    return {"turn": number}


def term(name: str, text: str) -> Part:
    """Return a text that links to the definition of `name`."""
    return {"term": name, "text": text}


def strong(*parts: Part) -> Part:
    """Return parts in bold."""
    return {"b": list(parts)}


def unless_hidden(order: int, text: str) -> Part:
    """Return a text about a card that is omitted if the card is hidden."""
    return {"if": [order], "text": text}


def per_cent(chance: float) -> str:
    """Return a chance as a percentage.

    >>> per_cent(0.245)
    '25%'
    """
    return f"{percent(chance)}%"


def listed_parts(items: Sequence[Parts], last: str = " and ") -> Parts:
    """Join items with commas, and the final two items with `last`."""
    return [part for one in listed(items, last) for part in (one if isinstance(one, list) else [one])]


def joined(*sentences: Parts) -> Parts:
    """Join the nonempty sentences with spaces.

    >>> joined(["One."], [], ["Two", "."])
    ['One.', ' ', 'Two', '.']
    """
    return [
        part for number, one in enumerate(filter(None, sentences)) for part in ([" "] * bool(number) + one)
    ]


def plain_text(parts: Parts, names: GameNames) -> str:
    """Return parts as plain text."""
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif "seat" in part:
            texts.append(names.players[part["seat"]])
        else:
            texts.append(names.card_name(part["card"]) if "card" in part else f"turn {part['turn'] + 1}")
    return "".join(texts)


def capital(parts: Parts) -> Parts:
    """Capitalize the first letter of parts that begin with a text."""
    if parts and isinstance(parts[0], str):
        return [parts[0][:1].upper() + parts[0][1:], *parts[1:]]
    if parts and isinstance(parts[0], dict) and "term" in parts[0]:
        first = parts[0]
        return [{**first, "text": first["text"][:1].upper() + first["text"][1:]}, *parts[1:]]
    return parts
