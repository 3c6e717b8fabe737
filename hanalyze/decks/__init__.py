"""Decks from seeds, top card first, for every supported shuffle.

| shuffle | seeds | variants |
|---|---|---|
| `hanab-live` | any text; the site's games are named `p{players}v{variant id}s{number}` | all |
| `hle` | -2147483648 to 2147483647, but not -1 | five plain suits: red, yellow, green, white, blue |
| `hanabi-data` | any whole number | five plain suits: green, yellow, white, blue, red |

A number can be given as text ("42"). A seed of hanab.live is always text, because the site hashes its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.decks import hanab_live, hanabi_data, hle
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.cards import Card
from hanalyze.game.variants import Variant, variant as variant_of
from hanalyze.text import nearest


class _Shuffle(NamedTuple):
    """Functions that deal one seed or many; a variant is their second argument unless `plain_suits_only`."""

    deck: Callable[..., list[Card]]
    decks: Callable[..., NDArray[np.uint8]]
    plain_suits_only: bool


_SHUFFLES: Final = {
    "hanab-live": _Shuffle(hanab_live.deck, hanab_live.decks, plain_suits_only=False),
    "hle": _Shuffle(hle.deck, hle.decks, plain_suits_only=True),
    "hanabi-data": _Shuffle(hanabi_data.deck, hanabi_data.decks, plain_suits_only=True),
}

SHUFFLES: Final = tuple(_SHUFFLES)
"""The names of the shuffles."""


def deck(
    seed: str | int, variant: str | int | Variant | None = None, shuffle: str = "hanab-live"
) -> list[Card]:
    """Return the deck of one seed, top card first.

    `variant` is a Variant, or its name, id or code. None selects the variant named by a seed of hanab.live
    ("p2v16s1": id 16), or "No Variant" if the seed names none. `shuffle` is one of SHUFFLES. Raises
    HanalyzeError (rule `bad_seed` for an invalid seed, `shuffle_variant` for a variant that the shuffle does
    not support, `player_count` without `variant` for a seed that names fewer than 2 or more than 6 players),
    and UnknownName for an unknown variant or shuffle.

    >>> deck("p2v0s1")[:3]
    [Card(suit=3, rank=5), Card(suit=4, rank=4), Card(suit=3, rank=3)]
    >>> deck(1, shuffle="hle")[:3]
    [Card(suit=4, rank=5), Card(suit=4, rank=3), Card(suit=0, rank=3)]
    """
    functions, arguments = _resolve(variant_named(seed, shuffle) if variant is None else variant, shuffle)
    return functions.deck(seed, *arguments)


def decks(
    seeds: Iterable[str | int], variant: str | int | Variant | None = None, shuffle: str = "hanab-live"
) -> NDArray[np.uint8]:
    """Return the decks of many seeds: (seeds, cards) uint8, identity `suit * 8 + rank`, top card first.

    Parameters and errors are those of `deck`. If `variant` is None, seeds that name different variants raise
    HanalyzeError (rule `seed_variants`).

    >>> decks(["p2v0s1", "p2v0s2"])[:, :3]
    array([[29, 36, 27],
           [12, 34,  4]], dtype=uint8)
    """
    if isinstance(seeds, str):
        # A string is an iterable of strings, so it would silently produce one deck per character.
        advice = "use deck(), or put the seed in a list"
        raise HanalyzeError("decks() takes several seeds, not one string", rule="bad_seed", advice=advice)
    seeds = list(seeds)
    if variant is None:
        variants = {variant_of(one): one for one in {variant_named(seed, shuffle) for seed in seeds}}
        if len(variants) > 1:
            what = f"the seeds name {len(variants)} variants"
            advice = "give the variant, or deal each seed separately"
            raise HanalyzeError(what, rule="seed_variants", advice=advice)
        variant = next(iter(variants), "No Variant")
    functions, arguments = _resolve(variant, shuffle)
    return functions.decks(seeds, *arguments)


def variant_named(seed: str | int, shuffle: str = "hanab-live") -> str:
    """Return the id or code of the variant that a seed names, "No Variant" if it names none.

    >>> variant_named("p4v16s1"), variant_named("any text"), variant_named(16, "hle")
    ('16', 'No Variant', 'No Variant')
    """
    parts = hanab_live.named_in(seed) if shuffle == "hanab-live" and isinstance(seed, str) else None
    return "No Variant" if parts is None else parts[1]


def _resolve(variant: str | int | Variant, shuffle: str) -> tuple[_Shuffle, tuple[Variant, ...]]:
    """Return a shuffle's functions, and the variant if they take one. Raises the errors of `deck`."""
    functions = _SHUFFLES.get(shuffle)
    if functions is None:
        advice = f"one of: {', '.join(SHUFFLES)}"
        raise UnknownName("shuffle", shuffle, nearest(shuffle, SHUFFLES), advice=advice)
    resolved = variant if isinstance(variant, Variant) else variant_of(variant)
    if functions.plain_suits_only and resolved.name != "No Variant":
        what = f'shuffle "{shuffle}" only deals the five plain suits, not "{resolved.name}"'
        raise HanalyzeError(what, rule="shuffle_variant", advice='use the variant "No Variant"')
    return functions, () if functions.plain_suits_only else (resolved,)
