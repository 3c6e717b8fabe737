"""The switch between interpreter and compiler.

In: the engine's plain Python functions. Out: the same functions as machine code. A function that carries
`@kernel` stays what it is and is only remembered; `compiled(entry)` hands all of them to Numba and returns
`entry` compiled. So one game needs no compiler, and many games run the very same rules.

Numba's cache does not notice a change in another file than the entry's, so its folder is named for a digest
of all sources that a compiled function may come from.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from hanalyze.engine.bits import teach_compiler
from hanalyze.errors import HanalyzeError

__all__ = ["can_compile", "compiled", "kernel"]

P = ParamSpec("P")
R = TypeVar("R")

_kernels: Final[list[Callable[..., Any]]] = []
_registered: Final[set[Callable[..., Any]]] = set()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Remember `function` as one that compiled code may call, and return it unchanged.

    >>> @kernel
    ... def double(x: int) -> int:
    ...     return 2 * x
    >>> double(21)
    42
    """
    _kernels.append(function)
    return function


@functools.cache
def can_compile() -> bool:
    """Return whether the compiler is installed, without importing it."""
    import importlib.util

    return importlib.util.find_spec("numba") is not None


def _cache_folder() -> Path:
    """Return the folder for compiled code: per user, and per state of the sources."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(sys.version.encode())
    for folder in ("game", "tables", "engine", "agents", "conventions"):
        for source in sorted((package / folder).glob("*.py")):
            digest.update(source.read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "hanalyze" / digest.hexdigest()[:16]


@functools.cache
def compiled(entry: Callable[P, R]) -> Callable[P, R]:
    """Return `entry` as machine code, compiled on its first call or taken from the cache of an earlier run.

    The compiled function releases the global interpreter lock. What takes half a minute is announced to the
    logger of this module. Raises `HanalyzeError` (rule `no_compiler`)
    where Numba is not installed; ask `can_compile` first.
    """
    if not can_compile():
        raise HanalyzeError(
            "the compiler is not installed",
            rule="no_compiler",
            advice="pip install 'hanalyze[fast]'",
        )
    import numba
    import numba.extending

    if not os.environ.get("NUMBA_CACHE_DIR"):
        setattr(numba.config, "CACHE_DIR", str(_cache_folder()))  # noqa: B010 - numba sets its names at run time
    if not _registered:
        teach_compiler()
    for function in _kernels:
        if function not in _registered:
            numba.extending.register_jitable(_nrt=False)(function)
            _registered.add(function)
    # Kernels work in arrays that they are handed and make none, so nothing needs counting of references,
    # which would take a quarter of the time; Numba refuses to compile one that does make an array.
    options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    fast: Callable[P, R] = numba.njit(**options)(entry)
    if not _is_cached(entry):
        _announce()
    return fast


@functools.cache
def _announce() -> None:
    import logging  # compiling takes longer

    logging.getLogger(__name__).info("compiling the engine, this once; it takes about half a minute")


def _is_cached(entry: Callable[..., object]) -> bool:
    """Return whether an earlier run has compiled `entry`, as far as the names of the files tell."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or _cache_folder())
    return any(folder.glob(f"*/{Path(entry.__code__.co_filename).stem}.{entry.__name__}-*.nbi"))
