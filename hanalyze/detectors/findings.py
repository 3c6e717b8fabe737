"""What a detector returns: `Finding`s of an action, the `Step`s that they expect, the `Outcome` of one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """A card that a finding expects to leave its hand: the seat that holds it, its order, and how."""

    seat: int
    order: int
    by: str = "played"
    """`played` or `discarded`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector says of one action.

    `label` is a word of the detector's own; `cards` are orders, at most 6, and `seats` those whom it
    concerns; `certainty` is in percent. `legal` is None where the detector does not judge. `expects` are the
    steps that later turns should bring, in order. `opportunity` says that the action could have been it, not
    that it was.

    >>> Finding("early_save", cards=(7,), seats=(1,)).certainty
    100
    """

    label: str
    cards: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    certainty: int = 100
    legal: bool | None = None
    reasons: tuple[str, ...] = ()
    expects: tuple[Step, ...] = ()
    opportunity: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a finding: a label of `hanalyze.game.meanings.OutcomeKind`, and the turn of it."""

    kind: str
    turn: int | None = None
