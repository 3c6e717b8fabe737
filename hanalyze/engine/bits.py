"""Counting the members of a mask, at both speeds.

In: a mask. Out: how many bits are set. Processors count bits in one instruction, and Python in one call, but
no code that means both: this is the one function of the engine that exists twice.
"""

from __future__ import annotations

from typing import Any

__all__ = ["popcount", "teach_compiler"]


def popcount(mask: int) -> int:
    """Return the number of bits set in a mask that is not negative.

    >>> popcount(0b1011)
    3
    """
    return int(mask).bit_count()


def teach_compiler() -> None:
    """Tell Numba what `popcount` is in machine code."""
    from numba import types
    from numba.extending import intrinsic, overload

    def count(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    count_bits: Any = intrinsic(count)
    # Numba compares the two signatures to the letter, annotations too: so lambdas, which have none.
    overload(popcount)(lambda mask: lambda mask: count_bits(mask))  # noqa: PLW0108 - it must be a function
