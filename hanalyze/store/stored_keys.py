"""Keys of stored games, in memory: 16 bytes a game, so that a hundred million games fit."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hanalyze.errors import HanalyzeError

_RECENT: Final = 50_000


def keys_of(digests: Sequence[bytes]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return of each 16-byte digest its key, the first 63 bits, and its check, the last 64.

    >>> [number.tolist() for number in keys_of([bytes([0] * 7 + [6] + [0] * 7 + [1])])]
    [[3], [1]]
    """
    pairs = np.frombuffer(b"".join(digests), ">u8").reshape(-1, 2)
    return (pairs[:, 0] >> np.uint64(1)).astype(np.int64), pairs[:, 1].astype(np.uint64)


class KnownKeys:
    """Keys with their checks, safe for several threads."""

    def __init__(self, keys: NDArray[np.int64], checks: NDArray[np.uint64]) -> None:
        order = np.argsort(keys)
        self._keys = keys[order]
        self._checks = checks[order]
        self._recent: dict[int, int] = {}
        self._lock = threading.Lock()

    def claim(self, keys: NDArray[np.int64], checks: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return which keys are new, and add them. Of two equal keys the first is new.

        Raises `HanalyzeError` (rule `digest_collision`) for a known key with another check.
        """
        with self._lock:
            places = np.minimum(np.searchsorted(self._keys, keys), max(len(self._keys) - 1, 0))
            if len(self._keys):
                there = self._keys[places] == keys
                same = self._checks[places] == checks
            else:
                there = same = np.zeros(len(keys), np.bool_)
            if (there & ~same).any():
                raise _collision(int(keys[(there & ~same).argmax()]))
            new = ~there
            listed = zip(keys.tolist(), checks.tolist(), strict=True)
            for i, (key, check) in enumerate(listed):
                if not new[i]:
                    continue
                known = self._recent.setdefault(key, check)
                if known != check:
                    raise _collision(key)
                if len(self._recent) == self._size:
                    new[i] = False
                self._size = len(self._recent)
            if self._size > _RECENT:
                self._settle()
            return np.asarray(new, np.bool_)

    _size = 0

    def _settle(self) -> None:
        """Merge the recent keys into the sorted array."""
        recent = np.fromiter(self._recent.keys(), np.int64, len(self._recent))
        checks = np.fromiter(self._recent.values(), np.uint64, len(self._recent))
        keys = np.concatenate([self._keys, recent])
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._checks = np.concatenate([self._checks, checks])[order]
        self._recent.clear()
        self._size = 0


def _collision(key: int) -> HanalyzeError:
    return HanalyzeError(
        f"two different games have the key {key}",
        rule="digest_collision",
        advice="put one of them in a database of its own",
    )
