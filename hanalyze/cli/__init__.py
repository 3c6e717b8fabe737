"""The command `hanalyze`: each command is one call of the library, drawn or printed as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from hanalyze.cli.exits import INTERRUPTED, interruptible


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line, by default the process's own, and exit with its code (see `cli/exits.py`)."""
    # A name that the terminal's encoding cannot show is shown by its escapes.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    try:
        interruptible()
        from hanalyze.cli.app import run  # Typer takes long to import: Ctrl-C must work by then

        sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))
    except KeyboardInterrupt:
        # Outside of the command's own handling.
        sys.exit(INTERRUPTED)
