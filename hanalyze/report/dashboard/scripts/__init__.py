"""Runs the page's scripts about figures in an embedded JavaScript engine, so that figures need no browser.

The files beside this module compute rates and intervals from sums (`rates.js`), the rows of a figure from the
sums of cells (`rows.js`), the significance of all claims of a page together (`multiplicity.js`), sentences
(`sentences.js`), and charts with filled slots (`slots.js`). The page loads the same files.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from hanalyze.analysis.statistics.intervals import student
from hanalyze.lazy import needed
from hanalyze.report.dashboard.questions import OF_PLAYER, SAID
from hanalyze.report.page import script_of

SCRIPTS: Final = (
    "elements.js",
    *(f"dashboard/scripts/{name}.js" for name in ("rates", "rows", "multiplicity", "sentences", "slots")),
)
"""Scripts that need no page, in the order in which a page loads them."""

_STUDENT: Final = 100
"""Number of Student's quantiles for the scripts."""

_BROWSER: Final = """
const document = { getElementById: () => ({ textContent: given }) };
class TextDecoder { decode(text) { return text; } }
inflated = (text) => text;
Number.prototype.toLocaleString = function () { return String(this).replace(/\\B(?=(\\d{3})+$)/g, ","); };
"""
"""Stand-ins for the browser's features that the scripts use: the element with the data, decompression (the
data are not compressed here), and thousands separators."""

_NOTHING: Final[Mapping[str, Any]] = {"cells": [], "sums": {}, "questions": [], "defaults": {}}

_THREAD: Final = threading.local()  # an engine works only in the thread that created it


def student_quantiles() -> list[float]:
    """Return Student's 97.5% quantiles for 1 to 100 degrees of freedom. Needs SciPy."""
    return [student(0.975, freedom) for freedom in range(1, _STUDENT + 1)]


class Scripts:
    """The scripts with data as the page embeds them; missing data are empty."""

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        """Store the data. Raises `HanalyzeError` if QuickJS is not installed (rule `no_quickjs`)."""
        self._data = {**_NOTHING, "said": SAID, "of_player": OF_PLAYER, **(data or {})}
        self._engine()

    def run(self, function: str, *values: Any) -> Any:
        """Return the result of a function of the scripts, given by its name or as an expression.

        Values and results are passed as JSON; dataclasses become objects. Raises `JSException` of QuickJS for
        an error in the scripts, and `HanalyzeError` if SciPy is needed, but not installed (rule `no_scipy`).
        """
        engine = self._engine()
        try:
            return _evaluated(engine, function, values)
        except needed("_quickjs").JSException:
            # Few figures need the quantiles, so SciPy is imported only after the scripts fail without them.
            if "student" in self._data:
                raise
        self._data["student"] = student_quantiles()
        _THREAD.loaded = None
        return _evaluated(self._engine(), function, values)

    def _engine(self) -> Any:
        """Return the engine of this thread with these data."""
        if not hasattr(_THREAD, "engine"):
            # The module `quickjs` would start a thread.
            engine = needed("_quickjs").Context()
            engine.eval(script_of(SCRIPTS) + _BROWSER)
            _THREAD.engine, _THREAD.loaded = engine, None
        if _THREAD.loaded is not self:
            _THREAD.engine.set("given", json.dumps(self._data))
            _THREAD.engine.eval("DATA = null; unpack()")
            while _THREAD.engine.execute_pending_job():
                pass
            _THREAD.loaded = self
        return _THREAD.engine


def _evaluated(engine: Any, function: str, values: tuple[Any, ...]) -> Any:
    engine.set("given", json.dumps(values, default=asdict))
    return json.loads(engine.eval(f"JSON.stringify(({function})(...JSON.parse(given)))"))
