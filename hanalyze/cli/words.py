"""A game in the words of players: cards, colours, seats, actions.

In: a variant, the suits' names, the players' names; an action that was carried out. Out: `g3`, `red`,
"clues Bob red (slots 2, 4)", each part with the style in which a terminal shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any, Final, TypeAlias

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import START
from hanalyze.game.rules import EndCondition
from hanalyze.game.suits import Suit
from hanalyze.game.variants import Variant
from hanalyze.text import printable, shorten

__all__ = ["Part", "Words", "plain", "suit_letters"]

Part: TypeAlias = tuple[str, str]
"""Text and the Rich style that it is shown in ("" for none)."""

_STYLES: Final = {
    "red": "red",
    "yellow": "yellow",
    "green": "green",
    "blue": "bright_blue",
    "purple": "magenta",
    "teal": "cyan",
    "black": "bright_black",
    "white": "bold",
    "pink": "bright_magenta",
    "brown": "color(137)",
    "orange": "color(208)",
}
"""The style of each colour that has one. Of the 16 colours of a terminal where possible: its theme knows
which of their shades can be read on its background."""

_END_WORDS: Final = {EndCondition.TERMINATED_BY_VOTE: "vote"}


def plain(parts: Sequence[Part]) -> str:
    """Return the text of parts without their styles.

    >>> plain([("plays ", ""), ("g3", "green")])
    'plays g3'
    """
    return "".join(text for text, _ in parts)


def suit_letters(variant: Variant, names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each suit: the variant's, but for suits that the edition names the name's first.

    >>> from hanalyze.game.variants import variant
    >>> suit_letters(variant("Black (6 Suits)"), ("White", "Red", "Blue", "Yellow", "Green", "Black"))
    ('w', 'r', 'b', 'y', 'g', 'k')
    """
    chosen: list[str] = []
    for suit, letter, name in zip(variant.suits, variant.letters, names, strict=True):
        own = "" if name == suit.name else name.lower()
        wishes = own[:1] + letter + own + ascii_lowercase
        chosen.append(next(wish for wish in wishes if wish.isalpha() and wish not in chosen))
    return tuple(chosen)


def _colour_names(variant: Variant, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the clue colours; a suit of one colour that the edition renames renames it, too."""
    renamed: dict[str, str] = {}
    for suit, name in zip(variant.suits, names, strict=True):
        if len(suit.clue_colours) == 1 and name != suit.name:
            renamed.setdefault(suit.clue_colours[0], name)
    return tuple(renamed.get(colour, colour).lower() for colour in variant.clue_colours)


def _suit_style(suit: Suit, name: str) -> str:
    colours = (name, *suit.clue_colours[:1]) if len(suit.clue_colours) == 1 else (name,)
    return next((_STYLES[one.lower()] for one in colours if one.lower() in _STYLES), "")


def _short_names(names: Sequence[str], width: int) -> tuple[str, ...]:
    """Return the names cut to `width` characters; those that then look alike end in their seat's number."""
    cut = [shorten(name, width) for name in names]
    return tuple(
        name if cut.count(name) == 1 else f"{names[seat][: width - 2]}…{seat}"
        for seat, name in enumerate(cut)
    )


class Words:
    """The words for one game's cards, colours and players.

    `letters`, `suit_styles`: by suit. `colours`, `colour_styles`, `colour_letters`: by clue colour.
    `players`: their names by seat, safe to show, cut to `name_width` characters.
    """

    def __init__(
        self, variant: Variant, suit_names: Sequence[str], players: Sequence[str], name_width: int = 40
    ) -> None:
        self.variant = variant
        self.letters = suit_letters(variant, suit_names)
        self.suit_styles = tuple(map(_suit_style, variant.suits, suit_names))
        self.colours = _colour_names(variant, suit_names)
        self.colour_styles = tuple(_STYLES.get(colour, "") for colour in self.colours)
        self.colour_letters = self._colour_letters()
        self.players = _short_names([printable(name) for name in players], name_width)

    def _colour_letters(self) -> tuple[str, ...]:
        """Return a letter for each colour: that of the suit that it alone touches, where there is one."""
        of_suits: dict[str, str] = {}
        for suit, letter in zip(self.variant.suits, self.letters, strict=True):
            if len(suit.clue_colours) == 1:
                of_suits.setdefault(suit.clue_colours[0], letter)
        chosen: list[str] = []
        for colour, name in zip(self.variant.clue_colours, self.colours, strict=True):
            wishes = of_suits.get(colour, "") + name + ascii_lowercase
            chosen.append(next(wish for wish in wishes if wish.isalpha() and wish not in chosen))
        return tuple(chosen)

    def card(self, card: tuple[int, int]) -> Part:
        """Return a card as players write it: `g3`, `gS` for the START card."""
        suit, rank = card
        return f"{self.letters[suit]}{'S' if rank == START else rank}", self.suit_styles[suit]

    def clue(self, kind: int, value: int) -> Part:
        """Return what a clue names: a colour or a rank."""
        if kind == ActionKind.COLOUR_CLUE:
            return self.colours[value], self.colour_styles[value]
        if self.variant.odds_and_evens:
            return ("odd" if value == 1 else "even"), ""
        return str(value), ""

    def action(self, row: Mapping[str, Any], action: Action, *, brief: bool = False) -> list[Part]:
        """Return what a player did, for a row of the turns and the log's action.

        The subject of the sentence is `actor`. `brief`: where room is scarce.
        """
        what = row["action"]
        if what == "end_game":
            return [(f"ends the game ({_end_word(action)})", "")]
        if what in ("play", "discard"):
            where = "the deck" if row["slot"] == 0 else f"slot {row['slot']}"
            parts = [(f"{what}s ", ""), self.card((row["suit"], row["rank"])), (f" from {where}", "")]
            return [*parts, (", misplay", "red")] if row["result"] == "misplayed" else parts
        slots = [str(slot + 1) for slot in range(8) if row["touched_slots"] >> slot & 1]
        if not slots:
            touched = "no cards"
        elif brief:
            touched = ",".join(slots)
        else:
            touched = f"slot{'s' if len(slots) > 1 else ''} {', '.join(slots)}"
        return [
            (f"clues {self.players[row['receiver']]} ", ""),
            self.clue(action.kind, row["clue_value"]),
            (f" ({touched})", ""),
        ]

    def actor(self, row: Mapping[str, Any], action: Action) -> str:
        """Return the name of the player who acted; "-" where nobody in particular did."""
        seat: int = row["seat"] if row["action"] != "end_game" else action.target
        return self.players[seat] if 0 <= seat < len(self.players) else "-"


def _end_word(action: Action) -> str:
    if action.kind == ActionKind.END_VOTE:
        return "vote"
    end = EndCondition(action.value)
    return _END_WORDS.get(end, end.label.replace("_", " "))
