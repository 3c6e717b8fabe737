"""The interface of detectors, the order in which they run, and loading from files and installed packages."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from graphlib import CycleError, TopologicalSorter
from importlib import metadata
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, Protocol, runtime_checkable

from hanalyze.conventions.run import HIGHEST_LEVEL
from hanalyze.detectors.turns import ACTION_WORDS, Finding, Moment, Outcome, Turn
from hanalyze.errors import HanalyzeError
from hanalyze.text import printable, shorten

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,59}")


@runtime_checkable
class Detector(Protocol):
    """A detector needs a name, a version and a method `detect`; all other attributes have defaults.

    `level` (1) is the lowest H-Group level at which the detector runs. `systems` (`{"*"}`) are the convention
    systems that it belongs to, `"*"` for any. `after` (`()`) are the names of detectors whose findings it
    needs. `actions` (all) are the kinds of action that it receives: `play`, `discard`, `clue`. With
    `reads_truth` (False) it sees all hands instead of the acting player's view.

    `opportunities(moment)` yields, before the action, a finding for each label that an action could have;
    these findings are the denominators of rates. `judge(finding, later)` returns an `Outcome`, or None to use
    the outcome of the steps in `expects`; `later` contains the turns after the action, with all hands open. A
    method `update` is not supported: only the built-in reader infers cards.
    """

    @property
    def name(self) -> str:
        """The name, in lowercase letters, digits and _."""

    @property
    def version(self) -> str:
        """The version, which must change whenever the findings may change."""

    def detect(self, turn: Turn) -> Iterable[Finding]:
        """Return the findings for an action."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A detector with its checked attributes, and its file or entry point (`source`), if any."""

    detector: Detector
    name: str
    version: str
    level: int
    systems: frozenset[str]
    after: tuple[str, ...]
    actions: frozenset[str]
    reads_truth: bool
    opportunities: Callable[[Moment], Iterable[Finding]] | None
    judge: Callable[[Finding, Sequence[Turn]], Outcome | None] | None
    source: str | None = None


class FunctionDetector:
    """A callable detector that `detector` creates from a function; the arguments become its attributes."""

    name: str
    version: str

    def __init__(self, detect: Callable[[Turn], Iterable[Finding]], **attributes: Any) -> None:
        self.detect = detect
        vars(self).update(attributes)
        self.__doc__ = detect.__doc__
        self.__module__ = detect.__module__

    def __call__(self, turn: Turn) -> Iterable[Finding]:
        """Return the findings of the function for a turn."""
        return self.detect(turn)

    def __repr__(self) -> str:
        return printable(f"<detector {self.name} {self.version}>")


def detector(
    name: str,
    version: str,
    *,
    level: int = 1,
    systems: Iterable[str] = ("*",),
    after: Iterable[str] = (),
    actions: Iterable[str] = ACTION_WORDS,
    reads_truth: bool = False,
    opportunities: Callable[[Moment], Iterable[Finding]] | None = None,
    judge: Callable[[Finding, Sequence[Turn]], Outcome | None] | None = None,
) -> Callable[[Callable[[Turn], Iterable[Finding]]], FunctionDetector]:
    """Return a decorator that turns a function into a detector; the arguments are attributes of `Detector`.

    >>> @detector("any_clue", "1", actions={"clue"})
    ... def any_clue(turn):
    ...     yield Finding("clue")
    >>> any_clue
    <detector any_clue 1>
    """
    return partial(FunctionDetector, **locals())


def error_text(error: BaseException) -> str:
    """Return an error raised by a user's code as one line: its type and message."""
    try:
        text = shorten(str(error), 200)
    except Exception:  # a user-defined `__str__`
        text = ""
    return type(error).__name__ + (f": {text}" if text else "")


def bad_detector(message: str, source: str | None, advice: str | None = None) -> HanalyzeError:
    """Return the error for an invalid detector; `source` is its file or entry point."""
    return HanalyzeError(message, rule="bad_detector", file=source, advice=advice)


