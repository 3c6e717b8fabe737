"""The registry of reports fits the functions and columns that it names."""

from __future__ import annotations

import inspect

import pytest

from hanalyze.analysis.columns import FRAMES
from hanalyze.analysis.reports import RESEARCH_REPORTS, SAME_DEAL_REPORTS, STATS_REPORTS, Report
from hanalyze.errors import UnknownName
from tests.analysis.played import played

ALL = [*STATS_REPORTS.values(), *RESEARCH_REPORTS.values(), *SAME_DEAL_REPORTS.values()]


@pytest.mark.parametrize("report", ALL, ids=lambda report: report.frame)
def test_a_report_names_what_its_function_has(report: Report) -> None:
    columns = {column.name for column in FRAMES[report.frame]}
    assert {*report.rated, *report.columns} <= columns
    taken = inspect.signature(report.function).parameters
    assert set(report.options) <= set(taken)
    assert not report.groupings or "by" in taken
    # Where rows are left out, the note on them says by which option.
    assert not report.rated or "minimum" in report.options


def test_each_frame_is_in_one_report() -> None:
    frames = [report.frame for report in ALL]
    assert len(set(frames)) == len(frames)


def test_a_report_without_groupings_says_so() -> None:
    with pytest.raises(UnknownName) as refused:
        RESEARCH_REPORTS["scores"].make(played(), by="player")
    assert str(refused.value) == 'there is no grouping "player"; leave it out: this table has no groupings'
