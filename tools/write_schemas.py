"""Write `schemas/tables.sql` and `schemas/columns.md` from the columns: `python -m tools.write_schemas`.

A test fails if the files do not match the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from hanalyze import analysis
from hanalyze.analysis.columns import FRAMES, GROUPS, dtype
from hanalyze.store.schema import VIEWS, enum_statements, quoted, sql_type, table_statement
from hanalyze.tables import TABLES_VERSION, Column
from hanalyze.tables.column import POLARS_TYPES
from hanalyze.tables.quiz import QUIZ
from hanalyze.tables.solved import DEALS
from hanalyze.tables.store import TABLES

_FOLDER: Final = Path(__file__).parents[1] / "schemas"

TABLE_MEANINGS: Final = {
    "games": "One row per game.",
    "seats": "One row per player of a game.",
    "turns": "One row per action carried out, in order of play.",
    "clues": "One row per clue.",
    "cards": "One row per card of the deck.",
    "defects": "One row per rule that a log breaks.",
    "rejects": "One row per log that could not be read or dealt.",
    "ingests": "One row per file of a completed run.",
    "convention_games": "One row per game read for conventions.",
    "conventions": "One row per finding: what an action meant, judged only by the turns before it.",
    "convention_outcomes": "One row per finding: whether it worked.",
    "convention_opportunities": "One row per action of a game read for conventions: what its player could"
    " have done.",
    "chances": "One row per action of a game read for conventions: the chances of the cards in the player's"
    " hand, by visible cards, messages and context. Compare moves by these chances; the `act_` columns take"
    " the decision itself as evidence.",
    "detector_games": "One row per game and detector of your own that has read the game.",
    "detector_findings": "One row per finding or opportunity of a detector of your own.",
    "detector_problems": "One row per failure of a detector of your own on an action.",
    "solved_games": "One row per game that `hanalyze solve` was given, with the best score of its deal.",
    "best_scores": "One row per action of a solved game: the best score that the deal still allowed after it,"
    " with all cards open.",
    "losses": "One row per move of a solved game that lowered the best score with all cards open. In a game"
    " without broken rules and with all turns known, the points add up to the best score of the deal minus"
    " the best score after the last action.",
}


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
    made = [*enum_statements(), *map(table_statement, TABLES), *_comments()]
    return head + "".join(f"\n{statement};\n" for statement in made)


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
    lines = [
        "",
        "## Views",
        "",
        "`hanalyze sql` and `Database.sql` can query them, too. All but `findings` have the columns `game`"
        " and, where one player acted, `player`.",
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
