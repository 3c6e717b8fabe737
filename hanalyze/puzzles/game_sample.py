"""Random samples of games, from a database or from logs, in which a quiz looks for puzzles."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, TypeAlias

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.logs.record import GameRecord
from hanalyze.store import Database
from hanalyze.store.listings import check_name, level_read
from hanalyze.store.records import records_by_key
from hanalyze.text import nearest

MOST_GAMES: Final = 1280
"""Maximum number of games that a quiz searches."""
_KEYS: Final = 2**63
"""Upper bound of the keys of games; these are digests, so games sorted by key are in random order."""
_STORED: Final = """
SELECT g.game_id, count(*) OVER () AS games FROM games g SEMI JOIN convention_games c USING (game_id)
WHERE $player IS NULL OR g.game_id IN (SELECT game_id FROM seats WHERE player = $player)
ORDER BY
    $theme IS NOT NULL
        AND g.game_id NOT IN (SELECT game_id FROM conventions WHERE convention::VARCHAR = $theme),
    g.game_id < $start, g.game_id
LIMIT $most
"""


def level_of(db: Database) -> int:
    """Return the highest level up to which games were read for conventions.

    Raises `HanalyzeError` (rule `no_conventions`) if no game was read.
    """
    read_to = level_read(db)
    if read_to is None:
        raise HanalyzeError(
            "the games were not read for conventions",
            rule="no_conventions",
            file=db.file,
            advice="run `hanalyze conventions` on the database first",
        )
    return read_to


def _start_of(seed: int) -> int:
    """Return the first key of the sample; seed 0 begins with the lowest key."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _KEYS if seed else 0


class StoredGames:
    """Games of a database, or of one `player`; those with a message of the convention `theme` come first.

    Otherwise, `seed` determines their random order. Raises the errors of `level_of`, and `UnknownName` if
    `player` has no game.
    """

    def __init__(
        self, db: Database, seed: int = 0, *, player: str | None = None, theme: str | None = None
    ) -> None:
        level_of(db)
        if player is not None:
            check_name(db.connection, "player", player)
        values = {"player": player, "theme": theme, "start": _start_of(seed), "most": MOST_GAMES}
        rows = db.sql(_STORED, values)
        self.db, self.seed, self.player = db, seed, player
        self.total: int = rows["games"][0] if rows.height else 0
        self._keys: list[int] = rows["game_id"].to_list()

    def first(self, count: int) -> list[int]:
        """Return the keys of at most `count` games."""
        return self._keys[:count]


class LoggedGames:
    """Games of logs; sampled games are stored in the empty database `db` and read for conventions.

    All records are read, but at most `2 * MOST_GAMES` are in memory at a time. `on_error` is called with the
    error of each log that cannot be dealt. Raises `UnknownName` if `player` has no game.
    """

    def __init__(
        self,
        db: Database,
        records: Iterable[GameRecord],
        seed: int,
        on_error: Callable[[HanalyzeError], object],
        *,
        player: str | None = None,
        level: int | None = None,
    ) -> None:
        self.db, self.seed, self.player, self._level = db, seed, player, level
        start = _start_of(seed)
        sample: dict[int, GameRecord] = {}
        keys: set[int] = set()
        names: set[str] = set()
        stream = iter(records)
        while batch := list(islice(stream, MOST_GAMES)):
            for key, record in records_by_key(batch, on_error):
                names.update(record.players)
                if player is None or player in record.players:
                    sample.setdefault(key, record)
                    keys.add(key)
            sample = {
                key: sample[key] for key in sorted(sample, key=lambda key: (key - start) % _KEYS)[:MOST_GAMES]
            }
        if names and not keys:
            raise UnknownName("player", str(player), nearest(str(player), names), advice="no game has it")
        self.total = len(keys)
        self._keys, self._records, self._added = [*sample], [*sample.values()], 0

    def first(self, count: int) -> list[int]:
        """Return the keys of at most `count` games, after storing them and reading them for conventions."""
        new = self._records[self._added : count]
        if new:
            self.db.add(new)
            self.db.read_conventions(self._level)
            self._added = count
        return self._keys[:count]


Games: TypeAlias = StoredGames | LoggedGames
