"""The decks of the Hanabi Learning Environment (HLE), as a build with GCC's library deals them.

HLE shuffles nothing: each deal draws a kind of card from those left, with `std::discrete_distribution` over a
`std::mt19937`. Hence:

* The order of the cards depends on the seed alone. All cards of seat 0 are dealt first, then those of seat 1.
* An environment keeps its generator from one game (`reset`) to the next, so the deck of a later game depends
  on how many cards the earlier ones dealt.
* With `random_start_player` each game first draws who begins, from the same generator.

The first game of a seed is the same in a build with LLVM's library (libc++), unless `random_start_player` is
on; later games are not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.decks.numbers import COPIES, PLAIN_DECK, whole_number
from hanalyze.errors import HanalyzeError
from hanalyze.game.cards import Card, identity

_RANKS: Final = len(COPIES)
_COUNTS: Final = COPIES * 5
"""Cards of each kind in a full deck; kind = suit * 5 + rank - 1."""
_CARDS: Final = len(PLAIN_DECK)
_WORDS_PER_DEAL: Final = 2
_BELOW_ONE: Final = float(np.nextafter(1.0, 0.0))
_CHUNK: Final = 1024


class Deal(NamedTuple):
    """The random choices of one game: its deck, top card first, and the seat that begins."""

    deck: list[Card]
    start_seat: int


def deck(
    seed: str | int,
    *,
    game: int = 0,
    drawn: Sequence[int] | None = None,
    random_start_player: int | None = None,
) -> list[Card]:
    """Return the deck of a seed, top card first; the parameters are those of `deal`.

    >>> deck(0)[:3]
    [Card(suit=2, rank=5), Card(suit=4, rank=1), Card(suit=4, rank=2)]
    """
    return deal(seed, game=game, drawn=drawn, random_start_player=random_start_player).deck


def deal(
    seed: str | int,
    *,
    game: int = 0,
    drawn: Sequence[int] | None = None,
    random_start_player: int | None = None,
) -> Deal:
    """Return the deck and the first seat of a game of the environment with this seed.

    `seed`: -2147483648 to 2147483647 as in HLE, but not -1, which stands there for "take one at random".
    `game`: which game of the environment, from 0. `drawn`: for each of the games before it, how many cards
    it dealt, 0 to 50; None if all of them went through the whole deck. `random_start_player`: the number of
    players (2 to 5) of an environment with that option on, None (the default of HLE) for one without: then
    seat 0 begins. Raises HanalyzeError: `bad_seed`, or `bad_option` for the other parameters.

    A two-player game that ended after six cards were drawn dealt 16 cards; the game after it:

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
        what = f"game {game} comes after {game} others, but `drawn` covers {len(earlier)}"
    elif wrong := [number for number, cards in enumerate(earlier) if not 0 <= cards <= _CARDS]:
        what = f"a game deals 0 to {_CARDS} cards, and `drawn` gives game {wrong[0]} {earlier[wrong[0]]}"
    elif random_start_player is not None and not 2 <= random_start_player <= 5:
        what = f"2 to 5 can play, not {random_start_player}"
    if what is not None:
        raise HanalyzeError(what, rule="bad_option")
    words = _words(_state_number(seed))
    for cards in [*earlier, _CARDS]:
        # The state of a game draws its first seat when it is made, before any card.
        start_seat = 0 if random_start_player is None else _uniform(random_start_player, words)
        kinds = _dealt(cards, words)
    return Deal([Card(kind // _RANKS, kind % _RANKS + 1) for kind in kinds], start_seat)


def decks(seeds: Iterable[str] | Iterable[int]) -> NDArray[np.uint8]:
    """Return the decks of the first games of many seeds: (seeds, 50) uint8, identity numbers, top card first.

    >>> decks([0, 1])[:, :3]
    array([[21, 33, 34],
           [37, 35,  3]], dtype=uint8)
    """
    numbers = [_state_number(seed) for seed in seeds]
    kinds_to_identities = np.array(
        [identity(kind // _RANKS, kind % _RANKS + 1) for kind in range(len(_COUNTS))], dtype=np.uint8
    )
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
    """Return the number that seeds the generator: HLE reads a C++ int and turns it into an unsigned one."""
    number = whole_number(seed)
    if not -(2**31) <= number < 2**31:
        shown = str(number) if abs(number) < 2**64 else "a far larger number"
        what = f"a seed of the Hanabi Learning Environment is -2147483648 to 2147483647, not {shown}"
        raise HanalyzeError(what, rule="bad_seed")
    if number == -1:
        what = "seed -1 makes the Hanabi Learning Environment choose a random seed"
        advice = "the environment reports the chosen seed in its parameters"
        raise HanalyzeError(what, rule="bad_seed", advice=advice)
    return number % 2**32


def _words(number: int) -> Iterator[int]:
    """Yield the words of std::mt19937(number), 0 to 2^32-1."""
    # RandomState is the same generator with the same seeding, and NumPy keeps its stream for ever.
    generator = np.random.RandomState(number)
    while True:
        yield from np.frombuffer(generator.bytes(4 * 624), dtype="<u4").tolist()


def _uniform(choices: int, words: Iterator[int]) -> int:
    """Draw 0 to `choices` - 1 as std::uniform_int_distribution does since GCC 11."""
    # Lemire, "Fast Random Integer Generation in an Interval", 2019: the high half of word * choices, where
    # the low half may not be below 2^32 mod choices.
    while True:
        product = next(words) * choices
        if product % 2**32 >= 2**32 % choices:
            return product >> 32


def _uniform_real(words: Iterator[int]) -> float:
    """Draw 0 <= u < 1 from two words, the low one first: std::generate_canonical of 53 bits."""
    low, high = float(next(words)), float(next(words))
    return min((low + high * 2.0**32) / 2.0**64, _BELOW_ONE)


def _uniform_reals(words: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Do what `_uniform_real` does, for pairs of words along the last axis."""
    pairs = words.astype(np.float64)
    reals: NDArray[np.float64] = (pairs[..., 0] + pairs[..., 1] * 2.0**32) / 2.0**64
    return np.minimum(reals, _BELOW_ONE)


def _dealt(cards: int, words: Iterator[int]) -> list[int]:
    """Deal so many cards from a full deck, one std::discrete_distribution per card; the kinds, top first."""
    counts = list(_COUNTS)
    dealt = []
    for left in range(_CARDS, _CARDS - cards, -1):
        kinds = [kind for kind, count in enumerate(counts) if count]
        kind = kinds[0]
        if len(kinds) > 1:  # A choice of one draws no words.
            chances = [counts[kind] / left for kind in kinds]
            # Sums from the left: sum() rounds better than C++ does since Python 3.12.
            *_, total = accumulate(chances)
            limits = list(accumulate(chance / total for chance in chances))
            limits[-1] = 1.0
            kind = kinds[bisect_left(limits, _uniform_real(words))]
        counts[kind] -= 1
        dealt.append(kind)
    return dealt


def _dealt_together(reals: NDArray[np.float64]) -> NDArray[np.intp]:
    """Do what `_dealt` does, for whole decks from the reals that they draw: both (50, decks).

    A deck uses its reals in order as long as two kinds are left; then they do not matter. Kinds that have run
    out stay in the arithmetic with chance 0.0, which changes no sum.
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
        # The last kind's limit is 1 whatever the sum was rounded to.
        last = len(_COUNTS) - 1 - possible[::-1].argmax(axis=0)
        kinds = np.where(reached[kinds, columns], kinds, last)
        counts[kinds, columns] -= 1
        dealt[turn] = kinds
    return dealt


def _running_sums(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of each row and those above it, added from the top."""
    # Row by row this takes an eighth of the time of numpy.cumsum.
    sums = rows.copy()
    for row in range(1, len(rows)):
        sums[row] += sums[row - 1]
    return sums
