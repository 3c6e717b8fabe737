"""Words and parts of sentences on the page of a game; its script joins them and hides cards from a player.

A part is a string, or an object with one of these keys: `seat`; `card`, with `orders` (the cards in hands
that the part may refer to); `clue` (row and index in `Names.clue_values`); `turn`; `term`, with `text`; `if`
(orders), with a `text` that is omitted if one of these cards is hidden; `b` (parts in bold).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from hanalyze.game.meanings import Convention
from hanalyze.store.definitions import Definition
from hanalyze.store.wording import evidence_parts
from hanalyze.words import GameNames, listed, percent

Part: TypeAlias = Any
Parts: TypeAlias = list[Any]

APOSTROPHE: Final = "\N{RIGHT SINGLE QUOTATION MARK}"
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


def seat(number: int) -> Part:
    """Return the name of the player in a seat (from 0)."""
    return {"seat": number}


def owner(number: int) -> Parts:
    """Return the possessive of a player's name and a space: "Alice's "."""
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
    """Return a text about a card, which the page omits while the card is hidden."""
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
    return [part for place, one in enumerate(filter(None, sentences)) for part in ([" "] * bool(place) + one)]


def plain_text(parts: Parts, names: GameNames) -> str:
    """Return texts, seats, cards and turns as text; other parts raise `KeyError`."""
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
    """Capitalize the first letter if the first part is a text or a term."""
    if parts and isinstance(parts[0], str):
        return [parts[0][:1].upper() + parts[0][1:], *parts[1:]]
    if parts and isinstance(parts[0], dict) and "term" in parts[0]:
        first = parts[0]
        return [{**first, "text": first["text"][:1].upper() + first["text"][1:]}, *parts[1:]]
    return parts


# fmt: off
FAULTS: Final[Mapping[str, tuple[str, str]]] = {
    "intended": ("A try in the last round", "it was the last round"),
    "no_message": ("Played without a call", "nobody had called the card"),
    "false_call": ("Played what a wrong clue called", "the clue called the wrong card"),
    "broken_call": ("Called, but already played elsewhere", "the called card was played elsewhere"),
    "wrong_card": ("Played a card other than the one called", "another card was called, or came first"),
    "false_clue": ("Clued as playable, but it was not", "the clue called a card that was not playable"),
    "bad_card": ("The clued card was useless", "the clued card was useless"),
    "later_copy": (
        "Clued, but another copy was played first", "a later clue got the other copy, which played first",
    ),
    "unlucky": ("Played as clued: bad luck", "the giver could not know that the card would be useless"),
    "broken_chain": ("Played as told, but a card was missing", "the card before it was not played"),
    "save_misread": ("Took a save for a play clue", "the clue may have been only a save"),
    "not_awaited": ("Played too early", "the call left time to wait"),
    "gamble": ("A gamble that failed", "the player knew that the card might not be playable"),
    "contradiction": ("Misplayed after a wrong clue", "the clue was wrong, and the play did not follow it"),
    "unclear_call": ("Perhaps an answer to an unclear clue", "an unclear clue seemed to call the card"),
    "known_unfit": ("Played a card known to be unplayable", "the card was known to be unplayable"),
    "told_trash": ("Played a card that was marked as trash", "messages had marked the card as trash"),
    "not_fixed": ("Played as told, and nobody fixed it", "a wrong clue was not fixed"),
}
# fmt: on
"""Title of a misplay and reason for the fault, by fault rule."""

FAULTS_OF: Final[Mapping[tuple[str, Convention | None], tuple[str, str]]] = {
    ("intended", Convention.POSITIONAL_MISPLAY): ("A misplay on purpose", "it was intentional"),
    ("wrong_card", Convention.ORDER_OF_ONES): (
        "Played a 1 before its turn",
        "another 1 was to be played first",
    ),
}
"""Title and reason that override `FAULTS`, by fault rule and convention of the play."""

CAUSES: Final = {
    "unclear_call": "Gave a clue that may have seemed to call {card}",
    "not_fixed": "Let a teammate misplay {card}",
}
"""Titles of `strike_caused` mistakes that replace the kind's sentence, by fault rule."""

MISPLAYS: Final = {
    "knew": "Played a card known to be unplayable",
    "misled": "Misled by the clues",
    "gamble": "A gamble that failed",
    "could_tell": "Played a card unlikely to be playable",
    "uncalled": "Played without a call",
    "could_not_know": "Played as told: bad luck",
    "forced": "The only play left",
    "nothing_to_lose": "A try with nothing to lose",
}
"""Title of a misplay by severity, if no fault rule is known."""

EXCUSES: Final = {"forced": "it was the only play left", "nothing_to_lose": "there was nothing to lose"}
"""Reasons that excuse a player's own strike, by severity."""


def is_excused(mark: Mapping[str, Any]) -> bool:
    """Return whether a misplay is excused although the conventions attribute it to the player."""
    return mark["kind"] == "misplay" and mark.get("fault") == "player" and mark["severity"] in EXCUSES


SEVERE: Final = {
    "knew": "{who} knew",
    "could_tell": "{who} could tell",
    "gamble": "{who} gambled",
    "uncalled": "No message had called for it",
    "misled": "The clues misled {who}",
    "hit": "It was a risk, and it came true",
    "lucky": "It was a risk, and it went well",
    "could_not_know": "{who} could not know",
    "forced": "{who} was forced",
    "nothing_to_lose": "There was nothing to lose",
}
"""Sentences on what the player could know, by severity; `{who}` is the player."""

RISKS: Final = {
    ("discard_over_trash", "hit"): "It might still have been needed, and it was",
    ("discard_over_trash", "lucky"): "It might still have been needed, but was not",
    ("discard_double", "hit"): "It might have been the other copy, and it was",
    ("discard_double", "lucky"): "It might have been the other copy, but was not",
    ("discard_unsaved", "lucky"): "The chop was at risk, but was not discarded",
    ("strike_caused", "misled"): "Both players share the fault",
}
"""Sentences that replace those of `SEVERE`, by kind and severity."""


def mark_title(
    kind: Definition,
    mark: Mapping[str, Any],
    rule: str | None = None,
    convention: Convention | None = None,
) -> Parts:
    """Return the title of a row of `mistakes`; empty if the kind has no sentence or the row lacks a value.

    `rule` is the fault rule of a misplay, `convention` the meaning of the play.
    """
    if mark["kind"] == "misplay":
        if rule in (None, "no_rule") or is_excused(mark):
            return [MISPLAYS.get(mark["severity"], "A misplay")]
        return [FAULTS_OF.get((rule, convention), FAULTS[rule])[0]]
    template = kind.averted if mark.get("came_true") is False and kind.averted else kind.sentence
    if mark["kind"] == "strike_caused":
        template = CAUSES.get(mark.get("fault_rule") or "", template)
    title = evidence_parts({"evidence": template, "evidence_values": mark["evidence_values"]})
    return [] if any("{" in part for part in title if isinstance(part, str)) else title
