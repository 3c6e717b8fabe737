"""Search for the hanab.live seed of a deck, in an index of the decks of all seeds up to a number.

Games before April 2020 could begin at any seat, and some data sets number the seats from the first player, so
the search also tries rotations of the hands. Each match is verified: the deck of the seed is compared card by
card.
"""

from __future__ import annotations

import functools
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.decks import hanab_live
from hanalyze.decks.hanab_live import seed_name
from hanalyze.errors import HanalyzeError
from hanalyze.game.variants import Variant
from hanalyze.output import cache_folder, replaced

MOST_SEEDS: Final = 100_000_000  # highest number of a seed in an index
_DEFAULT_SEEDS: Final = 1_000_000
_CHUNK: Final = 65_536  # number of seeds that are dealt together
_LAST_CARDS: Final = 10  # number of cards in the key: the last of the deck, which are in no initial hand
_FACTOR: Final = np.uint64(6364136223846793005)  # multiplier of Knuth's MMIX generator
_LOW: Final = np.uint64(2**32 - 1)


class FoundSeed(NamedTuple):
    """A seed that deals a deck; `rotation` is the seat (from 0) of the log's first player in that deal."""

    seed: str
    rotation: int


def _keys(decks: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the key of each deck in the high 32 bits of (decks,) uint64; `decks` is (decks, cards)."""
    keys = np.zeros(len(decks), np.uint64)
    for column in decks[:, -_LAST_CARDS:].T:
        keys = (keys ^ (column.astype(np.uint64) + np.uint64(1))) * _FACTOR
    return keys & ~_LOW


class SeedIndex:
    """An index from decks to the seeds `p{players}v{variant id}s{number}`, whose numbers start at 1.

    >>> from hanalyze.game.variants import variant
    >>> plain = variant("No Variant")
    >>> index = SeedIndex.dealt(3, plain, 200)
    >>> index.find(hanab_live.decks(["p3v0s77"], plain)[0])
    ['p3v0s77']
    """

    def __init__(self, players: int, variant: Variant, entries: NDArray[np.uint64]) -> None:
        """Wrap sorted `entries`: the key of a deck in the high 32 bits, the seed's number in the low ones."""
        self.players = players
        self.variant = variant
        self._entries = entries

    def __len__(self) -> int:
        """Return the number of seeds in the index, which is also the highest number of a seed."""
        return len(self._entries)

    @classmethod
    def dealt(
        cls, players: int, variant: Variant, up_to: int, more_than: SeedIndex | None = None
    ) -> SeedIndex:
        """Return the index of the seeds up to number `up_to`; `more_than` is a smaller index to extend."""
        parts = [] if more_than is None else [more_than._entries]
        first = 1 if more_than is None else len(more_than) + 1
        for start in range(first, up_to + 1, _CHUNK):
            numbers = range(start, min(start + _CHUNK, up_to + 1))
            decks = hanab_live.decks([seed_name(players, variant, number) for number in numbers], variant)
            parts.append(_keys(decks) | np.array(numbers, np.uint64))
        return cls(players, variant, np.sort(np.concatenate(parts) if parts else np.zeros(0, np.uint64)))

    def find(self, deck: NDArray[np.uint8], up_to: int | None = None) -> list[str]:
        """Return the seeds up to number `up_to` that deal a deck, (cards,) uint8 identities, lowest first."""
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
        """Write the index to `file` atomically."""
        file.parent.mkdir(parents=True, exist_ok=True)
        with replaced(file) as part, open(part, "wb") as stream:
            np.save(stream, self._entries)

    @classmethod
    def load(cls, file: Path, players: int, variant: Variant) -> SeedIndex | None:
        """Return the index in a file, None if the file is missing or damaged.

        The file is memory-mapped, so a search only reads a few pages.
        """
        try:
            entries = np.load(file, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        if entries.dtype != np.uint64 or entries.ndim != 1:
            return None
        return cls(players, variant, entries)


@functools.lru_cache(maxsize=16)
def seed_index(players: int, variant: Variant, up_to: int = _DEFAULT_SEEDS) -> SeedIndex:
    """Return an index of at least `up_to` seeds: the cached index, extended if it has fewer seeds.

    The index is cached in the user's cache folder (8 MB for a million seeds), or only in memory if the folder
    is not writable. Raises `HanalyzeError` (rule `bad_number` for a number below 1 or above `MOST_SEEDS`,
    `shuffle_variant` for a variant that hanab.live does not have).
    """
    if not 1 <= up_to <= MOST_SEEDS:
        advice = f"give 1 to {MOST_SEEDS:,}"
        raise HanalyzeError(f"an index cannot end at seed number {up_to:,}", rule="bad_number", advice=advice)
    if variant.id is None:
        what = f'hanab.live has no variant "{variant.name}", so there are no seeds for it'
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
    deck: NDArray[np.uint8], players: int, variant: Variant, *, hand_size: int, up_to: int = _DEFAULT_SEEDS
) -> FoundSeed | None:
    """Return the hanab.live seed of a deck, (cards,) uint8 identities; None if no seed deals it.

    Seeds are searched up to number `up_to`. `hand_size` is the initial number of cards per player. Raises the
    errors of `seed_index`.

    >>> from hanalyze.game.variants import variant
    >>> plain = variant("No Variant")
    >>> deck = hanab_live.decks(["p3v0s7"], plain)[0]
    >>> find_seed(deck, 3, plain, hand_size=5, up_to=100)
    FoundSeed(seed='p3v0s7', rotation=0)
    """
    index = seed_index(players, variant, up_to)
    cards = players * hand_size
    for rotation in range(players):
        # The deck of the log, with its hands rotated by `rotation` seats.
        dealt = np.concatenate([np.roll(deck[:cards], rotation * hand_size), deck[cards:]])
        if seeds := index.find(dealt, up_to):
            return FoundSeed(seeds[0], rotation)
    return None
