"""Decks of hanab.live.

The site hashes the seed (CRC-64), seeds the generator of Go's `math/rand` with the hash and shuffles the
variant's deck from the first card to the last. `_int31s` yields the random numbers for one seed; `_Recipe`
computes the first random numbers of many seeds together. `_constants` derives Go's 607 constants. The site
does not hash a prefix such as "legacy-a-" (nine bytes): "legacy-a-p2v0s1" and "p2v0s1" deal the same deck.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card, identity
from hanalyze.game.variants import Variant
from hanalyze.text import plural, shorten

_LONGEST: Final = 1_000_000  # maximum number of characters in a seed
_CHUNK: Final = 8192  # number of seeds that are shuffled together
_NAMED: Final = re.compile(r"(?:legacy-.-)?p(\d{1,9})v(\d+|[A-Z][^s]*)s", re.ASCII)
"""Beginning of a seed made by `seed_name` or the site; codes of variants do not contain a lower-case s."""


def deck(seed: str, variant: Variant) -> list[Card]:
    """Return the deck of a seed, top card first.

    Raises HanalyzeError (`bad_seed`) if the seed is not text, cannot be encoded in UTF-8 (half a surrogate
    pair), has more than a million characters, or has an incomplete "legacy-" prefix.

    >>> from hanalyze.game.variants import variant
    >>> deck("p2v0s1", variant("No Variant"))[:2]
    [Card(suit=3, rank=5), Card(suit=4, rank=4)]
    """
    return _shuffled(variant.deck, _int31s(_lcg_start(crc64(_hashed_bytes(seed)))))


def decks(seeds: Iterable[str], variant: Variant) -> NDArray[np.uint8]:
    """Return the decks of seeds, (seeds, cards) uint8 identities, top card first; raise the errors of `deck`.

    >>> from hanalyze.game.variants import variant
    >>> decks(["p2v0s1", "p2v0s2"], variant("No Variant"))[:, :2]
    array([[29, 36],
           [12, 34]], dtype=uint8)
    """
    hashed = [_hashed_bytes(seed) for seed in seeds]
    cards = np.array([identity(*card) for card in variant.deck], dtype=np.uint8)
    result = np.empty((len(hashed), len(cards)), dtype=np.uint8)
    for first in range(0, len(hashed), _CHUNK):
        starts = _lcg_starts(_crc64s(hashed[first : first + _CHUNK]))
        result[first : first + _CHUNK] = _shuffled_together(cards, starts)
    return result


def seed_name(players: int, variant: Variant, number: int) -> str:
    """Return the seed that the site gives to a game: `p{players}v{variant id}s{number}`.

    A variant that the site does not have is named by its code instead of its id.

    >>> from hanalyze.game.variants import variant
    >>> seed_name(3, variant("No Variant"), 7)
    'p3v0s7'
    """
    return f"p{players}v{variant.code if variant.id is None else variant.id}s{number}"


def named_in(seed: str) -> tuple[int, str] | None:
    """Return the number of players and the variant's id or code that a seed names; None if it names none.

    Raises HanalyzeError (`player_count`) if the number of players is not from 2 to 6.

    >>> named_in("p4v16s1"), named_in("legacy-a-p2v0s1"), named_in("p2vR+Ys3"), named_in("any text")
    ((4, '16'), (2, '0'), (2, 'R+Y'), None)
    """
    match = _NAMED.match(seed)
    if match is None:
        return None
    if not 2 <= (players := int(match[1])) <= 6:
        what = f'the seed "{shorten(seed)}" names {plural(players, "player")}, but hanab-live is for 2 to 6'
        raise HanalyzeError(what, rule="player_count", advice="use a seed such as p3v0s1")
    return players, match[2]


# ---- From a seed to the number that starts the generator -------------------------------------------------


def _hashed_bytes(seed: str) -> bytes:
    """Return the bytes of a seed that the site hashes. Raises HanalyzeError (`bad_seed`)."""
    if not isinstance(seed, str):
        advice = 'games have seeds such as "p2v0s1": players, variant, number'
        what = f"a seed of hanab.live is text, not {shorten(repr(seed))}"
        raise HanalyzeError(what, rule="bad_seed", advice=advice)
    if len(seed) > _LONGEST:
        what = f"the seed has {len(seed):,} characters, but at most {_LONGEST:,} are allowed"
        raise HanalyzeError(what, rule="bad_seed")
    try:
        data = seed.encode()
    except UnicodeEncodeError:
        raise HanalyzeError(f'seed "{shorten(seed)}" is not valid Unicode', rule="bad_seed") from None
    if not data.startswith(b"legacy-"):
        return data
    if len(data) < len(b"legacy-a-"):
        advice = 'a complete seed looks like "legacy-a-p2v0s1"'
        raise HanalyzeError(f'seed "{shorten(seed)}" is incomplete', rule="bad_seed", advice=advice)
    return data[len(b"legacy-a-") :]


def _crc_entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (0xC96C5795D7870F42 if byte & 1 else 0)
    return byte


_CRC_TABLE: Final = [_crc_entry(byte) for byte in range(256)]
_MASK64: Final = 2**64 - 1
_LOW31: Final = 2**31 - 1


def crc64(data: bytes) -> int:
    """Return the CRC-64/XZ of `data`, 0 to 2^64-1 (reflected polynomial of ECMA-182; crc64.ECMA in Go).

    >>> hex(crc64(b"123456789"))
    '0x995dc9bbdf1939fa'
    """
    return _crc_continued(_MASK64, data) ^ _MASK64


def _crc_continued(crc: int, data: bytes) -> int:
    for byte in data:
        crc = crc >> 8 ^ _CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc


def _crc64s(texts: list[bytes]) -> NDArray[np.uint64]:
    """Return the CRC-64/XZ of each text: (texts,) uint64."""
    table = np.array(_CRC_TABLE, dtype=np.uint64)
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    # Texts are sorted from long to short, so that those with a byte at the current position come first.
    order = np.argsort(-lengths, kind="stable")
    begin = (np.cumsum(lengths) - lengths)[order]
    data = np.frombuffer(b"".join(texts), dtype=np.uint8)
    negative_lengths = -lengths[order]
    crcs = np.full(len(texts), _MASK64, dtype=np.uint64)
    for place in range(-int(negative_lengths.min(initial=0))):
        unfinished = int(np.searchsorted(negative_lengths, -place))
        if unfinished < 16:
            # The few remaining texts are hashed one by one.
            for row in range(unfinished):
                crcs[row] = _crc_continued(int(crcs[row]), texts[order[row]][place:])
            break
        crc = crcs[:unfinished]
        byte = data[begin[:unfinished] + place]
        crcs[:unfinished] = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    result = np.empty_like(crcs)
    result[order] = ~crcs
    return result


_LCG_MODULUS: Final = 2**31 - 1
_LCG_FACTOR: Final = 48271
_LCG_SKIPPED: Final = 20
_LCG_START_FOR_ZERO: Final = 89482311


def _lcg_start(crc: int) -> int:
    """Return the start of Go's linear congruential generator (LCG), 1 to 2^31-2, for the hash of a seed."""
    signed = crc - 2**64 if crc >= 2**63 else crc
    return signed % _LCG_MODULUS or _LCG_START_FOR_ZERO


