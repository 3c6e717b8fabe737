"""Detectors from Python files and installed packages; files run with the permissions of the user."""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Final

from hanalyze.detectors.plugin import (
    Detector,
    FunctionDetector,
    Plan,
    bad_detector,
    error_text,
    in_order,
    plan_of,
)
from hanalyze.errors import HanalyzeError
from hanalyze.text import shorten

GROUP: Final = "hanalyze.detectors"
"""The group of entry points in which installed packages register detectors."""


def run_file(file: str, holds: str = "detectors", rule: str = "bad_detector") -> ModuleType:
    """Run a file and return its module, without writing a bytecode file.

    `holds` is the word for the contents in error messages. Raises `HanalyzeError` with `rule` for a file that
    fails, and with rule `unreadable` for a file that cannot be read.
    """
    try:
        source = Path(file).read_bytes()
    except OSError as error:
        advice = "give a Python file" if os.path.isdir(file) else None
        raise HanalyzeError(
            error.strerror or str(error), rule="unreadable", file=file, advice=advice
        ) from None
    digest = hashlib.sha256(os.path.abspath(file).encode(errors="replace")).hexdigest()
    name = f"hanalyze_{holds}_{digest[:12]}"
    module = ModuleType(name)
    module.__file__ = file
    # Dataclasses and annotations look the module up by its name.
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        line = error.lineno if isinstance(error, SyntaxError) else line_in(error, file)
        message = error.msg if isinstance(error, SyntaxError) else error_text(error)
        raise HanalyzeError(
            f"this file of {holds} fails to run: {message}", rule=rule, file=file, line=line
        ) from None
    return module


def line_in(error: BaseException, file: str) -> int | None:
    """Return the innermost line of a file in the traceback of an error, None if the file does not occur."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == file]
    return lines[-1] if lines else None


def _is_detector(value: object) -> bool:
    return isinstance(value, FunctionDetector) or (
        isinstance(value, type) and callable(getattr(value, "detect", None)) and hasattr(value, "name")
    )


def detectors_in(module: ModuleType) -> list[object]:
    """Return the detectors of a module: the list `DETECTORS`, otherwise all detectors defined in the module.

    Detectors are classes with `name` and `detect`, and functions with the decorator `detector`.
    """
    listed = getattr(module, "DETECTORS", None)
    if isinstance(listed, list | tuple):
        return list(listed)
    here = (value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__)
    return list({id(value): value for value in here if _is_detector(value)}.values())


def _plans(values: Iterable[object], source: str) -> Iterator[Plan]:
    """Yield the plans of detectors, or of classes of detectors."""
    for value in values:
        one = value
        if isinstance(value, type):
            try:
                one = value()
            except (Exception, SystemExit) as error:
                message = f"detector {shorten(value.__name__)} cannot be created: {error_text(error)}"
                raise bad_detector(message, source, "its class must not require arguments") from None
        if not isinstance(one, Detector):
            message = f"{type(one).__name__} is not a detector"
            raise bad_detector(message, source, "a detector has name, version and detect(turn)")
        yield plan_of(one, source)


def _of_file(path: str | os.PathLike[str]) -> Iterator[Plan]:
    file = os.fspath(path)
    detectors = detectors_in(run_file(file))
    if not detectors:
        advice = "write a class with name, version and detect(turn), or use the decorator `detector`"
        raise HanalyzeError("there is no detector in this file", rule="no_detector", file=file, advice=advice)
    yield from _plans(detectors, file)


def _installed() -> Iterator[Plan]:
    """Yield the detectors of installed packages, sorted by the names of their entry points."""
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        source = f"entry point {entry.name} = {entry.value}"
        try:
            value = entry.load()
        except (Exception, SystemExit) as error:
            message = f"an installed detector cannot be loaded: {error_text(error)}"
            raise bad_detector(message, source, "fix or uninstall its package") from None
        if isinstance(value, ModuleType):
            yield from _plans(detectors_in(value), source)
        else:
            yield from _plans(value if isinstance(value, list | tuple) else (value,), source)


def load_detectors(
    paths: Iterable[str | os.PathLike[str]] = (), entry_points: bool = True
) -> tuple[Plan, ...]:
    """Return the detectors of files, and with `entry_points` of installed packages, in running order.

    The detectors of a Python file are those in its list `DETECTORS`, otherwise all that it defines. An entry
    point of the group `hanalyze.detectors` names a detector, a class of detectors, a list of detectors, or a
    module. Raises `HanalyzeError` with the file (rules `unreadable`, `bad_detector`, `no_detector`), and the
    errors of `hanalyze.detectors.plugin.in_order`.

    >>> load_detectors([], entry_points=False)
    ()
    """
    plans = list(_installed()) if entry_points else []
    listed = [paths] if isinstance(paths, str | os.PathLike) else paths
    for path in listed:
        plans += _of_file(path)
    return in_order(plans)
