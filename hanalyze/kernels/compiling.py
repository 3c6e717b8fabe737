"""Choice between interpreter and compiler: `compiled` compiles an entry function and its kernels with Numba.

Numba's cache only notices changes in the file of the entry function, so the name of the cache folder is a
digest of the sources of all kernels. Without a writable cache, each run compiles the code again, and logs a
warning.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, Final, ParamSpec, TypeVar

from hanalyze.errors import HanalyzeError
from hanalyze.output import cache_folder
from hanalyze.text import printable

P = ParamSpec("P")
R = TypeVar("R")

_kernels: Final[list[Callable[..., Any]]] = []
_kernel_modules: Final[dict[str, bool]] = {}
_inlined: Final[set[Callable[..., Any]]] = set()
_teachers: Final[list[Callable[[], None]]] = []
_registered: Final[set[Callable[..., Any]]] = set()
_compiled: Final[set[Callable[..., Any]]] = set()  # entry functions that ran as compiled code in this process
_one_at_a_time: Final = threading.Lock()

_START: Final = 0.7
"""Processor seconds to import Numba and load the cache, before cached code can run.

This time, `_COSTS` and the seconds that compiled code saves were measured on one core of an AMD EPYC (2.4
GHz).
"""


_COSTS: Final = {
    "play_batch": ("the engine", 11),
    "ask": ("the solver", 10),
    "play_agents": ("the agents", 8),
    "read_batch": ("the conventions", 39),
    "play_conventional": ("the conventional agents", 46),
}
"""By name of an entry function: what is compiled with it, and the processor seconds that this takes."""

_LAPS: Final = 1_000_000
_SECONDS_OF_LAPS: Final = 0.011
"""Seconds that an empty loop of `_LAPS` rounds takes on the machine on which `_COSTS` was measured."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Register a function that compiled code may call; return the function unchanged.

    >>> @kernel
    ... def double(x: int) -> int:
    ...     return 2 * x
    >>> double(21)
    42
    """
    _kernels.append(function)
    return function


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Register a kernel that compiled code inlines at every call; return the function unchanged.

    Use it for kernels with array parameters, because a call that is not inlined copies nine words per
    two-dimensional array.
    """
    _inlined.add(function)
    return kernel(function)


def kernel_module(name: str, *, inlined: bool = False) -> None:
    """Register all functions that a module defines as kernels; `name` is the caller's `__name__`.

    With `inlined`, compiled code inlines these kernels at every call.
    """
    _kernel_modules[name] = inlined


def _all_kernels() -> Iterator[Callable[..., Any]]:
    yield from _kernels
    for name, inlined in _kernel_modules.items():
        for function in vars(sys.modules[name]).values():
            if isinstance(function, FunctionType) and function.__module__ == name:
                if inlined:
                    _inlined.add(function)
                yield function


def before_compiling(teach: Callable[[], None]) -> Callable[[], None]:
    """Register a function that extends Numba; it is called once, before Numba gets any kernel."""
    _teachers.append(teach)
    return teach


@functools.cache
def can_compile() -> bool:
    """Return whether the compiler, Numba, is installed, without importing it."""
    import importlib.util

    return importlib.util.find_spec("numba") is not None


def pays_off(saved: float, *entries: Callable[..., Any]) -> bool:
    """Return whether compiled code of `entries` saves at least as many seconds (`saved`) as its start takes.

    The start includes the compilation of each entry whose code is not cached. Since one compilation serves
    many runs, `saved` is added up over the runs in a file of the cache folder, and the sum is compared. The
    result is False if Numba is not installed, or if this run alone saves less than `_START`.

    >>> pays_off(0.5)
    False
    """
    if not can_compile() or saved < _START:
        return False
    start, folder = start_up(*entries), _cache_folder()
    if saved >= start or folder is None:
        return saved >= start
    note = folder / f"{'-'.join(entry.__name__ for entry in entries)}.lost"
    with suppress(OSError, ValueError):
        saved += float(note.read_text()) if note.exists() else 0.0
    if saved < start:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            note.write_text(f"{saved:.1f}")
    return saved >= start


def start_up(*entries: Callable[..., Any]) -> float:
    """Return the estimated seconds until `entries` can run compiled, including any compilation needed."""
    folder = _cache_folder()
    new = [entry for entry in entries if entry not in _compiled and not _is_cached(entry, folder)]
    return _START + sum(_COSTS[entry.__name__][1] for entry in new)


