"""Plotly's script, and a page of one figure that opens from disk and loads nothing."""

from __future__ import annotations

import html
import json
from typing import Any, Final

from hanalyze.lazy import needed
from hanalyze.report.page import embedded_json, policy, render

_SCRIPT: Final = """"use strict";
const figure = JSON.parse(document.getElementById("data").textContent);
Plotly.newPlot("figure", figure.data, figure.layout, { displayModeBar: false });
"""

_MARGIN: Final = 8


def plotly_script() -> str:
    """Return Plotly's JavaScript, whole: its Python package has no smaller bundle."""
    text: str = needed("plotly.offline").get_plotlyjs()
    # In a string of Plotly's own this would end the element.
    return text.replace("</script", "<\\/script")


def figure_page(figure: Any) -> str:
    """Return a page that shows a figure."""
    plotly = plotly_script()
    title = str(figure.layout.title.text).split("<br>")[0].removeprefix("<b>").removesuffix("</b>")
    return render(
        "dashboard/page/figure.html",
        policy=policy((plotly, _SCRIPT)),
        width=figure.layout.width + 2 * _MARGIN,  # a phone shows the whole figure, and zooms in
        title=html.unescape(title),
        margin=_MARGIN,
        data=embedded_json(json.loads(figure.to_json())),
        plotly=plotly,
        script=_SCRIPT,
    )
