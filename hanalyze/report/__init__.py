"""Pages about games, each one HTML file that opens from disk and loads nothing.

`write_review` is loaded when it is first used, because it needs Jinja2 and DuckDB; the text of a page is
`hanalyze.report.review.review`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hanalyze.report.review import write_review as write_review

__all__ = ["write_review"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("hanalyze.report.review"), name)