def _is_cached(entry: Callable[..., Any], folder: Path | None) -> bool:
    """Return whether the cache has code of an entry, judged by file names only."""
    pattern = f"*/{Path(entry.__code__.co_filename).stem}.{entry.__name__}-*.nbi"
    return folder is not None and any(folder.glob(pattern))


@functools.cache
def _version_of_numba() -> str:
    from importlib.metadata import version

    return version("numba")


def _cache_folder() -> Path | None:
    """Return the folder for code compiled from the current sources, None if there is no place for a cache."""
    numba_folder = os.environ.get("NUMBA_CACHE_DIR")
    chosen = cache_folder(os.path.abspath(numba_folder) if numba_folder else "")
    if chosen is None:
        return None
    package = Path(__file__).parent.parent
    # Numba stores code by the path of its source, and ignores the code of another version of Numba.
    digest = hashlib.sha256(f"{sys.version} {_version_of_numba()} {package}".encode())
    for folder in ("kernels", "game", "tables", "engine", "conventions", "agents", "solver"):
        for source in sorted((package / folder).glob("*.py")):
            digest.update(source.read_bytes())
    return chosen / digest.hexdigest()[:16]


@functools.cache
def compiled(entry: Callable[P, R]) -> Callable[P, R]:
    """Return `entry` as machine code, compiled on its first call or loaded from the cache of an earlier run.

    The compiled function releases the global interpreter lock. The logger of this module reports a
    compilation (INFO) or code that cannot be cached (WARNING). Raises `HanalyzeError` (rule `no_compiler`) if
    Numba is not installed.
    """
    if not can_compile():
        advice = "pip install 'hanalyze[fast]'"
        raise HanalyzeError("the compiler is not installed", rule="no_compiler", advice=advice)
    import numba

    folder = _cache_folder()
    fast, plain = _dispatchers(entry, folder)

    @functools.wraps(entry)
    def run(*arguments: P.args, **named: P.kwargs) -> R:
        nonlocal fast
        if fast is not plain and not fast.signatures:
            with _one_at_a_time:
                if not _is_cached(entry, folder):
                    _compile_apart(entry, tuple(map(numba.typeof, arguments)))
        try:
            result: R = fast(*arguments, **named)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            # Kernels never raise, so the cache failed: a damaged file, or a full disk after compiling.
            _warn_uncached(f"{folder}: {getattr(error, 'strerror', None) or 'a file is damaged'}")
            if not fast.signatures:
                fast = plain
            result = fast(*arguments, **named)
        _compiled.add(entry)
        return result

    return run


