"""The schema says what the reader does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given

from hanalyze.logs import to_json
from tests.logs.documents import BAD, GOOD
from tests.logs.records import records
from tests.shared import golden
from tools import write_game_schema as schema

FILE = Path(__file__).parents[2] / "schemas" / "game.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(schema.game_schema())

# What a schema cannot tell: text that is no JSON to begin with, and 1.0, which JSON Schema calls an integer.
UNTOLD = {"not_json", "truncated", "bad_encoding", "too_deep"}
WHOLE_FRACTION = re.compile(rb":1\.0|:1e1")
# Python's own reader of JSON gives up on these two.
UNREADABLE = re.compile(rb"\[{1000}|\d{1000}|1e999")


def test_the_file_is_what_the_types_say():
    assert FILE.read_text(encoding="utf-8") == schema.text(), "run: python -m tools.write_game_schema"


def test_it_can_be_written_anew():
    before = FILE.read_bytes()
    command = [sys.executable, "-m", "tools.write_game_schema"]
    done = subprocess.run(command, cwd=FILE.parents[1], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert FILE.read_bytes() == before


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema.game_schema())


def test_every_key_is_described():
    whole = schema.game_schema()
    for part in [whole, *whole["$defs"].values()]:
        assert part["title"]
        assert part["description"]
        for key, value in part["properties"].items():
            assert value.get("description"), key
    assert "JSON" not in re.sub(r"json-schema", "", schema.text())


@pytest.mark.parametrize("name", ["real-3p", "variants"])
def test_golden_games(name):
    for line in golden(name)[::5]:
        VALIDATOR.validate(line["game"])


@given(records)
def test_what_is_written_is_valid(record):
    VALIDATOR.validate(json.loads(to_json(record)))


@pytest.mark.parametrize(("text", "comment"), GOOD, ids=[comment for _, comment in GOOD])
def test_what_is_read_is_valid(text, comment):
    VALIDATOR.validate(json.loads(text))


@pytest.mark.parametrize(
    ("text", "comment"),
    [(text, comment) for text, rule, _, comment in BAD if rule not in UNTOLD and not UNREADABLE.search(text)],
)
def test_what_is_refused_is_not_valid(text, comment):
    assert VALIDATOR.is_valid(json.loads(text)) == bool(WHOLE_FRACTION.search(text))
