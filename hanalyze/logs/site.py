"""Where a game can be looked at on hanab.live: by its number there, or with all of it in the address.

In: a record, or its number. Out: an address without a turn, or None where the site cannot show the game. With
`#12` behind it the address opens at the site's turn 12, which is before our turn 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hanalyze.game.cards import Card
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sharing import compact

SITE: Final = "https://hanab.live"


def numbered_address(number: int | None, source: str | None) -> str | None:
    """Return the address of a game of the site's; None where it has no number, or one of somebody else's.

    >>> numbered_address(1, None), numbered_address(1, "an experiment")
    ('https://hanab.live/replay/1', None)
    """
    if number is None or (source is not None and "hanab.live" not in source.lower()):
        return None
    return f"{SITE}/replay/{number}"


def compact_address(record: GameRecord, deck: Sequence[Card] | None = None) -> str | None:
    """Return an address that holds the whole game, as `hanalyze.logs.sharing.compact` writes it."""
    text = compact(record, deck)
    return None if text is None else f"{SITE}/replay-json/{text}"
