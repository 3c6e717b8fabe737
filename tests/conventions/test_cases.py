"""The conventions against labelled moves of another program: how many they find, and how many they get right.

In: the cases of `../shared/cases`, set up in mid-game. Out: that precision and recall of each label do not
fall below the targets over all cases, nor below what was reached on the half that was developed on and on
the half that was not. Where a bound of the second half stands below its target, that is what was reached:
prompts (three of four), the precision of play clues (99 of 105), the recall of saves (32 of 34) and of
finesses (47 of 52).
"""

from __future__ import annotations

import pytest

from tests.conventions.cases import Read
from tests.conventions.score import Count, all_reads, label_of, score
from tests.shared import shared

TARGETS = {
    "focus": (0.99, 0.99),
    "play_clue": (0.96, 0.97),
    "save_clue": (0.95, 0.95),
    "finesse": (0.96, 0.93),
    "bluff": (0.95, 0.95),
    "prompt": (0.85, 0.85),
    "scream_discard": (1.0, 1.0),
}
DEVELOPED = {
    "focus": (0.99, 0.99),
    "play_clue": (0.98, 0.96),
    "save_clue": (0.95, 0.95),
    "finesse": (0.97, 0.95),
    "bluff": (0.95, 0.93),
    "prompt": (0.95, 0.95),
}
MEASURED = {
    "focus": (0.98, 0.98),
    "play_clue": (0.94, 0.97),
    "save_clue": (0.95, 0.94),
    "finesse": (0.95, 0.90),
    "bluff": (0.95, 0.95),
    "prompt": (0.75, 0.75),
}


@pytest.fixture(scope="module")
def reads() -> list[Read]:
    return all_reads(shared("cases/h-group.jsonl.gz"))


def _check(counts: dict[str, Count], bounds: dict[str, tuple[float, float]]) -> None:
    found = {label: (counts[label].precision, counts[label].recall) for label in bounds}
    low = {
        label: (round(precision, 3), round(recall, 3))
        for label, (precision, recall) in found.items()
        if precision < bounds[label][0] or recall < bounds[label][1]
    }
    assert not low


def test_the_half_that_was_developed_on(reads: list[Read]) -> None:
    _check(score(read for read in reads if not read.measured), DEVELOPED)


def test_the_held_out_half(reads: list[Read]) -> None:
    _check(score(read for read in reads if read.measured), MEASURED)


def test_all_cases_together(reads: list[Read]) -> None:
    _check(score(reads), TARGETS)


def test_every_case_is_read(reads: list[Read]) -> None:
    assert len(reads) == 748
    assert sum(read.measured for read in reads) == 326
    assert all(read.found for read in reads)
    assert all(label_of(read.case) for read in reads)


def test_a_level_below_a_convention_does_not_find_it(reads: list[Read]) -> None:
    assert all(one.level <= max(read.case["level"], 5) for read in reads for one in read.found[:1])
