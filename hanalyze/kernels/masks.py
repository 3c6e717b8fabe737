"""Sets of small numbers as bit masks; compiled code has its own versions of `popcount` and `highest`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hanalyze.kernels.compiling import before_compiling, kernel


def popcount(mask: int) -> int:
    """Return the number of set bits in a non-negative mask.

    >>> popcount(0b1011)
    3
    """
    return mask.bit_count()


@kernel
def lowest(mask: int) -> int:
    """Return the lowest member of a non-empty mask.

    >>> lowest(0b1010)
    1
    """
    return popcount((mask & -mask) - 1)


def highest(mask: int) -> int:
    """Return the highest member of a non-negative mask, -1 if it is empty.

    >>> highest(0b1010), highest(0)
    (3, -1)
    """
    return mask.bit_length() - 1


@kernel
def drop_lowest(mask: int) -> int:
    """Return a mask without its lowest member; an empty mask stays empty.

    >>> bin(drop_lowest(0b1010))
    '0b1000'
    """
    return mask & (mask - 1)


@kernel
def is_one(mask: int) -> bool:
    """Return whether a mask has at most one member.

    >>> is_one(0b1000), is_one(0b1010)
    (True, False)
    """
    return mask & (mask - 1) == 0


@kernel
def members(mask: int) -> Iterator[int]:
    """Yield the members of a mask, lowest first.

    >>> list(members(0b1001))
    [0, 3]
    """
    while mask:
        yield lowest(mask)
        mask = drop_lowest(mask)


@before_compiling
def _teach_compiler() -> None:
    from numba import types
    from numba.extending import intrinsic, overload

    def count(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    def find(typing_context: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            above = builder.ctlz(arguments[0], context.get_constant(types.boolean, False))
            return builder.sub(context.get_constant(types.int64, 63), above)

        return types.int64(types.int64), generate

    count_bits: Any = intrinsic(count)
    find_highest: Any = intrinsic(find)
    # Numba requires identical signatures, including annotations, so all are lambdas without annotations.
    overload(popcount)(lambda mask: lambda mask: count_bits(mask))  # noqa: PLW0108 - it must be a function
    overload(highest)(lambda mask: lambda mask: find_highest(mask))  # noqa: PLW0108 - it must be a function
