"""The command `hanalyze`: what is on the command line becomes one call of the library, drawn or as JSON.

In: arguments. Out: what was asked for on standard output, a line per problem on standard error, an exit code.
The modules of the commands import the library inside their functions, so that `--help` need not wait for it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line, by default the process's own, and exit with its code (see `cli/exits.py`)."""
    # A name that the terminal's encoding cannot show is shown by its escapes.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    try:
        from hanalyze.cli.exits import interruptible

        interruptible()
        from hanalyze.cli.app import run

        sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))
    except KeyboardInterrupt:
        # Between the commands' own handling and the end.
        sys.exit(130)
