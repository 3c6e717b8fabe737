"""Parts of sentences on the page of a game, which its script joins and can hide from a player.

A part is a string, or an object with one of these keys: `seat`; `card`, with `orders`, the cards in hands
that it may be about; `clue`, a row and a place among the clues; `turn`; `term`, with `text`; `if`, orders,
with a `text` that is left out where one of these cards is hidden; `b`, parts in bold.
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
    """Return the name of a player to whom something belongs."""
    return [{"seat": number}, APOSTROPHE + "s "]


def card(identity: Iterable[int], orders: Iterable[int] = ()) -> Part:
    """Return a card; without `orders` it is none in particular, and never hidden."""
    return {"card": list(identity), "orders": list(orders)}


def turn(number: int) -> Part:
    """Return a turn to go to, counted from 0; on the page it counts from 1."""
    return {"turn": number}


def term(name: str, text: str) -> Part:
    """Return a word that leads to its definition."""
    return {"term": name, "text": text}


def strong(*parts: Part) -> Part:
    """Return parts that stand out."""
    return {"b": list(parts)}


def unless_hidden(order: int, text: str) -> Part:
    """Return a text that says something of a card."""
    return {"if": [order], "text": text}


def per_cent(chance: float) -> str:
    """Return a chance in per cent.

    >>> per_cent(0.245)
    '25%'
    """
    return f"{percent(chance)}%"


def listed_parts(items: Sequence[Parts], last: str = " and ") -> Parts:
    """Return items of several parts with commas between them."""
    return [part for one in listed(items, last) for part in (one if isinstance(one, list) else [one])]


def joined(*sentences: Parts) -> Parts:
    """Return sentences with a space between them, without the empty ones.

    >>> joined(["One."], [], ["Two", "."])
    ['One.', ' ', 'Two', '.']
    """
    return [
        part for number, one in enumerate(filter(None, sentences)) for part in ([" "] * bool(number) + one)
    ]


def plain_text(parts: Parts, names: GameNames) -> str:
    """Return parts as text: names of players and cards, numbers of turns, and words."""
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
    """Return parts with a capital letter where they begin with a text."""
    if parts and isinstance(parts[0], str):
        return [parts[0][:1].upper() + parts[0][1:], *parts[1:]]
    if parts and isinstance(parts[0], dict) and "term" in parts[0]:
        first = parts[0]
        return [{**first, "text": first["text"][:1].upper() + first["text"][1:]}, *parts[1:]]
    return parts
