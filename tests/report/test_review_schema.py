"""The values that a game's page embeds, held to their published schema."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import jsonschema
import pytest

from hanalyze.agents import simulate
from hanalyze.logs import load, read
from hanalyze.logs.record import GameRecord
from hanalyze.report.game.review import anonymous, review

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_logs"
SCHEMA = json.loads((ROOT / "schemas/review.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def embedded(page: str) -> str:
    found = re.search(r'id="game">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return found[1]


def games() -> list[GameRecord]:
    [dull] = simulate("random", players=2, variant="Duck (5 Suits)", seed=1)
    return [load(SAMPLES / "game.json"), dull, *list(read(SAMPLES / "endings.jsonl"))[::4]]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for wrong in ({}, {"verdicts": [{"title": [3]}]}):
        assert not VALIDATOR.is_valid(wrong)


@pytest.mark.parametrize("number", range(len(games())))
def test_the_values_of_a_page_are_as_published(number: int) -> None:
    record = games()[number]
    values = json.loads(embedded(review(record)))
    assert [error.message for error in VALIDATOR.iter_errors(values)] == []
    assert len(values["verdicts"]) == len(values["actions"])


def test_a_page_without_spoilers_has_the_same_values_compressed() -> None:
    record = load(SAMPLES / "game.json")
    page = review(record, seat=1)
    values = json.loads(gzip.decompress(base64.b64decode(embedded(page))))
    assert values.pop("start") == {"view": 1, "strict": True}
    assert values == json.loads(embedded(review(record)))


def test_an_anonymous_page_has_no_name() -> None:
    names = ("Xanthippe", "Yggdrasil", "Zebedee")
    record = load(SAMPLES / "game.json")
    notes = tuple((f"{names[1]} told me",) for _ in names)
    named = GameRecord(
        players=names,
        deck=record.deck,
        seed=record.seed,
        actions=record.actions,
        id=4711,
        source="hanab.live",
        notes=notes,
        tags=("with Zebedee",),
        file="/logs/Xanthippe.json",
    )
    assert "Xanthippe" in review(named)
    page = review(anonymous(named))
    for word in (*names, "4711", "told me"):
        assert word.casefold() not in page.casefold()
    assert "Player 1" in page
