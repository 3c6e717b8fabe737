"""Decks of the Hanabi Learning Environment (HLE), when it is built with GCC's library.

HLE does not shuffle: it draws each card from the remaining cards with `std::discrete_distribution` and
`std::mt19937`. Therefore:

* In the first game, the order of the cards depends only on the seed. All cards of seat 0 are dealt first,
  then those of seat 1, and so on.
* An environment continues to use its generator after a `reset`, so the deck of a later game depends on the
  number of cards dealt in the earlier games.
* With `random_start_player` each game first draws the starting player from the same generator.

When HLE is built with LLVM's library (libc++), the first game of a seed is the same unless
`random_start_player` is on; later games differ.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card, identity
from hanalyze.text import shorten

COPIES: Final = (3, 2, 2, 2, 1)  # copies of each rank from 1 to 5 in a plain suit

PLAIN_DECK: Final = tuple(
    Card(suit, rank)
    for suit in range(5)
    for rank, copies in enumerate(COPIES, start=1)
    for _ in range(copies)
)
"""The deck of five plain suits, ordered by suit, then rank."""

# The limit on digits is far above any seed in a log, and below the limit of int().
_WHOLE_NUMBER: Final = re.compile(r"-?[0-9]{1,4000}")


def whole_number(seed: str | int) -> int:
    """Return a seed as a number.

    Accepts integers, including NumPy's, and text of ASCII digits with an optional minus sign. Raises
    HanalyzeError (`bad_seed`) for anything else.

    >>> whole_number("-5")
    -5
    """
    if isinstance(seed, str):
        if _WHOLE_NUMBER.fullmatch(seed):
            return int(seed)
        text = f'"{shorten(seed)}"'
    else:
        try:
            return operator.index(seed)
        except TypeError:
            text = shorten(repr(seed))
    advice = 'seeds such as "p2v0s1" belong to the shuffle "hanab-live"'
    what = f"a seed of this shuffle is a whole number, not {text}"
    raise HanalyzeError(what, rule="bad_seed", advice=advice)


_RANKS: Final = len(COPIES)
_COUNTS: Final = COPIES * 5  # number of cards of each kind in a full deck; kind = suit * 5 + rank - 1
_CARDS: Final = len(PLAIN_DECK)
_WORDS_PER_DEAL: Final = 2
_BELOW_ONE: Final = float(np.nextafter(1.0, 0.0))
_CHUNK: Final = 1024


class Deal(NamedTuple):
    """The random choices of one game: its deck, top card first, and its starting seat."""

    deck: list[Card]
    start_seat: int


def deck(seed: str | int) -> list[Card]:
    """Return the deck of the first game of a seed, top card first. Raises the errors of `deal`.

    >>> deck(0)[:3]
    [Card(suit=2, rank=5), Card(suit=4, rank=1), Card(suit=4, rank=2)]
    """
    return deal(seed).deck


def deal(
    seed: str | int,
    *,
    game: int = 0,
    drawn: Sequence[int] | None = None,
    random_start_player: int | None = None,
) -> Deal:
    """Return the deck and the starting seat of a game of the environment with this seed.

    `seed` is -2147483648 to 2147483647, except -1, for which HLE chooses a random seed. `game` is the index
    of the game in the environment. `drawn` has the number of cards (0 to 50) dealt in each earlier game, None
    if all earlier games dealt the whole deck. `random_start_player` is the number of players (2 to 5) if that
    option of HLE is on, otherwise None: seat 0 begins. Raises HanalyzeError: `bad_seed`, or `bad_option` for
    the other parameters.

    A two-player game that ended after six draws dealt 16 cards. The game after it:

    >>> deal(1, game=1, drawn=[16]).deck[:2]
    [Card(suit=2, rank=1), Card(suit=2, rank=1)]
    >>> deal(1, random_start_player=2).start_seat
    0
    """
    earlier = [_CARDS] * game if drawn is None else list(drawn)
    what = None
    if game < 0:
        what = f"there is no game {game}: games are numbered from 0"
    elif len(earlier) != game:
        what = f"`drawn` has {len(earlier)} entries, but game {game} needs {game}"
    elif wrong := [number for number, cards in enumerate(earlier) if not 0 <= cards <= _CARDS]:
        what = f"a game deals 0 to {_CARDS} cards, but `drawn` has {earlier[wrong[0]]} for game {wrong[0]}"
    elif random_start_player is not None and not 2 <= random_start_player <= 5:
        what = f"2 to 5 players can play, not {random_start_player}"
    if what is not None:
        raise HanalyzeError(what, rule="bad_option")
    words = _words(_state_number(seed))
    for cards in [*earlier, _CARDS]:
        # HLE draws the starting seat when it creates the state of a game, before any card.
        start_seat = 0 if random_start_player is None else _uniform(random_start_player, words)
        kinds = _dealt(cards, words)
    return Deal([Card(kind // _RANKS, kind % _RANKS + 1) for kind in kinds], start_seat)


def decks(seeds: Iterable[str] | Iterable[int]) -> NDArray[np.uint8]:
    """Return the first deck of each seed, (seeds, 50) uint8 identities, top first; raise as `deck` does.

    >>> decks([0, 1])[:, :3]
    array([[21, 33, 34],
           [37, 35,  3]], dtype=uint8)
    """
    numbers = [_state_number(seed) for seed in seeds]
    identities = [identity(kind // _RANKS, kind % _RANKS + 1) for kind in range(len(_COUNTS))]
    kinds_to_identities = np.array(identities, dtype=np.uint8)
    result = np.empty((len(numbers), _CARDS), dtype=np.uint8)
    generator = np.random.RandomState(0)
    bytes_per_deck = 4 * _WORDS_PER_DEAL * _CARDS
    for first in range(0, len(numbers), _CHUNK):
        stream = bytearray()
        for number in numbers[first : first + _CHUNK]:
            generator.seed(number)
            stream += generator.bytes(bytes_per_deck)
        words = np.frombuffer(stream, dtype="<u4").reshape(-1, _CARDS, _WORDS_PER_DEAL)
        kinds = _dealt_together(_uniform_reals(words).T)
        result[first : first + _CHUNK] = kinds_to_identities[kinds.T]
    return result


def _state_number(seed: str | int) -> int:
    """Return the number that seeds the generator: HLE converts the seed, a C++ int, to an unsigned int.

    Raises `HanalyzeError` (rule `bad_seed`).
    """
    number = whole_number(seed)
    if not -(2**31) <= number < 2**31:
        text = str(number) if abs(number) < 2**64 else "a number of 20 digits or more"
        what = f"a seed of the Hanabi Learning Environment is -2147483648 to 2147483647, not {text}"
        raise HanalyzeError(what, rule="bad_seed")
    if number == -1:
        what = "seed -1 makes the Hanabi Learning Environment choose a random seed"
        advice = "the environment reports the chosen seed in its parameters"
        raise HanalyzeError(what, rule="bad_seed", advice=advice)
    return number % 2**32


def _words(number: int) -> Iterator[int]:
    """Yield the words of std::mt19937(number), 0 to 2^32-1."""
    # RandomState is the same generator with the same seeding, and NumPy guarantees its stream.
    generator = np.random.RandomState(number)
    while True:
        yield from np.frombuffer(generator.bytes(4 * 624), dtype="<u4").tolist()


def _uniform(choices: int, words: Iterator[int]) -> int:
    """Return a number from 0 to `choices` - 1, drawn like std::uniform_int_distribution since GCC 11."""
    # Lemire, "Fast Random Integer Generation in an Interval", 2019: the high half of word * choices; the word
    # is rejected if the low half is below 2^32 mod choices.
    while True:
        product = next(words) * choices
        if product % 2**32 >= 2**32 % choices:
            return product >> 32


def _uniform_real(words: Iterator[int]) -> float:
    """Return a number 0 <= u < 1 from two words, low word first, like std::generate_canonical of 53 bits."""
    low, high = float(next(words)), float(next(words))
    return min((low + high * 2.0**32) / 2.0**64, _BELOW_ONE)


def _uniform_reals(words: NDArray[np.uint32]) -> NDArray[np.float64]:
    pairs = words.astype(np.float64)
    reals: NDArray[np.float64] = (pairs[..., 0] + pairs[..., 1] * 2.0**32) / 2.0**64
    return np.minimum(reals, _BELOW_ONE)


def _dealt(cards: int, words: Iterator[int]) -> list[int]:
    """Draw cards from a full deck with std::discrete_distribution; return their kinds, top card first."""
    counts = list(_COUNTS)
    dealt = []
    for left in range(_CARDS, _CARDS - cards, -1):
        kinds = [kind for kind, count in enumerate(counts) if count]
        kind = kinds[0]
        if len(kinds) > 1:  # a single kind needs no random words
            chances = [counts[kind] / left for kind in kinds]
            # accumulate() rounds like C++; sum() is more precise since Python 3.12.
            *_, total = accumulate(chances)
            limits = list(accumulate(chance / total for chance in chances))
            limits[-1] = 1.0
            kind = kinds[bisect_left(limits, _uniform_real(words))]
        counts[kind] -= 1
        dealt.append(kind)
    return dealt


def _dealt_together(reals: NDArray[np.float64]) -> NDArray[np.intp]:
    """Draw whole decks like `_dealt`, from the random numbers `reals`; both arrays are (50, decks).

    A deck uses its random numbers in order while at least two kinds are left; the rest have no effect. A kind
    without cards left has probability 0.0, which does not change the sums.
    """
    counts = np.repeat(np.array(_COUNTS, dtype=np.float64)[:, None], reals.shape[1], axis=1)
    columns = np.arange(reals.shape[1])
    dealt = np.empty(reals.shape, dtype=np.intp)
    for turn in range(_CARDS):
        chances = counts / (_CARDS - turn)
        chances /= _running_sums(chances)[-1]
        limits = _running_sums(chances)
        possible = counts > 0
        reached = possible & (limits >= reals[turn])
        kinds = reached.argmax(axis=0)
        # The limit of the last kind is 1, regardless of rounding errors in the sum.
        last = len(_COUNTS) - 1 - possible[::-1].argmax(axis=0)
        kinds = np.where(reached[kinds, columns], kinds, last)
        counts[kinds, columns] -= 1
        dealt[turn] = kinds
    return dealt


def _running_sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the cumulative sums of the rows from the top, in the shape of `rows`."""
    sums = rows.copy()
    for row in range(1, len(rows)):
        sums[row] += sums[row - 1]
    return sums
