"""Templates, data and the Content Security Policy of self-contained pages (no external resources)."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from hanalyze.lazy import needed, polars as pl
from hanalyze.text import games_apart, plural

_FOLDER: Final = Path(__file__).parent
_UNSAFE: Final = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


class Page(NamedTuple):
    """The HTML of a page about a database, and the numbers of games: all, read for conventions, solved.

    `not_apart` says how many rare players and variants the page combines, "" for none. `solved` is 0 if the
    page does not use it.
    """

    text: str
    games: int
    not_apart: str
    read: int
    solved: int = 0


def not_apart(*names: tuple[int, str, str]) -> str:
    """Return in words how many names are combined, from tuples of their number, kind and shared name."""
    parts = (f"{plural(others, kind)} (together as “{shared}”)" for others, kind, shared in names if others)
    return ", ".join(parts)


def game_titles(games: pl.DataFrame) -> dict[int, str]:
    """Return distinct names by `game_id`: `source_id`, else `seed`, else `game_id`, shortened."""
    name = pl.coalesce(pl.col("source_id", "seed", "game_id").cast(pl.String))
    return games_apart(games.select("game_id", name.alias("name")).iter_rows(), 24)


@cache
def source(name: str) -> str:
    """Return the text of a template, style or script, by its path in this folder."""
    return (_FOLDER / name).read_text("utf-8")


def script_of(names: Iterable[str]) -> str:
    """Concatenate script files without their comment lines and indentation."""
    code = re.sub(r"(?m)^ *//.*\n", "", "\n".join(map(source, names)))
    return re.sub(r"(?m)^ +", "", code)


@cache
def _template(name: str) -> Any:
    jinja2 = needed("jinja2")
    environment = jinja2.Environment(
        autoescape=name.endswith(".html"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["quoted"] = lambda words: ", ".join(f"'{word}'" for word in words)
    return environment.from_string(source(name))


def render(name: str, /, **values: Any) -> str:
    """Render a template with values. Raises `HanalyzeError` without Jinja2 (rule `no_jinja2`)."""
    return str(_template(name).render(values))


def embedded_json(values: Any) -> str:
    r"""Return values as JSON that is safe inside a `<script>` element.

    >>> embedded_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    for character, escape in _UNSAFE.items():
        text = text.replace(character, escape)
    return text


def packed_json(text: str) -> str:
    """Return JSON compressed with gzip, as base64.

    >>> packed_json("[1]")[:4]
    'H4sI'
    """
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def policy(
    scripts: Iterable[str], styles: Iterable[str] | None = None, *, wasm: bool = False, files: bool = False
) -> str:
    """Return a Content Security Policy that allows only these scripts and styles, and no loading.

    Without `styles`, all inline styles are allowed, because Plotly creates inline styles, pictures and fonts.
    With `wasm`, the scripts may start workers from source in the page, and these may run WebAssembly; with
    `files`, scripts and workers may load files from the page's own server.
    """
    style = "'unsafe-inline'; img-src data: blob:; font-src data:" if styles is None else _digests(styles)
    more = " 'wasm-unsafe-eval'; worker-src blob:" if wasm else ""
    more += "; connect-src 'self'" if files else ""
    return (
        f"default-src 'none'; script-src {_digests(scripts)}{more}; style-src {style};"
        " base-uri 'none'; form-action 'none'"
    )


def _digests(texts: Iterable[str]) -> str:
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)
