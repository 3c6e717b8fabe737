"""Every `--json` output is as `schemas/output.schema.json` describes it, without further fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from hanalyze.analysis.reports import RESEARCH_REPORTS, STATS_REPORTS
from hanalyze.cli.app import command, command_groups
from hanalyze.store import connect
from tests.cli.running import hanalyze
from tools.write_output_schemas import text

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schemas/output.schema.json").read_text("utf-8"))
GAME = ROOT / "sample_logs/game.json"


def closed(part: Any) -> Any:
    """Return a schema that allows no further fields."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    more = (
        {} if "properties" not in part or "additionalProperties" in part else {"unevaluatedProperties": False}
    )
    return {name: closed(value) for name, value in part.items()} | more


STRICT = closed(SCHEMA["$defs"]) | {"groups": SCHEMA["$defs"]["groups"]}


def validator(name: str, definitions: Any) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{name.replace(' ', '%20')}", "$defs": definitions}
    )


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("games") / "games.duckdb"
    games = ROOT / "sample_logs/endings.jsonl"
    assert hanalyze("ingest", games, "--db", path, "--conventions", "--jobs", "1").code == 0
    return str(path)


RUNS = (
    ("deck", ("deck", "p3v0s1")),
    ("seed", ("seed", "find", GAME, "--up-to", "100")),
    ("replay", ("replay", GAME)),
    ("replay", ("replay", ROOT / "sample_logs/broken.jsonl")),
    ("replay --turn", ("replay", GAME, "--turn", "20", "--hide", "Bob")),
    ("mistakes", ("mistakes", GAME)),
    ("mistakes of games", ("mistakes", "DB")),
    ("mistakes --by", ("mistakes", "DB", "--by", "player")),
    ("conventions", ("conventions", GAME)),
    ("conventions of games", ("conventions", "DB", "--by", "players")),
    ("solve", ("solve", GAME)),
    ("solve --turn", ("solve", GAME, "--turn", "50")),
    ("solve --turn --moves", ("solve", GAME, "--turn", "60", "--moves")),
    ("solve --turn --as", ("solve", GAME, "--turn", "60", "--as", "Bob", "--samples", "10")),
    ("deals", ("deals", "p2v0s1", "--runs", "2")),
    ("stats --what clues", ("stats", "DB", "--what", "clues", "--by", "phase", "--min", "2")),
    ("compare", ("compare", "DB", "--a", "player=Emily", "--match", "none")),
    ("compare --same-deal", ("compare", "DB", "--same-deal")),
    ("research", ("research", "DB", "--what", "players", "--what", "cross-play")),
    ("sql", ("sql", "DB", "SELECT turn, action, pace_after, 1 / 3 FROM turns LIMIT 3")),
)


MARKED = [pytest.param(*run, marks=pytest.mark.heavy if "DB" in run[1] else (), id=run[0]) for run in RUNS]


@pytest.mark.parametrize(("name", "arguments"), MARKED)
def test_the_output_is_as_published(
    name: str, arguments: tuple[Any, ...], request: pytest.FixtureRequest
) -> None:
    given = [request.getfixturevalue("database") if one == "DB" else one for one in arguments]
    ran = hanalyze(*given, "--json")
    assert (ran.code, ran.lines != []) == (0, True) or name.startswith("stats"), ran.err
    lines = [json.loads(line) for line in ran.lines]
    strict = validator(name, STRICT)
    assert [
        f"{error.json_path}: {error.message}" for line in lines for error in strict.iter_errors(line)
    ] == []


@pytest.mark.heavy
def test_the_rows_of_all_reports_are_as_published(database: str) -> None:
    """The commands print these frames as they are; here the games are judged once for all of them."""
    research = STRICT["research"]["properties"]
    with connect(database, read_only=True) as db:
        for name, report in {**STATS_REPORTS, **RESEARCH_REPORTS}.items():
            if name == "notes":  # of logs, not of databases
                continue
            lines = [json.loads(line) for line in report.make(db, minimum=2).write_ndjson().splitlines()]
            row = {"$ref": f"#/$defs/stats --what {name}".replace(" ", "%20")}
            if report in RESEARCH_REPORTS.values():
                row = research[report.frame]["items"]
            strict = jsonschema.Draft202012Validator({**row, "$defs": STRICT})
            assert [f"{name} {error.message}" for line in lines for error in strict.iter_errors(line)] == []


def test_the_file_is_that_of_the_columns_and_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert (ROOT / "schemas/output.schema.json").read_text("utf-8") == text()
    for name, schema in SCHEMA["$defs"].items():
        wrong: Any = [["r1"]] if name == "deck" else {key: {} for key in schema.get("properties", {})}
        assert not validator(name, SCHEMA["$defs"]).is_valid(wrong), name


def test_every_command_with_json_has_its_schemas_and_a_run() -> None:
    names = [name for names in command_groups().values() for name in names]
    with_json = {name for name in names if any("--json" in one.opts for one in command(name).params)}
    assert with_json == {name.split()[0] for name in SCHEMA["$defs"]} - {"groups"}
    others = {"groups", "conventions of detectors"}
    others |= {f"stats --what {name}" for name in STATS_REPORTS if name != "clues"}
    assert {name for name, _ in RUNS} == set(SCHEMA["$defs"]) - others
