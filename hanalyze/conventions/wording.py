"""Findings in words: what an action meant, what speaks against it, what became of it; conventions by name.

In: a row of the view `findings` (or of the tables that it joins) and how to name a card and a seat. Out:
phrases, the same on the command line and on the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from hanalyze.conventions.classes import CLUES, KEEPING, PUSHES, TRASH_SIGNALS, is_any
from hanalyze.errors import UnknownName
from hanalyze.game.meanings import Convention, Reason

_ABOUT_FOCUS: Final = CLUES & ~(PUSHES | TRASH_SIGNALS) | 1 << Convention.TRASH_PUSH
"""Clues whose focus is what comes after the called cards."""
_NAMES: Final = frozenset({Convention.SARCASTIC_DISCARD})
_BY_LABEL: Final = {one.label: one for one in Convention}
_OUTCOMES: Final = {
    "success": "worked",
    "failed": "failed",
    "missed": "missed",
    "stomped": "overridden by another clue",
    "broken": "broken: a called card was not playable",
    "superseded": "no longer needed",
    "passed_back": "moved to another copy",
    "censored": "game ended first",
    "open": "still open",
}


def named_convention(name: str) -> Convention:
    """Return a convention by its word. Raises `UnknownName`.

    >>> named_convention("layered-finesse").label
    'layered_finesse'
    """
    word = name.lower().replace("-", "_").replace(" ", "_")
    if word not in _BY_LABEL:
        from difflib import get_close_matches  # nobody who spells well waits for it

        near = tuple(get_close_matches(word[:100], _BY_LABEL, n=2))
        raise UnknownName("convention", name, near, advice="`hanalyze conventions --explain all` lists them")
    return _BY_LABEL[word]


def _joined(orders: list[int], between: str, last: str) -> list[str | int]:
    """Return cards with words between them, and others before the last one."""
    parts: list[str | int] = []
    for i, order in enumerate(orders):
        if i:
            parts.append(last if i == len(orders) - 1 else between)
        parts.append(order)
    return parts


def meaning_parts(finding: Mapping[str, Any]) -> list[str | int]:
    """Return what an action meant, as words and the orders of cards.

    >>> meaning_parts({"convention": "finesse", "focus": 12, "cards": [7, -1, -1], "steps": 1})
    ['finesse: ', 7, ', then ', 12]
    """
    convention = _BY_LABEL[finding["convention"]]
    called = [order for order in finding["cards"] if order >= 0]
    steps, others = called[: finding["steps"]], called[finding["steps"] :]
    focus = finding["focus"]
    if focus is not None and is_any(convention, _ABOUT_FOCUS | (1 << Convention.UNEXPLAINED if steps else 0)):
        steps = [*steps, focus]
    parts = _joined(steps, ", then ", ", then ")
    if others:
        verb = "keeps" if is_any(convention, KEEPING) else "names" if convention in _NAMES else "for"
        parts += [f"{', ' if parts else ''}{verb} ", *_joined(others, ", ", " and ")]
    return [convention.words + (": " if parts else ""), *parts]


def meaning_words(finding: Mapping[str, Any], card: Callable[[int], str]) -> str:
    """Return what an action meant; `card` says whose card an order is and which one.

    >>> row = {"convention": "finesse", "focus": 12, "cards": [7, -1, -1], "steps": 1}
    >>> meaning_words(row, {7: "Bob's r1", 12: "Cathy's r2"}.__getitem__)
    "finesse: Bob's r1, then Cathy's r2"
    """
    return "".join(part if isinstance(part, str) else card(part) for part in meaning_parts(finding))


def reason_words(finding: Mapping[str, Any]) -> str:
    """Return what speaks against an action or explains it, an empty text if nothing does.

    >>> reason_words({"reasons": 1, "legal": False, "certainty": 100})
    'against convention: bad touch'
    """
    words = ", ".join(reason.words for reason in Reason.among(finding["reasons"]))
    if not finding["legal"]:
        return f"against convention: {words}" if words else "against convention"
    return words


def outcome_words(finding: Mapping[str, Any]) -> str:
    """Return what became of a finding, an empty text if it expected nothing.

    >>> outcome_words({"outcome": "success", "closed_turn": 14, "deferrals": 0, "strikes": 0})
    'worked on turn 15'
    """
    outcome = finding["outcome"]
    if outcome == "nothing_expected":
        return ""
    words = _OUTCOMES[outcome]
    if finding["closed_turn"] is not None and outcome not in ("censored", "open"):
        words += f" on turn {finding['closed_turn'] + 1}"
    if finding["deferrals"]:
        count = finding["deferrals"]
        words += f", after waiting {count} turn{'' if count == 1 else 's'}"
    if finding["strikes"]:
        words += f", with {finding['strikes']} strike{'' if finding['strikes'] == 1 else 's'}"
    return words
