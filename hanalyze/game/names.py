"""Names and letters of suits and clue colours, where an edition names its suits."""

from __future__ import annotations

from collections.abc import Sequence

from hanalyze.game.variants import Variant, unused_letters


def suit_letters(variant: Variant, names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each suit: the variant's, but for suits that the edition names the name's first.

    >>> from hanalyze.game.variants import variant
    >>> suit_letters(variant("Black (6 Suits)"), ("White", "Red", "Blue", "Yellow", "Green", "Black"))
    ('w', 'r', 'b', 'y', 'g', 'k')
    """
    own = ("" if name == suit.name else name.lower() for suit, name in zip(variant.suits, names, strict=True))
    return unused_letters(name[:1] + letter + name for name, letter in zip(own, variant.letters, strict=True))


def colour_names(variant: Variant, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the clue colours; an edition that renames the suit of a colour renames it, too."""
    renamed: dict[str, str] = {}
    for suit, name in zip(variant.suits, names, strict=True):
        if len(suit.clue_colours) == 1 and name != suit.name:
            renamed.setdefault(suit.clue_colours[0], name)
    return tuple(renamed.get(colour, colour) for colour in variant.clue_colours)


def colour_letters(variant: Variant, names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each clue colour: that of the first suit that only it touches, if any."""
    letters: dict[str, str] = {}
    for suit, letter in zip(variant.suits, suit_letters(variant, names), strict=True):
        if len(suit.clue_colours) == 1:
            letters.setdefault(suit.clue_colours[0], letter)
    colours = zip(variant.clue_colours, colour_names(variant, names), strict=True)
    return unused_letters(letters.get(colour, "") + name.lower() for colour, name in colours)
