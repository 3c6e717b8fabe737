"""Reference data that is too large for the project, in an optional folder `shared` beside the project."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

_SHARED = Path(__file__).parents[2] / "shared"


def shared(path: str) -> Path:
    """Return the path of a shared file or folder; skip the test (or the module) if it is missing."""
    found = _SHARED / path
    if not found.exists():
        pytest.skip(f"needs ../shared/{path} beside the project", allow_module_level=True)
    return found


def golden(name: str) -> list[dict[str, Any]]:
    """Return the parsed lines of `../shared/golden/{name}.jsonl.gz`; skip the test if it is missing."""
    with gzip.open(shared(f"golden/{name}.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
