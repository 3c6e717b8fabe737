"""What detectors find is stored, once per version, hostile texts and failures too.

In: a small database and detectors. Out: the rows that `detect` gives, and none of them twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as changed

import hanalyze as hz
from hanalyze.detectors import (
    Finding,
    Step,
    Turn,
    detect,
    detector,
)
from hanalyze.errors import HanalyzeError
from hanalyze.logs import GameRecord
from tests.detectors.detecting import finds, named
from tests.detectors.early_save import EarlySave


def simulated_games() -> list[GameRecord]:
    return list(hz.simulate("cautious", players=3, games=3, seed=3, fast=False))


@pytest.fixture
def db(tmp_path: Path) -> Iterator[hz.Database]:
    hz.write([changed(one, actions=one.actions[:12]) for one in simulated_games()], tmp_path / "games.jsonl")
    with hz.connect() as opened:
        opened.ingest(tmp_path / "games.jsonl")
        yield opened


def stored(db: hz.Database) -> list[dict[str, Any]]:
    query = "SELECT * FROM detector_findings ORDER BY game_id, detector, turn, number"
    return db.sql(query).to_dicts()


def test_rows_are_stored_as_they_are_found(db: hz.Database) -> None:
    one = detector("some", "1", level=2, actions={"clue"})(
        lambda turn: [
            Finding("thing", (3, 1), (2, 0), 60, False, ("a", 'b"'), (Step(0, 0, "discarded"),)),
            Finding("other"),
        ]
    )
    reading = db.read_conventions(detectors=[one, EarlySave()])
    assert reading.detected is not None
    builtin = db.sql("SELECT * FROM conventions ORDER BY ALL")
    rows = [row for row in stored(db) if row["detector"] == "some"]
    records = {seed: game for game, seed in db.sql("SELECT game_id, seed FROM games").rows()}
    games = {one.seed: changed(one, actions=one.actions[:12]) for one in simulated_games()}
    expected = [(game, row) for seed, game in records.items() for row in detect(games[seed], [one])]
    assert len(rows) == len(expected) > 10
    for stored_row, (game, row) in zip(rows, sorted(expected, key=lambda pair: pair[0]), strict=True):
        assert stored_row["game_id"] == game
        for name in (
            "turn",
            "number",
            "seat",
            "version",
            "label",
            "level",
            "certainty",
            "legal",
            "opportunity",
        ):
            assert stored_row[name] == getattr(row, name), name
        assert (stored_row["outcome"], stored_row["closed_turn"]) == (row.outcome, row.closed_turn)
        assert stored_row["cards"] == [*row.cards, *[-1] * (6 - len(row.cards))]
        assert stored_row["seats"] == sum(1 << seat for seat in row.seats)
        assert json.loads(stored_row["reasons"]) == list(row.reasons)
    assert rows[0]["seats"] == 0b101
    assert {row["outcome"] for row in rows} >= {"nothing_expected"}
    assert db.sql("SELECT count(*) FROM detector_problems").item() == 0
    assert db.read_conventions(detectors=[one, EarlySave()]).games == 0
    assert db.sql("SELECT * FROM conventions ORDER BY ALL").equals(builtin)


def test_games_are_seen_once_per_version(db: hz.Database) -> None:
    seen: list[int] = []

    def counted(version: str) -> Any:
        @detector("counted", version, actions={"clue"})
        def detect(turn: Turn) -> Iterator[Finding]:
            seen.append(turn.turn)
            yield Finding(f"v{version}")

        return detect

    def labels() -> set[tuple[str, str]]:
        return set(db.sql("SELECT DISTINCT detector, label FROM detector_findings").rows())

    first = db.read_conventions(detectors=[counted("1"), finds()]).detected
    assert str(first) == f"3 games seen by 2 detectors: {len(stored(db))} findings, 0 problems"
    looked = len(seen)
    again = db.read_conventions(detectors=[counted("1"), finds()]).detected
    assert again is not None
    assert (again.games, again.already_seen, again.findings, len(seen)) == (0, 3, 0, looked)
    db.read_conventions(detectors=[counted("2")])
    assert len(seen) == 2 * looked
    assert labels() == {("counted", "v2"), ("some", "thing")}
    assert db.sql("SELECT count(*) FROM detector_games").item() == 6
    # Another level reads all anew, and what detectors found by the old one is gone.
    db.read_conventions(5)
    assert labels() == set()
    db.read_conventions(detectors=[counted("2")])
    assert len(seen) == 3 * looked
    assert set(db.sql("SELECT DISTINCT level FROM detector_games").to_series()) == {5}


def test_who_needs_another_goes_with_its_version(db: hz.Database) -> None:
    def second() -> Any:
        return detector("second", "1", after=["some"], actions={"clue"})(
            lambda turn: [Finding(one.label + "!") for one in turn.findings["some"]]
        )

    db.read_conventions(detectors=[second(), finds()])
    one = db.read_conventions(detectors=[second(), finds(version="2", label="new")]).detected
    assert one is not None
    assert one.games == 3
    assert {row["label"] for row in stored(db)} == {"new", "new!"}
    # The needed one runs for the other's sake, but its own rows stay.
    third = detector("third", "1", after=["some"])(
        lambda turn: [Finding("x")] if turn.findings["some"] else []
    )
    db.read_conventions(detectors=[third, finds(version="2", label="new")])
    assert {row["label"] for row in stored(db)} == {"new", "new!", "x"}
    counts = db.sql("SELECT detector, count(*) AS n FROM detector_findings GROUP BY ALL").rows()
    assert len({n for _, n in counts}) == 1


def test_problems_are_rows(db: hz.Database) -> None:
    @detector("bad", "1")
    def bad(turn: Turn) -> Iterator[Finding]:
        if turn.turn == 4:
            raise ValueError("'; DROP TABLE games; --\x00\ud800")
        yield Finding("fine")

    detected = db.read_conventions(detectors=[bad, finds()]).detected
    assert detected is not None
    assert detected.problems == 3
    rows = db.sql("SELECT * FROM detector_problems").to_dicts()
    assert [(row["turn"], row["detector"], row["rule"]) for row in rows] == [(4, "bad", "raised")] * 3
    assert rows[0]["message"] == "raised ValueError: '; DROP TABLE games; --\\x00\\ud800"
    assert db.sql("SELECT count(*) FROM games").item() == 3
    assert {row["turn"] for row in stored(db) if row["detector"] == "bad"} == set(range(12)) - {4}


@pytest.mark.parametrize(
    "text",
    [
        "'; DROP TABLE games; --",
        "<script>alert(1)</script>",
        "\x1b[2J",
        "a\nb\tc",
        "\u202eabc",
        "💥" * 100,
        "=1+1",
    ],
)
def test_hostile_texts_are_data(db: hz.Database, text: str) -> None:
    db.read_conventions(detectors=[finds(label=text, reasons=(text, text))])
    rows = stored(db)
    assert {row["label"] for row in rows} == {text}
    assert all(json.loads(row["reasons"]) == [text, text] for row in rows)
    assert db.sql("SELECT count(*) FROM games").item() == 3


def test_what_no_text_can_hold_is_escaped(db: hz.Database) -> None:
    db.read_conventions(detectors=[finds(label="\ud800", reasons=("\udfff",))])
    assert {row["label"] for row in stored(db)} == {"\\ud800"}
    assert {row["reasons"] for row in stored(db)} == {'["\\\\udfff"]'}


def test_a_wrong_order_stops_before_anything_is_read(db: hz.Database) -> None:
    with pytest.raises(HanalyzeError, match="which is not loaded"):
        db.read_conventions(detectors=[named("a", ["b"])])
    assert db.sql("SELECT count(*) FROM convention_games").item() == 0


def test_progress_is_told(db: hz.Database) -> None:
    told: list[tuple[int, int]] = []
    db.read_conventions(detectors=[finds()], on_progress=lambda one: told.append((one.done, one.total)))
    assert told == [(3, 3), (3, 3)]


def test_detectors_export_with_the_rest(db: hz.Database, tmp_path: Path) -> None:
    db.read_conventions(detectors=[finds()])
    rows = db.export(tmp_path / "out")
    assert rows["detector_findings"] == len(stored(db))
    assert (rows["detector_games"], rows["detector_problems"]) == (3, 0)
