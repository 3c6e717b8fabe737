"""Dashboard about many games, as a single HTML file that adds up sums (`cube`) for the chosen filters."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final

from hanalyze.analysis.columns import TURNS_AFTER
from hanalyze.analysis.convention_effects import turns_query
from hanalyze.lazy import needed
from hanalyze.report.dashboard import lists
from hanalyze.report.dashboard.behind import Behind, counts_of
from hanalyze.report.dashboard.charts import PALETTE_ALIASES
from hanalyze.report.dashboard.counts import LISTED, query
from hanalyze.report.dashboard.cube import Cube
from hanalyze.report.dashboard.figure_data import questions_data, sums_data
from hanalyze.report.dashboard.picture import plotly_script
from hanalyze.report.dashboard.questions import QUESTIONS, Question
from hanalyze.report.dashboard.questions.hindsight import SECTION as HINDSIGHT
from hanalyze.report.dashboard.scripts import SCRIPTS, student_quantiles
from hanalyze.report.page import (
    Page,
    embedded_json,
    not_apart,
    packed_json,
    policy,
    render,
    script_of,
    source,
)
from hanalyze.report.theme import PALETTE, suit_css, suit_style, theme_css
from hanalyze.store import Database
from hanalyze.store.listings import find_sites
from hanalyze.text import plural, printable
from hanalyze.version import __version__

_MOST: Final = 9_500_000
"""Maximum number of characters of a page's data before compression."""

_NARROWER: Final = ((12, 24), (12, 12), (6, 6))
"""Numbers of variants and players with separate cells, tried in order while the data exceed `_MOST`."""

_SCRIPTS: Final = (
    *SCRIPTS,
    *("theme.js", "plots.js"),
    *("dashboard/page/lists.js", "dashboard/page/figures.js", "dashboard/page/dashboard.js"),
)

_GAMES: Final = {"share": True, "scale": 100, "unit": "%", "note": "{x} of {y}"}
_MEAN: Final = {"share": False, "scale": 1, "unit": "", "decimals": 2}
_KEY_NUMBERS: Final[tuple[Mapping[str, Any], ...]] = (
    {"name": "perfect", "title": "Perfect games", "decimals": 0, **_GAMES},
    {"name": "short", "title": "Points short of perfect", "note": "{y} finished games", **_MEAN},
    {"name": "struck", "title": "Struck out", "decimals": 1, **_GAMES},
    {
        **{"name": "efficiency", "title": "Efficiency", **_MEAN},
        **{"note": "cards per clue; {beside} needed from the start", "beside": "needed"},
    },
)
"""Key numbers at the top of the page; `beside` names a count whose mean the note shows."""


def dashboard(db: Database, *, mistakes: str | os.PathLike[str] | None = None) -> str:
    """Return a database's dashboard as HTML; `mistakes` is a folder with additional definitions of mistakes.

    Raises `HanalyzeError` as `made_dashboard` does.
    """
    return made_dashboard(db, mistakes=mistakes).text


def made_dashboard(
    db: Database, *, pages: Mapping[int, str] | None = None, mistakes: str | os.PathLike[str] | None = None
) -> Page:
    """Build the dashboard of a database; it omits figures that need read or solved games if there are none.

    `pages` maps `game_id` to addresses of review pages; listed turns and games link to these pages.
    `mistakes` is a folder with additional definitions of mistakes. Raises `HanalyzeError` if the database has
    no games (rule `no_game`), or if Plotly (`no_plotly`), Jinja2 (`no_jinja2`) or SciPy (`no_scipy`) is not
    installed.
    """
    needed("plotly")  # fail early if Plotly is not installed
    with Cube(db, mistakes=mistakes) as cube:
        behind = Behind(cube, counts_of(_questions(cube), (one["name"] for one in _KEY_NUMBERS)))
        data = embedded_json(_data(cube, behind, pages or {}))
        for variants, players in _NARROWER:
            if len(data) <= _MOST:
                break
            cube.narrow(variants, players)
            data = embedded_json(_data(cube, behind, pages or {}))
        rest = not_apart(
            (cube.other_players, "player", cube.shown_players[-1]),
            (cube.other_variants, "variant", cube.shown_variants[-1]),
        )
        return Page(_page(cube, data, rest), cube.games, rest, cube.read, cube.solved)


