"""Explanations of terms: those of `hanalyze.game.meanings`, kinds of evidence, and labels under cards."""

from __future__ import annotations

from typing import Final, NamedTuple

from hanalyze.game.meanings import Convention, FaultRule, OutcomeKind, Reason

_SITE: Final = "https://hanabi.github.io/"


def _quoted(words: str) -> str:
    return f"\N{LEFT DOUBLE QUOTATION MARK}{words}\N{RIGHT DOUBLE QUOTATION MARK}"


class Explained(NamedTuple):
    """Explanation of a term.

    `kind` is a kind of term such as "Reason", or a convention's level; `example` and `address` can be empty.
    """

    title: str
    kind: str
    sentence: str
    example: str
    address: str


# fmt: off
EVIDENCE: Final = {
    "logic": Explained("Logic", "Evidence", "Deduced from clues, visible cards and the hand as a whole. Always true.", "", ""),
    "convention": Explained("Convention", "Evidence", "Inferred from the moves so far. True if everybody follows the conventions.", "", _SITE),
    "chance": Explained("Chance", "Evidence", f"{_quoted('By card counting')} weighs each possible identity by the copies that the holder does not see. {_quoted('As called')} weighs only identities that fit the messages. {_quoted('Calibrated')} is how often the statement was true of similar cards in recorded games.", "", ""),
}
"""Explanations of the kinds of evidence for a verdict."""

MARKS: Final = {
    "called": "A message called it to be played, on the turn shown.",
    "moved": "A chop move protects it: it is kept like a clued card, and is not the chop.",
    "saved": "It was clued to be kept, and not to be played yet.",
    "trash": "Its holder knows that it is useless.",
    "chop": "The oldest card that is neither clued, called nor chop moved: the next discard.",
    "finesse": "The newest card that is neither clued nor called: the card that a finesse or bluff asks for.",
}
"""Explanations of the labels under a card."""

# fmt: on


def explained(term: Convention | Reason | OutcomeKind | FaultRule) -> Explained:
    """Return the explanation of a term.

    >>> explained(Convention.BLUFF).kind, explained(Convention.BLUFF).address
    ('Level 11', 'https://hanabi.github.io/level-11#the-bluff')
    >>> explained(Reason.LATE).sentence
    'The player puts off a called card without an excuse.'
    """
    words = term.label.replace("_", " ") if isinstance(term, FaultRule) else term.words
    kinds = {Reason: "Reason", OutcomeKind: "Outcome", FaultRule: "Fault"}
    kind = f"Level {term.level}" if isinstance(term, Convention) else kinds[type(term)]
    address = _SITE + term.page if term.page else ""
    return Explained(_capital(words), kind, f"{_capital(term.definition)}.", term.example, address)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
