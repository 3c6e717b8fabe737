"""Whether the file of a database is still the one that was opened, looked at after every piece of work.

In: a path, or None in memory. Out: a `HanalyzeError` as soon as the file was removed or replaced: what is
written to it then would be lost without a word.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hanalyze.errors import HanalyzeError
from hanalyze.store.ingest import Progress


class FileKept:
    """The file that a path led to when this was made.

    >>> with FileKept(None).watched(None) as progress:
    ...     progress is not None
    True
    """

    def __init__(self, file: str | None) -> None:
        """Remember the file of a path."""
        self.file = file
        self._identity = None if file is None else _identity(file)

    def check(self) -> None:
        """Raise `HanalyzeError` (rule `removed`) where the file is not the one that was opened any more."""
        if self.file is not None and _identity(self.file) != self._identity:
            what = "the database was removed or replaced while it was open, and nothing of this run was kept"
            raise HanalyzeError(what, rule="removed", file=self.file, advice="run the same command again")

    @contextmanager
    def watched(
        self, on_progress: Callable[[Progress], object] | None
    ) -> Iterator[Callable[[Progress], object]]:
        """Give what is to be called after every piece: then and at the end the file must still be there."""

        def seen(progress: Progress) -> None:
            self.check()
            if on_progress is not None:
                on_progress(progress)

        yield seen
        self.check()


def _identity(file: str) -> tuple[int, int] | None:
    """Return what tells a file from one that took its name; None if there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