def needed_pages(db: Database, most: int) -> list[int]:
    """Return the `game_id` of at most `most` games with the costliest turns, the costliest first."""
    with Cube(db) as cube:
        ids: list[int] = cube.listed("costliest")["game_id"].to_list()
    return list(dict.fromkeys(ids))[:most]


def script() -> str:
    """Return the script of the page."""
    return script_of(_SCRIPTS)


def _page(cube: Cube, data: str, rest: str) -> str:
    styles = [suit_style(name) for name in lists.SUITS]
    suits = "".join(
        f".card[data-suit='{i}']{{background:var(--s{i}-tint);color:var(--s{i}-ink);border-color:transparent}}\n"
        for i in range(len(styles))
    )
    sizes = sorted(cube.cells["size"].unique().to_list())
    size = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    players = len(cube.players) - bool(cube.other_players) + cube.other_players
    number = len(cube.variants) - bool(cube.other_variants) + cube.other_variants
    variants = cube.shown_variants[0] if number == 1 else plural(number, "variant")
    plotly, code = plotly_script(), script()
    sheets = source("panels.css") + source("dashboard/page/dashboard.css")
    figures = [(one, _queries(cube, one)) for one in _questions(cube)]
    return render(
        "dashboard/page/dashboard.html",
        policy=policy((plotly, code)),
        style=theme_css() + suit_css(styles) + sheets + suits,
        intro=f"{plural(cube.games, 'game')} for {size} players, {variants};"
        f" {plural(players, 'player')} in all. Choose a team size, a variant or a player for all figures."
        " Click a bar or a dot to list its games and turns.",
        sections=[(section, list(some)) for section, some in groupby(figures, lambda one: one[0].section)],
        unsolved=None if cube.solved else HINDSIGHT,
        footer=_footer(cube, rest),
        data=packed_json(data),
        script=code,
        plotly=plotly,
    )


def _footer(cube: Cube, rest: str) -> list[str]:
    versions = cube.frame(
        "SELECT DISTINCT rules_version, tables_version, package_version FROM games ORDER BY ALL LIMIT 4"
    ).rows()
    stored = "; ".join(f"hanalyze {printable(p)}, rules {r}, tables {t}" for r, t, p in versions)
    return [
        "95% intervals, wider where differences are compared. “What is counted” shows the queries of a"
        " figure, which run unchanged with hanalyze sql.",
        f"{plural(cube.games, 'game')}, stored by {stored}; page made by hanalyze {__version__}."
        + (f" Not shown separately: {rest}." if rest else ""),
    ]


def _questions(cube: Cube) -> list[Question]:
    return [cube.worded(one) for one in QUESTIONS.values() if cube.answers(one)]


def _data(cube: Cube, behind: Behind, pages: Mapping[int, str]) -> dict[str, Any]:
    questions = _questions(cube)
    used = dict.fromkeys(name for question in questions for name in question.counts)
    used |= dict.fromkeys(one["name"] for one in _KEY_NUMBERS)
    used |= dict.fromkeys(("needed", "scores", "points"))
    sites = find_sites(cube.db, [key for name in LISTED for key in cube.listed(name)["game_id"]])
    return {
        **sums_data(cube, used),
        "lists": lists.LISTS,
        "heads": lists.HEADS,
        "entries": {
            name: {"most": LISTED[name], "entries": lists.entries(cube, chart, name, pages, sites)}
            for chart, names in lists.LISTS.items()
            for name in names
        },
        "after": TURNS_AFTER,
        "behind": behind.data(pages, sites),
        "key_numbers": _KEY_NUMBERS,
        "colours": [name for name in PALETTE if name != "shadow"],
        "aliases": PALETTE_ALIASES,
        **questions_data(cube, questions, student=student_quantiles()),
        # Not rounded: numbers rounded twice would differ from the numbers in Python.
        **({"worth": behind.worth} if cube.read else {}),
    }


def _queries(cube: Cube, question: Question) -> list[tuple[str, str]]:
    """Return the names and texts of the queries behind a figure; each text can be run."""
    queries = [
        (name, cube.counts["perfect" if name == "perfect_by" else name].query) for name in question.counts
    ]
    if question.rows == "worth":
        return [*queries, (question.name, turns_query("convention_games"))]
    return [*queries, (question.name, query(question.query))] if question.query else queries
