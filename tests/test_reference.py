"""The generated reference has every command, option, column, mistake, convention, report and public name."""

from __future__ import annotations

import inspect
import json
import re
import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

import hanalyze as hz
from hanalyze.analysis.columns import FRAMES, GROUPS
from hanalyze.analysis.reports import RESEARCH_REPORTS, SAME_DEAL_REPORTS, STATS_REPORTS
from hanalyze.game.meanings import Convention
from hanalyze.report.dashboard.questions import QUESTIONS
from hanalyze.store.definitions import definitions
from hanalyze.store.schema import VIEWS
from hanalyze.tables.store import TABLES
from tests.cli.running import hanalyze
from tools.reference import pages

DOCS = Path(__file__).parents[1] / "docs"
TEXTS, PICTURES = pages()


def sections(page: str, level: int) -> dict[str, str]:
    """Return the sections of a generated page by title."""
    parts = re.split(rf"(?m)^{'#' * level} (.+)$", TEXTS[page])
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_and_option_has_its_place() -> None:
    found = sections("commands.md", 3)
    assert list(found) == re.findall(r"(?m)^  (\w+)  +\w", hanalyze("--help").out)
    for name, text in found.items():
        options = re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", hanalyze(name, "--help").out)
        assert len(options) >= 1
        assert [option for option in options if not re.search(rf"`[^`]*{option}\b[^`]*` \| \w", text)] == []


def test_every_table_and_column_has_its_place() -> None:
    found = sections("tables.md", 2)
    for name, columns in {
        **TABLES,
        **{f"hz.analysis.{name}": columns for name, columns in FRAMES.items()},
    }.items():
        assert [column.name for column in columns] == re.findall(r"(?m)^\| `(\w+)` \|", found[name]), name
    assert all(f"| `{view}` |" in found["Views"] for view in VIEWS)
    assert all(f"| `{group}` |" in found["Groups"] for group in GROUPS)


def test_every_mistake_has_its_definition_query_and_picture() -> None:
    found = sections("mistakes.md", 2)
    assert list(found) == list(definitions())
    for kind, one in definitions().items():
        assert one.definition in found[kind]
        assert one.text.splitlines()[-1] in found[kind]
        assert f"](pictures/{kind}.svg)" in found[kind]


def test_every_convention_has_its_level_and_link() -> None:
    found = sections("conventions.md", 2)
    assert set(found) == {one.label for one in Convention}
    for one in Convention:
        assert re.search(rf"(?i)level[ -]{one.level}\b", found[one.label])
    assert sum(".svg)" in text for text in found.values()) >= len(found) - 5


def test_every_public_name_has_its_place() -> None:
    found = sections("python.md", 2)
    names = {name.removeprefix("hz.").replace("\\", "") for name in found}
    assert names == set(hz.__all__)
    functions = {
        name
        for name, value in vars(hz.analysis).items()
        if inspect.isfunction(value) and value.__module__.startswith("hanalyze.analysis")
    }
    assert {f"hz.analysis.{name}" for name in functions} <= set(sections("python.md", 3))


def test_every_report_and_figure_has_its_formula() -> None:
    found = sections("reports.md", 3)
    for of, reports in (
        ("stats", STATS_REPORTS),
        ("research", RESEARCH_REPORTS),
        ("compare", SAME_DEAL_REPORTS),
    ):
        for name, report in reports.items():
            columns = re.findall(r"(?m)^\| `(\w+)` \|", found[f"{of} {name}"].partition("\n## ")[0])
            assert columns == [column.name for column in FRAMES[report.frame]]
    assert set(
        re.findall(r"(?m)^\| `([\w-]+)` \|", sections("reports.md", 2)["Figures of the dashboard"])
    ) == set(QUESTIONS)


def test_every_json_output_has_its_fields() -> None:
    outputs = json.loads((DOCS.parent / "schemas/output.schema.json").read_text("utf-8"))["$defs"]
    found = sections("json.md", 3)
    assert [name for name in found if ": " not in name] == list(outputs)
    for name, schema in outputs.items():
        assert all(f"| `{field}` |" in found[name] for field in schema.get("properties", ()))


def test_every_schema_is_listed() -> None:
    files = {path.name for path in (DOCS.parent / "schemas").iterdir()}
    text = (DOCS / "reference.md").read_text("utf-8")
    assert set(re.findall(r"\]\(\.\./schemas/([\w.]+)\)", text)) == files
    titles = {
        json.loads(path.read_text("utf-8"))["title"] for path in (DOCS.parent / "schemas").glob("*.json")
    }
    assert titles == set(sections("json.md", 2))


def test_the_pictures_are_drawn() -> None:
    for text in PICTURES.values():
        drawing = ET.fromstring(text)
        cards = drawing.findall("{http://www.w3.org/2000/svg}rect")
        assert len(cards) >= 1 + 2 * 4 + 3  # the ground, two hands, the stacks


def test_every_page_is_in_the_contents() -> None:
    site = runpy.run_path(str(DOCS / "conf.py"))
    listed = re.findall(r"\]\(([\w/-]+\.md)\)", (DOCS / "index.md").read_text("utf-8"))
    written = {
        path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if path.parent.name != "reference"
    }
    assert sorted(listed) == sorted(written - {"index.md"})
    text = site["within"]((DOCS / "reference.md").read_text("utf-8"))
    assert sorted(set(re.findall(r"\]\(reference/([\w-]+\.md)\)", text))) == sorted(TEXTS)
    # So are all in the list for language models, each with its source.
    pages = {*listed, *(f"reference/{name}" for name in TEXTS)} - {"reference/python.md"}
    found = re.findall(r"(?m)^- \[.+\]\(_sources/(.+\.md)\.txt\): \S", site["overview"]())
    assert sorted(found) == sorted(pages)
    assert "(reference/python.html)" in site["overview"]()
