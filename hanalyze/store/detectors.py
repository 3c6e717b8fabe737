"""Running the user's detectors on the games of a database, and storing their findings.

A game that a detector has read is read again if the detector, one that it needs, the level or the built-in
definitions have changed.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from hanalyze.detectors.detecting import MAX_CARDS_NAMED, Detections, FindingRow, Problem, detect_deal
from hanalyze.detectors.plugin import Plan
from hanalyze.lazy import duckdb
from hanalyze.store.batches import stored_deals
from hanalyze.store.rows import Arrays, Progress, report, store_rows, texts
from hanalyze.tables.conventions import CONVENTIONS_VERSION, OUTCOME_WORDS
from hanalyze.text import plural

DETECTOR_TABLES: Final = ("detector_games", "detector_findings", "detector_problems")

_PIECE: Final = 200
"""Games that are fetched and stored at a time."""

_SEEN: Final = """
SELECT game_id FROM games ANTI JOIN (
    SELECT game_id FROM detector_games
    WHERE detector = ? AND version = ? AND level = ? AND conventions_version = ? AND needs = ?
) USING (game_id)
"""


class DetectorSummary(NamedTuple):
    """Summary of a run of detectors: games seen now, games seen before by all of them, rows, problems.

    >>> print(DetectorSummary(2, 0, 1, 5, 1))
    2 games seen by 1 detector: 5 findings, 1 problem
    """

    games: int
    already_seen: int
    detectors: int
    findings: int
    problems: int

    def __str__(self) -> str:
        seen = f"{plural(self.games, 'game')} seen by {plural(self.detectors, 'detector')}"
        return f"{seen}: {plural(self.findings, 'finding')}, {plural(self.problems, 'problem')}"


class _Row(NamedTuple):
    """One game to be stored: its key, the detectors that are new to it, the results of all."""

    game: int
    plans: frozenset[str]
    detected: Detections


def _needed(plans: Mapping[str, Plan], names: Iterable[str]) -> set[str]:
    """Return some detectors with all detectors that they need."""
    needed: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [other for other in plans[name].after if other in plans]
    return needed


def run_detectors(
    connection: duckdb.DuckDBPyConnection,
    plans: Sequence[Plan],
    level: int,
    on_progress: Callable[[Progress], object] | None = None,
) -> DetectorSummary:
    """Run detectors, in their order, on the games that they have not seen yet, and store their findings."""
    awake = {plan.name: plan for plan in plans if plan.level <= level}
    needs = {
        name: json.dumps(sorted(f"{one} {awake[one].version}" for one in _needed(awake, plan.after)))
        for name, plan in awake.items()
    }
    fresh: dict[int, set[str]] = {}
    for name, plan in awake.items():
        key = [name, _clean(plan.version), level, CONVENTIONS_VERSION, needs[name]]
        for (game,) in connection.execute(_SEEN, key).fetchall():
            fresh.setdefault(game, set()).add(name)
    [(games,)] = connection.execute("SELECT count(*) FROM games").fetchall()
    ids = np.fromiter(fresh, np.int64, len(fresh))

    def detect() -> Iterator[dict[str, Arrays]]:
        deals = stored_deals(connection, ids, _PIECE)
        while piece := list(itertools.islice(deals, _PIECE)):
            rows: list[_Row] = []
            for game, deal in piece:
                names = _needed(awake, fresh[game])
                detected = detect_deal(deal, [plan for plan in awake.values() if plan.name in names], level)
                rows.append(_Row(game, frozenset(fresh[game]), detected))
            yield _rows_by_table(awake, needs, level, rows)

    findings = problems = 0
    for tables in store_rows(connection, detect(), report(on_progress, len(ids)), _read_before):
        findings += int((~tables["detector_findings"]["opportunity"]).sum())
        problems += len(tables["detector_problems"]["game_id"])
    return DetectorSummary(len(ids), games - len(ids), len(awake), findings, problems)


def _rows_by_table(
    plans: Mapping[str, Plan], needs: Mapping[str, str], level: int, rows: Sequence[_Row]
) -> dict[str, Arrays]:
    """Return the rows of some games for the detectors that are new to them."""
    pairs = [(row.game, plans[name]) for row in rows for name in sorted(row.plans)]
    seen: Arrays = {
        "game_id": np.array([game for game, _ in pairs], np.int64),
        "detector": texts(plan.name for _, plan in pairs),
        "version": texts(_clean(plan.version) for _, plan in pairs),
        "level": np.full(len(pairs), level, np.int8),
        "conventions_version": np.full(len(pairs), CONVENTIONS_VERSION, np.int16),
        "needs": texts(needs[plan.name] for _, plan in pairs),
    }
    findings = [(row.game, one) for row in rows for one in row.detected if one.detector in row.plans]
    problems = [(row.game, one) for row in rows for one in row.detected.problems if one.detector in row.plans]
    return {
        "detector_games": seen,
        "detector_findings": _finding_rows(findings),
        "detector_problems": _problem_rows(problems),
    }


def _read_before(tables: dict[str, Arrays]) -> Arrays:
    """Return the games and detectors whose rows are replaced."""
    return {name: tables["detector_games"][name] for name in ("game_id", "detector")}


def _clean(text: str) -> str:
    """Return a text as the database can hold it."""
    return text.encode("utf-8", "backslashreplace").decode()


def _finding_rows(findings: Sequence[tuple[int, FindingRow]]) -> Arrays:
    rows = [row for _, row in findings]
    arrays: Arrays = {
        "game_id": np.array([game for game, _ in findings], np.int64),
        "turn": np.array([row.turn for row in rows], np.int16),
        "number": np.array([row.number for row in rows], np.int16),
        "seat": np.array([row.seat for row in rows], np.int8),
        "detector": texts(row.detector for row in rows),
        "version": texts(_clean(row.version) for row in rows),
        "label": texts(_clean(row.label) for row in rows),
        "level": np.array([row.level for row in rows], np.int8),
        "certainty": np.array([row.certainty for row in rows], np.int8),
        "seats": np.array([sum(1 << seat for seat in row.seats) for row in rows], np.int8),
        "legal": np.array([-1 if row.legal is None else row.legal for row in rows], np.int8),
        "reasons": texts(json.dumps([_clean(reason) for reason in row.reasons]) for row in rows),
        "opportunity": np.array([row.opportunity for row in rows], np.bool_),
        "outcome": np.array([OUTCOME_WORDS.index(row.outcome) for row in rows], np.uint8),
        "closed_turn": np.array(
            [-1 if row.closed_turn is None else row.closed_turn for row in rows], np.int16
        ),
    }
    for place in range(MAX_CARDS_NAMED):
        arrays[f"cards_{place}"] = np.array(
            [row.cards[place] if place < len(row.cards) else -1 for row in rows], np.int8
        )
    return arrays


def _problem_rows(problems: Sequence[tuple[int, Problem]]) -> Arrays:
    rows = [problem for _, problem in problems]
    return {
        "game_id": np.array([game for game, _ in problems], np.int64),
        "turn": np.array([row.turn for row in rows], np.int16),
        "seat": np.array([row.seat for row in rows], np.int8),
        "detector": texts(row.detector for row in rows),
        "version": texts(_clean(row.version) for row in rows),
        "rule": texts(row.rule for row in rows),
        "message": texts(_clean(row.message) for row in rows),
    }
