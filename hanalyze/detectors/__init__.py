"""Detectors of the meanings of actions, written by users as classes or functions in plain Python.

CONTRIBUTING explains how to write a detector.

>>> @detector("gives_a_five", "1", actions={"clue"})
... def gives_a_five(turn):
...     if turn.action.value == 5 and turn.newly_touched:
...         yield Finding("five", cards=turn.newly_touched, seats=(turn.receiver,))
>>> in_order([gives_a_five])[0].name
'gives_a_five'
"""

from hanalyze.detectors.plugin import (
    Detector as Detector,
    Plan as Plan,
    detector as detector,
    in_order as in_order,
    load_detectors as load_detectors,
)
from hanalyze.detectors.run import (
    Detections as Detections,
    FindingRow as FindingRow,
    Problem as Problem,
    detect as detect,
    expected_outcome as expected_outcome,
)
from hanalyze.detectors.turns import (
    Call as Call,
    CallStep as CallStep,
    Finding as Finding,
    LegalClue as LegalClue,
    Meaning as Meaning,
    Moment as Moment,
    Outcome as Outcome,
    SeenCard as SeenCard,
    Setting as Setting,
    Step as Step,
    Turn as Turn,
    View as View,
)
