"""Write `schemas/tables.sql` and `schemas/columns.md` from the columns: `python -m tools.write_schemas`.

A test fails if the files do not match the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from hanalyze import analysis
from hanalyze.analysis.columns import FRAMES, GROUPS, dtype
from hanalyze.store.schema import TABLE_MEANINGS, VIEWS, quoted, sql_type, statements
from hanalyze.tables import TABLES_VERSION, Column
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.quiz import QUIZ
from hanalyze.tables.solved import DEALS
from hanalyze.tables.store import TABLES

_FOLDER: Final = Path(__file__).parents[1] / "schemas"


def _comments() -> list[str]:
    lines = []
    for table, columns in TABLES.items():
        lines.append(f"COMMENT ON TABLE {table} IS {quoted(TABLE_MEANINGS[table])}")
        for column in columns:
            unit = f" [{column.unit}]" if column.unit else ""
            lines.append(f'COMMENT ON COLUMN {table}."{column.name}" IS {quoted(column.meaning + unit)}')
    return lines


def tables_text() -> str:
    """Return the text of `schemas/tables.sql`."""
    head = (
        f"-- The tables of a hanalyze database, version {TABLES_VERSION} of the columns.\n"
        "-- Made by `python -m tools.write_schemas`; do not edit.\n"
    )
    return head + "".join(f"\n{statement};\n" for statement in [*statements(), *_comments()])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _section(name: str, meaning: str, columns: Iterable[Column], type_of: Callable[[Column], str]) -> str:
    """Return the section of `schemas/columns.md` about a table; `type_of` names the type of a column."""
    lines = ["", f"## {name}", "", meaning, ""]
    lines += ["| column | type | unit | range | meaning |", "|---|---|---|---|---|"]
    for column in columns:
        values = ", ".join(f"`{word}`" for word in column.words) or _cell(column.range)
        kind = "one of" if column.words else type_of(column)
        lines.append(f"| `{column.name}` | {kind} | {column.unit} | {values} | {_cell(column.meaning)} |")
    return "\n".join(lines) + "\n"


def _views_section() -> str:
    """Return the section of `schemas/columns.md` about the views."""
    lines = [
        "",
        "## Views",
        "",
        "`hanalyze sql` and `Database.sql` know them, too. All but `findings` have the columns `game` and,"
        " where one player acted, `player`.",
        "",
        "| view | what it is |",
        "|---|---|",
        *(f"| `{view}` | {_cell(meaning)} |" for view, meaning in VIEWS.items()),
    ]
    return "\n".join(lines) + "\n"


def _frame_type(column: Column) -> str:
    return str(dtype(column))


def _deal_type(column: Column) -> str:
    return POLARS_TYPES[column.type]


def columns_text() -> str:
    """Return the text of `schemas/columns.md`."""
    parts = [
        f"# Columns\n\nVersion {TABLES_VERSION} of the tables."
        " Made by `python -m tools.write_schemas`; do not edit.\n"
    ]
    parts += [_section(name, TABLE_MEANINGS[name], columns, sql_type) for name, columns in TABLES.items()]
    parts.append(_views_section())
    groups = "The columns that frames of `hz.analysis` begin with where `by` names a grouping."
    parts.append(_section("Groups", groups, GROUPS.values(), _frame_type))
    for name, columns in FRAMES.items():
        first = str(getattr(analysis, name).__doc__).partition("\n")[0].removeprefix("Return ")
        parts.append(_section(f"hz.analysis.{name}", first[0].upper() + first[1:], columns, _frame_type))
    deals = "The columns of `hz.deals` and of the files that `hanalyze deals` writes; a row per deal."
    parts.append(_section("hz.deals", deals, DEALS, _deal_type))
    parts.append(_section("hz.quiz", "The columns of `hz.quiz`; a row per puzzle.", QUIZ, _deal_type))
    return "".join(parts)


if __name__ == "__main__":
    (_FOLDER / "tables.sql").write_text(tables_text(), encoding="utf-8")
    (_FOLDER / "columns.md").write_text(columns_text(), encoding="utf-8")
