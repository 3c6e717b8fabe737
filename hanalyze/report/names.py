"""What a game's suits, colours, clues and ranks are called on a page, and how they look there.

In: a `Replay`. Out: `Names`: letters and names, and plain values of them for a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hanalyze.game.actions import ActionKind
from hanalyze.game.cards import rank_letter
from hanalyze.game.names import colour_letters, colour_names, suit_letters
from hanalyze.report.theme import SuitLook, look_of, suit_looks
from hanalyze.text import apart

if TYPE_CHECKING:
    from hanalyze.replaying import Replay


class Names:
    """The names of one game; the edition's own count before the variant's."""

    def __init__(self, replay: Replay) -> None:
        variant = replay.variant
        self.variant = variant
        self.players = apart(replay.record.players)
        self.suits = replay.suit_names
        self.letters = suit_letters(variant, self.suits)
        self.looks: list[SuitLook] = suit_looks(self.suits)
        self.colours = colour_names(variant, self.suits)
        self.colour_letters = colour_letters(variant, self.suits)
        self.colour_looks = [look_of(name, place) for place, name in enumerate(self.colours)]

    def suit_values(self) -> list[dict[str, Any]]:
        """Return the suits for a page."""
        return [
            {
                "letter": letter.upper(),
                "name": name,
                "shape": look.shape,
                "copies": {rank_letter(rank): n for rank, n in zip(self.variant.ranks, copies, strict=True)},
            }
            for letter, name, look, copies in zip(
                self.letters, self.suits, self.looks, self.variant.copies, strict=True
            )
        ]

    def clue_values(self) -> list[list[dict[str, Any]]]:
        """Return what clues can say, as rows of a card's ledger: the colours, the ranks.

        `value` is the log's, `colour` the place among the looks of colours. Where a clue names nothing, there
        is one entry for all that the players cannot tell apart.
        """
        if self.variant.duck:
            return [[{"value": None, "letter": "D", "name": "a clue"}], []]
        if self.variant.cow_and_pig:
            return [
                [{"value": None, "letter": "C", "name": "a colour"}],
                [{"value": None, "letter": "R", "name": "a rank"}],
            ]
        colours = [
            {"value": value, "letter": letter.upper(), "name": name.lower(), "colour": value}
            for value, (letter, name) in enumerate(zip(self.colour_letters, self.colours, strict=True))
        ]
        ranks = [
            {"value": rank, "letter": self.rank_clue(rank)[:1].upper(), "name": self.rank_clue(rank)}
            for rank in self.variant.clue_ranks
        ]
        return [colours, ranks]

    def rank_clue(self, rank: int) -> str:
        """Return what a rank clue is called."""
        if self.variant.odds_and_evens:
            return "odd" if rank == 1 else "even"
        return rank_letter(rank)

    def clue_place(self, kind: int, value: int) -> tuple[int, int]:
        """Return the row and the place of a clue in `clue_values`."""
        row = 0 if kind == ActionKind.COLOUR_CLUE else 1
        if self.variant.duck:
            return 0, 0
        if self.variant.cow_and_pig:
            return row, 0
        return row, value if row == 0 else self.variant.clue_ranks.index(value)

    def clue_name(self, kind: int, value: int) -> str:
        """Return what a clue said in truth, whether or not the receiver was told."""
        return self.colours[value].lower() if kind == ActionKind.COLOUR_CLUE else self.rank_clue(value)
