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
    Finding as Finding,
    LegalClue as LegalClue,
    Moment as Moment,
    Outcome as Outcome,
    Setting as Setting,
    Step as Step,
    Turn as Turn,
)
from hanalyze.detectors.views import (
    Call as Call,
    CallStep as CallStep,
    Meaning as Meaning,
    SeenCard as SeenCard,
    View as View,
)