def _dispatchers(entry: Callable[..., object], folder: Path | None) -> tuple[Any, Any]:
    """Return `entry` as two Numba functions: cached in `folder` (if that is possible), and not cached."""
    import numba
    import numba.extending

    if not _registered:
        _import_without_scipy()
        for teach in _teachers:
            teach()
    for function in _all_kernels():
        if function not in _registered:
            # Only compiled code calls kernels, so they need no wrappers for Python and C.
            plain: dict[str, Any] = {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            numba.extending.register_jitable(**plain, forceinline=function in _inlined)(function)
            _registered.add(function)
    # Kernels only use arrays passed to them, so they need no reference counting, which would take time. Numba
    # refuses to compile a kernel that creates an array.
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
    plain = numba.njit(**options)(entry)
    return _with_cache(numba.njit(cache=True, **options), entry, folder) or plain, plain


def _import_without_scipy() -> None:
    """Import Numba's array functions without SciPy, which Numba would import only to see if it is installed.

    This shortens the start-up. Numba still imports SciPy when it compiles a function that needs it.
    """
    from importlib import import_module
    from importlib.util import find_spec

    from numba.np import linalg

    if find_spec("scipy") is not None and hasattr(linalg, "ensure_blas"):
        ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
        try:
            with suppress(ImportError):
                import_module("numba.np.arraymath")
        finally:
            linalg.ensure_blas = ensure_blas


def _compile_apart(entry: Callable[..., object], types: tuple[Any, ...]) -> None:
    """Compile `entry` for the cache in a separate process, so that its memory is freed afterwards.

    If that process fails, the caller's process compiles `entry` and reports the error.
    """
    import subprocess  # imported here, as only compilation needs it

    path, task = pickle.dumps(sys.path), pickle.dumps((entry.__module__, entry.__name__, types))
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with suppress(OSError):
        subprocess.run([sys.executable or "", "-P", "-c", _COMPILE], input=path + task, check=False, **quiet)


_COMPILE: Final = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from hanalyze.kernels import compiling
compiling.compile_for_cache(*pickle.load(sys.stdin.buffer))
"""


def compile_for_cache(module: str, name: str, types: tuple[Any, ...]) -> None:
    """Compile the entry function `name` of `module` for arguments of Numba types `types`; store the code."""
    import importlib

    entry = getattr(importlib.import_module(module), name)
    compiler = _dispatchers(entry, _cache_folder())[0]
    _link_kernels_unfinished(entry)
    _take_indices_as_they_are()
    gc.freeze()
    gc.set_threshold(50_000)  # most objects stay in use, so collections free little
    compiler.compile(types)


def _link_kernels_unfinished(entry: Callable[..., object]) -> None:
    """Make Numba optimize and translate kernels only as parts of `entry`; this process cannot run the code.

    By default, Numba does this for each kernel and its callees before it compiles the caller, which takes
    most of the time. Kernels become internal to the code of `entry`: otherwise LLVM would have to assume that
    other code calls them, and could not remove the error codes that they return. Passes that hardly make the
    code faster, such as those for vector instructions, are left out.
    """
    from numba.core.registry import cpu_target

    codegen: Any = cpu_target.target_context.codegen()
    create, function_passes = codegen.create_library, codegen._function_pass_manager

    def optimize(module: Any) -> None:
        for function in module.functions:
            if function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        manager, builder = codegen._module_pass_manager(opt=2, loop_vectorize=False, slp_vectorize=False)
        manager.run(module, builder)

    def create_library(name: str, **options: Any) -> Any:
        library = create(name, **options)
        if name == entry.__qualname__:
            library._optimize_final_module = lambda: optimize(library._final_module)
        else:
            library._optimize_final_module = lambda: None
            library._finalize_final_module = lambda: setattr(library, "_finalized", True)
            library.get_pointer_to_function = lambda function: 0
        return library

    codegen.create_library = create_library
    codegen._function_pass_manager = lambda: function_passes(opt=1)
    codegen.set_env = lambda name, environment: None  # needed only to run the code


def _take_indices_as_they_are() -> None:
    """Compile no test for negative indices, which count from the end; kernels do not use them."""
    from numba.core import types
    from numba.np import arrayobj

    def index(context: Any, builder: Any, kind: Any, number: Any, size: Any) -> Any:
        return context.cast(builder, number, kind, types.intp)

    arrayobj.fix_integer_index = index


def _with_cache(compiler: Callable[[Any], Any], entry: Callable[..., object], folder: Path | None) -> Any:
    """Return `entry` as a Numba function cached in `folder`, None if it cannot be cached."""
    from numba import config

    if folder is None:
        _warn_uncached("there is no home folder")
        return None
    own = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    with _one_at_a_time:
        others = {name: getattr(config, name, "") for name in own}
        vars(config).update(own)
        try:
            fast = compiler(entry)
        except RuntimeError:  # raised by Numba for a folder that is not writable
            _warn_uncached(f"{folder} is not writable")
            return None
        finally:
            vars(config).update(others)
    if not _is_cached(entry, folder):
        what, seconds = _COSTS.get(entry.__name__, (entry.__name__, 0))
        length = f": about {seconds * _slowness():.0f} s" if seconds else ""
        _announce(f"compiling {what} (first run only){length}")
    return fast


@functools.cache
def _slowness() -> float:
    """Return the wall time of a loop on this machine, relative to the machine of `_COSTS`."""
    start = time.perf_counter()
    for _ in range(_LAPS):
        pass
    return (time.perf_counter() - start) / _SECONDS_OF_LAPS


def _warn_uncached(why: str) -> None:
    """Log a warning that each run has to compile again, with the reason `why`."""
    chosen = "NUMBA_CACHE_DIR" if os.environ.get("NUMBA_CACHE_DIR") else "XDG_CACHE_HOME"
    _announce(
        "compiled code cannot be cached, so each run compiles it again: "
        f"{printable(why)}; set {chosen} to a writable folder",
        warning=True,
    )


@functools.cache
def _announce(text: str, *, warning: bool = False) -> None:
    import logging  # imported here, as only compilation needs it

    logging.getLogger(__name__).log(logging.WARNING if warning else logging.INFO, text)
