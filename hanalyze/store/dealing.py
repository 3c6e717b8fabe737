"""Read segments of log files, deal their games, and collect rejected games."""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from hanalyze.engine.batch import Deal, GameBatch, batch_from, deal_records
from hanalyze.errors import HanalyzeError
from hanalyze.logs.record import GameRecord
from hanalyze.logs.sources.streams import read_lines
from hanalyze.store.files import Segment


class DealtGame(NamedTuple):
    """A game ready to replay: file number, deal, and actions as an int64 array of shape (actions, 3)."""

    file: int
    deal: Deal
    actions: NDArray[np.int64]


class DealtGames(NamedTuple):
    """Games in the order of their files, their digests, and the keys and checks of the digests (`keys_of`).

    `rejects` contains the errors of rejected games with their file numbers.
    """

    games: list[DealtGame]
    rejects: list[tuple[int, HanalyzeError]]
    digests: list[bytes]
    keys: NDArray[np.int64]
    checks: NDArray[np.uint64]


def deal_segments(segments: list[Segment], *, strict: bool = False) -> DealtGames:
    """Read and deal the games of segments; if `strict`, raise the first error."""
    records: list[tuple[int, GameRecord]] = []
    rejects: list[tuple[int, HanalyzeError]] = []
    for file, path, text, line, outcomes in segments:
        for outcome in read_lines(io.BytesIO(text), line, path) if text else outcomes:
            if isinstance(outcome, GameRecord):
                records.append((file, outcome))
            else:
                rejects.append((file, outcome))
    files = {id(record): file for file, record in records}

    def reject(record: GameRecord, error: HanalyzeError) -> None:
        rejects.append((files[id(record)], error))

    deals = deal_records([record for _, record in records], on_error=reject)
    games = [DealtGame(files[id(deal.record)], deal, _action_rows(deal.record)) for deal in deals]
    rejects.sort(key=lambda one: (one[0], one[1].line is None, one[1].line or 0))
    if strict and rejects:
        raise rejects[0][1]
    digests = [digest(game) for game in games]
    return DealtGames(games, rejects, digests, *keys_of(digests))


def _action_rows(record: GameRecord) -> NDArray[np.int64]:
    count = len(record.actions)
    return np.fromiter(chain.from_iterable(record.actions), np.int64, 3 * count).reshape(count, 3)


_CONTENT: Final = msgspec.msgpack.Encoder()


def digest(game: DealtGame) -> bytes:
    """Return the digest of a game's content, 16 bytes."""
    record, _, variant, deck, _ = game.deal
    rules = (variant.name, record.options, record.edition)
    content = (record.players, *rules, record.id, record.seed, len(deck))
    whole = hashlib.blake2b(_CONTENT.encode(content), digest_size=16)
    whole.update(deck.tobytes())
    whole.update(game.actions.tobytes())
    return whole.digest()


def batch_of(games: Sequence[DealtGame]) -> GameBatch:
    """Return games as a batch for the engine."""
    deals = [game.deal for game in games]
    actions = [game.actions for game in games]
    return batch_from(
        [(deal.rules, deal.variant, len(deal.record.players), deal.record.options) for deal in deals],
        [deal.deck for deal in deals],
        np.concatenate(actions) if games else np.zeros((0, 3), np.int64),
        np.fromiter(map(len, actions), np.int64, len(games)),
    )


_RECENT: Final = 50_000
"""Maximum number of new keys that `KnownKeys` keeps in a dict before it sorts them into its arrays."""


def keys_of(digests: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return for each 16-byte digest its key (the first 63 bits) and its check (the last 64 bits).

    >>> [number.tolist() for number in keys_of([bytes([0] * 7 + [6] + [0] * 7 + [1])])]
    [[3], [1]]
    """
    pairs = np.frombuffer(b"".join(digests), ">u8").reshape(-1, 2)
    return (pairs[:, 0] >> np.uint64(1)).astype(np.int64), pairs[:, 1].astype(np.uint64)


class KnownKeys:
    """Set of keys with their checks, safe for use by several threads."""

    def __init__(self, keys: NDArray[np.int64], checks: NDArray[np.uint64]) -> None:
        # No game has the key -1, which keeps the arrays from being empty.
        self._sort(np.append(keys, np.int64(-1)), np.append(checks, np.uint64(0)))
        self._recent: dict[int, int] = {}
        self._lock = threading.Lock()

    def _sort(self, keys: NDArray[np.int64], checks: NDArray[np.uint64]) -> None:
        order = np.argsort(keys)
        self._keys, self._checks = keys[order], checks[order]

    def claim(self, keys: NDArray[np.int64], checks: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return for each key whether it is new, and add the new keys; of equal keys, only the first is new.

        Raises `HanalyzeError` (rule `digest_collision`) for a known key with another check.
        """
        with self._lock:
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            present = self._keys[places] == keys
            clash = present & (self._checks[places] != checks)
            if clash.any():
                raise collision(int(keys[clash.argmax()]))
            new: NDArray[np.bool_] = ~present
            for i in np.flatnonzero(new).tolist():
                key, check = int(keys[i]), int(checks[i])
                if key not in self._recent:
                    self._recent[key] = check
                elif self._recent[key] == check:
                    new[i] = False
                else:
                    raise collision(key)
            if len(self._recent) > _RECENT:
                recent = np.fromiter(self._recent.keys(), np.int64, len(self._recent))
                recent_checks = np.fromiter(self._recent.values(), np.uint64, len(self._recent))
                self._sort(np.append(self._keys, recent), np.append(self._checks, recent_checks))
                self._recent.clear()
            return new


def collision(key: int) -> HanalyzeError:
    """Return the error for two games with the same key."""
    advice = "ingest one of them into another database"
    return HanalyzeError(f"two different games have the key {key}", rule="digest_collision", advice=advice)