def _lcg_starts(crcs: NDArray[np.uint64]) -> NDArray[np.uint64]:
    starts = (crcs.view(np.int64) % _LCG_MODULUS).astype(np.uint64)
    starts[starts == 0] = _LCG_START_FOR_ZERO
    return starts


# ---- Go's generator --------------------------------------------------------------------------------------
#
# An additive lagged Fibonacci generator, x[n] = x[n-607] + x[n-273] mod 2^64, in a table that is traversed
# from its end to its beginning. `rand.Seed` fills the table from the LCG.

_LENGTH: Final = 607
_LAG: Final = 273
_FEED: Final = _LENGTH - _LAG


def _lcg_table(start: int, shift: int) -> list[int]:
    """Return the 607 words of a table; each combines three values of the LCG, `shift` bits apart."""
    value = start
    for _ in range(_LCG_SKIPPED):
        value = value * _LCG_FACTOR % _LCG_MODULUS
    words = []
    for _ in range(_LENGTH):
        word = 0
        for _ in range(3):
            value = value * _LCG_FACTOR % _LCG_MODULUS
            word = word << shift ^ value
        words.append(word & _MASK64)
    return words


def _int31s(start: int) -> Iterator[int]:
    """Yield the values of Go's Int31 after seeding: 0 to 2^31-1."""
    table = [
        word ^ constant for word, constant in zip(_lcg_table(start, 20), _constants().tolist(), strict=True)
    ]
    tap, feed = 0, _FEED
    while True:
        tap = (tap - 1) % _LENGTH
        feed = (feed - 1) % _LENGTH
        table[feed] = (table[feed] + table[tap]) & _MASK64
        yield table[feed] >> 32 & _LOW31


def _largest(choices: int) -> int:
    """Return the largest Int31 that Intn(choices) accepts, so that every choice has equally many values."""
    return 2**31 - 1 - 2**31 % choices


def _shuffled(cards: tuple[Card, ...], int31s: Iterator[int]) -> list[Card]:
    """Return a shuffled deck: each card in turn is swapped with a random card up to and including itself."""
    shuffled = list(cards)
    for place in range(len(cards)):
        # Go's Intn, which draws a number even for a single choice.
        other = next(value for value in int31s if value <= _largest(place + 1)) % (place + 1)
        shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
    return shuffled


# ---- Shuffles for many seeds -----------------------------------------------------------------------------


