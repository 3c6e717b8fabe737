"""Records that are Python objects for the interpreter and NumPy structures for the compiler."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self, TypeAlias, cast, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = list[int]  # type of a field with one dimension
Grid: TypeAlias = list[list[int]]  # type of a field with two dimensions, a list of rows


class _Fields(type):
    """Metaclass that turns each annotated name of a record into a slot."""

    def __new__(cls, name: str, bases: tuple[type, ...], names: dict[str, Any]) -> _Fields:
        names["__slots__"] = tuple(name for name in names.get("__annotations__", ()) if name != "__slots__")
        return super().__new__(cls, name, bases, names)


class Record(metaclass=_Fields):
    """A record whose fields are integers, tables of integers, records, or lists of records.

    Annotations: `int`; `Annotated[Row, 6]` for six integers; `Annotated[Grid, 6, 4]` for six rows of four
    integers; another record `R`; `Annotated[list[R], 16]` for sixteen records `R`. All integers start at 0.

    >>> class Seat(Record):
    ...     tokens: int
    ...     hand: Annotated[Row, 3]
    >>> seat = Seat()
    >>> seat.hand[1] += 5
    >>> seat.tokens, seat.hand
    (0, [0, 5, 0])
    >>> packed(Seat, [seat])["hand"].tolist()
    [[0, 5, 0]]
    """

    __slots__: tuple[str, ...]

    def __init__(self) -> None:
        for name, empty in _makers(type(self)):
            setattr(self, name, empty())

    def copy(self) -> Self:
        """Return a deep copy."""
        return cast(Self, _copier(_plain_kind(type(self)))(self))

    def frozen(self) -> Self:
        """Return a read-only copy; `copy` returns a writable one.

        >>> class Seat(Record):
        ...     tokens: int
        >>> Seat().frozen().tokens = 1
        Traceback (most recent call last):
        ...
        AttributeError: Seat is read-only
        """
        return cast(Self, _copier(_frozen_kind(type(self)))(self))

    @classmethod
    def new(cls, *, fast: bool) -> Self:
        """Return a record for the interpreter, or with `fast` a record for compiled code."""
        # Kernels access both kinds by the same field names.
        return cast(Self, np.zeros(1, dtype_of(cls))[0]) if fast else cls()


@functools.cache
def _fields(record: type[Record]) -> tuple[tuple[str, type, tuple[int, ...]], ...]:
    """Return the name, type (`int` or a record) and shape of each field."""
    record = _plain_kind(record)
    fields: list[tuple[str, type, tuple[int, ...]]] = []
    for name in record.__slots__:
        hint, shape = _hint(record.__annotations__[name], record.__module__), []
        if get_origin(hint) is Annotated:
            hint, *shape = get_args(hint)
            while get_origin(hint) is list:
                [hint] = get_args(hint)
        fields.append((name, hint, tuple(shape)))
    return tuple(fields)


@functools.cache
def _hint(annotation: str, module: str) -> Any:
    """Return the type that an annotation in a module names; cached, unlike `typing.get_type_hints`."""
    return eval(annotation, vars(sys.modules[module]))


@functools.cache
def _makers(record: type[Record]) -> tuple[tuple[str, Callable[[], Any]], ...]:
    return tuple((name, _maker(kind, shape)) for name, kind, shape in _fields(record))


def _maker(kind: type, shape: Sequence[int]) -> Callable[[], Any]:
    if not shape:
        return kind
    if kind is int and len(shape) == 1:
        return ([0] * shape[0]).copy  # the usual case
    inner = _maker(kind, shape[1:])
    return lambda: [inner() for _ in range(shape[0])]


@functools.cache
def _copier(kind: type[Record]) -> Callable[[Any], Any]:
    """Return a function that copies records into objects of a class, which may be read-only.

    The generated code names each field, because a loop over the fields is slower.
    """
    plain = _plain_kind(kind)
    rows = "[{}]" if kind is plain else "tuple([{}])"
    names: dict[str, Any] = {"new": object.__new__, "plain": plain, "kind": kind}
    lines = ["def copy(old):", "other = new(plain)"]

    def copied(value: str, of: type, depth: int) -> str:
        """Return code that copies lists nested `depth` times."""
        if depth == 1 and of is int:
            return rows.format(f"*{value}")
        if depth > 0:
            return rows.format(f"{copied('one', of, depth - 1)} for one in {value}")
        if of is int:
            return value
        names[of.__name__] = _copier(of if kind is plain else _frozen_kind(of))
        return f"{of.__name__}({value})"

    lines += [f"other.{name} = {copied(f'old.{name}', of, len(shape))}" for name, of, shape in _fields(plain)]
    if kind is not plain:
        lines.append("other.__class__ = kind")
    exec("\n ".join([*lines, "return other"]), names)
    return cast(Callable[[Any], Any], names["copy"])


class _ReadOnly:
    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")


@functools.cache
def _frozen_kind(kind: type[Record]) -> type[Record]:
    if issubclass(kind, _ReadOnly):
        return kind
    return cast(type[Record], _Fields(kind.__name__, (_ReadOnly, kind), {}))


def _plain_kind(kind: type[Record]) -> type[Record]:
    if not issubclass(kind, _ReadOnly):
        return kind
    _, plain = kind.__bases__
    return plain


@functools.cache
def dtype_of(record: type[Record]) -> np.dtype[np.void]:
    """Return the structured dtype of a record."""
    return np.dtype(
        [
            (name, dtype_of(kind) if issubclass(kind, Record) else np.int64, shape)
            for name, kind, shape in _fields(record)
        ],
        align=True,
    )


def _values(value: Any) -> Any:
    if isinstance(value, Record):
        return tuple(_values(getattr(value, name)) for name, *_ in _fields(type(value)))
    return [_values(one) for one in value] if isinstance(value, list | tuple) else value


def packed(kind: type[Record], records: Sequence[Record]) -> NDArray[np.void]:
    """Return records of one class as a structured array, (records,), for compiled code."""
    return np.array([_values(record) for record in records], dtype_of(kind))
