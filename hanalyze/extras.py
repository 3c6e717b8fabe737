"""What is installed besides: libraries that come with an extra, and packages that bring detectors.

In: the name of a module. Out: the module, or a line that says how to get it. Who only replays games needs
none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from hanalyze.errors import HanalyzeError

DETECTORS: Final = "hanalyze.detectors"
"""The group of entry points by which installed packages offer detectors."""

_EXTRAS: Final = {
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
"""What a library is called, and the extra that brings it."""


def needed(module: str, *, otherwise: str = "") -> Any:
    """Return a module of a library that comes with an extra.

    Raises `HanalyzeError` where it is not installed (rule `no_jinja2` and so on); `otherwise` is a way out
    besides installing it.
    """
    try:
        return import_module(module)
    except ImportError:
        name, extra = _EXTRAS[module.partition(".")[0]]
        raise HanalyzeError(
            f"{name} is not installed",
            rule=f"no_{name.lower()}",
            advice=f"pip install 'hanalyze[{extra}]'{otherwise}",
        ) from None
