"""What a turn offers: the record that `hanalyze.conventions.opportunities` fills.

In: nothing. Out: the record `Offers`, empty at the beginning of a turn.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.engine.game import MAX_SEATS
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record, Row

OFFERED_CALLS: Final = 3
"""Cards that the best clue would call that are kept."""


class Offers(Record):
    """What the legal clues of a turn would be. Written by `offers`, `opportunities`."""

    available: int
    """Mask of the conventions that some legal clue would be, bit n for n; -1 when not found yet."""
    available_more: int
    """The same for the conventions from `OFFERED` on, bit n for `OFFERED` + n."""
    best: int
    """The most cards that a clean play or save clue would get."""
    best_for: Annotated[Row, MAX_SEATS]
    """By seat, the same for clues to that hand."""
    stalls: int
    """Mask of the conventions by which some clue that touches no bad card would stall."""
    legal_clues: int
    """Clues that are legal and touch a card."""
    better: int
    """Mask of the cards that clean play and save clues would be about."""
    may_be_left: int
    """1 if the only better clue is about a card that a later finesse may call as well."""
    at_risk: int
    """Mask of the chops that need saving and that their holders are about to discard."""
    savable: int
    """Of them, those that some clue saves."""
    clue_rank: int
    """How good the best clue is, -1 if there is none; see `opportunities`."""
    clue_name: int
    """The number of the `Convention` that it would be."""
    clue_receiver: int
    clue_kind: int
    """A number of `ActionKind`."""
    clue_value: int
    clue_focus: int
    """The order of the card that it would be about."""
    clue_stalls: int
    """1 if it would only pass the turn."""
    clue_saves: int
    """1 if it would save a chop at risk."""
    clue_gets: Annotated[Row, OFFERED_CALLS]
    """The identities of the first cards that it would call from other hands, -1 for none."""


@kernel
def forget_offers(offers: Offers) -> None:
    """Know nothing of what the turn offers."""
    offers.available = -1
    offers.available_more = 0
    offers.best = 0
    for seat in range(MAX_SEATS):
        offers.best_for[seat] = 0
