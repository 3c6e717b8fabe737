"""What moves meant, as the page of a game has it: the findings of the database, card by card."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import hanalyze as hz
from hanalyze.conventions.records import read_records
from hanalyze.conventions.wording import meaning_words, outcome_words, reason_words
from hanalyze.report.meanings import meanings

SAMPLES = Path(__file__).parents[2] / "sample_logs"


def said(parts: list[Any], replay: hz.Replay) -> str:
    """Return what stands on the page."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        elif "seat" in part:
            text += replay.record.players[part["seat"]]
        else:
            [order] = part["orders"]
            assert tuple(part["card"]) == tuple(replay.deck[order])
            suit, rank = part["card"]
            text += f"{replay.variant.letters[suit]}{rank}"
    return text


@pytest.mark.parametrize("name", ["game.json", "array.json.gz"])
def test_the_page_says_what_the_database_has(name: str) -> None:
    for record in list(hz.read(SAMPLES / name))[:3]:
        replay = hz.replay(record)
        found = meanings(replay, read_records([record], fast=False))
        with hz.open() as db:
            with TemporaryDirectory() as folder:
                path = Path(folder) / "game.jsonl"
                hz.write([record], path)
                db.ingest(path)
            db.read_conventions()
            rows = db.findings().rows(named=True)

        def card(order: int, replay: hz.Replay = replay) -> str:
            suit, rank = replay.deck[order]
            holder = replay.cards["holder"][order]
            return f"{replay.record.players[holder]}'s {replay.variant.letters[suit]}{rank}"

        expected: dict[int, list[tuple[str, str, str]]] = {}
        for row in rows:
            if row["convention"].startswith("plain_") and row["legal"] and not row["reasons"]:
                continue
            expected.setdefault(row["turn"], []).append(
                (meaning_words(row, card), reason_words(row), outcome_words(row))
            )
        got = {
            turn: [(said(one["parts"], replay), one["why"], one["outcome"]) for one in several]
            for turn, several in found.items()
        }
        assert got == expected
        assert len(got) > 5


def test_levels() -> None:
    replay = hz.replay(hz.load(SAMPLES / "game.json"))
    first, all_ = (read_records([replay.record], level=level, fast=False) for level in (1, 25))
    assert {one["level"] for several in meanings(replay, first).values() for one in several} == {1}
    assert max(one["level"] for several in meanings(replay, all_).values() for one in several) > 1
