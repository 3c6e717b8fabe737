"""The verdict on one action: which convention it is, whether it is allowed, and what speaks against it.

In: nothing. Out: the record `Verdict`, and the only functions that write it. Judges of clues and moves call
them; they read the verdict like anybody else.
"""

from __future__ import annotations

from hanalyze.conventions.steps import Chain, Step, clear_chain
from hanalyze.game.meanings import Convention, Fault, FaultRule, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record


class Verdict(Record):
    """The verdict on one action. Written by `verdict`."""

    name: int
    """The number of the `Convention` that it mainly is."""
    second: int
    """A further convention that it is, -1 if none."""
    focus: int
    """The order of the card that it is about, -1 if none is."""
    on_chop: int
    """1 if a clue's focus was on chop, touched by no clue before."""
    readings: int
    """Mask of the identities that the receiver must allow for of the focus."""
    direct: int
    """Those of them that the receiver keeps if nobody shows another."""
    showing_seats: int
    """Mask of the seats that may show another."""
    deep: int
    """Those of them that only a deep chain explains, which count once they are shown (`weights`)."""
    bluff_ids: int
    """Those of them that are left once a bluff is seen."""
    certainty: int
    """In percent."""
    legal: int
    """1 if the conventions allow it."""
    reasons: int
    """What speaks against it or explains it: bit n for `Reason` n."""
    marked_cards: int
    """Mask of the cards that it keeps from being discarded, or names."""
    worth: int
    """Cards newly gotten: touched and useful, or called."""
    bad: int
    """Newly touched cards that break good touch."""
    fault: int
    """Of a misplay, who is at fault: a number of `Fault`."""
    fault_seat: int
    """That seat, -1 if there is none."""
    fault_rule: int
    """The number of the `FaultRule` that decided."""
    fault_turn: int
    """The turn of what they did, -1 where that is no one action."""
    chain: Chain
    """What it calls for."""
    spare_chain: Chain
    """Room to keep a chain in while others are tried."""
    wrong: Step
    """The clued card at which a search was stopped, because it would be played as what is missing: what the
    players will take the clue for where it is not explained. Its order is -1 if there was none."""


@kernel
def begin_verdict(verdict: Verdict, focus: int, on_chop: int, readings: int) -> None:
    """Begin with an action that is allowed and not explained yet."""
    clear_chain(verdict.chain)
    verdict.wrong.order = -1
    verdict.name = Convention.UNEXPLAINED
    verdict.second = -1
    verdict.focus = focus
    verdict.on_chop = on_chop
    verdict.readings = readings
    verdict.direct = 0
    verdict.showing_seats = 0
    verdict.bluff_ids = 0
    verdict.deep = 0
    verdict.certainty = 100
    verdict.legal = 1
    verdict.reasons = 0
    verdict.marked_cards = 0
    verdict.worth = 0
    verdict.bad = 0
    verdict.fault = Fault.NONE
    verdict.fault_seat = -1
    verdict.fault_rule = FaultRule.NO_RULE
    verdict.fault_turn = -1


@kernel
def decide(verdict: Verdict, name: int) -> None:
    """Say which convention an action mainly is."""
    verdict.name = name


@kernel
def add_meaning(verdict: Verdict, name: int) -> None:
    """Say which convention an action is beside what it mainly is, -1 for none."""
    verdict.second = name


@kernel
def note(verdict: Verdict, reason: int) -> None:
    """Give a reason that explains an action; it stays allowed."""
    verdict.reasons |= 1 << reason


@kernel
def note_all(verdict: Verdict, reasons: int) -> None:
    """Give several reasons, as bits."""
    verdict.reasons |= reasons


@kernel
def refuse(verdict: Verdict, reason: int) -> None:
    """Give a reason for which an action is not allowed."""
    verdict.reasons |= 1 << reason
    verdict.legal = 0


@kernel
def forbid(verdict: Verdict) -> None:
    """Say that an action is not allowed, by the reasons that were given, or because nothing explains it."""
    verdict.legal = 0


@kernel
def drop_reason(verdict: Verdict, reason: int) -> None:
    """Take back a reason."""
    verdict.reasons &= ~(1 << reason)


@kernel
def drop_reasons(verdict: Verdict) -> None:
    """Take back all reasons."""
    verdict.reasons = 0


@kernel
def allow(verdict: Verdict, reason: int) -> None:
    """Allow an action whatever was found, for one reason alone."""
    verdict.reasons = 1 << reason
    verdict.legal = 1


@kernel
def has_reason(verdict: Verdict, reason: int) -> bool:
    """Return whether a reason was given."""
    return verdict.reasons >> reason & 1 != 0


@kernel
def doubt(verdict: Verdict) -> None:
    """Say that the past leaves more than one reading open, or that a card is unknown to us."""
    verdict.certainty = 50


@kernel
def count_touched(verdict: Verdict, useful: int, bad: int) -> None:
    """Count the newly touched cards: those that are useful, and those that break good touch."""
    verdict.worth = useful
    verdict.bad = bad


@kernel
def set_worth(verdict: Verdict, cards: int) -> None:
    """Say how many cards are newly gotten."""
    verdict.worth = cards


@kernel
def forgive_touch(verdict: Verdict) -> None:
    """Hold no touched card against a clue that says itself that they are trash."""
    verdict.bad = 0
    drop_reason(verdict, Reason.BAD_TOUCH)
    drop_reason(verdict, Reason.DUPLICATE)


@kernel
def mark(verdict: Verdict, cards: int) -> None:
    """Say which cards an action keeps from being discarded, or names."""
    verdict.marked_cards = cards


@kernel
def fix(verdict: Verdict, focus: int) -> None:
    """Say that a clue keeps the card `focus` from being misplayed, or shows that it is bad."""
    verdict.name = Convention.FIX_CLUE
    verdict.focus = focus


@kernel
def set_readings(verdict: Verdict, readings: int) -> None:
    """Say which identities the receiver must allow for of the focus."""
    verdict.readings = readings


@kernel
def set_showing(verdict: Verdict, direct: int, showing: int) -> None:
    """Say which readings the receiver keeps unless one of the seats `showing` shows another."""
    verdict.direct = direct
    verdict.showing_seats = showing


@kernel
def set_deep(verdict: Verdict, deep: int) -> None:
    """Say which readings are set aside until somebody shows them, as only a deep chain explains them."""
    verdict.deep = deep


@kernel
def weigh(verdict: Verdict, weight: int) -> None:
    """Say how much the reading weighs, in percent, where that is less than what was certain so far."""
    verdict.certainty = min(verdict.certainty, weight)


@kernel
def set_bluff_ids(verdict: Verdict, bluffed: int) -> None:
    """Say which readings are left to the receiver once a bluff is seen."""
    verdict.bluff_ids = bluffed


@kernel
def blame(verdict: Verdict, fault: int, seat: int, rule: int, turn: int) -> None:
    """Say who is at fault for a misplay, by which rule, and by what they did on which turn, -1 for no one."""
    verdict.fault = fault
    verdict.fault_seat = seat
    verdict.fault_rule = rule
    verdict.fault_turn = turn
