"""Write `schemas/output.schema.json`, the schemas of `--json`: `python -m tools.write_output_schemas`.

Rows of tables are derived from the columns; other outputs are declared here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from hanalyze.analysis.columns import FRAMES, GROUPS
from hanalyze.analysis.reports import RESEARCH_REPORTS, SAME_DEAL_REPORTS, STATS_REPORTS, Report
from hanalyze.store.definition_queries import COLUMNS as MISTAKES
from hanalyze.tables import TURNS, Column
from hanalyze.tables.solved import DEALS
from hanalyze.tables.store import TABLES

Schema = dict[str, Any]

_FILE: Final = Path(__file__).parents[1] / "schemas" / "output.schema.json"
_TYPES: Final = {"int": "integer", "num": "number", "text": "string", "flag": "boolean"}


def fields(text: str, **more: Schema) -> Schema:
    """Return the schema of an object; `?` marks values that can be null, `[]` a list, `any` any value.

    >>> fields("game:text seed:text?")["properties"]
    {'game': {'type': 'string'}, 'seed': {'type': ['string', 'null']}}
    """
    properties = {name: _value(kind) for name, _, kind in (one.partition(":") for one in text.split())} | more
    return {"type": "object", "required": list(properties), "properties": properties}


def array(items: Schema, length: int | None = None) -> Schema:
    """Return the schema of a list, of any length or of a given one.

    >>> array({"type": "integer"}, 2)
    {'type': 'array', 'items': {'type': 'integer'}, 'minItems': 2, 'maxItems': 2}
    """
    length_of = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": items, **length_of}


def _value(kind: str) -> Schema:
    if kind == "any":
        return {}
    if kind.endswith("[]"):
        return array(_value(kind.removesuffix("[]")))
    name = _TYPES[kind.removesuffix("?")]
    return {"type": [name, "null"] if kind.endswith("?") else name}


_ACTION: Final = array({"type": "integer"}, 3)
_ACTIONS: Final = {"type": ["array", "null"], "items": _ACTION}


def _of_column(column: Column) -> Schema:
    """Return the schema of a column's values, each of which can be null."""
    if column.words:
        return {"enum": [*column.words, None]}
    kind = next((name for start, name in _KINDS.items() if column.type.startswith(start)), "string")
    value: Schema = {"type": [kind, "null"]}
    least, _, most = column.range.partition("..")
    for limit, number in (("minimum", least), ("maximum", most)):
        if kind in ("integer", "number") and number.lstrip("-").replace(".", "", 1).isdigit():
            value[limit] = float(number) if "." in number else int(number)
    return array(value) if column.width > 1 else value


_KINDS: Final = {"bool": "boolean", "int": "integer", "uint": "integer", "float": "number", "str": "string"}


def rows(columns: Iterable[Column]) -> Schema:
    """Return the schema of a row with these columns."""
    own = {one.name: _of_column(one) for one in columns}
    return {"type": "object", "required": list(own), "properties": own}


def _frame(name: str) -> Schema:
    return {"$ref": "#/$defs/groups", **rows(FRAMES[name])}


def _groups() -> Schema:
    """Return the schemas of the columns of groups; a column that is also in a frame can have any value."""
    named = {one.name for columns in FRAMES.values() for one in columns}
    return {name: {} if name in named else _of_column(one) for name, one in GROUPS.items()}


def _tables(reports: Iterable[tuple[str, Report]]) -> Schema:
    """Return the schema of an object with the rows of some reports."""
    tables = {name: array(_frame(report.frame)) for name, report in reports}
    return {"type": "object", "properties": tables}


_GAME: Final = (
    "game:text players:text[] variant:text edition:text seed:text? score:int max_score:int end_condition:text"
    " rating:text?"
)


def _replay(**more: Schema) -> Schema:
    defect = fields("rule:text turn:int? seat:int? found:text?")
    return fields(_GAME, defects=array(defect), **more)


def _position() -> Schema:
    clues = array(fields("turn:int giver:int kind:text value:int touched:flag"))
    hand = array(fields("order:int suit:int? rank:int?", clues=clues))
    return fields(
        "turn:int seat:int stacks:int[][][] discards:int[][] clue_tokens:num strikes:int deck:int score:int"
        " max_score:int pace:int? end_condition:text",
        hands=array(hand),
    )


def _mistake() -> Schema:
    kinds = {"VARCHAR": "text?", "VARCHAR[]": "text[]", "BOOLEAN": "flag?", "FLOAT": "num?", "JSON": "any"}
    columns = " ".join(f"{name}:{kinds.get(kind, 'int?')}" for name, kind in MISTAKES.items())
    move = fields("kind:text slot:int? seat:int? clue:text? is_made:flag chance:num? name:text effect:text?")
    row = fields(f"game:text player:text? {columns} text:text better:text?")
    row["properties"]["better_gets"]["type"] = ["array", "null"]
    row["properties"]["evidence_values"] = {"type": "object"}
    row["properties"]["moves"] = array(move)  # of one game
    return row


