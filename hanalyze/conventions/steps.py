"""Steps: the cards that a message calls one after the other, in a chain that is searched and in an open call.

In: nothing. Out: the records `Step`, `Chain` and `Call`, and what is done to a chain. How a chain is found is
in `hanalyze.conventions.chains`, how a call goes on in `hanalyze.conventions.calls`.
"""

from __future__ import annotations

from typing import Annotated, Final

from hanalyze.conventions.classes import CALLS, is_any
from hanalyze.game.meanings import StepKind
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record

MAX_CALLS: Final = 16
"""Calls that can be open at once."""
MAX_STEPS: Final = 8
"""Steps of a call."""


class Step(Record):
    """A card that a message calls. Written by `steps`, `calls`, `verdict`."""

    seat: int
    order: int
    kind: int
    """A number of `StepKind`."""
    ids: int
    """Mask of what it is called as."""


class Chain(Record):
    """How a clue's focus comes to be playable. Written by `steps`, `chains`."""

    length: int
    """How many steps there are."""
    blind: int
    """Blind steps."""
    prompts: int
    layers: int
    hidden_prompts: int
    own: int
    """1 if a blind or prompted card is the receiver's own."""
    reverse: int
    """1 if a blind card is in the hand of a player who acts after the receiver."""
    failure: int
    """Why the last search found no chain: reasons, as bits."""
    used: int
    """Mask of the cards that a further step cannot be."""
    playable: int
    """Mask of the identities that fit a stack after the steps so far."""
    steps: Annotated[list[Step], MAX_STEPS]


class Call(Record):
    """What a message expects of later turns. Written by `steps`, `calls`, `pending_inferences`."""

    is_open: int
    """0 for a place that is free."""
    kind: int
    """A number of `Convention`."""
    giver: int
    receiver: int
    focus: int
    """The order of the card that the message is about, -1 if none is."""
    identity: int
    """The identity of the focus by the giver's view, -1 if unknown."""
    turn: int
    row: int
    """The row of the finding that opened it, -1 if there is none."""
    length: int
    """How many steps there are."""
    done: int
    """How many of them have been made."""
    deferrals: int
    """Turns that a called player let pass."""
    late_turns: int
    """Of them, those without an excuse."""
    readings: int
    """Mask of the identities that the receiver had to allow for of the focus."""
    direct: int
    """Mask of the identities that the receiver takes the focus for if nobody shows another."""
    showing_seats: int
    """Mask of the seats that may show another."""
    weight: int
    """How much the reading weighs that the call goes by, in percent."""
    waits_until: int
    """The turn of the last of them, -1 if there is nothing to wait for."""
    bluff_ids: int
    """Mask of the identities that a bluff leaves of the focus, 0 if it can be none."""
    late_seat: int
    """The seat that last let its step pass without an excuse, -1 if none did."""
    late_turn: int
    """The turn on which it did."""
    steps: Annotated[list[Step], MAX_STEPS]


@kernel
def set_step(step: Step, seat: int, order: int, kind: int, ids: int) -> None:
    """Say which card a step calls, how, and as what."""
    step.seat = seat
    step.order = order
    step.kind = kind
    step.ids = ids


@kernel
def copy_step(source: Step, target: Step) -> None:
    """Make a step like another."""
    set_step(target, source.seat, source.order, source.kind, source.ids)


@kernel
def clear_chain(chain: Chain) -> None:
    """Make a chain empty."""
    chain.length = 0
    chain.blind = 0
    chain.prompts = 0
    chain.layers = 0
    chain.hidden_prompts = 0
    chain.own = 0
    chain.reverse = 0
    chain.failure = 0


@kernel
def push_step(chain: Chain, seat: int, order: int, kind: int, ids: int) -> None:
    """Add a step to a chain."""
    set_step(chain.steps[chain.length], seat, order, kind, ids)
    chain.length += 1
    chain.used |= 1 << order


@kernel
def push_blind(chain: Chain, seat: int, order: int, ids: int) -> None:
    """Add a card to a chain that is played blind as one of `ids`."""
    push_step(chain, seat, order, StepKind.FINESSE, ids)
    chain.blind += 1


@kernel
def push_own(chain: Chain, seat: int, order: int, ids: int) -> None:
    """Add a clued card of the receiver to a chain, to be played as one of `ids`."""
    push_step(chain, seat, order, StepKind.PROMPT, ids)
    chain.prompts += 1
    chain.own = 1


@kernel
def call_one(chain: Chain, seat: int, order: int, kind: int, ids: int) -> None:
    """Call one card and no other, to be played blind."""
    clear_chain(chain)
    push_step(chain, seat, order, kind, ids)
    chain.blind = 1


@kernel
def copy_chain(source: Chain, target: Chain) -> None:
    """Make a chain like another."""
    target.length = source.length
    target.blind = source.blind
    target.prompts = source.prompts
    target.layers = source.layers
    target.hidden_prompts = source.hidden_prompts
    target.own = source.own
    target.reverse = source.reverse
    target.failure = source.failure
    for step in range(source.length):
        copy_step(source.steps[step], target.steps[step])


@kernel
def called_cards(calls: list[Call]) -> int:
    """Return the cards whose step is open: the next of each call."""
    called = 0
    for chain in range(MAX_CALLS):
        call = calls[chain]
        if call.is_open and call.done < call.length:
            called |= 1 << call.steps[call.done].order
    return called


@kernel
def call_focuses(calls: list[Call]) -> int:
    """Return the cards that open calls are about."""
    meant = 0
    for index in range(MAX_CALLS):
        if calls[index].is_open and calls[index].focus >= 0 and is_any(calls[index].kind, CALLS):
            meant |= 1 << calls[index].focus
    return meant


@kernel
def drop_calls(calls: list[Call]) -> None:
    """Free all places for calls."""
    for chain in range(MAX_CALLS):
        calls[chain].is_open = 0
