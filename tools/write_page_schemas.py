"""Write the schemas of the data in quizzes and dashboards: `python -m tools.write_page_schemas`.

Schemas of the package's classes are read from the classes; other values are declared here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from hanalyze.puzzles.verdicts import OPEN, RIGHT, WRONG, Alternative
from hanalyze.report.dashboard.figure_data import PYTHON_ONLY
from hanalyze.report.dashboard.questions import Question
from tools.write_output_schemas import Schema, array, fields, text_of

_FOLDER: Final = Path(__file__).parents[1] / "schemas"


def _row(text: str, more: Schema | None = None, **last: Schema) -> Schema:
    """Return the schema of a list with a given type at each place; `more` is the schema of further values.

    >>> _row("seat:int name:text?")["prefixItems"]
    [{'title': 'seat', 'type': 'integer'}, {'title': 'name', 'type': ['string', 'null']}]
    """
    items = [{"title": name, **value} for name, value in fields(text, **last)["properties"].items()]
    length = {"minItems": len(items), "items": False if more is None else more}
    return {"type": "array", "prefixItems": items, **length}


def _mapping(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _of_class(kind: type) -> Schema:
    """Return the schema of a class, from its types, without its docstring and its defaults."""
    schema: Schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    properties = {
        name: {key: part for key, part in value.items() if key != "default"}
        for name, value in schema["properties"].items()
    }
    return {"type": "object", "required": schema["required"], "properties": properties}


_CARD: Final = _row("suit:int rank:int")
_CARDS: Final = array(_row("holder:int? drawn:int? gone:int?"))


def _board_position(**more: Schema) -> Schema:
    """Return the schema of a position; sets of identities are masks, bit `suit * 8 + rank`."""
    return fields(
        "seat:int hands:int[][] playable:int critical:int tokens:num strikes:int deck:int score:int max:int"
        " pace:int? stacks:int[][] known:int[][] needed:int gotten:int? lost:num? needs:num? discards:int[]",
        unseen=array(array({"type": "integer"}, 3)),
        odds=array(array(array({"type": "number", "minimum": 0, "maximum": 1}, 3))),
        **more,
    )


def _board_action() -> Schema:
    clue = fields(
        "to:int meant:text touched:int[] missed:int[]", kind={"const": "clue"}, clue=_row("row:int index:int")
    )
    move = fields("order:int slot:int drawn:int? result:text", kind={"enum": ["play", "discard"]})
    return {"anyOf": [clue, move, fields("seat:int?", kind={"const": "end"})]}


def quiz_schema() -> Schema:
    """Return the schema of the data in the page of a quiz.

    >>> quiz_schema()["required"]
    ['variants', 'puzzles']
    """
    suit = fields("letter:text name:text shape:text", copies=_mapping({"type": "integer"}))
    clue = fields("value:int? letter:text name:text")
    clue["properties"] |= fields("touch:int colour:int")["properties"]
    variant = fields(
        "stackSize:int tokens:num strikes:int silent:flag hole:flag",
        suits=array(suit),
        ranks=array(fields("rank:int label:text")),
        clues=array(array(clue), 2),
    )
    game = fields(
        "players:text[] movers:int[]",
        deck=array(_CARD),
        cards=_CARDS,
        actions=array({"$ref": "#/$defs/action"}),
        position={"$ref": "#/$defs/asked"},
        legal={"anyOf": [{"type": "null"}, array(_row("seat:int kind:int value:int"))]},
    )
    puzzle = fields(
        "key:text variant:int turn:int seat:int question:text",
        form={"enum": ["move", "cards", "study"]},
        game=game,
        solution={"type": "string", "contentEncoding": "base64", "description": "Gzip of `solution`."},
    )
    answer = _of_class(Alternative)
    answer["properties"]["verdict"] = {"enum": [RIGHT, WRONG, OPEN]}
    later = fields(
        "",
        turns=array({"$ref": "#/$defs/position"}),
        actions=array({"$ref": "#/$defs/action"}),
        deck=array(_CARD),
        cards=_CARDS,
    )
    solution = fields(
        "theme:text level:int? difficulty:int? mistake:text? share:text? explained:text link:text?",
        alternatives=array(answer),
        later=later,
    )
    # `chops`, by seat and order of a card, as the player knows them: turn of the chop move, -1 for a chop.
    asked = _board_position(chops=_mapping(_mapping({"type": "integer"})))
    own = {"position": _board_position(), "asked": asked, "action": _board_action(), "solution": solution}
    return {**fields("", variants=array(variant), puzzles=array(puzzle)), "$defs": own}


def dashboard_schema() -> Schema:
    """Return the schema of the data in a dashboard.

    >>> "cells" in dashboard_schema()["required"]
    True
    """
    listed = fields("game:text in:int[] cells:text[] site:text? page:text?")
    listed["properties"] |= fields("turn:int player:text card:text suit:int? what:text meter:num[]")[
        "properties"
    ]
    behind = fields(
        "most:int whole:flag every:text[] own:text[]",
        sample={"anyOf": [{"const": []}, _row("games:int read:int used:int[]")]},
        games=array(
            _row("size:int variant:int players:int?[] names:text[] title:text score:text page:text site:text")
        ),
        turns=_row("game:int[] turn:int[] seat:int[] what:text[] points:int[]"),
        lists=_mapping(
            array(_row("entries:int[]", values={"anyOf": [{"const": 0}, array({"type": "number"})]}))
        ),
    )
    question = _of_class(Question)
    question["properties"] |= fields("labels:text[] scope:text")["properties"]
    for name in PYTHON_ONLY:
        question["properties"].pop(name)
    question["required"] = [name for name in question["required"] if name in question["properties"]]
    number = fields("name:text title:text decimals:int share:flag scale:num unit:text note:text")
    number["properties"] |= fields("beside:text")["properties"]
    chart = fields("across:int lines:text said:text tip:text data:any[] xaxis:any yaxis:any")
    schema = fields(
        "games:int sizes:int[] variants:text[] players:text[] bin:num bins:int after:int colours:text[]"
        " claimed:text student:num[]",
        keys=fields("variant:text?[] player:text?[]"),
        cells=array(_row("size:int variant:int player:int games:int")),
        sums=_mapping(
            fields(
                "",
                keys=array(_row("panel:text label:text of:int")),
                found=_row("cell:int[] key:int[] x:num[] xx:num[] xy:num[]"),
                of=_row("cell:int[] of:int[] n:int[] y:num[] yy:num[]"),
            )
        ),
        pairs=array(_row("size:int variant:int first:int second:int games:int x:num xx:num")),
        curve=array(_row("cell:int kind:int series:int turn:int bin:int", {"type": "integer"})),
        lists=_mapping(array({"type": "string"})),
        heads=_mapping(array({"type": "string"})),
        entries=_mapping(fields("most:int", entries=array(listed))),
        behind=behind,
        key_numbers=array(number),
        aliases=_mapping(_row("role:text opacity:text")),
        charts=_mapping({**chart, "additionalProperties": True}),
        said=_mapping({"type": "string"}),
        of_player=_mapping({"type": "string"}),
        defaults={**question, "required": []},
        questions=array(question),
    )
    worth = _row("label:text value:num low:num high:num x:num y:num n:num clear:flag")
    schema["properties"]["worth"] = {**array(worth), "description": "Only with games read for conventions."}
    return schema


SCHEMAS: Final = {
    "quiz": (
        quiz_schema,
        "Puzzles of a quiz",
        "Data in the element `quiz` of the page of `hanalyze quiz`. Seats, turns, suits and the orders of"
        " cards in the deck count from 0, slots from 1, the newest card first. A card that its holder does"
        " not know is [0, 0].",
    ),
    "dashboard": (
        dashboard_schema,
        "Sums of a dashboard",
        "Data in the element `data` of the page of `hanalyze dashboard`, compressed by gzip, as base64."
        " A cell is a team size, a variant and a player (-1: all), by their indices. The value of a number is"
        " `x` / `y`. Each entry of `behind.lists` is the index of a turn, or -1 minus the index of a game."
        " Values that only draw a figure may change.",
    ),
}
"""Function, title and description of each schema."""


def text(name: str) -> str:
    """Return the text of the file `schemas/NAME.schema.json`, a line for each field."""
    schema, title, description = SCHEMAS[name]
    made = schema()
    own = made.pop("$defs", {})
    return text_of(title, description, {"page": made, **own}, "page")


if __name__ == "__main__":
    for page in SCHEMAS:
        (_FOLDER / f"{page}.schema.json").write_text(text(page), encoding="utf-8")
