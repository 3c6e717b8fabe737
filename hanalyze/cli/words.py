"""Words for a game's cards, clues, players and actions, with styles for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from hanalyze.game.actions import Action, ActionKind
from hanalyze.game.cards import START, rank_letter
from hanalyze.game.editions import EndCondition
from hanalyze.game.suits import Suit
from hanalyze.game.variants import Variant
from hanalyze.words import GameNames, slots_in_words

Part: TypeAlias = tuple[str, str]
"""A text and its Rich style (empty if it has none)."""

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
"""Rich styles of suits and clue colours: if possible, terminal colours, which themes keep readable."""

_END_WORDS: Final = {EndCondition.TERMINATED_BY_VOTE: "vote"}


def plain(parts: Sequence[Part]) -> str:
    """Return the text of parts without styles.

    >>> plain([("plays ", ""), ("g3", "green")])
    'plays g3'
    """
    return "".join(text for text, _ in parts)


def _suit_style(suit: Suit, name: str) -> str:
    colours = (name, *suit.clue_colours[:1]) if len(suit.clue_colours) == 1 else (name,)
    return next((_STYLES[one.lower()] for one in colours if one.lower() in _STYLES), "")


def stack_text(ranks: Sequence[int], variant: Variant) -> str:
    """Return a play stack as text: its top rank, or 0 if empty; `ranks` are from the bottom.

    Up or Down adds the direction once it is known; Sudoku puts the first rank before the top rank.

    >>> from hanalyze.game.variants import variant
    >>> stack_text([1, 2, 3], variant("No Variant")), stack_text([], variant("No Variant"))
    ('3', '0')
    >>> stack_text([7, 4], variant("Up or Down (5 Suits)"))
    '4↓'
    >>> stack_text([3, 4, 5, 1], variant("Sudoku (5 Suits)"))
    '3-1'
    """
    if not ranks:
        return "0"
    top = rank_letter(ranks[-1])
    if variant.sudoku and len(ranks) > 1:
        return f"{ranks[0]}-{top}"
    if variant.up_or_down and ranks != [START]:
        goes_up = ranks[0] == 1 or ranks[:2] == [START, 2]
        return top + ("↑" if goes_up else "↓")
    return top


class Words(GameNames):
    """Names and terminal styles of one game.

    `suit_styles` is indexed by suit, `colour_styles` by clue colour.
    """

    def __init__(
        self, variant: Variant, suit_names: Sequence[str], players: Sequence[str], name_width: int = 40
    ) -> None:
        super().__init__(variant, suit_names, players, name_width)
        self.suit_styles = tuple(map(_suit_style, variant.suits, suit_names))
        self.colour_styles = tuple(_STYLES.get(colour, "") for colour in self.colours)

    def card(self, card: tuple[int, int]) -> Part:
        """Return a card's short name and its style."""
        return self.card_name(card), self.suit_styles[card[0]]

    def clue(self, kind: int, value: int) -> Part:
        """Return the colour or rank of a clue, and its style."""
        style = self.colour_styles[value] if kind == ActionKind.COLOUR_CLUE else ""
        return self.clue_name(kind, value), style

    def action(self, row: Mapping[str, Any], action: Action, *, brief: bool = False) -> list[Part]:
        """Return an action in words, without the player; `row` is its turn, `action` is from the log."""
        kind = row["action"]
        if kind == "end_game":
            return [(f"ends the game ({_end_word(action)})", "")]
        if kind in ("play", "discard"):
            where = "the deck" if row["slot"] == 0 else f"slot {row['slot']}"
            parts = [(f"{kind}s ", ""), self.card((row["suit"], row["rank"])), (f" from {where}", "")]
            return [*parts, (", misplay", "red")] if row["result"] == "misplayed" else parts
        slots = [slot + 1 for slot in range(8) if row["touched_slots"] >> slot & 1]
        touched = ",".join(map(str, slots)) if brief and slots else slots_in_words(slots)
        return [
            (f"clues {self.players[row['receiver']]} ", ""),
            self.clue(action.kind, row["clue_value"]),
            (f" ({touched})", ""),
        ]

    def actor(self, row: Mapping[str, Any], action: Action) -> str:
        """Return the name of the player who acted, or "-" if no player did."""
        seat: int = row["seat"] if row["action"] != "end_game" else action.target
        return self.players[seat] if 0 <= seat < len(self.players) else "-"


def _end_word(action: Action) -> str:
    if action.kind == ActionKind.END_VOTE:
        return "vote"
    end = EndCondition(action.value)
    return _END_WORDS.get(end, end.label.replace("_", " "))
