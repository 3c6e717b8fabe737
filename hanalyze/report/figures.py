"""The figures of the dashboard, each as a function: a database and filters in, a Plotly figure out.

In: an open database; filters, a mapping with any of `players` (team size), `variant` and `player`. Out:
`plotly.graph_objects.Figure`, made of the same sums as the page's figures. `FIGURES` has them by name.

    with hanalyze.open("games.duckdb", read_only=True) as db:
        figure_scores(db, {"players": 3}).write_html("scores.html")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Final, Protocol

from hanalyze.analysis.effectiveness import check_read
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.report import charts
from hanalyze.report.aggregates import LISTED, Board, Filters
from hanalyze.report.convention_rows import usage_rows, usage_sentence, worth_rows, worth_sentence
from hanalyze.report.costly import turn_words
from hanalyze.report.estimates import CurvePoint, Row, curve_rows, field_rows, pair_rows, rows_of
from hanalyze.report.listing import table
from hanalyze.report.questions import QUESTIONS, Question
from hanalyze.report.sentences import curve_sentence, pair_sentence, sentence
from hanalyze.store import Database
from hanalyze.text import shorten

__all__ = ["FIGURES", "draw", "figure", "told"]

_CHARTS: Final[Mapping[str, Callable[..., Any]]] = {
    "columns": charts.columns,
    "bars": charts.bars,
    "dots": charts.dots,
    "field": charts.field,
    "trend": charts.trend,
    "stack": charts.stack,
    "usage": charts.dots,
    "worth": charts.field,
}


class Drawn(Protocol):
    """A figure as a function."""

    def __call__(self, db: Database, filters: Filters | None = None) -> Any:
        """Return the figure, a `plotly.graph_objects.Figure`."""


def curve_panels(board: Board, filters: Filters | None) -> list[tuple[int, list[CurvePoint]]]:
    """Return the kinds of games that have curves: the first and the last with enough games."""
    rows = curve_rows(board, filters)
    by_kind = [(short, [row for row in rows if row.short == short]) for short in range(3)]
    panels = [(short, some) for short, some in by_kind if len(some) > 2]
    return [panels[0], panels[2]] if len(panels) > 2 else panels


def draw(board: Board, question: Question, filters: Filters | None = None) -> Any:
    """Return the figure of a question about a board."""
    title = question.title
    if question.chart == "bands":
        panels = curve_panels(board, filters)
        return charts.bands(title, panels, curve_sentence(panels))
    if question.chart == "matrix":
        pairs = pair_rows(board, filters)
        if all(pair.value is None for pair in pairs):
            return charts.blank(title, pair_sentence(pairs), 0)
        return charts.matrix(title, pairs, pair_sentence(pairs))
    if question.chart == "ranking":
        return _ranking(board, title, filters)
    if question.chart == "turns":
        return _turns(board, title, filters)
    rows, said = told(board, question, filters)
    if not any(not question.panels or row.panel in question.panels for row in rows):
        return charts.blank(title, said, 0)
    return _CHARTS[question.chart](question, rows, said)


def told(board: Board, question: Question, filters: Filters | None = None) -> tuple[list[Row], str]:
    """Return the rows of a figure that is made of such, and what it says."""
    if question.chart == "usage":
        rows = usage_rows(board, question, filters)
        return rows, usage_sentence(question, rows)
    if question.chart == "worth":
        rows = worth_rows(board, question, filters)
        return rows, worth_sentence(question, rows)
    if question.chart == "field":
        rows = field_rows(board, question, filters)
    else:
        rows = rows_of(board, question, filters)
    return rows, sentence(question, rows)


def _listed(board: Board, name: str, filters: Filters | None) -> list[dict[str, Any]]:
    chosen = set(board.chosen(filters))
    rows = board.listed(name).iter_rows(named=True)
    return [row for row in rows if chosen.intersection(row["cells"])][: LISTED[name]]


def _game(row: Mapping[str, Any]) -> str:
    return shorten(
        str(row["source_id"] if row["source_id"] is not None else row["seed"] or row["game_id"]), 24
    )


def _ranking(board: Board, title: str, filters: Filters | None) -> Any:
    best, worst = (_listed(board, name, filters) for name in ("best", "worst"))
    seen = {row["game_id"] for row in best}
    rows = [*best, *(row for row in reversed(worst) if row["game_id"] not in seen)]
    lines = [
        [
            f"{row['efficiency']:.2f}",
            f"{row['min_efficiency']:.2f}",
            f"{row['score']} of {row['full_score']}",
            ", ".join(shorten(name or "?", 14) for name in row["names"]),
            _game(row),
        ]
        for row in rows
    ]
    head = ["Cards a clue", "Needed at the deal", "Score", "Players", "Game"]
    said = (
        f"The most efficient game got {best[0]['efficiency']:.2f} cards a clue where"
        f" {best[0]['min_efficiency']:.2f} were needed."
        if best
        else "No game has 8 clues."
    )
    return table(title, head, lines, said)


def _turns(board: Board, title: str, filters: Filters | None) -> Any:
    lines = []
    for row in _listed(board, "costliest", filters):
        done, severity, odds = turn_words(row)
        player = shorten(row["name"] or f"seat {row['seat'] + 1}", 24)
        known = f"{severity}: {odds}" if odds else severity
        lines.append([-row["points"], f"{player} {done}", known, f"{_game(row)}, turn {row['turn']}"])
    said = "Turns after which the best possible score fell most." if lines else "No turn lost a point."
    return table(title, ["Points", "What happened", "What was known", "Game"], lines, said)


def figure(name: str, db: Database, filters: Filters | None = None) -> Any:
    """Return a figure by name, a `plotly.graph_objects.Figure`.

    Raises `UnknownName`, and `HanalyzeError` where no game is left (rule `no_game`), or none was read for
    conventions and the figure is about them (`not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     figure("scores", db).layout.title.text.split("<br>")[0]
    '<b>How close the games came</b>'
    """
    if name not in QUESTIONS:
        near = tuple(get_close_matches(name[:100], QUESTIONS, n=1, cutoff=0.6))
        raise UnknownName("figure", name, near, advice="one of: " + ", ".join(QUESTIONS))
    if QUESTIONS[name].read:
        check_read(db)
    kept = {key: value for key, value in (filters or {}).items() if value is not None}
    with Board(db, kept) as board:
        if not board.chosen(kept):
            sizes = sorted(board.cells["size"].unique().to_list())
            advice = None
            if kept.get("players", sizes[0]) not in sizes:
                advice = "there are games of " + ", ".join(map(str, sizes)) + " players"
            raise HanalyzeError(
                "no game is left by these filters", rule="no_game", file=db.file, advice=advice
            )
        return draw(board, QUESTIONS[name], kept)


def _named(name: str) -> Drawn:
    def drawn(db: Database, filters: Filters | None = None) -> Any:
        return figure(name, db, filters)

    drawn.__name__ = f"figure_{name}"
    drawn.__doc__ = f"Return the figure “{QUESTIONS[name].title}”: {QUESTIONS[name].definition}"
    return drawn


figure_scores = _named("scores")
figure_losses = _named("losses")
figure_need = _named("need")
figure_endings = _named("endings")
figure_perfect = _named("perfect")
figure_efficiency = _named("efficiency")
figure_clue_value = _named("clue_value")
figure_tokens = _named("tokens")
figure_clue_mistakes = _named("clue_mistakes")
figure_origins = _named("origins")
figure_efficient = _named("efficient")
figure_discards = _named("discards")
figure_known = _named("known")
figure_discards_by = _named("discards_by")
figure_costs = _named("costs")
figure_misplays = _named("misplays")
figure_odds = _named("odds")
figure_missed = _named("missed")
figure_conventions = _named("conventions")
figure_convention_worth = _named("convention_worth")
figure_players = _named("players")
figure_partners = _named("partners")
figure_player_rates = _named("player_rates")
figure_costliest = _named("costliest")

FIGURES: Final[Mapping[str, Drawn]] = {name: globals()[f"figure_{name}"] for name in QUESTIONS}
"""The functions of all figures, by name."""

__all__ += [f"figure_{name}" for name in FIGURES]
