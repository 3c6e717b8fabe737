"""`hanalyze formats`: the formats of logs.

In: nothing. Out: a line for each format.
"""

from __future__ import annotations

from typing import Final

import typer

EXAMPLES: Final = """\b
Examples:
  hanalyze formats
"""


def formats() -> None:
    """List the formats of logs: those that can be read, told by content, and those that can be written."""
    from hanalyze.logs.formats.registry import WritableFormat, formats as every
    from hanalyze.text import printable

    for one in every():
        can = "read, write" if isinstance(one, WritableFormat) else "read"
        typer.echo(f"{printable(one.name):<12} {can:<12} {printable(one.title)}")
