"""Figures as files: a page that loads nothing, or PNG or SVG made with Kaleido in Chrome or Chromium."""

from __future__ import annotations

import html
import json
import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from hanalyze.errors import HanalyzeError
from hanalyze.lazy import needed
from hanalyze.report.page import embedded_json, policy, render

_SCRIPT: Final = """"use strict";
const figure = JSON.parse(document.getElementById("data").textContent);
Plotly.newPlot("figure", figure.data, figure.layout, { displayModeBar: false });
"""

_MARGIN: Final = 8


def plotly_script() -> str:
    """Return Plotly's script, which can be put into a `<script>` element."""
    text: str = needed("plotly.offline").get_plotlyjs()
    return text.replace("</script", "<\\/script")


def figure_page(figure: Any) -> str:
    """Return an HTML page with a figure."""
    plotly = plotly_script()
    title = str(figure.layout.title.text).split("<br>")[0].removeprefix("<b>").removesuffix("</b>")
    return render(
        "dashboard/page/figure.html",
        policy=policy((plotly, _SCRIPT)),
        width=figure.layout.width + 2 * _MARGIN,  # a phone shows the whole figure and can zoom in
        title=html.unescape(title),
        margin=_MARGIN,
        data=embedded_json(json.loads(figure.to_json())),
        plotly=plotly,
        script=_SCRIPT,
    )


PICTURES: Final = ("png", "svg")

_ADVICE: Final = "install one, or name it in BROWSER_PATH, or write .html"


def kaleido() -> Any:
    """Return the module `kaleido`. Raises `HanalyzeError` if it is not installed (rule `no_kaleido`)."""
    with _at_home():
        return needed("kaleido", otherwise=", or write .html")


def picture(figure: Any, kind: str) -> bytes:
    """Return a figure as a picture; `kind` is one of `PICTURES`.

    Raises `HanalyzeError` if Kaleido is not installed (rule `no_kaleido`), if no browser starts
    (`no_browser`), or if the browser cannot draw the figure (`no_picture`).
    """
    module = kaleido()
    size = {"width": figure.layout.width, "height": figure.layout.height, "scale": 2 if kind == "png" else 1}
    try:
        with _quiet(), _at_home():
            # Kaleido would load MathJax from a server, and typeset names with dollar signs as formulas.
            opts, kopts = {"format": kind, **size}, {"mathjax": False}
            return bytes(module.calc_fig_sync(figure, opts=opts, kopts=kopts))
    except Exception as error:
        raise _error_of(error) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Kaleido's log about the browser, because the error repeats it."""
    logger = logging.getLogger("choreographer")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextmanager
def _at_home() -> Iterator[None]:
    """Provide a temporary home folder for Kaleido and the browser if the user has none."""
    if os.path.isabs(os.path.expanduser("~")):
        yield
        return
    before = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = before


def _error_of(error: Exception) -> HanalyzeError:
    name = type(error).__name__
    # If a browser exits immediately, the error depends on whether a message was already sent to it.
    no_start = ("BrowserFailedError", "BrowserClosedError", "BrowserDepsError", "ChannelClosedError")
    if name == "ChromeNotFoundError" or name in no_start:
        missing = "to draw a picture, Chrome or Chromium is needed, and neither was found"
        what = "Chrome or Chromium does not start" if name in no_start else missing
        return HanalyzeError(what, rule="no_browser", advice=_ADVICE)
    problem = f"the browser cannot draw the picture: {(str(error).strip() or name).splitlines()[0][:200]}"
    return HanalyzeError(problem, rule="no_picture", advice="write .html instead")
