"""Suits of hanab.live: names, codes, the clues that touch their cards, and numbers of copies.

A plain suit is touched by clues of its own colour, a shade ("Tomato") by clues of one or more plain colours.
Most special suits are touched by every colour clue or none, or by every rank clue or none (Rainbow, Pink);
each has a dark version.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from hanalyze.errors import UnknownName


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Suit:
    """One suit; the clues that touch its cards can also depend on the variant.

    >>> suit_named("Tangerine").clue_colours
    ('Red', 'Yellow')
    >>> suit_coded("Ra1:R")
    suit_named('Dark Rainbow Reversed')
    """

    name: str
    code: str
    """Abbreviation of the suit in the code of a variant."""
    letters: str
    """Letters for the suit, best first; `Variant.letters` uses the first that no earlier suit has taken."""
    clue_colours: tuple[str, ...] = ()
    """Colours that touch its cards; empty if `all_clue_colours`, `no_clue_colours` or `prism` is set."""
    all_clue_colours: bool = False
    """Every colour clue touches the cards of the suit (Rainbow)."""
    no_clue_colours: bool = False
    """No colour clue touches the cards of the suit (White)."""
    all_clue_ranks: bool = False
    """Every rank clue touches the cards of the suit (Pink)."""
    no_clue_ranks: bool = False
    """No rank clue touches the cards of the suit (Brown)."""
    prism: bool = False
    """The first colour of the variant touches the 1, the second colour the 2, and so on, cyclically."""
    one_of_each: bool = False
    """The suit has one copy of every card, so every card is critical (dark suits)."""
    reversed: bool = False
    """The suit is played from 5 down to 1. Unless it is dark, it has one 1 and three 5s."""
    inverted: bool = False
    """A player plays a card of the suit by discarding it, and discards it by playing it (Orange). Logs
    contain the resulting action, so a replay does not invert actions. A discard at full tokens is allowed."""

    def __repr__(self) -> str:
        return f"suit_named({self.name!r})"


_COLOURS: Final = dict(
    zip("RYGBPTK", ("Red", "Yellow", "Green", "Blue", "Purple", "Teal", "Black"), strict=True)
)
"""Colours by their letters in the codes of plain suits and shades."""

# Names of plain suits and shades by code without number. The first suit of a plain or multi-coloured (D) code
# has no number, the second has 2, and so on; suits with an ambiguous (A, E) code are numbered from 1.
_SHADES: Final = {
    "R": "Red Ruby",
    "Y": "Yellow",
    "G": "Green",
    "B": "Blue",
    "P": "Purple",
    "T": "Teal",
    "AR": "Tomato Mahogany Carrot",
    "AG": "Emerald Olive",
    "AB": "Berry Navy Sky",
    "EB": "Ice Aqua Sky Berry Navy Ocean",
    "DRY": "Tangerine Peach Yam",
    "DRG": "Gold",
    "DRB": "Violet Magenta",
    "DRP": "Cardinal",
    "DRK": "Maroon",
    "DYG": "Lime Jungle",
    "DYB": "Jade",
    "DYK": "Tan",
    "DGB": "Cyan",
    "DBP": "Indigo",
    "DBK": "Cobalt",
    "DRYG": "Geas",
    "DRYGB": "Beatnik",
    "DRYGBP": "Plum",
    "DRYGBPT": "Taupe",
}

# Special suits: name, code, letters, name of the dark suit (whose code ends in 1), flags.
_SPECIAL: Final = (
    ("Rainbow", "Ra", "m", "Dark Rainbow", ("all_clue_colours",)),
    ("Pink", "Pi", "i", "Dark Pink", ("all_clue_ranks",)),
    ("White", "Wh", "w", "Gray", ("no_clue_colours",)),
    ("Brown", "Br", "n", "Dark Brown", ("no_clue_ranks",)),
    ("Omni", "Om", "o", "Dark Omni", ("all_clue_colours", "all_clue_ranks")),
    ("Null", "Nu", "u", "Dark Null", ("no_clue_colours", "no_clue_ranks")),
    ("Muddy Rainbow", "BrRa", "md", "Cocoa Rainbow", ("all_clue_colours", "no_clue_ranks")),
    ("Light Pink", "WhPi", "il", "Gray Pink", ("no_clue_colours", "all_clue_ranks")),
    ("Prism", "Pr", "s", "Dark Prism", ("prism",)),
    ("Orange", "Or", "o", "Dark Orange", ("inverted",)),
)

_COLOURLESS: Final = {"all_clue_colours", "no_clue_colours", "prism"}


def _upright() -> Iterator[Suit]:
    for stem, names in _SHADES.items():
        ambiguous = stem[0] in "AE"
        colours = tuple(_COLOURS[letter] for letter in stem.removeprefix("D").lstrip("AE"))
        for number, name in enumerate(names.split(), start=1):
            yield Suit(
                # "EA" (extremely ambiguous) distinguishes Sky, Berry and Navy from the ambiguous suits.
                name=f"{name} EA" if stem[0] == "E" else name,
                code=f"{stem}{number}" if ambiguous or number > 1 else stem,
                letters=name[0].lower(),
                clue_colours=colours,
            )
    # Black is a dark suit without a light version.
    yield Suit(name="Black", code="Bk", letters="k", clue_colours=("Black",), one_of_each=True)
    for name, code, letters, dark, flags in _SPECIAL:
        suit = Suit(
            name=name,
            code=code,
            letters=letters,
            clue_colours=() if _COLOURLESS.intersection(flags) else (name,),
            **dict.fromkeys(flags, True),
        )
        yield suit
        yield replace(suit, name=dark, code=f"{code}1", one_of_each=True)


_BY_NAME: Final = {
    one.name: one
    for suit in _upright()
    for one in (suit, replace(suit, name=f"{suit.name} Reversed", code=f"{suit.code}:R", reversed=True))
}
_BY_CODE: Final = {suit.code: suit for suit in _BY_NAME.values()}


def suit_named(name: str) -> Suit:
    """Return the suit with the given name. Raises `UnknownName`.

    >>> suit_named("Gray").code
    'Wh1'
    >>> suit_named("Rainbow Reversed").reversed
    True
    >>> suit_named("Grey")
    Traceback (most recent call last):
    hanalyze.errors.UnknownName: there is no suit "Grey"; did you mean "Gray" or "Green"?
    """
    suit = _BY_NAME.get(name)
    if suit is None:
        # Shortened, because comparison takes longer for longer texts.
        raise UnknownName("suit", name, tuple(difflib.get_close_matches(name[:40], _BY_NAME, 3)))
    return suit


def suit_coded(code: str) -> Suit:
    """Return the suit with the given code. Raises `UnknownName`.

    >>> suit_coded("DYG2")
    suit_named('Jungle')
    """
    suit = _BY_CODE.get(code)
    if suit is None:
        raise UnknownName("suit", code, advice="codes are written like R, Bk, Ra, Ra1, Pr:R")
    return suit
