"""The site: `sphinx-build -W -j auto docs site`. The reference is generated whenever the site is built."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

import hanalyze
from tools import reference

project, author, release = "hanalyze", "The hanalyze founders", hanalyze.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme, html_title, html_show_copyright = "furo", f"hanalyze {release}", False
myst_heading_anchors = 3
default_role = "code"  # docstrings write code as Markdown does
autodoc_member_order, autodoc_typehints_format = "bysource", "short"
python_maximum_signature_line_length = 100
suppress_warnings = ["misc.highlighting_failure"]  # Pygments does not know DuckDB's dialect

LINK = re.compile(r"^- \[([^]]+)\]\(([\w/-]+)\.md\)(?:: (.*))?$", re.MULTILINE)
"""A page in a list of pages."""
OUTSIDE = {"CONTRIBUTING": "contributing", "CHANGELOG": "changelog", "schemas/columns": "tables"}
"""Files outside of `docs/`, and the pages that the site has of them."""


def read(app: Any, page: str, source: list[str]) -> None:
    """Make lists of pages the navigation, and lead links to files outside of `docs/` to their pages."""
    for section in source[0].split("\n## ") if page in ("index", "reference") else []:
        if names := "\n".join(name for _, name, _ in LINK.findall(section)):
            caption = section.partition("\n")[0].lstrip("# ")
            source[0] += f"\n```{{toctree}}\n:hidden:\n:titlesonly:\n:caption: {caption}\n\n{names}\n```\n"
    if page in ("reference/contributing", "reference/changelog"):
        source[0] = source[0].replace("](docs/", "](../")
    for file, own in OUTSIDE.items():
        up = "../reference" if page.startswith("tutorials/") else "reference"
        source[0] = re.sub(rf"\((\.\./)+{file}\.md", f"({up}/{own}.md", source[0])


def list_pages(app: Any, error: Exception | None) -> None:
    """Write `llms.txt`: the start page, with links to the Markdown of the pages."""
    text = (DOCS / "index.md").read_text("utf-8")
    (Path(app.outdir) / "llms.txt").write_text(LINK.sub(r"- [\1](_sources/\2.md.txt): \3", text), "utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Generate the reference before pages are read."""
    app.connect("builder-inited", lambda _: reference.write(DOCS / "reference"))
    app.connect("source-read", read)
    app.connect("build-finished", list_pages)
    return {"parallel_read_safe": True}
