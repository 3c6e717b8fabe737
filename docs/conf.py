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
OUTSIDE = {
    "hanalyze/cli": "commands",
    "hanalyze/__init__.py": "python",
    "schemas/columns.md": "tables",
    "hanalyze/store/sql/mistakes": "mistakes",
    "hanalyze/game/meanings.py": "conventions",
    "hanalyze/analysis/columns.py": "reports",
    "schemas": "json",
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
}
"""What the pages below `reference/` are generated from, by which the files in `docs/` link to them."""


def within(text: str, reference: str = "reference") -> str:
    """Return a text whose links to sources of the reference lead to its pages, in the folder `reference`."""
    for file, own in OUTSIDE.items():
        text = re.sub(rf"\]\((\.\./)+{re.escape(file)}(?=[)#])", f"]({reference}/{own}.md", text)
    return text


def read(app: Any, page: str, source: list[str]) -> None:
    """Lead links to sources of the reference to its pages, and make lists of pages the navigation."""
    if page in ("reference/contributing", "reference/changelog"):
        source[0] = source[0].replace("](docs/", "](../")
    source[0] = within(source[0], "../reference" if page.startswith("tutorials/") else "reference")
    for section in source[0].split("\n## ") if page in ("index", "reference") else []:
        if names := "\n".join(name for _, name, _ in LINK.findall(section)):
            caption = section.partition("\n")[0].lstrip("# ")
            source[0] += f"\n```{{toctree}}\n:hidden:\n:titlesonly:\n:caption: {caption}\n\n{names}\n```\n"


def list_pages(app: Any, error: Exception | None) -> None:
    """Write `llms.txt`: the start page with links to the Markdown of all pages, also of the reference."""
    (Path(app.outdir) / "llms.txt").write_text(overview(), "utf-8")


def overview() -> str:
    """Return the text of `llms.txt`; the page of the Python interface has its docstrings only as HTML."""
    text = (DOCS / "index.md").read_text("utf-8")
    own = LINK.finditer(within((DOCS / "reference.md").read_text("utf-8")))
    [listed] = [one[0] for one in LINK.finditer(text) if one[2] == "reference"]
    text = text.replace(listed, "\n".join([listed, *(one[0] for one in own)]))
    text = LINK.sub(lambda one: f"- [{one[1]}](_sources/{one[2]}.md.txt): {one[3] or one[1]}", text)
    text = text.replace("_sources/reference/python.md.txt", "reference/python.html")
    return re.sub(r"\A(# .*\n\n)", r"\1> ", text)


def setup(app: Any) -> dict[str, bool]:
    """Generate the reference before pages are read."""
    app.connect("builder-inited", lambda _: reference.write(DOCS / "reference"))
    app.connect("source-read", read)
    app.connect("build-finished", list_pages)
    return {"parallel_read_safe": True}
