"""What the actions of one game meant, read from its log without a database.

In: paths of logs. Out: where they hold one game, the rows that a database would have of it.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from hanalyze.cli.databases import holds_database
from hanalyze.errors import HanalyzeError, LogError

if TYPE_CHECKING:
    from hanalyze.detectors.detecting import Detections
    from hanalyze.replaying import Replay


def only_game(paths: Sequence[str]) -> tuple[Replay, list[LogError]] | None:
    """Return the game of logs that hold just one, and what is wrong besides; None where a database is due.

    That is many games; and, where there is DuckDB, whatever is wrong, and what can be read only once. Raises
    `HanalyzeError` where there is no DuckDB and the logs cannot be read.
    """
    from hanalyze.logs.files import read
    from hanalyze.replaying import replay

    without = find_spec("duckdb") is None
    if not paths or any(map(holds_database, paths)):
        return None
    if not without and not all(map(_can_be_read_again, paths)):
        return None
    problems: list[LogError] = []
    records = list(islice(read(paths, on_error=problems.append), 2))
    if problems and without and not records:
        raise problems[0]
    if len(records) != 1 or (problems and not without):
        return None
    try:
        return replay(records[0]), problems
    except HanalyzeError:
        if without:
            raise
        return None


def _can_be_read_again(path: str) -> bool:
    from hanalyze.logs.sources.game_references import named

    there = os.path.isfile(path) or os.path.isdir(path) or glob.has_magic(path)
    return path != "-" and (there or named(path) is not None)


def finding_rows(replay: Replay, level: int) -> list[dict[str, Any]]:
    """Return what the actions of a game meant, as rows of `findings` with all that is shown of them."""
    from hanalyze.conventions.run import read_records
    from hanalyze.frames import to_rows
    from hanalyze.store.records import game_key
    from hanalyze.tables.conventions import CONVENTION_OUTCOMES, CONVENTIONS

    record = replay.record
    key = game_key(record)
    output = read_records([record], level=level, fast=False)
    game = {
        "game": str(record.id if record.id is not None else key if record.seed is None else record.seed),
        "letters": "".join(replay.variant.letters),
        "variant": replay.variant.name,
        "players": list(record.players),
        "deck": [{name: card[name] for name in ("suit", "rank", "holder")} for card in replay.card_rows()],
    }
    turns = [
        {
            "action": row["action"],
            "clued": row["receiver"],
            **{name: row[name] for name in ("clue_value", "order", "slot", "result")},
        }
        for row in replay.facts()
    ]
    meant = to_rows(CONVENTIONS, output.findings.values())
    became = to_rows(CONVENTION_OUTCOMES, output.outcomes.values())
    return [
        {"game_id": key, **one, **other, **turns[one["turn"]], **game}
        for one, other in zip(meant, became, strict=True)
    ]


def detected_rows(detected: Detections) -> tuple[list[dict[str, Any]], list[tuple[str, str, int, int]]]:
    """Return what detectors found, as rows of `detector_findings` without a key, and where they failed.

    Failures are tuples: detector, message, how often, the first turn.
    """
    from hanalyze.detectors.detecting import MAX_CARDS_NAMED

    rows = [
        {
            **row._asdict(),
            "cards": [*row.cards, *[-1] * (MAX_CARDS_NAMED - len(row.cards))],
            "seats": sum(1 << seat for seat in row.seats),
            "reasons": json.dumps(row.reasons),
        }
        for row in detected
        if not row.opportunity
    ]
    failed: dict[tuple[str, str], list[int]] = {}
    for problem in detected.problems:
        failed.setdefault((problem.detector, problem.message), []).append(problem.turn)
    problems = [(*key, len(turns), min(turns)) for key, turns in sorted(failed.items())]
    return sorted(rows, key=lambda row: (row["turn"], row["detector"], row["number"])), problems
