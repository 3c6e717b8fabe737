"""The verdict on one action: its convention, legality and reasons."""

from __future__ import annotations

from hanalyze.conventions.steps import Chain, Step, clear_chain
from hanalyze.game.meanings import Convention, Fault, FaultRule, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record


class Verdict(Record):
    """The verdict on one action."""

    name: int  # number of the main `Convention`
    second: int  # a further convention, or -1
    focus: int  # order of the card that it is about, or -1
    on_chop: int  # 1 if a clue's focus was the chop, touched by no clue before
    readings: int  # identities of the focus that the receiver must allow for
    direct: int  # those of them that remain if nobody shows another
    showing_seats: int  # seats that may show another
    deep: int  # readings that only a deep chain explains, set aside until it is shown
    bluff_ids: int  # readings left once a bluff is seen
    certainty: int  # in percent
    legal: int  # 1 if the conventions allow it
    reasons: int  # reasons against it or explaining it: bit n for `Reason` n
    marked_cards: int  # cards that it chop moves or names
    worth: int  # cards newly gotten: touched and useful, or called
    bad: int  # newly touched cards that break good touch
    fault: int  # fault for a misplay, a number of `Fault`
    fault_seat: int  # the seat at fault, or -1
    fault_rule: int  # number of the `FaultRule` that decided
    fault_turn: int  # turn of the action at fault, -1 if it is no single action
    chain: Chain  # called cards
    spare_chain: Chain  # copy of `chain` while others are tried
    wrong: Step  # clued card that players would misplay as the missing one (a wrong prompt); order -1 if none


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
def refuse(verdict: Verdict, reason: int) -> None:
    """Give a reason for which an action is not allowed."""
    verdict.reasons |= 1 << reason
    verdict.legal = 0


@kernel
def allow(verdict: Verdict, reason: int) -> None:
    """Allow an action, for one reason only."""
    verdict.reasons = 1 << reason
    verdict.legal = 1


@kernel
def forgive_touch(verdict: Verdict) -> None:
    """Forgive bad touch of a clue that says that its cards are trash."""
    verdict.bad = 0
    verdict.reasons &= ~(1 << Reason.BAD_TOUCH | 1 << Reason.DUPLICATE)


@kernel
def blame(verdict: Verdict, fault: int, seat: int, rule: int, turn: int) -> None:
    """Set the fault for a misplay; `turn` is -1 for no single action."""
    verdict.fault = fault
    verdict.fault_seat = seat
    verdict.fault_rule = rule
    verdict.fault_turn = turn
