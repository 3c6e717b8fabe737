"""Arguments and options that several commands have, with the same help in each."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from hanalyze.cli.csv_cells import RAW
from hanalyze.store.judging import AT_RISK

__all__ = [
    "DB",
    "Definitions",
    "JsonRows",
    "Judge",
    "Level",
    "PlayThreshold",
    "Raw",
    "Rows",
    "System",
    "VariantName",
    "level_of",
]


class Judge(StrEnum):
    """By which system of conventions moves are judged."""

    H_GROUP = "h_group"
    NONE = "none"


DB: TypeAlias = Annotated[str, typer.Argument(metavar="DB", help="The database.")]
Definitions: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--mistakes",
        metavar="DIR",
        help="A folder with more definitions of mistakes (.sql), which can only query the database.",
    ),
]
Level: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, max=25, help="Highest H-Group level by which moves are read (default: 25)."
    ),
]
PlayThreshold: TypeAlias = Annotated[
    float,
    typer.Option(
        metavar="P",
        help="Least chance at which a play is no mistake, and a discard of that card is one; at two strikes"
        f" it is at least {AT_RISK}.",
    ),
]
System: TypeAlias = Annotated[
    Judge | None,
    typer.Option(
        help="h_group judges moves by what they meant under the H-Group's conventions, too; none by clues,"
        " visible cards and odds alone. Default: h_group, but none for games that clearly follow another"
        " system (a guess)."
    ),
]
JsonRows: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON lines, one object per row.")]
Raw: TypeAlias = Annotated[bool, typer.Option("--raw", help=RAW)]
Rows: TypeAlias = Annotated[
    int, typer.Option(metavar="N", min=0, help="Show at most N rows of a table; 0 for all.")
]
VariantName: TypeAlias = Annotated[
    str, typer.Option(metavar="NAME", help="The variant: its name on hanab.live, its id or its code.")
]


def level_of(system: Judge | None, level: int | None) -> int:
    """Return the level by which moves are read, 0 for none."""
    from hanalyze.conventions.run import HIGHEST_LEVEL

    return 0 if system == Judge.NONE else level or HIGHEST_LEVEL
