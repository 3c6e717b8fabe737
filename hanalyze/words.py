"""Texts for cards, clues, players, chances and conventions, shared by the terminal, pages and SQL."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, TypeVar

from hanalyze.conventions.classes import CLUES, KEEPING, PUSHES, TRASH_SIGNALS, is_any
from hanalyze.errors import UnknownName
from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import card_name, rank_letter
from hanalyze.game.meanings import Convention, OutcomeKind, Reason
from hanalyze.game.names import colour_letters, colour_names, suit_letters
from hanalyze.game.variants import Variant
from hanalyze.text import apart, nearest, plural

T = TypeVar("T")


ENOUGH_CARDS: Final = 100  # with fewer similar training cards, a chance is rounded to 10%, not 1%


class GameNames:
    """The names of a game's suits, clue colours and players; an edition's names override the variant's.

    `suits` and `letters` are indexed by suit, `colours` (lower case) and `colour_letters` by clue colour.
    `players`, indexed by seat, are printable, distinct and cut to `name_width` characters.
    """

    def __init__(
        self, variant: Variant, suit_names: tuple[str, ...], players: Sequence[str], name_width: int = 60
    ) -> None:
        self.variant = variant
        self.suits = suit_names
        self.letters = suit_letters(variant, suit_names)
        self.colours = tuple(name.lower() for name in colour_names(variant, suit_names))
        self.colour_letters = colour_letters(variant, suit_names)
        self.players = apart(players, name_width)

    def card_name(self, card: tuple[int, int]) -> str:
        """Return a card as players write it: `g3`, `gS` for the START card."""
        return card_name(card, self.letters)

    def clue_name(self, kind: int, value: int) -> str:
        """Return the name of a clue: a colour, a rank, "odd" or "even"."""
        if kind == ActionKind.COLOUR_CLUE:
            return self.colours[value]
        return rank_clue_name(value, self.variant)


def rank_clue_name(value: int, variant: Variant) -> str:
    """Return the name of a rank clue: the rank, or "odd" or "even"."""
    if variant.odds_and_evens:
        return "odd" if value == 1 else "even"
    return rank_letter(value)


def seat_name(seat: int, players: Sequence[str]) -> str:
    """Return a player's name, or for example "seat 5" if the seat does not exist; `seat` counts from 0."""
    return players[seat] if 0 <= seat < len(players) else f"seat {seat + 1}"


def slots_in_words(slots: Sequence[int]) -> str:
    """Return slots, counted from 1, as text.

    >>> slots_in_words([2]), slots_in_words([2, 4]), slots_in_words([])
    ('slot 2', 'slots 2, 4', 'no cards')
    """
    if not slots:
        return "no cards"
    return f"slot{'' if len(slots) == 1 else 's'} {', '.join(map(str, slots))}"


def listed(items: Sequence[T], last: str = " and ", between: str = ", ") -> list[T | str]:
    """Return items with separators between them; `last` precedes the last item.

    >>> "".join(listed(["a", "b", "c"]))
    'a, b and c'
    """
    parts: list[T | str] = []
    for number, item in enumerate(items, 1):
        parts += [item, last if number == len(items) - 1 else between]
    return parts[:-1]


# --- numbers and chances ------------------------------------------------------------------------------------


def rounded(value: float, decimals: int = 0) -> str:
    """Return a number rounded to `decimals` places, with halves rounded away from zero as in SQL.

    >>> rounded(12.5), rounded(1.25, 1), rounded(-0.5), f"{12.5:.0f}"
    ('13', '1.3', '-1', '12')
    """
    if not math.isfinite(value):
        return f"{value}"
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"


