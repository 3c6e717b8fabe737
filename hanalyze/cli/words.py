"""A game's cards, clues, players and actions in words, with the styles in which a terminal shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.rules import EndCondition
from hanalyze.game.suits import Suit
from hanalyze.game.variants import Variant
from hanalyze.words import GameNames, slots_in_words

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


class Words(GameNames):
    """The names of one game, each with the style in which a terminal shows it.

    `suit_styles` by suit, `colour_styles` by clue colour.
    """

    def __init__(
        self, variant: Variant, suit_names: Sequence[str], players: Sequence[str], name_width: int = 40
    ) -> None:
        super().__init__(variant, suit_names, players, name_width)
        self.suit_styles = tuple(map(_suit_style, variant.suits, suit_names))
        self.colour_styles = tuple(_STYLES.get(colour, "") for colour in self.colours)

    def card(self, card: tuple[int, int]) -> Part:
        """Return a card as players write it, with its style."""
        return self.card_name(card), self.suit_styles[card[0]]

    def clue(self, kind: int, value: int) -> Part:
        """Return what a clue names, with its style."""
        style = self.colour_styles[value] if kind == ActionKind.COLOUR_CLUE else ""
        return self.clue_name(kind, value), style

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
        slots = [slot + 1 for slot in range(8) if row["touched_slots"] >> slot & 1]
        touched = ",".join(map(str, slots)) if brief and slots else slots_in_words(slots)
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
