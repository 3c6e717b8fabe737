"""Reading a file of bytes in a test, and holding each error against what every error must be.

In: the bytes of a file. Out: its records and its errors.
"""

from __future__ import annotations

import re
from pathlib import Path

from hanalyze.errors import LogError
from hanalyze.logs import GameRecord, files

DOCS = Path(__file__).parents[2] / "docs" / "formats.md"
RULES = re.findall(r"^\| `(\w+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)


def checked(error: LogError, file: str | None) -> LogError:
    """Assert that an error is one printable line that names the file, with a rule of the closed set."""
    text = str(error)
    assert text.isprintable(), text
    assert len(text) < 300, text
    assert error.rule in RULES
    assert error.file == file
    assert file is None or text.startswith(file)
    return error


def read_all(path: Path | str) -> tuple[list[GameRecord], list[LogError]]:
    errors: list[LogError] = []
    records = list(files.read(path, on_error=errors.append))
    for error in errors:
        checked(error, str(path))
    return records, errors


def read_bytes(
    folder: Path, data: bytes, name: str = "games.json"
) -> tuple[list[GameRecord], list[LogError]]:
    path = folder / name
    path.write_bytes(data)
    return read_all(path)
