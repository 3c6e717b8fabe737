"""The values that pages embed, held to their published schemas."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from hanalyze.agents import simulate
from hanalyze.logs import load, read
from hanalyze.logs.record import GameRecord
from hanalyze.puzzles.search import StoredGames, find_puzzles
from hanalyze.report.dashboard.build import dashboard
from hanalyze.report.game.review import anonymous, review
from hanalyze.report.quiz import quiz_page
from hanalyze.store import connect
from tests.cli.test_output_schemas import closed
from tools.write_page_schemas import SCHEMAS, text

pytest.importorskip("plotly")

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_logs"
SCHEMA = json.loads((ROOT / "schemas/review.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def embedded(page: str, name: str = "game") -> str:
    found = re.search(rf'id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return found[1]


def unpacked(packed: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(packed)))


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


@pytest.mark.heavy
def test_a_page_without_spoilers_has_the_same_values_compressed() -> None:
    record = load(SAMPLES / "game.json")
    page = review(record, seat=1)
    values = unpacked(embedded(page))
    assert values.pop("start") == {"view": 1, "strict": True}
    assert values == json.loads(embedded(review(record)))


@pytest.mark.heavy
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


# --- quiz and dashboard -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages() -> dict[str, Any]:
    """Return what the pages of the sample games embed, by name; solutions of puzzles unpacked."""
    with connect() as db:
        db.add([load(SAMPLES / "game.json"), *list(read(SAMPLES / "games.jsonl"))[:12]], jobs=1)
        db.read_conventions(jobs=1)
        quiz = json.loads(
            embedded(quiz_page(find_puzzles(StoredGames(db), count=20).puzzles, level=5), "quiz")
        )
        solutions = [unpacked(one["solution"]) for one in quiz["puzzles"]]
        made = unpacked(embedded(dashboard(db), "data"))
    return {"quiz": quiz, "solutions": solutions, "dashboard": made}


def validator(name: str, whole: str) -> jsonschema.Draft202012Validator:
    """Return the validator of a definition of a page's schema that allows no further fields."""
    schema = json.loads((ROOT / f"schemas/{name}.schema.json").read_text("utf-8"))
    return jsonschema.Draft202012Validator({**closed(schema), "$ref": f"#/$defs/{whole}"})


def trimmed(part: Any) -> Any:
    """Return values with the first few of each list and mapping, and objects of different fields."""
    if isinstance(part, dict):
        is_mapping = len(part) > 6 and {type(value) for value in part.values()} in ({dict}, {list})
        return {name: trimmed(value) for name, value in list(part.items())[: 2 if is_mapping else None]}
    if not isinstance(part, list):
        return part
    kinds = {tuple(one) if isinstance(one, dict) else number % 8: one for number, one in enumerate(part[:12])}
    return [trimmed(one) for one in kinds.values()]


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value."""
    for name, value in part.items() if isinstance(part, dict) else enumerate(part):
        yield (*path, name)
        if isinstance(value, (dict, list)):
            yield from places(value, (*path, name))


def names(path: tuple[Any, ...]) -> str:
    """Return a path without the indices of lists."""
    return ".".join(name for name in path if isinstance(name, str))


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "whole", "values", "optional", "unchecked"),
    [
        ("quiz", "page", "quiz", r".*copies\..|.*clues\.(touch|colour)|.*chops\..*", r"$"),
        ("quiz", "solution", "solutions", r"alternatives\.(slot|seat|clue|identity)", r"$"),
        (
            "dashboard",
            "page",
            "dashboard",
            r"worth|(sums|lists|heads|entries|behind\.lists|aliases|charts|said|of_player)\.\w+"
            r"|defaults\..*|questions\.(?!(name|title|chart|say)$).*|key_numbers\.beside"
            r"|entries\.\w+\.entries\.(turn|player|card|suit|what|meter)",
            r"charts\.\w+\..*",
        ),
    ],
)
def test_pages_of_the_samples_are_as_published(
    name: str, whole: str, values: str, optional: str, unchecked: str, pages: dict[str, Any]
) -> None:
    """And any value of another type, and any field that is missing, is refused."""
    checked = validator(name, whole)
    found = pages[values] if values == "solutions" else [pages[values]]
    assert [
        f"{error.json_path}: {error.message}"[:300] for one in found for error in checked.iter_errors(one)
    ] == []
    small = trimmed(found[0])
    assert checked.is_valid(small)
    tried = 0
    for path in [one for one in places(small) if not re.fullmatch(unchecked, names(one))]:
        *above, last = path
        part = small
        for one in above:
            part = part[one]
        kept = part[last]
        part[last] = {"wrong": {"wrong": {"wrong": {}}}}
        assert not checked.is_valid(small), path
        tried += 1
        if isinstance(part, dict) and not re.fullmatch(optional, names(path)):
            del part[last]
            assert not checked.is_valid(small), path
            part |= {last: kept}
        part[last] = kept
    assert tried > 100


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_files_are_those_of_the_types(name: str) -> None:
    written = (ROOT / f"schemas/{name}.schema.json").read_text("utf-8")
    jsonschema.Draft202012Validator.check_schema(json.loads(written))
    assert written == text(name)
