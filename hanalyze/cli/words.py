"""A game in the words of players: cards, colours, seats, actions.

In: a variant, the suits' names, the players' names; an action that was carried out. Out: `g3`, `red`,
"clues Bob red (slots 2, 4)", each part with the style in which a terminal shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import card_name
from hanalyze.game.names import colour_letters, colour_names, suit_letters
from hanalyze.game.rules import EndCondition
from hanalyze.game.suits import Suit
from hanalyze.game.variants import Variant
from hanalyze.text import apart

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


def _suit_style(suit: Suit, name: str) -> str:
    colours = (name, *suit.clue_colours[:1]) if len(suit.clue_colours) == 1 else (name,)
    return next((_STYLES[one.lower()] for one in colours if one.lower() in _STYLES), "")


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
        self.colours = tuple(name.lower() for name in colour_names(variant, suit_names))
        self.colour_styles = tuple(_STYLES.get(colour, "") for colour in self.colours)
        self.colour_letters = colour_letters(variant, suit_names)
        self.players = apart(players, name_width)

    def card(self, card: tuple[int, int]) -> Part:
        """Return a card as players write it: `g3`, `gS` for the START card."""
        return card_name(card, self.letters), self.suit_styles[card[0]]

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
