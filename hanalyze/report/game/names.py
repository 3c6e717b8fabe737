"""Names and styles of one game's suits and clues, as plain values for its page."""

from __future__ import annotations

from typing import Any

from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import rank_letter
from hanalyze.game.names import colour_names
from hanalyze.replaying import Replay
from hanalyze.report.theme import suit_style, suit_styles
from hanalyze.words import GameNames


class Names(GameNames):
    """The names of one game, and the styles of its suits and clue colours."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay.variant, replay.suit_names, replay.record.players)
        self.suit_styles = suit_styles(self.suits)
        colours = colour_names(self.variant, self.suits)
        self.colour_styles = [suit_style(name, place) for place, name in enumerate(colours)]

    def suit_values(self) -> list[dict[str, Any]]:
        """Return the suits for a page."""
        return [
            {
                "letter": letter.upper(),
                "name": name,
                "shape": style.shape,
                "copies": {rank_letter(rank): n for rank, n in zip(self.variant.ranks, copies, strict=True)},
            }
            for letter, name, style, copies in zip(
                self.letters, self.suits, self.suit_styles, self.variant.copies, strict=True
            )
        ]

    def clue_values(self) -> list[list[dict[str, Any]]]:
        """Return the clues as rows of a card's ledger: the colours, the ranks.

        `value` is the log's, `colour` the index among the styles of colours. Where players cannot tell clues
        apart, one entry stands for all of them.
        """
        if self.variant.duck:
            return [[{"value": None, "letter": "D", "name": "a clue"}], []]
        if self.variant.cow_and_pig:
            return [
                [{"value": None, "letter": "C", "name": "a colour"}],
                [{"value": None, "letter": "R", "name": "a rank"}],
            ]
        colours = [
            {"value": value, "letter": letter.upper(), "name": name, "colour": value}
            for value, (letter, name) in enumerate(zip(self.colour_letters, self.colours, strict=True))
        ]
        names = {rank: self.clue_name(ActionKind.RANK_CLUE, rank) for rank in self.variant.clue_ranks}
        ranks = [{"value": rank, "letter": name[:1].upper(), "name": name} for rank, name in names.items()]
        return [colours, ranks]

    def clue_place(self, kind: int, value: int) -> tuple[int, int]:
        """Return the row and the place of a clue in `clue_values`."""
        row = 0 if kind == ActionKind.COLOUR_CLUE else 1
        if self.variant.duck:
            return 0, 0
        if self.variant.cow_and_pig:
            return row, 0
        return row, value if row == 0 else self.variant.clue_ranks.index(value)
