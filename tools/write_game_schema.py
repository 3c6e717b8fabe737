"""Write `schemas/game.schema.json` from the types that read a log: `python -m tools.write_game_schema`.

The reader also rejects `1.0` as an integer and text that is not Unicode; a schema cannot express this.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from hanalyze.logs.formats.hanab_live import GameJSON

_FILE: Final = Path(__file__).parents[1] / "schemas" / "game.schema.json"


def game_schema() -> dict[str, Any]:
    """Return the schema of one game.

    >>> game_schema()["title"], game_schema()["required"]
    ('Hanabi game', ['players', 'actions'])
    """
    (_, definitions) = msgspec.json.schema_components([GameJSON], ref_template="#/$defs/{name}")
    game = definitions.pop("GameJSON")
    # The order of the two alternatives depends on the version of msgspec.
    game["properties"]["options"]["anyOf"].sort(key=lambda one: one == {"type": "null"})
    # Types cannot express that one key requires another.
    definitions["ActionJSON"] |= {
        "if": {"properties": {"type": {"enum": [0, 1]}}},
        "else": {"required": ["value"]},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_renamed(game | {"title": "Hanabi game", "$defs": definitions}),
    }


def text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(game_schema(), indent=2, ensure_ascii=False) + "\n"


def _renamed(part: Any) -> Any:
    """Return part of the schema with the suffix `JSON` of type names removed."""
    if isinstance(part, dict):
        return {key.removesuffix("JSON"): _renamed(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_renamed(value) for value in part]
    return part.removesuffix("JSON") if isinstance(part, str) else part


if __name__ == "__main__":
    _FILE.write_text(text(), encoding="utf-8")
