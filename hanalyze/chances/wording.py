"""A chance in words, no sharper than the games that it rests on allow.

In: a chance, and how many cards with such a chance were seen. Out: words.
"""

from __future__ import annotations

from typing import Final

ENOUGH: Final = 100
"""Cards in a tenth without which a chance is only said roughly."""


def say_chance(chance: float, rows: int) -> str:
    """Return a chance in per cent; with fewer than `ENOUGH` cards like it, to the nearest ten, with "about".

    >>> say_chance(0.234, 5000), say_chance(0.234, 40), say_chance(0.03, 40), say_chance(0.0, 0)
    ('23%', 'about 20%', 'below 10%', '0%')
    """
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    if rows >= ENOUGH:
        if chance < 0.005:
            return "below 1%"
        return "above 99%" if chance > 0.995 else f"{chance:.0%}"
    tens = round(chance * 10) * 10
    if tens == 0:
        return "below 10%"
    return "above 90%" if tens == 100 else f"about {tens}%"
