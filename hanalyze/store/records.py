"""The logs of some games of a database: a database keeps no logs.

In: files, and the keys of games. Out: those games, as records.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator

from hanalyze.errors import HanalyzeError
from hanalyze.logs import GameRecord
from hanalyze.logs.sources.file_search import find_files
from hanalyze.store.dealing import deal_segments, digest
from hanalyze.store.files import FileReader
from hanalyze.store.stored_keys import keys_of


def find_records(
    paths: Iterable[str | os.PathLike[str]],
    wanted: Collection[int],
    on_error: Callable[[HanalyzeError], object],
) -> Iterator[tuple[int, GameRecord]]:
    """Yield the games of logs whose `game_id` is among those wanted, each once, and stop when all are found.

    What cannot be read or dealt is given to `on_error`.
    """
    missing = set(wanted)
    reader = FileReader(find_files(paths))
    pieces = reader.pieces()
    while missing and (piece := next(pieces, None)) is not None:
        games, rejects = deal_segments(piece)
        for _, error in rejects:
            on_error(error)
        keys, _ = keys_of([digest(game) for game in games])
        for number, game in zip(keys.tolist(), games, strict=True):
            if number in missing:
                missing.remove(number)
                yield number, game.deal.record
