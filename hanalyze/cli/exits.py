"""Exit codes, and lines on standard error about errors and written files.

Code 0 means success, also for a log with defects that were only shown. Of several codes, the highest is used.
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

BROKEN_RULE: Final = 1  # a log broke a rule under `--strict`
FAILED: Final = 2  # any other error, such as a file that is not a log or cannot be written, or wrong usage
INTERRUPTED: Final = 130  # for some commands a line tells how to continue; a second Ctrl-C exits immediately
_NO_READER: Final = 141  # the reader of the output closed the pipe (as in shells); nothing is printed


class UsageError(HanalyzeError):
    """Raised for missing, wrong or contradictory arguments (rule `usage`); `advice` says what to give."""

    def __init__(self, message: str, advice: str, *, file: str | None = None) -> None:
        super().__init__(message, rule="usage", advice=advice, file=file)


def complain(text: str) -> None:
    """Print one line on standard error; control characters are escaped."""
    with suppress(BrokenPipeError):
        sys.stderr.write(f"hanalyze: {printable(text)}\n")
        sys.stderr.flush()


def say_written(what: str, target: str, lost: str = "") -> None:
    """Print on standard error what was written to which file; for "-", only if something was `lost`."""
    if target != "-" or lost:
        place = "" if target == "-" else f" to {target}"
        complain(f"{what} written{place}" + (f"; {lost}" if lost else ""))


_AFTER_INTERRUPT: Final = {
    "fetch": "games fetched so far are kept; run the same command again to continue",
    "ingest": "games stored so far are kept; run the same command again to continue",
    "compact": "the database is unchanged; run the same command again",
    "conventions": "games stored so far are kept; run the same command again to continue",
    "solve": "games stored so far are kept; run the same command again to continue",
    "export": "the folder is incomplete; run the same command again to rewrite it",
    "sql": "the database is unchanged, and no file was written; run the same command again",
    "dashboard": "the database is unchanged, and no page was written; run the same command again",
    "explore": "the database is unchanged, and no page was written; run the same command again",
    "stats": "the database is unchanged; run the same command again",
    "compare": "the databases are unchanged; run the same command again",
}
"""By command: state after an interruption, and how to continue. Other commands print nothing then."""

_REPEAT: Final = 0.5  # seconds between two attempts to stop queries
_interrupted: Final = threading.Event()


def interruptible() -> None:
    """Make the first Ctrl-C raise `KeyboardInterrupt`, and the second end the process immediately."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(*_: object) -> None:
    if _interrupted.is_set():
        os._exit(INTERRUPTED)
    _interrupted.set()
    threading.Thread(target=_stop_queries, daemon=True).start()
    raise KeyboardInterrupt


def _stop_queries() -> None:
    """Interrupt running queries repeatedly until the process ends."""
    while True:
        time.sleep(_REPEAT)
        if "hanalyze.store.threads" in sys.modules:
            from hanalyze.store.threads import interrupt_queries

            interrupt_queries()


def was_interrupted() -> bool:
    """Return whether Ctrl-C was pressed; DuckDB and Polars then raise errors of other types."""
    return _interrupted.is_set()


def exit_code(error: BaseException, command: str = "") -> int:
    """Print an error that ended a command, and return its exit code; raise unexpected errors again."""
    if isinstance(error, KeyboardInterrupt):
        if command in _AFTER_INTERRUPT:
            complain(f"interrupted; {_AFTER_INTERRUPT[command]}")
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        _forget_output()
        return _NO_READER
    if isinstance(error, HanalyzeError):
        complain(str(error))
        return BROKEN_RULE if isinstance(error, IllegalAction) else FAILED
    if isinstance(error, OSError):
        # Errors of input files are `HanalyzeError`s, so this one concerns the output.
        _forget_output()
        complain(f"the output cannot be written: {error.strerror or error}")
        return FAILED
    raise error


def _forget_output() -> None:
    """Discard buffered output, which the interpreter would otherwise write again at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class Problems:
    """Errors that do not end a command; each is printed immediately. `code` is the highest exit code."""

    def __init__(self) -> None:
        self.code = 0

    def add(self, error: HanalyzeError) -> None:
        """Print an error and update `code`."""
        self.code = max(self.code, exit_code(error))
