"""The logs of some games of a database: a database keeps no logs.

In: files, and the keys of games. Out: those games, as records.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from hanalyze.errors import HanalyzeError
from hanalyze.kernels.compiling import pays_off
from hanalyze.logs import GameRecord
from hanalyze.logs.sources.file_search import find_files
from hanalyze.store.dealing import deal_segments, digest, record_of
from hanalyze.store.files import FileReader
from hanalyze.store.stored_keys import keys_of

_SAVED: Final = 5e-8
"""Seconds a byte of logs that compiled code saves: games are only read here, not played."""


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
    fast = pays_off(_SAVED * (math.inf if reader.total is None else reader.total))
    pieces = reader.pieces()
    while missing and (piece := next(pieces, None)) is not None:
        dealt = deal_segments(piece, fast)
        for _, error in dealt.rejects:
            on_error(error)
        games = zip(dealt.heads, dealt.decks, dealt.actions, strict=True)
        keys, _ = keys_of([digest(*game) for game in games])
        for number, head in zip(keys.tolist(), dealt.heads, strict=True):
            if number in missing:
                missing.remove(number)
                yield number, record_of(head)
