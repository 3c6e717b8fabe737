"""Detectors of one's own, all public names: what a detector gets, what it returns, how it is loaded and run.

In: a class or function in plain Python that says what actions mean. Out: its findings, by turn, beside those
of the built-in reader. CONTRIBUTING shows how to write one; `hanalyze.detectors.example` is one.

>>> @detector("gives_a_five", "1", actions={"clue"})
... def gives_a_five(turn):
...     if turn.action.value == 5 and turn.newly_touched:
...         yield Finding("five", cards=turn.newly_touched, seats=(turn.receiver,))
>>> in_order([gives_a_five])[0].name
'gives_a_five'
"""

from hanalyze.detectors.detecting import Detected, FoundRow, Problem, detect, followed
from hanalyze.detectors.findings import Finding, Outcome, Step
from hanalyze.detectors.loading import GROUP, load_detectors
from hanalyze.detectors.plugin import Detector, Plan, detector, in_order
from hanalyze.detectors.turns import History, Moment, Turn
from hanalyze.detectors.views import Call, CallStep, Meaning, SeenCard, View
from hanalyze.detectors.watching import LegalClue, Setting

__all__ = [
    "GROUP",
    "Call",
    "CallStep",
    "Detected",
    "Detector",
    "Finding",
    "FoundRow",
    "History",
    "LegalClue",
    "Meaning",
    "Moment",
    "Outcome",
    "Plan",
    "Problem",
    "SeenCard",
    "Setting",
    "Step",
    "Turn",
    "View",
    "detect",
    "detector",
    "followed",
    "in_order",
    "load_detectors",
]