def plan_of(candidate: Detector, source: str | None = None) -> Plan:
    """Check the attributes of a detector and return its plan. Raises `HanalyzeError` (rule `bad_detector`).

    >>> plan_of(detector("any_clue", "1", actions={"clue"})(lambda turn: ())).actions
    frozenset({'clue'})
    """
    name, version = getattr(candidate, "name", None), getattr(candidate, "version", None)
    title = f'detector "{shorten(str(name))}"'
    if isinstance(candidate, str | os.PathLike) or (name is None and isinstance(candidate, FunctionType)):
        advice = (
            "to load a file, use load_detectors([path]);"
            " to make a function a detector, put @detector(name, version) above it"
        )
        raise bad_detector(f"not a detector, but {type(candidate).__name__}", source, advice)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        advice = "use up to 60 lowercase letters, digits and _, beginning with a letter"
        raise bad_detector(f"{title} has no valid name", source, advice)
    if not isinstance(version, str) or not 0 < len(version) <= 60:
        advice = 'give it one, as in version = "1"'
        raise bad_detector(f"{title} has no version of 1 to 60 characters", source, advice)
    if not callable(getattr(candidate, "detect", None)):
        raise bad_detector(f"{title} has no method detect(turn)", source)
    if hasattr(candidate, "update"):
        advice = "remove it: only the built-in reader infers cards"
        raise bad_detector(f"{title} has a method update, which is not supported", source, advice)
    level = getattr(candidate, "level", 1)
    if not isinstance(level, int) or not 1 <= level <= HIGHEST_LEVEL:
        wrong = f"{title} has level {shorten(str(level))}, but levels are 1 to {HIGHEST_LEVEL}"
        raise bad_detector(wrong, source)

    def words(trait: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = getattr(candidate, trait, default)
        items = () if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
        if not all(isinstance(word, str) for word in items) or (not items and value not in ((), [], set())):
            advice = f'as in {trait} = ("{(default or ("other",))[0]}",)'
            raise bad_detector(f"{title}: `{trait}` must be a list of strings", source, advice)
        return items

    actions = words("actions", ACTION_WORDS)
    if unknown := [word for word in actions if word not in ACTION_WORDS]:
        advice = "actions are " + ", ".join(ACTION_WORDS)
        raise bad_detector(f'{title} has the unknown action "{shorten(unknown[0])}"', source, advice)
    reads_truth = getattr(candidate, "reads_truth", False)
    if not isinstance(reads_truth, bool):
        raise bad_detector(f"{title}: `reads_truth` must be True or False", source)
    return Plan(
        candidate,
        name,
        version,
        level,
        frozenset(words("systems", ("*",))),
        tuple(dict.fromkeys(words("after", ()))),
        frozenset(actions),
        reads_truth,
        getattr(candidate, "opportunities", None),
        getattr(candidate, "judge", None),
        source,
    )


def in_order(detectors: Iterable[Detector | Plan]) -> tuple[Plan, ...]:
    """Return the plans of detectors, sorted so that each detector runs after those that it needs.

    Raises `HanalyzeError` if a detector is invalid (rule `bad_detector`), two detectors have the same name
    (`two_detectors`), `after` names an unknown detector (`unknown_detector`), detectors form a cycle
    (`detector_cycle`), or a detector without `reads_truth` needs one with it (`reads_truth`).

    >>> first = detector("first", "1", after=["second"])(lambda turn: ())
    >>> second = detector("second", "1")(lambda turn: ())
    >>> [plan.name for plan in in_order([first, second])]
    ['second', 'first']
    """

    def problem(plan: Plan, rule: str, message: str, advice: str) -> HanalyzeError:
        return HanalyzeError(message, rule=rule, file=plan.source, advice=advice)

    plans: dict[str, Plan] = {}
    for item in detectors:
        plan = item if isinstance(item, Plan) else plan_of(item)
        if plan.name in plans:
            other = plans[plan.name].source
            message = f'two detectors are named "{plan.name}"' + (f", the other in {other}" if other else "")
            raise problem(plan, "two_detectors", message, "rename one, or leave one out")
        plans[plan.name] = plan
    for plan in plans.values():
        for name in plan.after:
            if name not in plans:
                message = f'detector "{plan.name}" comes after "{shorten(name)}", which is not loaded'
                raise problem(plan, "unknown_detector", message, "load that detector as well")
            if plans[name].reads_truth and not plan.reads_truth:
                message = (
                    f'detector "{plan.name}" has reads_truth = False, but needs the findings of "{name}"'
                )
                advice = "set reads_truth for both, or for neither"
                raise problem(plan, "reads_truth", f"{message}, which has reads_truth = True", advice)
    try:
        names = list(TopologicalSorter({name: plan.after for name, plan in plans.items()}).static_order())
    except CycleError as error:
        # The names of the cycle are in running order; the first is repeated at the end.
        circle = " after ".join(f'"{name}"' for name in reversed(error.args[1]))
        message = f"detectors form a cycle: {circle}"
        advice = "remove one of these names from `after`"
        raise problem(plans[error.args[1][0]], "detector_cycle", message, advice) from None
    return tuple(plans[name] for name in names)


# --- loading: files run with the permissions of the user --------------------------------------------------

GROUP: Final = "hanalyze.detectors"
"""The group of entry points in which installed packages register detectors."""


def run_file(file: str, holds: str = "detectors", rule: str = "bad_detector") -> ModuleType:
    """Run a file and return its module, without writing a bytecode file.

    `holds` names the contents in error messages. Raises `HanalyzeError` with `rule` for a file that fails,
    and with rule `unreadable` for a file that cannot be read.
    """
    try:
        source = Path(file).read_bytes()
    except OSError as error:
        what = error.strerror or str(error)
        advice = "give a Python file" if os.path.isdir(file) else None
        raise HanalyzeError(what, rule="unreadable", file=file, advice=advice) from None
    digest = hashlib.sha256(os.path.abspath(file).encode(errors="replace")).hexdigest()
    name = f"hanalyze_{holds}_{digest[:12]}"
    module = ModuleType(name)
    module.__file__ = file
    # Dataclasses and annotations look the module up by its name.
    sys.modules[name] = module
    try:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        line = error.lineno if isinstance(error, SyntaxError) else line_in(error, file)
        message = error.msg if isinstance(error, SyntaxError) else error_text(error)
        what = f"this file of {holds} fails to run: {message}"
        raise HanalyzeError(what, rule=rule, file=file, line=line) from None
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
    declared = getattr(module, "DETECTORS", None)
    if isinstance(declared, list | tuple):
        return list(declared)
    here = (value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__)
    return list({id(value): value for value in here if _is_detector(value)}.values())


def _plans(values: Iterable[object], source: str) -> Iterator[Plan]:
    """Yield the plans of detectors, or of classes of detectors. Raises `HanalyzeError` (`bad_detector`)."""
    for value in values:
        candidate = value
        if isinstance(value, type):
            try:
                candidate = value()
            except (Exception, SystemExit) as error:
                message = f"detector {shorten(value.__name__)} cannot be created: {error_text(error)}"
                raise bad_detector(message, source, "its class must not require arguments") from None
        if not isinstance(candidate, Detector):
            message = f"{type(candidate).__name__} is not a detector"
            advice = "a detector needs a name, a version and a method detect(turn)"
            raise bad_detector(message, source, advice)
        yield plan_of(candidate, source)


def _of_file(path: str | os.PathLike[str]) -> Iterator[Plan]:
    file = os.fspath(path)
    detectors = detectors_in(run_file(file))
    if not detectors:
        advice = "write a class with name, version and detect(turn), or use the decorator `detector`"
        raise HanalyzeError("there is no detector in this file", rule="no_detector", file=file, advice=advice)
    yield from _plans(detectors, file)


def _installed() -> Iterator[Plan]:
    """Yield the detectors of installed packages, sorted by the names of their entry points.

    Raises `HanalyzeError` (rule `bad_detector`).
    """
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
    files = [paths] if isinstance(paths, str | os.PathLike) else paths
    for path in files:
        plans += _of_file(path)
    return in_order(plans)
