"""Names and letters of a game's suits and clue colours; an edition's names override the variant's."""

from __future__ import annotations

import functools

from hanalyze.game.editions import Rules
from hanalyze.game.variants import Variant, unused_letters


@functools.lru_cache(1000)
def suit_names(variant: Variant, rules: Rules) -> tuple[str, ...]:
    """Return the names of the suits: those of the edition, then those of the variant for further suits.

    If the variant has fewer suits than the edition has names, all names are those of the variant.

    >>> from hanalyze.game.editions import edition
    >>> from hanalyze.game.variants import variant
    >>> suit_names(variant("6 Suits"), edition("keldon"))
    ('Blue', 'Green', 'Yellow', 'Red', 'Purple', 'Teal')
    """
    names = tuple(suit.name for suit in variant.suits)
    own = rules.suits
    return own + names[len(own) :] if len(names) >= len(own) else names


@functools.lru_cache(1000)
def suit_letters(variant: Variant, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a unique letter per suit, preferably from the edition's own name, else the variant's letter.

    >>> from hanalyze.game.variants import variant
    >>> suit_letters(variant("Black (6 Suits)"), ("White", "Red", "Blue", "Yellow", "Green", "Black"))
    ('w', 'r', 'b', 'y', 'g', 'k')
    """
    own = ("" if name == suit.name else name.lower() for suit, name in zip(variant.suits, names, strict=True))
    return unused_letters(name[:1] + letter + name for name, letter in zip(own, variant.letters, strict=True))


@functools.lru_cache(1000)
def colour_names(variant: Variant, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the clue colours; an edition's name of a suit also applies to the suit's colour.

    >>> from hanalyze.game.variants import variant
    >>> colour_names(variant("Rainbow (4 Suits)"), ("Green", "Yellow", "White", "Rainbow"))
    ('Green', 'Yellow', 'White')
    """
    renamed: dict[str, str] = {}
    for suit, name in zip(variant.suits, names, strict=True):
        if len(suit.clue_colours) == 1 and name != suit.name:
            renamed.setdefault(suit.clue_colours[0], name)
    return tuple(renamed.get(colour, colour) for colour in variant.clue_colours)


def colour_letters(variant: Variant, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return a unique letter per clue colour, preferably that of the first suit with only this colour."""
    letters: dict[str, str] = {}
    for suit, letter in zip(variant.suits, suit_letters(variant, names), strict=True):
        if len(suit.clue_colours) == 1:
            letters.setdefault(suit.clue_colours[0], letter)
    colours = zip(variant.clue_colours, colour_names(variant, names), strict=True)
    return unused_letters(letters.get(colour, "") + name.lower() for colour, name in colours)
