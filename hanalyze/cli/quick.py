"""Commands of Typer that start quickly.

Typer hands every argument to Pydantic, from some version on, and to import that takes a quarter of the time
of replaying a game; where a value is wrong it speaks of Python's types. Here texts and what was not given are
taken as they are, numbers and words are read by `hanalyze.cli.values`, and only the rest goes that way.
If Typer works otherwise than expected here, its own way is taken: slower, to the same end.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, get_args, get_origin

from typer import BadParameter
from typer.core import TyperCommand, TyperGroup

from hanalyze.cli.values import number, word


class QuickCommand(TyperCommand):
    """A command whose texts are taken as they are."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, the one for help among them."""
        return _quickened(super().get_params(ctx))


class QuickGroup(TyperGroup):
    """A group of commands whose texts are taken as they are."""

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters, the one for help among them."""
        return _quickened(super().get_params(ctx))


def _quickened(parameters: Any) -> Any:
    for parameter in parameters:
        if getattr(parameter, "_runtime_param", "missing") is None:
            parameter._runtime_param = _AsGiven()
            if getattr(parameter, "param_type_name", "") == "argument":
                # The help says what an argument is; Typer would add its type in Python.
                parameter.display_type_rich = _no_type
    return parameters


def _no_type(ctx: Any) -> str:
    return ""


def _words_of(annotation: Any) -> type[StrEnum] | None:
    """Return the words that a list is of, if it is of words."""
    [*of] = get_args(annotation) if get_origin(annotation) is list else ()
    return of[0] if of and isinstance(of[0], type) and issubclass(of[0], StrEnum) else None


class _AsGiven:
    """In the place of what converts the values of one parameter."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter as its function expects it."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        annotation = param.type_descriptor.annotation
        if annotation in (bool, int, str) and type(value) is annotation and param.callback is None:
            return value
        if annotation == list[str]:
            return list(value)
        try:
            if annotation is int and isinstance(value, str):
                return number(value, param.min, param.max)
            if isinstance(annotation, type) and issubclass(annotation, StrEnum):
                return word(value, annotation)
            if param.multiple and (words := _words_of(annotation)) is not None:
                return [word(one, words) for one in value]
        except ValueError as error:
            raise BadParameter(str(error), ctx=ctx, param=param) from None
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
