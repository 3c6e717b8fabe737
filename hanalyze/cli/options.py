"""Arguments and options that several commands have, with the same help in each."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from hanalyze.cli.csv_cells import RAW

__all__ = ["DB", "Definitions", "JsonRows", "Raw", "Rows", "VariantName"]

DB: TypeAlias = Annotated[str, typer.Argument(metavar="DB", help="The database.")]
Definitions: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--mistakes",
        metavar="DIR",
        help="A folder with more definitions of mistakes (.sql), which can only query the database.",
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
