"""Defects of a log, with their place and description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hanalyze.errors import IllegalAction
from hanalyze.game.actions import ActionKind
from hanalyze.game.defects import Defect
from hanalyze.game.variants import Variant


@dataclass(frozen=True, slots=True)
class FoundDefect:
    """A rule that a log breaks, with its place and a description.

    `turn` and `seat` are None if the defect concerns the whole log.
    """

    rule: Defect
    game: str
    turn: int | None
    seat: int | None
    found: str

    def error(self) -> IllegalAction:
        """Return the defect as the error that a strict replay raises."""
        return IllegalAction(
            f"{self.rule.sentence}: {self.found}",
            rule=self.rule.label,
            game=self.game,
            turn=self.turn,
            seat=self.seat,
        )

    def __str__(self) -> str:
        return str(self.error())


def say_found(
    rule: Defect, action: Sequence[int], seat: int, players: Sequence[str], variant: Variant, cards: int
) -> str:
    """Return a description of the action that broke a rule.

    `action` is the kind, target and value of the action, `seat` the seat of its player, and `cards` the
    number of cards in the deck.
    """
    who = players[seat]
    kind, target, value = action
    if rule == Defect.UNKNOWN_ACTION:
        return f"{who}, action type {kind}"
    if rule == Defect.UNKNOWN_END:
        return f"action type {kind} with value {value}"
    if kind in (ActionKind.PLAY, ActionKind.DISCARD):
        does = "plays" if kind == ActionKind.PLAY else "discards"
        return f"{who} {does} the card of order {target}, of a deck of {cards}"
    if kind in (ActionKind.COLOUR_CLUE, ActionKind.RANK_CLUE):
        whom = players[target] if 0 <= target < len(players) else f"target {target}"
        colours = variant.clue_colours
        if kind == ActionKind.RANK_CLUE:
            what = f"rank {value}"
        else:
            what = colours[value] if 0 <= value < len(colours) else f"colour {value} of {len(colours)}"
        return f"{who} clues {whom} {what}"
    return "an action that ends the game" if kind == ActionKind.END_GAME else "a vote that ends the game"
