"""Run the notebooks and save them with their outputs: `python notebooks/make.py [NAME ...]`.

A figure is saved twice: as Plotly's values (`application/vnd.plotly.v1+json`), which editors draw
interactively, and as a picture for GitHub and plain viewers, which run no scripts. Plotly's script (several
megabytes) and anything about this machine (times, paths, versions) are never saved. The same games and the
same code give the same bytes: a picture is drawn again only if its figure changed. Needs the extra `test`,
and Chrome or Chromium for the pictures.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parent
PLOTLY = "application/vnd.plotly.v1+json"
PICTURE = "image/png"

# The kernel returns figures as Plotly's values, and frames as wide as a page.
ENVIRONMENT = {
    "PLOTLY_RENDERER": "plotly_mimetype",
    "POLARS_TABLE_WIDTH": "120",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}


def notebooks() -> list[Path]:
    """Return the notebooks in order."""
    return sorted(FOLDER.glob("*.ipynb"))


def saved(path: Path) -> NotebookNode:
    """Return a notebook as it was saved."""
    return nbformat.read(path, as_version=4)


def executed(path: Path) -> NotebookNode:
    """Return a notebook with the outputs of a fresh kernel."""
    notebook = saved(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count, cell.metadata = [], None, NotebookNode()
    client = NotebookClient(
        notebook,
        # No limit: a busy machine may be slow.
        timeout=None,
        startup_timeout=600,
        kernel_name="python3",
        record_timing=False,
        # The number of pieces in which a cell's text arrives depends on timing.
        coalesce_streams=True,
        resources={"metadata": {"path": str(FOLDER)}},
        # Suppress the warning that the local connection to the kernel is not encrypted.
        extra_arguments=["--Application.log_level=ERROR"],
    )
    client.execute(env={**os.environ, **ENVIRONMENT})
    # The kernel's own metadata describe the machine that it runs on.
    notebook.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    return notebook


def outputs(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Yield each output with the number of its cell."""
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", ()):
            yield number, output


def shown(notebook: NotebookNode) -> list[tuple[int, str, Any]]:
    """Return the outputs of a notebook: number of the cell, kind, and text or values of a figure."""
    found: list[tuple[int, str, Any]] = []
    for number, output in outputs(notebook):
        if output.output_type == "stream":
            found.append((number, output.name, output.text))
            continue
        data = output.get("data", {})
        found += [(number, kind, data[kind]) for kind in ("text/plain", PLOTLY) if kind in data]
    return found


def draw(notebook: NotebookNode, before: NotebookNode) -> int:
    """Add a picture to each figure, an old one if the figure is unchanged; return the number drawn."""
    from plotly.io import from_json
    from plotly.utils import PlotlyJSONEncoder

    from hanalyze.report.dashboard.picture import picture

    old = {
        json.dumps(output.data[PLOTLY], sort_keys=True): output.data[PICTURE]
        for _, output in outputs(before)
        if PLOTLY in output.get("data", {}) and PICTURE in output.data
    }
    drawn = 0
    for _, output in outputs(notebook):
        if PLOTLY not in output.get("data", {}):
            continue
        key = json.dumps(output.data[PLOTLY], sort_keys=True)
        if key not in old:
            values = {name: output.data[PLOTLY][name] for name in ("data", "layout")}
            figure = from_json(json.dumps(values, cls=PlotlyJSONEncoder))
            old[key] = base64.b64encode(picture(figure, "png")).decode() + "\n"
            drawn += 1
        output.data[PICTURE] = old[key]
    return drawn


def main() -> None:
    wanted = sys.argv[1:]
    for path in notebooks():
        if wanted and path.name not in wanted and path.stem not in wanted:
            continue
        before, notebook = saved(path), executed(path)
        drawn = draw(notebook, before)
        text = nbformat.writes(notebook)
        path.write_text(text + "\n", "utf-8")
        print(f"{path.name}: {len(text):,} bytes, {drawn} pictures drawn")


if __name__ == "__main__":
    main()
