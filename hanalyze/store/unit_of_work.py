"""The unit of work: from a chunk of logs to the rows of all tables, a pure function.

In: segments of logs, and which of their games to make rows of. Out: `Made`: the rows of those games by table,
as arrays, and what was refused. Nothing is shared and nothing remembered, so chunks may be made anywhere, in
any order, as often as wanted: the threads of an ingest into a file call `make_rows`, and so do the units of a
folder (`hanalyze.store.folder.run_unit`), whoever runs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.run import play
from hanalyze.errors import HanalyzeError
from hanalyze.store.dealing import DealtGame, batch_of, deal_segments, digest
from hanalyze.store.files import Segment
from hanalyze.store.rows import Arrays, find_defects, game_rows
from hanalyze.store.stored_keys import keys_of

READ: Final = "read"
STORED: Final = "stored"
THERE: Final = "already_there"
DEFECTS: Final = "with_defects"

Choose = Callable[[NDArray[np.int64], NDArray[np.uint64]], NDArray[np.bool_]]
"""Says of keys and checks of games, as `KnownKeys.claim` does, which of them are to have rows."""

_AT_ONCE: Final = 1_000
"""Games that are played in one go."""
_READ_AT_ONCE: Final = 500
"""The same where they are read for conventions."""


class Meaning(NamedTuple):
    """That games are to be read for conventions: up to which level, and whose chances cards are to have."""

    level: int
    model: str


class Made(NamedTuple):
    """What came of some segments.

    `rows`: by table, the rows of some games each, in order; by team size where they were to be grouped, else
    under None. `counts`: games by number of file and what they were. `rejects`: what was refused, with the
    number of its file. `keys`: of each game that has rows, the number of its file and its key.
    """

    rows: dict[int | None, list[dict[str, Arrays]]]
    counts: Counter[tuple[int, str]]
    rejects: list[tuple[int, HanalyzeError]]
    keys: list[tuple[int, int]]


class Found(NamedTuple):
    """The games of some segments with digest, key and check of each, and the rejected logs by file."""

    games: list[DealtGame]
    rejects: list[tuple[int, HanalyzeError]]
    digests: list[bytes]
    keys: NDArray[np.int64]
    checks: NDArray[np.uint64]


def find_games(segments: list[Segment], *, strict: bool = False) -> Found:
    """Read and deal what segments hold. Raises the first error of a log where it is `strict`."""
    games, rejects = deal_segments(segments)
    if strict and rejects:
        raise rejects[0][1]
    digests = [digest(game) for game in games]
    return Found(games, rejects, digests, *keys_of(digests))


def make_rows(
    segments: list[Segment],
    choose: Choose,
    *,
    fast: bool,
    strict: bool = False,
    grouped: bool = False,
    meaning: Meaning | None = None,
) -> Made:
    """Return the rows of the games that `choose` chooses among those of segments.

    `fast`: by compiled code. `strict`: raise the first error of a log, or the first defect of a game, instead
    of keeping it. `grouped`: by team size, and within it by `game_id`. `meaning`: with the tables of
    conventions, too.
    """
    found = find_games(segments, strict=strict)
    new = choose(found.keys, found.checks)
    counts: Counter[tuple[int, str]] = Counter()
    for game, is_new in zip(found.games, new.tolist(), strict=True):
        counts[game.file, STORED if is_new else THERE] += 1
        counts[game.file, READ] += 1
    kept = np.flatnonzero(new).tolist()
    groups: dict[int | None, list[int]] = {None: kept} if kept else {}
    if grouped:
        groups = {}
        for index in sorted(kept, key=found.keys.__getitem__):
            groups.setdefault(len(found.games[index].deal.record.players), []).append(index)
    return Made(
        {
            group: list(_played(found, indices, counts, fast, strict, meaning))
            for group, indices in sorted(groups.items(), key=lambda one: one[0] or 0)
        },
        counts,
        found.rejects,
        [(found.games[index].file, int(found.keys[index])) for index in kept],
    )


def _played(
    found: Found,
    indices: Sequence[int],
    counts: Counter[tuple[int, str]],
    fast: bool,
    strict: bool,
    meaning: Meaning | None,
) -> Iterator[dict[str, Arrays]]:
    """Play games, some at a time, and yield their rows by table."""
    for first in range(0, len(indices), _AT_ONCE):
        chunk = list(indices[first : first + _AT_ONCE])
        games = [found.games[index] for index in chunk]
        batch = batch_of(games)
        output = play(batch, fast=fast)
        defects = find_defects(games, output)
        for game, several in defects.items():
            file, deal, _ = games[game]
            if strict:
                raise several[0].error().at(file=deal.record.file or "-", line=deal.record.line)
            counts[file, DEFECTS] += 1
        keys = found.keys[chunk]
        digests = [found.digests[index] for index in chunk]
        yield game_rows(games, keys, digests, output, batch.cards, defects)
        if meaning is not None:
            yield from _meant(batch, keys, fast, meaning)


def _meant(batch: Any, keys: NDArray[np.int64], fast: bool, meaning: Meaning) -> Iterator[dict[str, Arrays]]:
    """Read games for conventions, some at a time, and yield their rows by table."""
    # Whoever only plays does not wait until the reader is imported.
    from hanalyze.chances.model import load_model
    from hanalyze.conventions.run import read_games
    from hanalyze.store.chances import convention_rows

    for first in range(0, len(keys), _READ_AT_ONCE):
        last = min(first + _READ_AT_ONCE, len(keys))
        output = read_games(batch, level=meaning.level, fast=fast, first=first, last=last, cards=True)
        yield convention_rows(keys[first:last], output, meaning.level, load_model(meaning.model))
