"""The unit of work: a function from dealt games to rows of tables, used for database files and folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.run import play
from hanalyze.errors import HanalyzeError
from hanalyze.logs.sources.streams import GIVEN_UP, LISTED, PATIENCE, UnlistedErrors, given_up
from hanalyze.replaying import find_defects
from hanalyze.store.dealing import DealtGames, batch_of
from hanalyze.store.rows import Arrays, game_rows

READ: Final = "read"
STORED: Final = "stored"
THERE: Final = "already_there"
DEFECTS: Final = "with_defects"
REJECTED: Final = "rejected"

_AT_ONCE: Final = 1_000
"""Number of games replayed at a time."""
_READ_AT_ONCE: Final = 500
"""Number of games read for conventions at a time."""


class ConventionSettings(NamedTuple):
    """Settings for reading conventions: the highest level, and the name of the model of chances."""

    level: int
    model: str


class UnitRows(NamedTuple):
    """The rows of new games, by team size if grouped, else under the key None.

    `counts` has the number of games by file number and outcome (`READ`, `STORED` and so on). `rejects`
    contains errors with file numbers, and `keys` the file number and the key of each game that has rows.
    """

    rows: dict[int | None, list[dict[str, Arrays]]]
    counts: Counter[tuple[int, str]]
    rejects: list[tuple[int, HanalyzeError]]
    keys: list[tuple[int, int]]


def make_rows(
    games: DealtGames,
    is_new: NDArray[np.bool_],
    *,
    fast: bool,
    strict: bool = False,
    grouped: bool = False,
    meaning: ConventionSettings | None = None,
) -> UnitRows:
    """Return the rows of the games for which `is_new` is True.

    `fast` uses compiled code. `strict` raises the first defect of a game. `grouped` groups the rows by team
    size, and sorts each group by `game_id`. `meaning` contains the settings for reading the games for
    conventions, None to skip that reading.
    """
    counts: Counter[tuple[int, str]] = Counter()
    for game, new in zip(games.games, is_new.tolist(), strict=True):
        counts[game.file, STORED if new else THERE] += 1
        counts[game.file, READ] += 1
    indices = np.flatnonzero(is_new).tolist()
    groups: dict[int | None, list[int]] = {None: indices} if indices else {}
    if grouped:
        groups = {}
        for index in sorted(indices, key=games.keys.__getitem__):
            groups.setdefault(len(games.games[index].deal.record.players), []).append(index)
    rows = {
        group: list(_replayed_rows(games, groups[group], counts, fast, strict, meaning))
        for group in sorted(groups, key=lambda one: one or 0)
    }
    keys = [(games.games[index].file, int(games.keys[index])) for index in indices]
    return UnitRows(rows, counts, games.rejects, keys)


def _replayed_rows(
    deals: DealtGames,
    indices: Sequence[int],
    counts: Counter[tuple[int, str]],
    fast: bool,
    strict: bool,
    meaning: ConventionSettings | None,
) -> Iterator[dict[str, Arrays]]:
    """Replay games in chunks, and yield their rows by table; if `strict`, raise the first defect."""
    for first in range(0, len(indices), _AT_ONCE):
        chunk = list(indices[first : first + _AT_ONCE])
        games = [deals.games[index] for index in chunk]
        batch = batch_of(games)
        output = play(batch, fast=fast)
        defects = find_defects([game.deal for game in games], output)
        for game, several in defects.items():
            file, deal, _ = games[game]
            if strict:
                raise several[0].error().at(file=deal.record.file or "-", line=deal.record.line)
            counts[file, DEFECTS] += 1
        keys = deals.keys[chunk]
        digests = [deals.digests[index] for index in chunk]
        yield game_rows(games, keys, digests, output, batch.cards, defects)
        if meaning is not None:
            yield from _convention_rows(batch, keys, fast, meaning)


def _convention_rows(
    batch: Any, keys: NDArray[np.int64], fast: bool, meaning: ConventionSettings
) -> Iterator[dict[str, Arrays]]:
    """Read games for conventions in chunks, and yield their rows by table."""
    # Imported here, because the import is slow.
    from hanalyze.chances.model import load_model
    from hanalyze.store.conventions import rows_read

    model = load_model(meaning.model)
    for first in range(0, len(keys), _READ_AT_ONCE):
        piece = (keys, batch, first, min(first + _READ_AT_ONCE, len(keys)))
        yield rows_read(piece, level=meaning.level, fast=fast, model=model)


class RejectLog:
    """Rejected games in the order of the files.

    `give_up` is called with the number of a file that has at least `PATIENCE` rejects in a row; `given_up`
    contains these numbers.
    """

    def __init__(self, files: Sequence[str], give_up: Callable[[int], object]) -> None:
        self._files = files
        self._give_up_on = give_up
        self._waiting: list[HanalyzeError] = []
        self._listed: Counter[int] = Counter()
        self._unlisted: Counter[int] = Counter()
        self._in_a_row: Counter[int] = Counter()
        self.given_up: set[int] = set()

    def add(self, counts: Counter[tuple[int, str]], rejects: Iterable[tuple[int, HanalyzeError]]) -> None:
        """Add the rejected games of a piece to its `counts`; list the first `LISTED` of each file."""
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
        if file not in self.given_up:
            self.given_up.add(file)
            self._give_up_on(file)
            self._waiting.append(error)

    def take(self, *, at_end: bool = False) -> list[HanalyzeError]:
        """Return the errors listed since the last call; `at_end` adds one per file with unlisted games."""
        if at_end:
            for file, count in sorted(self._unlisted.items()):
                self._waiting.append(UnlistedErrors(count, file=self._files[file]))
        errors, self._waiting = self._waiting, []
        return errors
