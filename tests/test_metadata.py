"""What the package says of itself, in one voice; the lower bounds of its libraries stand once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hanalyze.version import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_citation_says_what_the_package_says() -> None:
    lines = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    plain = dict(line.split(": ", 1) for line in lines if re.match(r"[\w-]+: ", line))
    assert plain["cff-version"] == "1.2.0"
    assert plain["message"]
    assert (plain["title"], plain["abstract"]) == (PROJECT["name"], PROJECT["description"])
    assert plain["license"] == PROJECT["license"]
    assert plain["version"] == __version__
    listed = [line.removeprefix("  - ") for line in lines if line.startswith("  - ")]
    assert listed == [f"name: {PROJECT['authors'][0]['name']}", *PROJECT["keywords"]]


def test_the_docs_name_this_wheel_and_every_extra() -> None:
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    assert set(re.findall(r"hanalyze-([\w.]+)-py3", text)) == {__version__}
    users = set(PROJECT["optional-dependencies"]) - {"test", "docs", "dev"}
    assert users == set(re.findall(r"\[(\w+)\]", text.partition("## Extras")[2])) & users


def test_the_classifiers_begin_with_the_oldest_python() -> None:
    minors = [int(found[1]) for one in PROJECT["classifiers"] if (found := re.search(r":: 3\.(\d+)$", one))]
    assert minors == list(range(11, 15))
    assert PROJECT["requires-python"] == ">=3.11"


def test_the_lowest_versions_are_those_declared() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / ".ci" / "lowest.py"], capture_output=True, text=True, check=True, timeout=600
    )
    lowest = dict(line.split("==") for line in ran.stdout.splitlines())
    assert {"msgspec", "numpy", "polars", "rich", "typer", "numba", "duckdb", "pytest"} <= set(lowest)
    assert "ruff" not in lowest
    bounds = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["report"]]
    assert all(f"{name}>={lowest[name]}" in bounds for name in ("msgspec", "polars", "duckdb", "plotly"))


def test_the_release_checks_the_tag_and_the_wheel_and_stores_no_password() -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    assert (jobs["wheel"]["needs"], jobs["publish"]["needs"]) == ("build", "wheel")
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert workflow["permissions"] == {"contents": "read"}
    minors = [int(one.split(".")[1]) for one in jobs["wheel"]["strategy"]["matrix"]["python"]]
    assert minors == list(range(11, 15))
    steps = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
    assert any(".ci/run" in step for step in steps)
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    [tag] = [step for step in steps if "GITHUB_REF_NAME" in step]
    environment = {**os.environ, "GITHUB_REF_NAME": f"v{__version__}"}
    assert subprocess.run(["sh", "-c", tag], cwd=ROOT, env=environment, check=False).returncode == 0
    environment["GITHUB_REF_NAME"] = "v0.0.1"
    assert subprocess.run(["sh", "-c", tag], cwd=ROOT, env=environment, check=False).returncode == 1