def with_minus(number: str) -> str:
    """Return a number in a sentence, such as "-1" or "+0.5", with a minus sign in place of the hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    """Return a share as a whole percentage, without the per cent sign.

    >>> percent(0.125)
    '13'
    """
    return rounded(100 * share)


def costs_in_words(points: float, tokens: float, pace: float) -> str:
    """Return the cost of mistakes as text; empty if there is no cost.

    >>> costs_in_words(2, 0.5, 0), costs_in_words(1, 0, 1)
    ('2 points, 0.5 clue tokens', '1 point, 1 pace')
    """
    costs = ((points, "point", "points"), (tokens, "clue token", "clue tokens"), (pace, "pace", "pace"))
    return ", ".join(f"{number:g} {one if number == 1 else many}" for number, one, many in costs if number)


def chance_in_words(chance: float, cards: int) -> str:
    """Return a model's chance in per cent, rounded to the nearest ten if `cards` is below `ENOUGH_CARDS`.

    `cards` is the number of training cards with a similar chance.

    >>> [chance_in_words(*one) for one in ((0.234, 5000), (0.234, 40), (0.03, 40), (0.0, 0))]
    ['23%', 'about 20%', 'below 10%', '0%']
    """
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if cards >= ENOUGH_CARDS:
        if chance < 0.005:
            return "below 1%"
        return "above 99%" if chance > 0.995 else f"{chance:.0%}"
    tens = round(chance * 10) * 10
    if tens == 0:
        return "below 10%"
    return "above 90%" if tens == 100 else f"about {tens}%"


# --- conventions --------------------------------------------------------------------------------------------

_ABOUT_FOCUS: Final = CLUES & ~(PUSHES | TRASH_SIGNALS)
"""Mask of the clue conventions whose meaning in words ends with the focus, after the called cards."""
_NAMES: Final = frozenset({Convention.SARCASTIC_DISCARD})
_BY_LABEL: Final = {one.label: one for one in Convention}


def named_convention(name: str) -> Convention:
    """Return the convention with this name. Raises `UnknownName`.

    >>> named_convention("layered-finesse").label
    'layered_finesse'
    """
    word = name.lower().replace("-", "_").replace(" ", "_")
    if word not in _BY_LABEL:
        advice = "`hanalyze conventions --explain all` lists them"
        raise UnknownName("convention", name, nearest(word, _BY_LABEL), advice=advice)
    return _BY_LABEL[word]


def meaning_parts(finding: Mapping[str, Any]) -> list[str | int]:
    """Return the meaning of an action as texts, and orders of cards in place of their names.

    >>> meaning_parts({"convention": "finesse", "focus": 12, "cards": [7, -1, -1], "steps": 1})
    ['finesse: ', 7, ', then ', 12]
    """
    convention = _BY_LABEL[finding["convention"]]
    called = [order for order in finding["cards"] if order >= 0]
    steps, others = called[: finding["steps"]], called[finding["steps"] :]
    focus = finding["focus"]
    if focus is not None and is_any(convention, _ABOUT_FOCUS | (1 << Convention.UNEXPLAINED if steps else 0)):
        steps = [*steps, focus]
    parts: list[str | int] = listed(steps, ", then ", ", then ")
    if others:
        verb = "keeps" if is_any(convention, KEEPING) else "names" if convention in _NAMES else "for"
        parts += [f"{', ' if parts else ''}{verb} ", *listed(others)]
    return [convention.words + (": " if parts else ""), *parts]


def meaning_words(finding: Mapping[str, Any], card: Callable[[int], str]) -> str:
    """Return the meaning of an action as text; `card` returns the text for the order of a card.

    >>> row = {"convention": "finesse", "focus": 12, "cards": [7, -1, -1], "steps": 1}
    >>> meaning_words(row, {7: "Bob's r1", 12: "Cathy's r2"}.__getitem__)
    "finesse: Bob's r1, then Cathy's r2"
    """
    return "".join(part if isinstance(part, str) else card(part) for part in meaning_parts(finding))


_MILD: Final = sum(
    1 << reason
    for reason in (
        Reason.BETTER_CLUE,
        Reason.GUESS,
        Reason.DOUBLE_DISCARD,
        Reason.LEGAL_DEFERRAL,
        Reason.FINESSE_OR_BLUFF,
        Reason.HIDDEN_CARD,
        Reason.UNDEFINED_HERE,
        Reason.GIVERS_CARD,
        Reason.SAVE_MISSED,
        Reason.SAVE_LEFT,
        Reason.SUPPOSED_CALL,
    )
)


def is_against_convention(finding: Mapping[str, Any]) -> bool:
    """Return whether an action breaks a convention; a better alternative or an unclear case does not count.

    >>> is_against_convention({"reasons": 1 << Reason.BETTER_CLUE, "legal": False})
    False
    """
    return not finding["legal"] and finding["reasons"] & ~_MILD != 0


def reason_words(finding: Mapping[str, Any]) -> str:
    """Return the reasons against or for an action as text; empty if there are none.

    >>> reason_words({"reasons": 1, "legal": False, "certainty": 100})
    'against convention: bad touch'
    """
    words = ", ".join(reason.words for reason in Reason.among(finding["reasons"]))
    return f"against convention: {words}" if is_against_convention(finding) else words


def outcome_parts(finding: Mapping[str, Any]) -> list[str | int]:
    """Return the outcome of a finding as texts and turns (from 0); empty if the finding expected nothing.

    >>> outcome_parts({"outcome": "success", "closed_turn": 14, "deferrals": 0, "strikes": 0})
    ['worked', ' on ', 14]
    """
    outcome = finding["outcome"]
    if outcome == "nothing_expected":
        return []
    words = OutcomeKind[outcome.upper()].words
    parts: list[str | int] = ["broken: a called card was not playable" if outcome == "broken" else words]
    if finding["closed_turn"] is not None and outcome not in ("censored", "open"):
        parts += [" on ", finding["closed_turn"]]
    if finding["deferrals"]:
        parts.append(f", after waiting {plural(finding['deferrals'], 'turn')}")
    if finding["strikes"]:
        parts.append(f", with {plural(finding['strikes'], 'strike')}")
    return parts


def outcome_words(finding: Mapping[str, Any]) -> str:
    """Return the outcome of a finding as text; empty if the finding expected nothing.

    >>> outcome_words({"outcome": "success", "closed_turn": 14, "deferrals": 0, "strikes": 0})
    'worked on turn 15'
    """
    return "".join(part if isinstance(part, str) else f"turn {part + 1}" for part in outcome_parts(finding))
