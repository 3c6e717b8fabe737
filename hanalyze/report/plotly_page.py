"""Pages with Plotly in them: its script, the policy under which nothing else runs, and a page of one figure.

In: a Plotly figure. Out: one HTML file that opens from disk and loads nothing.
"""

from __future__ import annotations

import html
import json
from typing import Any, Final

from hanalyze.extras import needed
from hanalyze.report.review import digest, embedded_json

__all__ = ["figure_page", "plotly_policy", "plotly_script"]

_SCRIPT: Final = """"use strict";
const figure = JSON.parse(document.getElementById("data").textContent);
Plotly.newPlot("figure", figure.data, figure.layout, { displayModeBar: false });
"""

_MARGIN: Final = 8
_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width={width}">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{title}</title>
</head>
<body style="margin: {margin}px">
<div id="figure"></div>
<script type="application/json" id="data">{data}</script>
<script>{plotly}</script>
<script>{script}</script>
</body>
</html>
"""


def plotly_script() -> str:
    """Return Plotly's JavaScript, whole: its Python package has no smaller bundle."""
    text: str = needed("plotly.offline").get_plotlyjs()
    # In a string of Plotly's own this would end the element.
    return text.replace("</script", "<\\/script")


def plotly_policy(*scripts: str) -> str:
    """Return the Content Security Policy under which these scripts run, Plotly styles, and nothing loads."""
    return (
        f"default-src 'none'; script-src {' '.join(map(digest, scripts))}; style-src 'unsafe-inline';"
        " img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def figure_page(figure: Any) -> str:
    """Return a page that shows a figure."""
    plotly = plotly_script()
    title = str(figure.layout.title.text).split("<br>")[0].removeprefix("<b>").removesuffix("</b>")
    return _PAGE.format(
        policy=plotly_policy(plotly, _SCRIPT),
        width=figure.layout.width + 2 * _MARGIN,  # a phone shows the whole figure, and zooms in
        title=html.escape(html.unescape(title)),
        margin=_MARGIN,
        data=embedded_json(json.loads(figure.to_json())),
        plotly=plotly,
        script=_SCRIPT,
    )