def _meaning() -> Schema:
    row = rows([*TABLES["conventions"], *TABLES["convention_outcomes"]])
    more = fields(
        "action:text clued:int? clue_value:int? order:int? slot:int? result:text game:text variant:text"
    )
    more["properties"] |= fields("players:text[] text:text")["properties"]
    names = [*row["required"], *more["properties"]]
    return {"type": "object", "required": names, "properties": row["properties"] | more["properties"]}


def _solutions() -> dict[str, Schema]:
    loss = fields(
        "turn:int seat:int player:text kind:text before:int after:int exact:flag cause:text", line=_ACTIONS
    )
    move = fields("low:int high:int", action=_ACTION)
    chance = fields(
        "keeps:num? keeps_error:num? expected:num? expected_error:num? deals:int?", action=_ACTION
    )
    return {
        "solve": fields(
            "game:text score:int full:int low:int[] high:int[] nodes:int",
            losses=array(loss),
        ),
        "solve --turn": fields(
            "game:text turn:int seat:int low:int high:int why:text? nodes:int", line=_ACTIONS
        ),
        "solve --turn --moves": fields("game:text turn:int", moves=array(move)),
        "solve --turn --as": fields(
            "game:text turn:int seat:int seed:int deals:int open:int",
            moves=array(chance),
        ),
    }


def _comparison() -> Schema:
    about = fields(
        "headline:text names:text[] games:int[] matched:int[] common:int deals:int on_deals:int[] strata:int"
        " lone_strata:int match:text[] confidence:num conventions:text[] caution:text?",
        measures=array(_frame("compare")),
    )
    about["properties"]["effects"] = array(_frame("convention_effects"))
    return about


def outputs() -> dict[str, Schema]:
    """Return the schemas of the commands' outputs by name, and of the columns by which rows can be grouped.

    >>> [name for name in outputs() if name.startswith("replay")]
    ['replay', 'replay --turn']
    """
    research = _tables((one.frame, one) for one in RESEARCH_REPORTS.values())
    research["properties"]["cross_play_means"] = {
        "type": "object",
        "additionalProperties": {"type": ["number", "null"]},
    }
    detection = rows(TABLES["detector_findings"])
    detection["properties"] |= fields("reasons:any game:text variant:text players:text[] text:text")[
        "properties"
    ]
    return {
        "groups": {"type": "object", "properties": _groups()},
        "deck": array(array({"type": "integer"})),
        "seed": fields("game:text seed:text? rotation:int?"),
        "replay": _replay(turns=array(rows(TURNS))),
        "replay --turn": _replay(position=_position()),
        "mistakes": _mistake(),
        "mistakes of games": fields(
            "kind:text severity:text found:int games:int points:int tokens:num pace:int"
        ),
        "mistakes --by": _frame("rates"),
        "conventions": _meaning(),
        "conventions of detectors": detection,
        "conventions of games": {"anyOf": [_frame("convention_stats"), _frame("detector_stats")]},
        **_solutions(),
        "deals": rows(DEALS),
        **{f"stats --what {name}": _frame(report.frame) for name, report in STATS_REPORTS.items()},
        "compare": _comparison(),
        "compare --same-deal": _tables(SAME_DEAL_REPORTS.items()),
        "research": research,
        "sql": {"type": "object", "minProperties": 1},  # the columns are those of the query
    }


def text_of(title: str, description: str, definitions: Mapping[str, Schema], whole: str | None = None) -> str:
    """Return the text of a schema's file, a line per field; `whole` names the definition of its root."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": description,
        **({} if whole is None else {"$ref": f"#/$defs/{whole}"}),
    }
    parts = []
    for name, schema in definitions.items():
        more = {key: value for key, value in schema.items() if key != "properties"}
        own = (
            f"   {json.dumps(key)}: {json.dumps(value)}"
            for key, value in schema.get("properties", {}).items()
        )
        inside = ', "properties": {\n' + ",\n".join(own) + "\n  }}" if "properties" in schema else "}"
        parts.append(f"  {json.dumps(name)}: {json.dumps(more)[:-1]}{inside}")
    return json.dumps(head, indent=1)[:-2] + ',\n "$defs": {\n' + ",\n".join(parts) + "\n }\n}\n"


def text() -> str:
    """Return the text of the file."""
    description = (
        "The schema of COMMAND is `#/$defs/COMMAND`. Each line of the output is one value."
        " Seats, turns, suits and orders of cards count from 0. New fields may be added."
    )
    return text_of("Output of the commands with --json", description, outputs())


if __name__ == "__main__":
    _FILE.write_text(text(), encoding="utf-8")
