"""Databases for the tests of the dashboard: the sample games, and simulated ones of several people."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hanalyze.agents import simulate
from hanalyze.logs import write
from hanalyze.report.dashboard.cube import Cube, Filters
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.store import Database, connect
from tests.hostile import NAMES
from tests.report.figure_scripts import Claims, Row, claims_of, judged, rows_of

SAMPLES = Path(__file__).parents[2] / "sample_logs"
PEOPLE = ("Ada", "Bela", "Chiara", "Daan", "Emre", "Farah", "Goro")
HOSTILE = (*NAMES, "<b>&amp;\"'`${1}{label}**")


def make_read_database(folder: Path, people: Sequence[str] = PEOPLE) -> Database:
    """Store games of two agents, at three sizes of table, of two variants, read and solved."""
    choice = random.Random(8)
    paths = []
    for number, (agent, variant, players, count) in enumerate(
        (
            ("cautious", "No Variant", 2, 15),
            ("cautious", "No Variant", 3, 24),
            ("random", "No Variant", 3, 6),
            ("cautious", "Rainbow (5 Suits)", 4, 15),
        )
    ):
        records = simulate(agent, players=players, games=count, seed=300 + number, variant=variant)
        named = [replace(record, players=tuple(choice.sample(list(people), players))) for record in records]
        paths.append(folder / f"{number}.jsonl")
        write(named, paths[-1])
    db = connect(folder / "games.duckdb")
    db.ingest(paths, jobs=1)
    db.read_conventions()
    db.solve(game_nodes=2_000, jobs=1)
    return db


def make_database(folder: Path, people: Sequence[str] = PEOPLE, *, samples: bool = True) -> Database:
    """Store games of two agents, at three sizes of table, of two variants, with `people` by turns."""
    choice = random.Random(7)
    paths = [SAMPLES / "games.jsonl", SAMPLES / "endings.jsonl"] if samples else []
    number = 0
    for agent, variant, players, count in (
        ("cautious", "No Variant", 2, 30),
        ("cautious", "No Variant", 3, 60),
        ("random", "No Variant", 3, 12),
        ("cheating", "No Variant", 3, 12),
        ("cautious", "Rainbow (5 Suits)", 4, 25),
    ):
        records = []
        for record in simulate(agent, players=players, games=count, seed=900 + number, variant=variant):
            number += 1
            names = tuple(choice.sample(list(people), players))
            records.append(replace(record, players=names, id=5000 + number))
        paths.append(folder / f"{number}.jsonl")
        write(records, paths[-1])
    db = connect(folder / "games.duckdb")
    db.ingest(paths, jobs=1)
    return db


def data_of(dashboard: Path) -> dict[str, Any]:
    """Return the data of a dashboard, as its scripts unpack them."""
    packed = re.search(r'id="data">(.*?)</script>', dashboard.read_text("utf-8"))
    assert packed is not None
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return data


def judged_page(cube: Cube, filters: Filters | None = None) -> tuple[Claims, dict[str, list[Row]]]:
    """Return the claims of the dashboard, and the rows of its figures by name."""
    answered = [one for one in QUESTIONS.values() if one.rows != "list" and cube.answers(one)]
    rows = {one.name: rows_of(cube, one, filters) for one in answered}
    claims = claims_of(rows)
    return claims, {name: judged(some, claims) for name, some in rows.items()}
