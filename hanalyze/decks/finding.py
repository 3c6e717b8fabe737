"""The hanab.live seed of a deck: an index of the decks of all numbers up to a bound.

Games before April 2020 could begin at any seat, and some data sets count seats from the one that began: such
rotations of the hands are tried, too. A match is dealt again and compared card by card.
"""

from __future__ import annotations

import functools
import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.decks import hanab_live
from hanalyze.decks.hanab_live import seed_name
from hanalyze.errors import HanalyzeError
from hanalyze.game.variants import Variant
from hanalyze.output import cache_folder

MOST_SEEDS: Final = 100_000_000
"""The highest number of a seed; an index of that size has 800 MB."""
_USUAL: Final = 1_000_000
_CHUNK: Final = 65_536
"""Seeds that are dealt together."""
_LAST_CARDS: Final = 10
"""Cards of the key: few enough that none of them was dealt into a hand."""
_FACTOR: Final = np.uint64(6364136223846793005)
"""Multiplier of Knuth's MMIX generator, which spreads the bits of a key."""
_LOW: Final = np.uint64(2**32 - 1)


class FoundSeed(NamedTuple):
    """A seed that deals a deck; `rotation` is the seat that the log's first seat has in that deal."""

    seed: str
    rotation: int


def _keys(decks: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the keys of decks (decks, cards), in the high 32 bits: (decks,) uint64."""
    keys = np.zeros(len(decks), np.uint64)
    for column in decks[:, -_LAST_CARDS:].T:
        keys = (keys ^ (column.astype(np.uint64) + np.uint64(1))) * _FACTOR
    return keys & ~_LOW


class SeedIndex:
    """The numbers of the seeds `p{players}v{variant id}s1` and on, by what they deal.

    >>> from hanalyze.game.variants import variant
    >>> plain = variant("No Variant")
    >>> index = SeedIndex.dealt(3, plain, 200)
    >>> index.find(hanab_live.decks(["p3v0s77"], plain)[0])
    ['p3v0s77']
    """

    def __init__(self, players: int, variant: Variant, entries: NDArray[np.uint64]) -> None:
        """Take `entries`, sorted: a key in the high 32 bits, the number of its seed in the low ones."""
        self.players = players
        self.variant = variant
        self._entries = entries

    def __len__(self) -> int:
        """Return how many seeds it knows, the numbers from 1 on."""
        return len(self._entries)

    @classmethod
    def dealt(
        cls, players: int, variant: Variant, up_to: int, more_than: SeedIndex | None = None
    ) -> SeedIndex:
        """Return the index of the seeds up to a number, dealing those that `more_than` does not have."""
        parts = [] if more_than is None else [more_than._entries]
        first = 1 if more_than is None else len(more_than) + 1
        for start in range(first, up_to + 1, _CHUNK):
            numbers = range(start, min(start + _CHUNK, up_to + 1))
            decks = hanab_live.decks([seed_name(players, variant, number) for number in numbers], variant)
            parts.append(_keys(decks) | np.array(numbers, np.uint64))
        return cls(players, variant, np.sort(np.concatenate(parts) if parts else np.zeros(0, np.uint64)))

    def find(self, deck: NDArray[np.uint8], up_to: int | None = None) -> list[str]:
        """Return the seeds that deal this very deck, (cards,) uint8 identities, the lowest number first."""
        [key] = _keys(np.asarray(deck, np.uint8)[None])
        first, last = np.searchsorted(self._entries, [key, key | _LOW])
        numbers = (self._entries[first:last] & _LOW).tolist()
        seeds = [seed_name(self.players, self.variant, n) for n in numbers if up_to is None or n <= up_to]
        return [
            seed
            for seed, dealt in zip(seeds, hanab_live.decks(seeds, self.variant), strict=True)
            if np.array_equal(dealt, deck)
        ]

    def save(self, file: Path) -> None:
        """Write the index; the file appears when it is complete."""
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{os.getpid()}.part.{file.name}")
        try:
            with open(part, "wb") as stream:
                np.save(stream, self._entries)
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)

    @classmethod
    def load(cls, file: Path, players: int, variant: Variant) -> SeedIndex | None:
        """Return the index in a file, None if missing or damaged.

        It stays in the file: a search reads a few pages of it.
        """
        try:
            entries = np.load(file, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        if entries.dtype != np.uint64 or entries.ndim != 1:
            return None
        return cls(players, variant, entries)


@functools.lru_cache(maxsize=16)
def seed_index(players: int, variant: Variant, up_to: int = _USUAL) -> SeedIndex:
    """Return an index of at least `up_to` seeds: the one that is kept, with more dealt where it has fewer.

    It is kept in the user's cache folder (8 MB for a million seeds), and in memory alone where nothing can be
    kept. Raises `HanalyzeError`: rule `bad_number` for a number below 1 or above `MOST_SEEDS`,
    `shuffle_variant` for a variant that the site does not have.
    """
    if not 1 <= up_to <= MOST_SEEDS:
        advice = f"give 1 to {MOST_SEEDS:,}"
        raise HanalyzeError(f"seeds up to number {up_to:,}", rule="bad_number", advice=advice)
    if variant.id is None:
        what = f'hanab.live has no variant "{variant.name}", so no seeds for it'
        raise HanalyzeError(what, rule="shuffle_variant")
    folder = cache_folder()
    file = None if folder is None else folder / "seeds" / f"p{players}v{variant.id}.npy"
    cached = None if file is None else SeedIndex.load(file, players, variant)
    if cached is not None and len(cached) >= up_to:
        return cached
    index = SeedIndex.dealt(players, variant, up_to, more_than=cached)
    if file is not None:
        with suppress(OSError):
            index.save(file)
    return index


def find_seed(
    deck: NDArray[np.uint8], players: int, variant: Variant, *, hand_size: int, up_to: int = _USUAL
) -> FoundSeed | None:
    """Return the hanab.live seed of a deck, (cards,) uint8 identities; None if none up to `up_to` deals it.

    `hand_size`: cards that each player was dealt. Raises as `seed_index` does.

    >>> from hanalyze.game.variants import variant
    >>> plain = variant("No Variant")
    >>> deck = hanab_live.decks(["p3v0s7"], plain)[0]
    >>> find_seed(deck, 3, plain, hand_size=5, up_to=100)
    FoundSeed(seed='p3v0s7', rotation=0)
    """
    index = seed_index(players, variant, up_to)
    cards = players * hand_size
    for rotation in range(players):
        # The deck as dealt, then with the table turned by one seat and more.
        dealt = np.concatenate([np.roll(deck[:cards], rotation * hand_size), deck[cards:]])
        seeds = index.find(dealt, up_to)
        if seeds:
            return FoundSeed(seeds[0], rotation)
    return None
