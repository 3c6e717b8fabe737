"""Rejected logs: the first errors of each file, the number of others, and when to give a file up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.logs.sources.streams import GIVEN_UP, LISTED, PATIENCE, UnlistedErrors, given_up
from hanalyze.store.unit_of_work import READ

REJECTED: Final = "rejected"


class RejectLog:
    """Rejected logs in the order of the files; `give_up` is called with the number of a hopeless file."""

    def __init__(self, files: Sequence[str], give_up: Callable[[int], object]) -> None:
        self._files = files
        self._give_up_on = give_up
        self._waiting: list[HanalyzeError] = []
        self._listed: Counter[int] = Counter()
        self._unlisted: Counter[int] = Counter()
        self._in_a_row: Counter[int] = Counter()
        self._given_up: set[int] = set()

    def add(self, counts: Counter[tuple[int, str]], rejects: Iterable[tuple[int, HanalyzeError]]) -> None:
        """Add the rejected logs of a piece to its `counts`, and keep those that are to be listed."""
        for (file, _), games in counts.items():
            if games:
                self._in_a_row[file] = 0
        for file, error in rejects:
            count = error.count if isinstance(error, UnlistedErrors) else 1
            if error.rule == GIVEN_UP:
                self._give_up(file, error)
                continue
            counts[file, READ] += count
            counts[file, REJECTED] += count
            self._in_a_row[file] += count
            if isinstance(error, UnlistedErrors) or (error.line is not None and self._listed[file] >= LISTED):
                self._unlisted[file] += count
            else:
                # Errors about a whole file are always listed.
                self._listed[file] += 1
                self._waiting.append(error)
        for file, in_a_row in self._in_a_row.items():
            if in_a_row >= PATIENCE:
                self._give_up(file, given_up(in_a_row, self._files[file]))

    def _give_up(self, file: int, error: HanalyzeError) -> None:
        if file not in self._given_up:
            self._given_up.add(file)
            self._give_up_on(file)
            self._waiting.append(error)

    def take(self, *, at_end: bool = False) -> list[HanalyzeError]:
        """Return the errors to store since the last call; `at_end` with the number of others by file."""
        if at_end:
            for file, count in sorted(self._unlisted.items()):
                self._waiting.append(UnlistedErrors(count, file=self._files[file]))
        taken, self._waiting = self._waiting, []
        return taken