class _Recipe(NamedTuple):
    """Factors and constants to compute the first outputs of the generator without its table.

    For t from 1 to 273, output t is table[334 - t] + table[607 - t] of the table after seeding. Value k of
    the LCG is start * 48271^k mod 2^31-1.
    """

    factors: NDArray[np.uint64]
    """(outputs, 3, 2, 1): 48271^k mod 2^31-1 for the three values of each of the two words."""
    constants: NDArray[np.uint64]
    """(outputs, 2, 1): Go's constants for the two words."""


@functools.cache
def _recipe(outputs: int) -> _Recipe:
    words = [(_FEED - t, _LENGTH - t) for t in range(1, outputs + 1)]
    factors = [
        [[pow(_LCG_FACTOR, _LCG_SKIPPED + 3 * word + k, _LCG_MODULUS) for word in pair] for k in (1, 2, 3)]
        for pair in words
    ]
    return _Recipe(np.array(factors, dtype=np.uint64)[..., None], _constants()[np.array(words)][..., None])


def _shuffled_together(cards: NDArray[np.uint8], starts: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the deck `cards` shuffled for each start of the LCG: (starts, cards) uint8."""
    recipe = _recipe(len(cards))
    columns = np.arange(len(starts))
    piles = np.empty((len(cards), len(starts)), dtype=np.uint8)
    flat = piles.reshape(-1)
    rejected = np.zeros(len(starts), dtype=np.bool_)
    for place, card in enumerate(cards):
        int31s = _int31s_at(recipe, place, starts)
        rejected |= int31s > _largest(place + 1)
        other = int31s % (place + 1) * len(starts) + columns
        # The card at `place` has not moved yet; swap it with the card at `other`.
        piles[place] = flat[other]
        flat[other] = card
    shuffled = np.ascontiguousarray(piles.T)
    # If Intn rejects a value and draws another, all later values shift.
    for row in np.flatnonzero(rejected):
        shuffled[row] = _shuffled(cards.tolist(), _int31s(int(starts[row])))
    return shuffled


def _int31s_at(recipe: _Recipe, output: int, starts: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Return value number `output` (from 0) of Int31 for each start: (starts,) uint32."""
    values = recipe.factors[output] * starts
    # A product is below 2^62. Modulo 2^31-1, the high bits can be added to the low bits: after one addition
    # the value is below 2^32, after two at most 2^31-1. It is 2^31-1 only for 0, which the LCG never reaches.
    values = (values & _LOW31) + (values >> 31)
    values = (values & _LOW31) + (values >> 31)
    words = values[0] << 40 ^ values[1] << 20 ^ values[2] ^ recipe.constants[output]
    int31s: NDArray[np.uint32] = ((words[0] + words[1]) >> 32 & _LOW31).astype(np.uint32)
    return int31s


# ---- Go's constants --------------------------------------------------------------------------------------

_STEPS: Final = 7_800_000_000_000


@functools.cache
def _constants() -> NDArray[np.uint64]:
    """Return the (607,) uint64 words that Go mixes into a table when seeding (`rngCooked` in its source).

    They are the table of the same generator, filled from seed 1 with shifts of 10 bits, after 7.8e12 steps
    (Go's gen_cooked.go). These steps are skipped: because z^607 = z^334 + 1, the power z^steps is a
    polynomial with 607 coefficients c, and x[steps + i] = sum of c[k] * x[k + i].
    """
    # The table in chronological order: entry i of the table is x[333 - i mod 607].
    places = (_FEED - 1 - np.arange(_LENGTH)) % _LENGTH
    sequence = np.empty(2 * _LENGTH - 1, dtype=np.uint64)
    sequence[:_LENGTH] = np.array(_lcg_table(1, 10), dtype=np.uint64)[places]
    for begin in range(_LENGTH, len(sequence), _LAG):
        now = np.arange(begin, min(begin + _LAG, len(sequence)))
        sequence[now] = sequence[now - _LENGTH] + sequence[now - _LAG]
    constants = np.empty(_LENGTH, dtype=np.uint64)
    constants[(places - _STEPS) % _LENGTH] = np.correlate(sequence, _power_of_z(_STEPS), "valid")
    constants.flags.writeable = False
    return constants


def _power_of_z(exponent: int) -> NDArray[np.uint64]:
    """Return z^exponent modulo z^607 - z^334 - 1, coefficients modulo 2^64: (607,) uint64, lowest first."""
    bits = max(exponent.bit_length() - 9, 0)  # the exponent of the first nine bits is below 607
    power = np.zeros(_LENGTH, dtype=np.uint64)
    power[exponent >> bits] = 1
    for bit in reversed(range(bits)):
        # Products and sums of uint64 wrap around, as required modulo 2^64.
        square = np.convolve(power, power)
        if exponent >> bit & 1:
            square = np.append(np.uint64(0), square)
        # Replace z^607 by z^334 + 1, in blocks short enough that a block does not change itself.
        for end in range(len(square), _LENGTH, -_LAG):
            begin = max(end - _LAG, _LENGTH)
            square[begin - _LAG : end - _LAG] += square[begin:end]
            square[begin - _LENGTH : end - _LENGTH] += square[begin:end]
        power = square[:_LENGTH]
    return power
