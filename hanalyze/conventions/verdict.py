"""The verdict on one action: its convention, legality and reasons. Only functions here write it."""

from __future__ import annotations

from hanalyze.conventions.steps import Chain, Step, clear_chain
from hanalyze.game.meanings import Convention, Fault, FaultRule, Reason
from hanalyze.kernels.compiling import kernel
from hanalyze.kernels.record import Record


class Verdict(Record):
    """The verdict on one action. Written by `verdict`."""

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
def decide(verdict: Verdict, name: int) -> None:
    """Set the main convention of an action."""
    verdict.name = name


@kernel
def add_meaning(verdict: Verdict, name: int) -> None:
    """Set a further convention of an action, -1 for none."""
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
    """Allow an action, for one reason only."""
    verdict.reasons = 1 << reason
    verdict.legal = 1


@kernel
def has_reason(verdict: Verdict, reason: int) -> bool:
    """Return whether a reason was given."""
    return verdict.reasons >> reason & 1 != 0


@kernel
def doubt(verdict: Verdict) -> None:
    """Set the certainty for several possible meanings, or for a hidden card."""
    verdict.certainty = 50


@kernel
def count_touched(verdict: Verdict, useful: int, bad: int) -> None:
    """Count the newly touched cards: those that are useful, and those that break good touch."""
    verdict.worth = useful
    verdict.bad = bad


@kernel
def set_worth(verdict: Verdict, cards: int) -> None:
    """Set the number of newly gotten cards."""
    verdict.worth = cards


@kernel
def forgive_touch(verdict: Verdict) -> None:
    """Forgive bad touch of a clue that says that its cards are trash."""
    verdict.bad = 0
    drop_reason(verdict, Reason.BAD_TOUCH)
    drop_reason(verdict, Reason.DUPLICATE)


@kernel
def mark(verdict: Verdict, cards: int) -> None:
    """Set the cards that an action chop moves or names."""
    verdict.marked_cards = cards


@kernel
def fix(verdict: Verdict, focus: int) -> None:
    """Decide on a fix clue about the card `focus`."""
    verdict.name = Convention.FIX_CLUE
    verdict.focus = focus


@kernel
def set_readings(verdict: Verdict, readings: int) -> None:
    """Set the identities of the focus that the receiver must allow for."""
    verdict.readings = readings


@kernel
def set_showing(verdict: Verdict, direct: int, showing: int) -> None:
    """Set the readings that remain unless one of the seats `showing` shows another."""
    verdict.direct = direct
    verdict.showing_seats = showing


@kernel
def set_deep(verdict: Verdict, deep: int) -> None:
    """Set the readings that are set aside until somebody shows them."""
    verdict.deep = deep


@kernel
def weigh(verdict: Verdict, weight: int) -> None:
    """Lower the certainty to the weight of the reading, in percent."""
    verdict.certainty = min(verdict.certainty, weight)


@kernel
def set_bluff_ids(verdict: Verdict, bluffed: int) -> None:
    """Set the readings that remain once a bluff is seen."""
    verdict.bluff_ids = bluffed


@kernel
def blame(verdict: Verdict, fault: int, seat: int, rule: int, turn: int) -> None:
    """Set the fault for a misplay; `turn` is -1 for no single action."""
    verdict.fault = fault
    verdict.fault_seat = seat
    verdict.fault_rule = rule
    verdict.fault_turn = turn
