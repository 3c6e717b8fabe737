"""How a command ends: what went wrong as a line on standard error, and the exit code.

In: errors. Out: `hanalyze: place: what is wrong; the way out`, never more than a line for each, and a code:

- 0: all is well. A log with defects that were only shown is well, too;
- 1: a log broke a rule under `--strict`;
- 2: something is not a log, cannot be dealt, does not exist or cannot be written, or the usage was wrong;
- 130: interrupted; of a database, or of games that were fetched, the line says what was kept and how to go
  on. Interrupted again, it ends at once;
- 141: nobody reads the output any more (as shells have it); nothing is printed.

Of several codes the greatest counts.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Final

from hanalyze.errors import HanalyzeError, IllegalAction
from hanalyze.text import printable

BROKEN_RULE: Final = 1
FAILED: Final = 2
INTERRUPTED: Final = 130
_NO_READER: Final = 141


def complain(text: str) -> None:
    """Print one line about a problem, whatever is in it."""
    with suppress(BrokenPipeError):
        sys.stderr.write(f"hanalyze: {printable(text)}\n")
        sys.stderr.flush()


_KEPT: Final = {
    "fetch": "what was fetched is kept; run the same command again to continue",
    "ingest": "what was stored is kept; run the same command again to continue",
    "compact": "the database is unchanged; run the same command again",
    "conventions": "what was stored is kept; run the same command again to continue",
    "solve": "what was stored is kept; run the same command again to continue",
    "export": "the folder is incomplete; run the same command again to rewrite it",
    "sql": "the database is unchanged; any output file is incomplete",
    "dashboard": "the database is unchanged, and no page was written; run the same command again",
    "stats": "the database is unchanged; run the same command again",
    "compare": "the databases are unchanged; run the same command again",
}
"""What an interrupted command leaves, and how to go on, in words; the others leave nothing."""

_INSISTING: Final = 0.5
"""Seconds after which a query is stopped again."""
_interrupted: Final = threading.Event()


def interruptible() -> None:
    """Let the first Ctrl-C end what is going on in good order, the second end the process at once."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(*_: object) -> None:
    if _interrupted.is_set():
        os._exit(INTERRUPTED)
    _interrupted.set()
    threading.Thread(target=_insist, daemon=True).start()
    raise KeyboardInterrupt


def _insist() -> None:
    """Stop queries that did not hear of it."""
    while True:
        time.sleep(_INSISTING)
        if "hanalyze.store.running_queries" in sys.modules:
            from hanalyze.store.running_queries import interrupt_queries

            interrupt_queries()


def was_interrupted() -> bool:
    """Return whether Ctrl-C is why something failed: DuckDB and Polars have errors of their own for it."""
    return _interrupted.is_set()


def code_of(error: BaseException, command: str = "") -> int:
    """Print what is to be said about an error that ended a command, and return the exit code for it."""
    if isinstance(error, KeyboardInterrupt):
        if command in _KEPT:
            complain(f"interrupted; {_KEPT[command]}")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        _forget_output()
        return _NO_READER
    if isinstance(error, HanalyzeError):
        complain(str(error))
        return BROKEN_RULE if isinstance(error, IllegalAction) else FAILED
    if isinstance(error, OSError):
        # The library names the file itself where there is one: what is left is the output.
        _forget_output()
        complain(f"the output cannot be written: {error.strerror or error}")
        return FAILED
    raise error


def _forget_output() -> None:
    """Send what is still buffered nowhere, or the interpreter would try again at its end, and complain."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class Problems:
    """The problems of a command that goes on after them: printed as they come; `code` is the worst so far."""

    def __init__(self) -> None:
        self.code = 0

    def add(self, error: HanalyzeError) -> None:
        """Print an error and remember its code."""
        self.code = max(self.code, code_of(error))
