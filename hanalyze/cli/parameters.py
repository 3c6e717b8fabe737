"""Typer commands without Pydantic, whose import is slow and whose errors name Python types."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from enum import StrEnum
from typing import Any, Final, TypeVar

import typer
from typer import BadParameter
from typer.core import TyperCommand

from hanalyze.text import nearest, shorten

C = TypeVar("C", bound=Callable[..., None])

EXAMPLES: Final[dict[str, tuple[str, ...]]] = {}  # examples in the help of each command, by command name


def examples(*lines: str) -> Callable[[C], C]:
    """Register the examples of a command."""

    def register(command: C) -> C:
        EXAMPLES[command.__name__] = lines
        return command

    return register


def option(metavar: str, text: str, *names: str, **settings: Any) -> Any:
    """Return an option; `text` is its help, and `names` default to the name of the variable."""
    return typer.Option(*names, metavar=metavar, help=text, **settings)


def flag(name: str, text: str) -> Any:
    """Return an option without a metavar; `text` is its help."""
    return typer.Option(name, help=text)


def argument(metavar: str, text: str) -> Any:
    """Return an argument of a command; `text` is its help."""
    return typer.Argument(metavar=metavar, help=text)


class PlainCommand(TyperCommand):
    """A command that converts values with `_Conversion`."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, including `--help`, changed by `plain_parameters`."""
        return plain_parameters(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; in `hanalyze deck` a negative number is a seed, not an option."""
        numbers = [arg for arg in args if re.fullmatch(r"-[0-9]+", arg)] if self.name == "deck" else []
        if numbers:
            args = [*(arg for arg in args if arg not in numbers and arg != "--"), "--", *numbers]
        return super().parse_args(ctx, args)


def plain_parameters(parameters: Sequence[Any]) -> Sequence[Any]:
    """Make parameters convert values with `_Conversion` (needed from Typer 0.29 on), and return them."""
    for parameter in parameters:
        usual = getattr(parameter, "get_runtime_param", None)
        if usual is not None and not isinstance(usual, _Conversion):
            parameter.get_runtime_param = _Conversion(usual)
            if parameter.param_type_name == "argument":
                parameter.display_type_rich = lambda ctx: ""  # the help describes the argument
    return parameters


class _Conversion:
    """Converts the values of one parameter; leaves types that it does not know to Typer."""

    def __init__(self, usual: Callable[[], Any]) -> None:
        self.usual = usual

    def __call__(self) -> _Conversion:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Convert a value to the type that the command's function declares. Raises `BadParameter`."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        annotation = param.type_descriptor.annotation
        if annotation in (bool, str) or (isinstance(annotation, type) and type(value) is annotation):
            return value
        if annotation == list[str]:
            return list(value)
        try:
            if annotation is int:
                return number(value, param.min, param.max)
            if isinstance(annotation, type) and issubclass(annotation, StrEnum):
                return annotation(word(value, annotation))
        except ValueError as error:
            raise BadParameter(str(error), ctx=ctx, param=param) from None
        return self.usual().coerce(value, param=param, ctx=ctx)


def one_of(names: Iterable[str], former: Container[str] = ()) -> dict[str, Any]:
    """Return the settings of an option that accepts only these names; the option may be repeatable.

    It also accepts `former` names, but neither completes nor lists them.
    """

    def check(value: str | list[str] | None) -> str | list[str] | None:
        for name in [value] if isinstance(value, str) else value or ():
            if name in former:
                continue
            try:
                word(name, names)
            except ValueError as error:
                raise BadParameter(str(error)) from None
        return value

    return {"callback": check, "autocompletion": lambda: list(names)}


def number(text: str, least: int | None, most: int | None) -> int:
    """Parse a whole number from `least` to `most`. Raises `ValueError`.

    >>> number("30", 1, None)
    30
    >>> number("99", 1, 25)
    Traceback (most recent call last):
    ValueError: 99 is more than 25
    """
    try:
        value = int(text)
    except ValueError:  # also for more digits than Python converts
        raise ValueError(f'"{shorten(text)}" is not a whole number') from None
    if least is not None and value < least:
        raise ValueError(f"{shorten(text)} is less than {least}")
    if most is not None and value > most:
        raise ValueError(f"{shorten(text)} is more than {most}")
    return value


def word(text: str, words: Iterable[str]) -> str:
    """Return a text if it is one of `words`. Raises `ValueError` that names a similar word, or all words.

    >>> word("clues", ["play", "clue"])
    Traceback (most recent call last):
    ValueError: there is no "clues"; did you mean "clue"?
    """
    if text in (every := list(words)):
        return text
    near = nearest(text, every, most=1)
    way_out = f'did you mean "{near[0]}"?' if near else "one of: " + ", ".join(every)
    raise ValueError(f'there is no "{shorten(text)}"; {way_out}')
