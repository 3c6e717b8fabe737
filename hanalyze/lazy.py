"""Lazy imports of libraries that are slow to import or belong to an extra."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hanalyze.errors import HanalyzeError

_EXTRAS: Final = {
    "_quickjs": ("QuickJS", "report"),
    "dask": ("Dask", "cluster"),
    "distributed": ("distributed", "cluster"),
    "duckdb": ("DuckDB", "database"),
    "fsspec": ("fsspec", "remote"),
    "jinja2": ("Jinja2", "report"),
    "kaleido": ("Kaleido", "image"),
    "plotly": ("Plotly", "report"),
    "safetensors": ("safetensors", "formats"),
    "scipy": ("SciPy", "analysis"),
}
"""For each optional module: the name of its library and the extra that installs it."""


def needed(module: str, *, otherwise: str = "") -> Any:
    """Import and return a module that may belong to an extra.

    Raises `HanalyzeError` if it is not installed (rule `no_jinja2` and so on), or `ImportError` if no extra
    has it. `otherwise` is appended to the advice and names an alternative to the installation.
    """
    try:
        return import_module(module)
    except ImportError:
        if module.partition(".")[0] not in _EXTRAS:
            raise
        name, extra = _EXTRAS[module.partition(".")[0]]
        rule = f"no_{name.lower()}"
        advice = f"pip install 'hanalyze[{extra}]'{otherwise}"
        raise HanalyzeError(f"{name} is not installed", rule=rule, advice=advice) from None


def names_of(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package that imports its modules on first use.

    `homes` has the public names of each module.

    >>> names_of("hanalyze.game", {"cards": ("identity",)})("identity").__name__
    'identity'
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def of_package(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home_of[name]}"), name)

    return of_package


class _Library(ModuleType):
    """Placeholder for a library that is imported when one of its names is used.

    `part` is a module of the library that has all names that hanalyze uses and takes less time to import.
    """

    def __init__(self, name: str, part: str | None = None) -> None:
        super().__init__(name)
        self._part = part

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(import_module(self._part or self.__name__), name)
        except ImportError:
            return getattr(needed(self.__name__), name)


if TYPE_CHECKING:
    import duckdb as duckdb
    import polars as polars

    Connection: TypeAlias = duckdb.DuckDBPyConnection
else:
    Connection = Any  # the type of connections, for annotations
    duckdb = _Library("duckdb", "_duckdb")
    polars = _Library("polars")

scipy_special: Any = _Library("scipy.special")
