"""Rules of editions as values (`"abacus+farbrausch"`, `"rnr+strikes=2"`).

Where an edition's rule sheet says nothing, the value is ours; the fields below and `EDITIONS` say where.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.labels import Labelled
from hanalyze.text import shorten

RULES_VERSION: Final = 1
"""Changes exactly when a replay of the same log under the same rules gives another result."""


class EndCondition(Labelled):
    """How a game ended, with the numbers of hanab.live.

    `UNFINISHED` is a log that stops before any ending. A game with an end other than `NORMAL` counts as lost.
    """

    UNFINISHED = 0
    NORMAL = 1
    STRIKEOUT = 2
    TIMEOUT = 3
    TERMINATED_BY_PLAYER = 4
    SPEEDRUN_FAIL = 5
    IDLE_TIMEOUT = 6
    CHARACTER_SOFTLOCK = 7  # detrimental characters are not supported: no replay ends so
    ALL_OR_NOTHING_FAIL = 8
    ALL_OR_NOTHING_SOFTLOCK = 9
    TERMINATED_BY_VOTE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All rules in which editions and options differ. The defaults are hanab.live's.

    >>> Rules().hand_size(3), Rules(hand_size_change=-1).hand_size(6)
    (5, 2)
    """

    edition: str = "hanab-live"
    """Name of the edition that these rules started from."""
    suits: tuple[str, ...] = ()
    """The edition's names of its suits in order; empty: the names that the variant has."""
    variant: str = ""
    """The variant of hanab.live that the edition's other variant amounts to; empty: whatever the log says."""
    max_players: int = 5
    clue_tokens: int = 8
    """Clue tokens at the start, which is also the most there can be."""
    strikes: int = 3
    """Strikes that end the game."""
    zero_when_lost: bool = True
    """Whether a lost game scores zero; otherwise it keeps the points on its stacks, and is still lost."""
    empty_clues: bool = False
    """Whether a clue may touch no card."""
    discard_at_full_tokens: bool = False
    """Whether a card may be discarded while all clue tokens are there; no token is gained."""
    clue_to_self: bool = False
    """Whether a player may clue their own hand."""
    ends_when_stuck: bool = False
    """Whether the game ends as soon as no card that can still come into play fits a stack."""
    all_or_nothing: bool = False
    """No last round: play goes on until all stacks are complete (won), or a card that they need is lost, or
    a player has neither card nor token (lost)."""
    speedrun: bool = False
    """Whether losing a card that a full score needs ends the game (lost)."""
    deck_plays: bool = False
    """Whether the last card of the deck may be played (or discarded) from the deck."""
    card_cycle: bool = False
    """Whether the giver's chop becomes their newest card after each clue."""
    hand_size_change: int = 0
    """Cards more (or less) than usual in each hand: -3 (the small games of `hle` have 2) to 1."""
    newest: Literal["left", "right"] = "left"
    """The end of the hand at which the edition's players see their newest card."""
    rating: str = ""
    """The scale that rates a score; empty: none."""

    def hand_size(self, players: int) -> int:
        """Return the cards in a hand at the start: 5 for 2 and 3 players, 4 for 4 and 5, 3 for 6."""
        return (5 if players <= 3 else 4 if players <= 5 else 3) + self.hand_size_change


_CLASSIC: Final = Rules(zero_when_lost=False)

EDITIONS: Final[dict[str, Rules]] = {
    # Not said in the rules: what a lost game scores (kept here, as the sheet only calls it lost).
    "cocktail": replace(
        _CLASSIC, edition="cocktail", suits=("White", "Red", "Blue", "Yellow", "Green"), rating="cocktail"
    ),
    # Not said: what a lost game scores (kept), whether one may discard with all tokens there (no).
    "keldon": replace(_CLASSIC, edition="keldon", suits=("Blue", "Green", "Yellow", "Red", "Purple")),
    "abacus": replace(
        _CLASSIC,
        edition="abacus",
        suits=("Red", "Yellow", "Green", "Blue", "White"),
        zero_when_lost=True,
        empty_clues=True,
        rating="abacus",
    ),
    # Not said: what a lost game scores (kept). Four strike tiles, of which the third one turned ends it.
    "rnr": replace(_CLASSIC, edition="rnr", suits=("White", "Red", "Blue", "Yellow", "Green"), rating="rnr"),
    # The rules of abacus, played with a generic deck; the suits have no names of their own.
    "everdeck": replace(_CLASSIC, edition="everdeck", zero_when_lost=True, empty_clues=True, rating="abacus"),
    "hanab-live": Rules(max_players=6, ends_when_stuck=True),
    "hle": Rules(edition="hle", suits=("Red", "Yellow", "Green", "White", "Blue"), newest="right"),
    "hanabi-data": Rules(
        edition="hanabi-data",
        suits=("Green", "Yellow", "White", "Blue", "Red"),
        zero_when_lost=False,
        discard_at_full_tokens=True,
        clue_to_self=True,
        newest="right",
    ),
}
"""The editions by name. What each changes is in the table of the documentation and in the tests."""

