"""Reference data that is too big for the project: the folder `shared` beside it, where there is one.

In: the path of a file in that folder. Out: its path or its lines, or the test is skipped and says why.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

_SHARED = Path(__file__).parents[2] / "shared"


def shared(path: str) -> Path:
    """Return the path of a shared file or folder; skip the test (or the module) where it is missing."""
    found = _SHARED / path
    if not found.exists():
        pytest.skip(f"needs ../shared/{path} beside the project", allow_module_level=True)
    return found


def golden(name: str) -> list[dict[str, Any]]:
    """Return the lines of `../shared/golden/{name}.jsonl.gz`; skip the test where it is missing."""
    with gzip.open(shared(f"golden/{name}.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
