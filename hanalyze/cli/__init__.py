"""The command line: commands call the library, and print or write its results."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False  # `typing` is slow to import, and Ctrl-C before `main` shows a traceback
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command line (default: `sys.argv`) and exit with its exit code (see `cli/exits.py`)."""
    gc.set_threshold(100_000)  # collections are slow, and most objects are needed until the end
    # Characters that the terminal's encoding lacks are escaped.
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    try:
        from hanalyze.cli.exits import interruptible

        interruptible()
        from hanalyze.cli.app import run

        if arguments is None:
            # Imported modules last as long as the process, so no collection needs to visit them.
            sys.exit(run(sys.argv[1:], gc.freeze))
        sys.exit(run(list(arguments)))
    except KeyboardInterrupt:
        # Ctrl-C during the imports above; `exits.INTERRUPTED` may not be imported yet.
        sys.exit(130)