EDITION_VARIANTS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "abacus": {
        "fewer-storm-tokens": {"strikes": 2},  # or 1: abacus+strikes=1
        "spare-notes": {"clue_tokens": 10},  # the number is free: abacus+clue_tokens=12
        "farbrausch": {"variant": "6 Suits"},
        "farbrausch-short": {"variant": "Black (6 Suits)"},
        "farbrausch-2": {"variant": "Rainbow (6 Suits)"},
    },
    "rnr": {
        "variant-1": {"variant": "6 Suits"},
        "variant-2": {"variant": "Black (6 Suits)"},
        "variant-3": {"variant": "Rainbow (6 Suits)"},
        "variant-4": {"all_or_nothing": True, "rating": ""},
    },
}
"""The other variants of an edition, by edition and name: the fields that they set."""


def _near(kind: str, name: str, names: list[str]) -> UnknownName:
    return UnknownName(
        kind,
        name,
        tuple(difflib.get_close_matches(name[:100].lower(), names, n=3, cutoff=0.5)),
        advice="one of: " + ", ".join(names),
    )


def _set_field(rules: Rules, text: str) -> Rules:
    """Return `rules` with one field set from `field=value` text."""
    name, _, value = text.partition("=")
    name = name.strip().replace("-", "_")
    names = [field.name for field in fields(Rules) if field.name not in ("edition", "suits", "variant")]
    if name not in names:
        raise _near("rule", name, names)
    old = getattr(rules, name)
    new: object = value.strip()
    limits = {"max_players": (2, 6), "clue_tokens": (1, 99), "strikes": (1, 99), "hand_size_change": (-3, 1)}
    allowed: str
    if isinstance(old, bool):
        allowed, choices = "yes or no", {"yes": True, "no": False, "true": True, "false": False}
        new = choices.get(str(new).lower())
    elif isinstance(old, int):
        low, high = limits[name]
        allowed = f"a number from {low} to {high}"
        try:
            new = int(str(new)[:9])
        except ValueError:
            new = None
        if isinstance(new, int) and not low <= new <= high:
            new = None
    else:
        options = ("left", "right") if name == "newest" else ("", *sorted(_RATINGS))
        allowed = "one of " + ", ".join(repr(option) for option in options)
        new = new if new in options else None
    if new is None:
        raise HanalyzeError(f"{name} cannot be {shorten(value)!r}", rule="bad_rule", advice=f"give {allowed}")
    changed: dict[str, Any] = {name: new}
    return replace(rules, **changed)


_MOST_CHANGES: Final = 100
"""Changes that the text of an edition may have: several for each field."""


def edition(text: str) -> Rules:
    """Return the rules that `text` names: an edition, then a change to it after each `+`.

    A change is one of the edition's other variants (`EDITION_VARIANTS`) or `field=value` with a field of
    `Rules`. Raises `UnknownName` for an unknown edition, variant or field, `HanalyzeError` (rule `bad_rule`)
    for a value out of range, or for more than a hundred changes.

    >>> edition("hle").strikes, edition("abacus+fewer-storm-tokens").strikes, edition("hle+strikes=1").strikes
    (3, 2, 1)
    >>> edition("rnr+variant-3+variant-4").variant
    'Rainbow (6 Suits)'
    """
    if text.count("+") > _MOST_CHANGES:
        what = f"an edition with {text.count('+'):,} changes, but at most {_MOST_CHANGES} are allowed"
        raise HanalyzeError(what, rule="bad_rule")
    name, *changes = [part.strip() for part in text.split("+")]
    if name.lower() not in EDITIONS:
        raise _near("edition", name, list(EDITIONS))
    rules = EDITIONS[name.lower()]
    variants = EDITION_VARIANTS.get(rules.edition, {})
    for change in changes:
        if "=" in change:
            rules = _set_field(rules, change)
        elif change.lower() in variants:
            rules = replace(rules, **variants[change.lower()])
        else:
            raise _near(f"variant of {rules.edition}", change, list(variants))
    return rules


# Points at which a label starts, for a maximum of 25.
_BANDS: Final = (0, 6, 11, 16, 21, 25)
_RATINGS: Final[dict[str, tuple[str, ...]]] = {
    "cocktail": ("horrible", "mediocre", "honourable", "excellent", "amazing", "legendary"),
    "abacus": ("booed", "poor", "ok", "good", "very good", "legendary"),
    "rnr": ("horrible", "mediocre", "honourable attempt", "excellent", "amazing", "legendary"),
}


def rating(score: int, most: int, rules: Rules) -> str | None:
    """Return the label that the edition's scale gives `score` points of `most`, None without a scale.

    The printed scales end at 25. For another maximum no edition gives a scale: ours is by share of the
    maximum, so a label starts at the least score with `score / most >= start / 25`.

    >>> rating(21, 25, edition("cocktail")), rating(25, 30, edition("abacus")), rating(21, 25, Rules())
    ('amazing', 'good', None)
    """
    if not rules.rating:
        return None
    band = sum(score * 25 >= start * most for start in _BANDS) - 1
    return _RATINGS[rules.rating][band]
