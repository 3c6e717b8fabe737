"""`hanalyze deck`: the deck that a seed deals.

In: a seed, a variant and the name of a shuffle. Out: the cards, the first one dealt first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from hanalyze.cli.quick import QuickCommand

if TYPE_CHECKING:
    from hanalyze.cli.screen import Line
    from hanalyze.game.cards import Card

EXAMPLES: Final = """\b
Examples:
  hanalyze deck p3v0s7
  hanalyze deck p4v16s1 --json
  hanalyze deck any-text --variant "Rainbow (5 Suits)"
  hanalyze deck -5 --shuffle hle
"""

_PER_LINE: Final = 10


class SeedCommand(QuickCommand):
    """A command whose argument may be a negative number, which would be taken for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put negative numbers where only arguments stand; a `--` before one is then not needed."""
        numbers = [arg for arg in args if re.fullmatch(r"-[0-9]+", arg)]
        if not numbers:
            return super().parse_args(ctx, args)
        others = [arg for arg in args if arg not in numbers and arg != "--"]
        return super().parse_args(ctx, [*others, "--", *numbers])


def deck(
    seed: Annotated[
        str,
        typer.Argument(metavar="SEED", help="The seed: text for hanab-live, a number for the other schemes."),
    ],
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The variant: its name on hanab.live, its id or its code; default: as the seed says, or No"
            " Variant.",
        ),
    ] = None,
    shuffle: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The scheme that turns the seed into a deck: hanab-live, hle or hanabi-data."
        ),
    ] = "hanab-live",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the cards as [[suit index, rank], ...] on one line.")
    ] = False,
) -> None:
    """Show the deck that a seed deals, in the order of dealing."""
    from hanalyze.cli.screen import Screen, show_json
    from hanalyze.decks import deck as deal, variant_named

    if variant is None:
        variant = variant_named(seed, shuffle)
    cards = deal(seed, variant, shuffle)
    if as_json:
        show_json(cards)
    else:
        Screen().show(_lines(cards, seed, variant, shuffle))


def _lines(cards: list[Card], seed: str, variant: str, shuffle: str) -> list[Line]:
    from hanalyze.cli.words import Part, Words
    from hanalyze.game.rules import EDITIONS
    from hanalyze.game.variants import variant as named_variant
    from hanalyze.text import shorten

    played = named_variant(variant)
    # A shuffle that lays out suits of its own is that of the edition of the same name.
    names = EDITIONS[shuffle].suits or tuple(suit.name for suit in played.suits)
    words = Words(played, names, ())
    lines: list[Line] = [
        [
            (f"deck {shorten(seed)}", "bold"),
            (f" of variant {played.name}, shuffle {shuffle}: {len(cards)} cards, the first dealt first", ""),
        ]
    ]
    for start in range(0, len(cards), _PER_LINE):
        line: list[Part] = [(f"{start:>4} ", "dim")]
        for card in cards[start : start + _PER_LINE]:
            line += [(" ", ""), words.card(card)]
        lines.append(line)
    return lines
