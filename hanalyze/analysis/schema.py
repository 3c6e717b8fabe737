"""`schemas/columns.md`: the columns of the database's tables, of the frames of `hanalyze.analysis`, of deals.

`python -m hanalyze.analysis.schema` writes it anew; a test fails when it is not what the columns say.
"""

from __future__ import annotations

from hanalyze import analysis
from hanalyze.analysis.columns import FRAMES, GROUPS, dtype
from hanalyze.solver.deals import type_of as deal_type
from hanalyze.store.schema import TABLE_MEANINGS, section, sql_type, views_section, write
from hanalyze.tables import TABLES_VERSION, Column
from hanalyze.tables.deals import DEALS
from hanalyze.tables.store import TABLES


def _frame_type(column: Column) -> str:
    return str(dtype(column))


def _deal_type(column: Column) -> str:
    return str(deal_type(column))


def columns_text() -> str:
    """Return the text of `schemas/columns.md`."""
    parts = [
        f"# Columns\n\nVersion {TABLES_VERSION} of the tables."
        " Made by `python -m hanalyze.analysis.schema`; do not edit.\n"
    ]
    parts += [section(name, TABLE_MEANINGS[name], columns, sql_type) for name, columns in TABLES.items()]
    parts.append(views_section())
    groups = "The columns that frames of `hz.analysis` begin with where `by` names a grouping."
    parts.append(section("Groups", groups, GROUPS.values(), _frame_type))
    for name, columns in FRAMES.items():
        first = str(getattr(analysis, name).__doc__).partition("\n")[0].removeprefix("Return ")
        parts.append(section(f"hz.analysis.{name}", first[0].upper() + first[1:], columns, _frame_type))
    deals = "The columns of `hz.deals` and of the files that `hanalyze deals` writes; a row per deal."
    parts.append(section("hz.deals", deals, DEALS, _deal_type))
    return "".join(parts)


if __name__ == "__main__":
    write("columns.md", columns_text())
