"""Where nothing differs no figure of the dashboard claims anything: small runs of the benchmark."""

from __future__ import annotations

import pytest

from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.store import connect
from tests.benchmarks import coverage, false_alarms
from tests.benchmarks.false_alarms import shares
from tests.benchmarks.null_figures import FIGURES, effect_alarms, figure_alarms
from tests.report.figure_scripts import claims_of, rows_of

pytestmark = pytest.mark.heavy

READ = tuple(name for name in FIGURES if QUESTIONS[name].read)
RARE = ("missed",)
"""Sure plays are hardly ever missed by agents: of no kind are there enough."""


@pytest.mark.parametrize("kind", ["top", "ends", "trend", "curve"])
def test_figures_claim_nothing_where_labels_say_nothing(kind: str) -> None:
    names = tuple(
        name for name in FIGURES if QUESTIONS[name].say["kind"] == kind and name not in (*READ, *RARE)
    )
    # `conventional` keeps up with the need, so its curve has nothing to claim even as the games are.
    with false_alarms.pool("cautious" if kind == "curve" else "conventional", 600, 0) as db:
        if any(QUESTIONS[name].solved for name in names):
            db.solve()
        found = list(shares(figure_alarms(db, 1000, names)))
        assert len(found) == len(names) > 0
        for one in found:
            assert one.false / one.of <= 0.05 + 2 * one.error, one.kind
        # As the games are there is something to claim: the experiment can fail.
        with Cube(db) as cube:
            rows = {name: rows_of(cube, QUESTIONS[name]) for name in names}
        made = [claims_of({name: some}).made for name, some in rows.items()]
        assert any(made)


def test_conventions_claim_nothing_where_they_are_used_by_chance() -> None:
    with connect(coverage.pool("conventional", 600), read_only=True) as db:
        [used] = shares(figure_alarms(db, 100, READ))
        assert used.false / used.of <= 0.05 + 2 * used.error
        [worth] = shares(effect_alarms(db, 10))
    # Most tables would have a claim if each 95% interval were one.
    assert worth.plain / worth.of > 0.2
    assert worth.false / worth.of <= 0.05 + 2 * worth.error
