"""Run the user's detectors on the games of a database, and store their findings.

A detector reads a game again if the level or a version has changed: that of the detector, of a detector that
it needs, or of the built-in conventions.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.detectors.plugin import Plan
from hanalyze.detectors.run import FindingRow, detect_deal
from hanalyze.lazy import Connection
from hanalyze.store.batches import stored_deals
from hanalyze.store.rows import Arrays, OnProgress, arrays_of, report, store_rows
from hanalyze.store.schema import DETECTOR_TABLES
from hanalyze.tables.conventions import CONVENTIONS_VERSION
from hanalyze.text import plural

_PIECE: Final = 200
"""Number of games fetched and stored at a time."""

_UNSEEN: Final = """
SELECT game_id FROM games ANTI JOIN (
    SELECT game_id FROM detector_games
    WHERE detector = ? AND version = ? AND level = ? AND conventions_version = ? AND needs = ?
) USING (game_id)
"""


class DetectorSummary(NamedTuple):
    """Summary of a run of detectors; `already_seen` is the number of games that no detector had to read.

    >>> print(DetectorSummary(2, 0, 1, 5, 1))
    2 games seen by 1 detector: 5 findings, 1 problem
    """

    games: int
    already_seen: int
    detectors: int
    findings: int
    problems: int

    def __str__(self) -> str:
        text = f"{plural(self.games, 'game')} seen by {plural(self.detectors, 'detector')}"
        return f"{text}: {plural(self.findings, 'finding')}, {plural(self.problems, 'problem')}"


def _needed(plans: Mapping[str, Plan], names: Iterable[str]) -> set[str]:
    """Return the named detectors and all detectors that they need, directly or indirectly."""
    needed: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [other for other in plans[name].after if other in plans]
    return needed


def run_detectors(
    connection: Connection, plans: Sequence[Plan], level: int, on_progress: OnProgress = None
) -> DetectorSummary:
    """Run detectors of levels up to `level`, each on the games that it has not read; store the findings."""
    active = {plan.name: plan for plan in plans if plan.level <= level}
    needs = {
        name: json.dumps(sorted(f"{one} {active[one].version}" for one in _needed(active, plan.after)))
        for name, plan in active.items()
    }
    fresh: dict[int, set[str]] = {}
    for name, plan in active.items():
        key = [name, _clean(plan.version), level, CONVENTIONS_VERSION, needs[name]]
        for (game,) in connection.execute(_UNSEEN, key).fetchall():
            fresh.setdefault(game, set()).add(name)
    [(games,)] = connection.execute("SELECT count(*) FROM games").fetchall()
    ids = np.fromiter(fresh, np.int64, len(fresh))

    def detect() -> Iterator[dict[str, Arrays]]:
        deals = stored_deals(connection, ids, _PIECE)
        while piece := list(itertools.islice(deals, _PIECE)):
            rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in DETECTOR_TABLES}
            for game, deal in piece:
                new = fresh[game]
                names = _needed(active, new)
                detected = detect_deal(deal, [plan for plan in active.values() if plan.name in names], level)
                rows["detector_games"] += [
                    (game, name, _clean(active[name].version), level, CONVENTIONS_VERSION, needs[name])
                    for name in sorted(new)
                ]
                rows["detector_findings"] += [_finding(game, one) for one in detected if one.detector in new]
                rows["detector_problems"] += [
                    (game, *one._replace(version=_clean(one.version), message=_clean(one.message))[1:])
                    for one in detected.problems
                    if one.detector in new
                ]
            yield {table: arrays_of(table, several) for table, several in rows.items()}

    def read_before(tables: dict[str, Arrays]) -> Arrays:
        return {name: tables["detector_games"][name] for name in ("game_id", "detector")}

    findings = problems = 0
    for tables in store_rows(connection, detect(), report(on_progress, len(ids)), read_before):
        findings += int((~tables["detector_findings"]["opportunity"]).sum())
        problems += len(tables["detector_problems"]["game_id"])
    return DetectorSummary(len(ids), games - len(ids), len(active), findings, problems)


def _clean(text: str) -> str:
    """Return a text that the database can store; characters that UTF-8 cannot encode become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _finding(game: int, row: FindingRow) -> tuple[Any, ...]:
    """Return a row of `detector_findings`, whose columns have the order of the fields of `FindingRow`."""
    stored: dict[str, Any] = {
        "version": _clean(row.version),
        "label": _clean(row.label),
        "seats": sum(1 << seat for seat in row.seats),
        "reasons": json.dumps([_clean(reason) for reason in row.reasons]),
    }
    return (game, *(row._asdict() | stored).values())
