"""Rules of editions, named by texts such as `"abacus+farbrausch"` and `"rnr+strikes=2"`.

Where the rule sheet of an edition leaves a rule open, the comments in `EDITIONS` state our choice.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game import Labelled
from hanalyze.text import shorten

RULES_VERSION: Final = 1
"""Increased whenever a replay of the same log under the same rules gives a different result."""


class EndCondition(Labelled):
    """End of a game, numbered as on hanab.live.

    `UNFINISHED` is a log that stops before the game ends. A finished game counts as lost unless its end is
    `NORMAL`.
    """

    UNFINISHED = 0
    NORMAL = 1
    STRIKEOUT = 2
    TIMEOUT = 3
    TERMINATED_BY_PLAYER = 4
    SPEEDRUN_FAIL = 5
    IDLE_TIMEOUT = 6
    CHARACTER_SOFTLOCK = 7  # never the end of a replay, because detrimental characters are not supported
    ALL_OR_NOTHING_FAIL = 8
    ALL_OR_NOTHING_SOFTLOCK = 9
    TERMINATED_BY_VOTE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules that editions and options can change.

    The defaults are the rules of hanab.live, except `max_players` (6 there) and `ends_when_stuck` (True
    there).

    >>> Rules().hand_size(3), Rules(hand_size_change=-1).hand_size(6)
    (5, 2)
    """

    edition: str = "hanab-live"
    """Name of the edition from which these rules were derived."""
    suits: tuple[str, ...] = ()
    """Names of the edition's suits in order; if empty, the variant's names apply."""
    variant: str = ""
    """The variant of hanab.live that equals the edition's variant; if empty, the log's variant applies."""
    max_players: int = 5
    clue_tokens: int = 8
    """Clue tokens at the start, which is also their maximum."""
    strikes: int = 3
    """Strikes that end the game."""
    zero_when_lost: bool = True
    """Whether a lost game scores zero instead of its points."""
    empty_clues: bool = False
    """Whether clues that touch no card are allowed."""
    discard_at_full_tokens: bool = False
    """Whether a card may be discarded at full clue tokens; such a discard gains no token."""
    clue_to_self: bool = False
    """Whether a player may clue their own hand."""
    ends_when_stuck: bool = False
    """Whether the game ends as soon as no further card can be played."""
    all_or_nothing: bool = False
    """Whether the game has no last round. It is won when all stacks are complete. It is lost when a full
    score is out of reach, or the player to move has no card and there is no clue token."""
    speedrun: bool = False
    """Whether the game ends and is lost as soon as a full score is out of reach."""
    deck_plays: bool = False
    """Whether the last card of the deck may be played from the deck."""
    card_cycle: bool = False
    """Whether the giver's chop becomes their newest card after each clue."""
    hand_size_change: int = 0
    """Difference from the usual hand size, -3 to 1 (-3: the small games of `hle`, with 2 cards)."""
    newest: Literal["left", "right"] = "left"
    """Side of the hand on which the newest card is shown."""
    rating: str = ""
    """Edition whose scale labels a score (`rating`); empty if there is no scale."""

    def hand_size(self, players: int) -> int:
        """Return the initial hand size: 5 for 2-3 players, 4 for 4-5, 3 for 6, plus `hand_size_change`."""
        return (5 if players <= 3 else 4 if players <= 5 else 3) + self.hand_size_change


_CLASSIC: Final = Rules(zero_when_lost=False)

EDITIONS: Final[dict[str, Rules]] = {
    # The rules do not say what a lost game scores. Here it keeps its points.
    "cocktail": replace(
        _CLASSIC, edition="cocktail", suits=("White", "Red", "Blue", "Yellow", "Green"), rating="cocktail"
    ),
    # The rules leave two cases open. Here a lost game keeps its points, and discards at full tokens are
    # illegal.
    "keldon": replace(_CLASSIC, edition="keldon", suits=("Blue", "Green", "Yellow", "Red", "Purple")),
    "abacus": replace(
        _CLASSIC,
        edition="abacus",
        suits=("Red", "Yellow", "Green", "Blue", "White"),
        zero_when_lost=True,
        empty_clues=True,
        rating="abacus",
    ),
    # The rules do not say what a lost game scores. Here it keeps its points. The third strike ends the game.
    "rnr": replace(_CLASSIC, edition="rnr", suits=("White", "Red", "Blue", "Yellow", "Green"), rating="rnr"),
    # The rules of abacus with a generic deck, whose suits have no names.
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
"""Rules of each edition, by name."""

EDITION_VARIANTS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "abacus": {
        "fewer-storm-tokens": {"strikes": 2},  # or 1, written abacus+strikes=1
        "spare-notes": {"clue_tokens": 10},  # or another number, such as abacus+clue_tokens=12
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
"""Changed fields of `Rules`, by edition and by the name of a variant of the edition."""


def _near(kind: str, name: str, names: list[str]) -> UnknownName:
    near = tuple(difflib.get_close_matches(name[:100].lower(), names, n=3, cutoff=0.5))
    return UnknownName(kind, name, near, advice="one of: " + ", ".join(names))


def _set_field(rules: Rules, text: str) -> Rules:
    """Return `rules` with the change in the text `field=value`. Raises the errors of `edition`."""
    name, _, value = text.partition("=")
    name = name.strip().replace("-", "_")
    names = [field.name for field in fields(Rules) if field.name not in ("edition", "suits", "variant")]
    if name not in names:
        raise _near("rule", name, names)
    old = getattr(rules, name)
    new: object = value.strip()
    # Tables store clue tokens in halves, in a signed byte.
    limits = {"max_players": (2, 6), "clue_tokens": (1, 63), "strikes": (1, 99), "hand_size_change": (-3, 1)}
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


_MOST_CHANGES: Final = 100  # maximum number of changes in the text of an edition


def edition(text: str) -> Rules:
    """Return the rules named by `text`: the name of an edition, then a `+` before each change to it.

    A change is a variant of the edition (`EDITION_VARIANTS`), or `field=value` with a field of `Rules`.
    Raises `UnknownName` for an unknown edition, variant or field, and `HanalyzeError` (rule `bad_rule`) for a
    value out of range or more than a hundred changes.

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


# Lowest score of each label, for a maximum score of 25.
_BANDS: Final = (0, 6, 11, 16, 21, 25)
_RATINGS: Final[dict[str, tuple[str, ...]]] = {
    "cocktail": ("horrible", "mediocre", "honourable", "excellent", "amazing", "legendary"),
    "abacus": ("booed", "poor", "ok", "good", "very good", "legendary"),
    "rnr": ("horrible", "mediocre", "honourable attempt", "excellent", "amazing", "legendary"),
}


def rating(score: int, most: int, rules: Rules) -> str | None:
    """Return the label for `score` points of `most` on the edition's scale, None if it has no scale.

    The printed scales are for a maximum score of 25. For another maximum we scale them: a label starts at the
    lowest score with `score / most >= start / 25`.

    >>> rating(21, 25, edition("cocktail")), rating(25, 30, edition("abacus")), rating(21, 25, Rules())
    ('amazing', 'good', None)
    """
    if not rules.rating:
        return None
    return _RATINGS[rules.rating][sum(score * 25 >= start * most for start in _BANDS) - 1]
