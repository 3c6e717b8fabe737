"""Logs in other formats become the same tables as the same games in JSON."""

from __future__ import annotations

import io
from pathlib import Path

import hanalyze as hz
from hanalyze.agents import simulate
from hanalyze.conversion import convert
from hanalyze.logs import read, write


def test_the_same_games_whatever_their_format(tmp_path: Path) -> None:
    records = list(simulate("cautious", players=3, games=20, seed=9))
    found = []
    for name in ("hle", "ah2ac2", "share"):
        stream = io.BytesIO()
        convert(records, stream, name)
        path = tmp_path / name
        path.write_bytes(stream.getvalue())
        (tmp_path / f"{name}.jsonl").write_bytes(b"")
        write(list(read(path)), tmp_path / f"{name}.jsonl")
        for one in (path, tmp_path / f"{name}.jsonl"):
            with hz.connect() as db:
                summary = db.ingest([one])
                assert (summary.stored, summary.rejected) == (20, 0)
                found.append(db.sql("SELECT turn, seat, action, result FROM turns ORDER BY ALL").rows())
    assert all(one == found[0] for one in found)
