"""Any metric by any dimensions, for any decisions or games: the numbers of `hanalyze explore` as frames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hanalyze.analysis.columns import schema
from hanalyze.analysis.decision_cache import CONVENTIONS_BY_TURN, READ, source_of_turns
from hanalyze.analysis.filters import check_filled
from hanalyze.analysis.group_sums import Fraction, Rows, grouped_rows, kind_rows, ratio_columns
from hanalyze.analysis.grouping import DECISIONS, GAMES, PHASES, SCORES, By, one_column
from hanalyze.analysis.measures import MEASURES
from hanalyze.analysis.metrics import Label, Metric, metrics
from hanalyze.analysis.statistics.intervals import check_confidence
from hanalyze.analysis.statistics.ratios import PairSums, difference_of_ratios, pair_terms
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import Folder, definitions
from hanalyze.store.schema import quoted
from hanalyze.text import nearest

Filters = Mapping[str, Sequence[Any]]
"""For each dimension: its selected values, or one value."""

_LEVEL: Final = one_column(
    "level",
    "signal_level(own_level.level)",
    " JOIN convention_games reading ON reading.game_id = d.game_id"
    " LEFT JOIN game_levels own_level ON own_level.game_id = d.game_id",
)
_OF_GAME: Final = (
    *("team", "players", "variant", "family", "edition"),
    *("date", "month", "year", "score", "level"),
)
_OF_SEAT: Final = ("player", "partner", "seat", "before", "after")
_OF_TURN: Final = ("phase", "turn")
GAME_DIMENSIONS: Final = ("player", "partner", *_OF_GAME)
DECISION_DIMENSIONS: Final = (*_OF_SEAT, *_OF_GAME, *_OF_TURN)
"""Dimensions of metrics of decisions. Metrics with parts also have `kind` or `convention`."""

_GAME_COLUMNS: Final = "g.players, g.variant, g.edition, g.score, g.full_score"
_SEATS: Final = "(SELECT s.game_id, s.seat, g.* EXCLUDE (game_id) FROM seats s JOIN games g USING (game_id))"


class Source(NamedTuple):
    """The known metrics, and the rows of `judged_turns` as a table or query in brackets."""

    metrics: dict[str, Metric]
    turns: str

    def rows(self, metric: Metric) -> str:
        """Return the query for the rows of a metric, with the columns that dimensions need."""
        if metric.of_games:
            return games_query([metric.name])
        return turns_query(self.turns, metric.labelled == "convention")


def source_of(db: Database, folder: Folder = None) -> Source:
    """Return the metrics and the turns of a database; the turns are judged unless their sums are stored."""
    turns, measures = source_of_turns(db, folder)
    return Source(metrics(definitions(folder), measures), turns)


def games_query(names: Sequence[str]) -> str:
    """Return the query for the games; numerator and denominator of a metric are `NAME_x` and `NAME_y`."""
    measures = {measure.name: measure for measure in MEASURES}
    columns = "".join(f", {name}_m.found AS {name}_x, {name}_m.opportunities AS {name}_y" for name in names)
    joins = "".join(f" LEFT JOIN ({measures[name].query}) {name}_m USING (game_id)" for name in names)
    return f"SELECT g.game_id, {_GAME_COLUMNS}{columns} FROM games g{joins}"


def turns_query(turns: str, with_conventions: bool) -> str:
    """Return the query for turns with the game's columns and, if requested, the masks of conventions.

    `is_read` is 1 for turns of games that were read for conventions, otherwise 0.
    """
    columns = f"t.*, {_GAME_COLUMNS}"
    joins = " JOIN games g ON g.game_id = t.game_id"
    if with_conventions:
        masks = ", ".join(f"coalesce(n.{name}, 0) AS {name}" for name in ("uses", "settled", "worked"))
        columns += f", {masks}, (r.game_id IS NOT NULL)::UTINYINT AS is_read"
        joins += (
            f" LEFT JOIN ({CONVENTIONS_BY_TURN}) n ON n.game_id = t.game_id AND n.turn = t.turn"
            " LEFT JOIN convention_games r ON r.game_id = t.game_id"
        )
    return f"SELECT {columns} FROM {turns} t{joins}"


def explore(
    db: Database,
    metric: str,
    by: str | Sequence[str] = (),
    where: Filters | None = None,
    *,
    versus: str | Filters | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
    folder: Folder = None,
) -> pl.DataFrame:
    """Return a metric by any dimensions, for some decisions or games; `hanalyze explore` draws it.

    `metric` is a name of `hanalyze.analysis.metrics`: a family of mistakes (discard, play, clue), misplays,
    clue_value, score, perfect and so on. `by` and the keys of `where` are dimensions: level (H-Group level of
    the players, known for games read for conventions), and the groupings of `rates` except rank, suit and
    severity. If the metric has parts, which the column `part` names, kind (of mistake) or convention is a
    dimension, too. Metrics of games have no dimensions of seats and turns; by player, a game counts for each
    of its players, and the filters player and partner each select the games of these people. `where` maps
    dimensions to their selected values. A dimension that is also in `by` shows only these values.

    `versus` compares with other rows: "others" (if `where` names players: everyone else with the same other
    filters; otherwise all rows outside of `where`), or other filters. The difference is that of the two
    ratios. Its interval and p-value (`difference_of_ratios`) are not adjusted for the number of rows.

    The columns are those of the dimensions and those of `FRAMES`. Shares of decisions with fewer than
    `minimum` opportunities have counts only. Raises `UnknownName`, and `HanalyzeError` (rules
    `bad_dimension`, `bad_number`, `no_game`, `not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     frame = explore(db, "clue_value", "phase", {"players": [3]})
    >>> frame.columns
    ['phase', 'part', 'found', 'opportunities', 'games', 'value', 'low', 'high']
    """
    check_confidence(confidence)
    source = source_of(db, folder)
    question = _question(source, metric, by, where)
    one, labels = question.metric, question.labels
    grouping, shown = question.grouping()
    if "level" in (*question.names, *question.filters):
        db.prepare_decisions()
    if one.labelled == "convention":
        check_filled(db, "convention_games")
    chosen = question.sides(versus)
    marks = ", ".join(f"{condition} AS in_{name}" for name, condition in chosen.items())
    terms = {
        f"{column}{number}": (name, term)
        for number, label in enumerate(labels)
        for name in chosen
        for column, term in zip(_PAIRS[name], label[2:], strict=True)
    }
    terms |= {f"full_{name}": (name, one.full) for name in chosen if one.full}
    columns = "".join(
        f", sum({term}) FILTER (in_{name})::DOUBLE AS {column}" for column, (name, term) in terms.items()
    )
    query = (
        f"SELECT d.game_id, {grouping.selected[:-2] or '0 AS _all'}{columns}"
        f" FROM (SELECT *, {marks} FROM ({source.rows(one)}) d) d{grouping.joins}"
        f" WHERE ({' OR '.join(f'in_{name}' for name in chosen)}){shown} GROUP BY ALL"
    )
    with grouped_rows(db, query, grouping, values=question.values) as table:
        parts = [_answers(table, one, name, len(labels), minimum, confidence) for name in chosen]
        if versus is not None:
            parts.append(_differences(table, one, len(labels), minimum, confidence))
    columns_of = [[series for part in parts for series in part[number]] for number in range(len(labels))]
    frame = kind_rows(table.groups, "part", [label.name for label in labels], columns_of)
    frame = frame.filter(pl.col("opportunities") > 0)
    declared = schema("explore", grouping.columns)
    return frame.select(pl.col(name).cast(kind) for name, kind in declared.items() if name in frame.columns)


SQL: Final = """\
-- For `hanalyze sql DB`: the counts of hz.analysis.explore, which adds intervals.{needs}
SELECT {selected}one.part AS part{sides}
FROM (SELECT *, unnest([{labels}]) AS one, {marks} FROM ({rows}) d) d{joins}
WHERE ({chosen}){shown}
GROUP BY ALL HAVING opportunities > 0 ORDER BY ALL"""
"""Template of the SQL of a question; the page of `hanalyze explore` fills it in, too."""
SQL_PARTS: Final = {
    "label": "struct_pack(part := '{part}', x := {x}, y := {y})",
    "mark": "{condition} AS in_{side}",
    "side": (
        ",\n    sum(one.x) FILTER (in_{side}) AS {start}found,"
        "\n    sum(one.y) FILTER (in_{side}) AS {start}opportunities,"
        "\n    count(DISTINCT d.game_id) FILTER (in_{side} AND one.y > 0) AS {start}games,"
        "\n    CASE WHEN {start}opportunities >= {minimum}"
        " THEN sum(one.x) FILTER (in_{side}) / {start}opportunities END AS {start}value"
    ),
    "needs": "\n-- It reads the judged turns that `hanalyze sums DB` stores.",
}
_IN_WORDS: Final = {
    "score": f"[{', '.join(map(quoted, SCORES))}][1 + {{}}]",
    "turn": "concat(10 * ({0}), '-', 10 * ({0}) + 9)",
}
"""For each dimension whose values are numbers in queries: the SQL for their text."""


def explore_sql(
    db: Database,
    metric: str,
    by: str | Sequence[str] = (),
    where: Filters | None = None,
    *,
    versus: str | Filters | None = None,
    minimum: int = 30,
) -> str:
    """Return SQL for the counts and values of `explore`, without intervals and differences.

    The text contains the filters' values, quoted. Metrics of turns read the table that `hanalyze sums`
    stores. Raises `UnknownName`, and `HanalyzeError` (rule `bad_dimension`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     text = explore_sql(db, "score", "players")
    ...     db.sql(text).equals(explore(db, "score", "players").drop("low", "high"))
    True
    """
    source = source_of(db)._replace(turns=READ)
    question = _question(source, metric, by, where)
    grouping, shown = question.grouping()
    chosen = question.sides(versus)
    least = _least(question.metric, minimum)
    text = SQL.format(
        needs="" if question.metric.of_games else SQL_PARTS["needs"],
        selected=selected_in_words(grouping),
        sides="".join(
            SQL_PARTS["side"].format(side=name, start="" if name == "x" else "other_", minimum=least)
            for name in chosen
        ),
        labels=", ".join(
            SQL_PARTS["label"].format(part=label.name, x=label.x, y=label.y) for label in question.labels
        ),
        marks=", ".join(SQL_PARTS["mark"].format(condition=one, side=name) for name, one in chosen.items()),
        rows=source.rows(question.metric),
        joins=grouping.joins,
        chosen=" OR ".join(f"in_{name}" for name in chosen),
        shown=shown,
    )
    values = question.values
    literals = {name: quoted(one) if isinstance(one, str) else str(one) for name, one in values.items()}
    return re.sub(r"\$(v\d+)", lambda match: literals[match[1]], text)


def selected_in_words(grouping: By) -> str:
    """Return the SQL that selects the group columns with their displayed values, each followed by a comma."""
    pairs = zip(grouping.columns, grouping.expressions, strict=True)
    return "".join(f'{_IN_WORDS.get(name, "{}").format(one)} AS "{name}", ' for name, one in pairs)


_PAIRS: Final = {"x": ("x", "y"), "u": ("u", "v")}
"""Names of the columns of numerator and denominator: of the selected rows, and of the other rows."""


def _listed(values: Any) -> list[Any]:
    return [values] if isinstance(values, str | int) else list(values)


def _question(source: Source, metric: str, by: str | Sequence[str], where: Filters | None) -> Question:
    one = source.metrics.get(metric)
    if one is None:
        near = nearest(metric, source.metrics)
        raise UnknownName("metric", metric, near, advice="one of: " + ", ".join(source.metrics))
    filters = {name: _listed(values) for name, values in (where or {}).items()}
    return Question(one, [by] if isinstance(by, str) else list(by), filters)


class Question:
    """A metric, its dimensions and filters; `values` are the bound values of the SQL of its methods."""

    def __init__(self, metric: Metric, names: Sequence[str], filters: Mapping[str, Sequence[Any]]) -> None:
        self.metric, self.filters = metric, filters
        self.names = [name for name in names if name != metric.labelled]
        self.values: dict[str, Any] = {}
        whole = Label(metric.name, metric.title, metric.x, metric.y)
        known = {label.name: label for label in metric.labels}
        wanted = [str(name).replace("-", "_") for name in filters.get(metric.labelled, ())]
        for name in wanted:
            _check_known(metric.labelled, name, known)
        if metric.labelled in names:
            self.labels = [known[name] for name in wanted or known]
        elif len(wanted) > 1:
            problem = f"several values of {metric.labelled} have no common rate"
            advice = f"choose one, or group by {metric.labelled}"
            raise HanalyzeError(problem, rule="bad_dimension", advice=advice)
        else:
            self.labels = [known[wanted[0]] if wanted else whole]

    def dimension(self, name: str) -> By:
        """Return a dimension of the metric. Raises `UnknownName`."""
        known = GAME_DIMENSIONS if self.metric.of_games else DECISION_DIMENSIONS
        if name not in known:
            others = [*known, *([self.metric.labelled] if self.metric.labelled else [])]
            advice = f"for {self.metric.name} one of: " + ", ".join(others)
            raise UnknownName("dimension", name, nearest(name, others), advice=advice)
        if name == "level":
            return _LEVEL
        one = (GAMES if self.metric.of_games else DECISIONS)[name]
        if name != "partner":
            return one
        return one._replace(columns=one.columns[1:], expressions=one.expressions[1:])

    def grouping(self) -> tuple[By, str]:
        """Return the grouping, and SQL that keeps the filtered values of its dimensions: "" or " AND ..."."""
        result, shown = By(None), ""
        for name in self.names:
            one = self.dimension(name)
            if name == "partner" and self.metric.of_games and "player" not in self.names:
                one = self._partners(one)
            result = result.combined(one) if result.columns else one
            if name in self.filters:
                shown += f" AND {one.expressions[-1]} IN ({self._bound(name, self.filters[name])})"
        return result, shown

    def _partners(self, one: By) -> By:
        """Return the grouping of games by partner; a game counts once for each partner.

        The partners are those of the players in the filters, or of all players without such a filter.
        """
        players = self.filters.get("player")
        chosen = f" AND s.player IN ({self._bound('player', players)})" if players else ""
        joins = (
            " JOIN (SELECT DISTINCT o.game_id, o.player AS partner FROM seats s JOIN seats o"
            f" ON o.game_id = s.game_id AND o.seat <> s.seat{chosen}) s ON s.game_id = d.game_id"
        )
        return one._replace(joins=joins)

    def condition(self, filters: Mapping[str, Sequence[Any]], *, negated: str | None = None) -> str:
        """Return filters as a condition on a row `d`; the filter `negated` must not hold."""
        terms = []
        for name, listed in filters.items():
            if name == self.metric.labelled:
                continue
            term = self.term(name, self._bound(name, listed))
            terms.append(f"NOT ({term})" if name == negated else term)
        return " AND ".join(terms) or "true"

    def term(self, name: str, listed: str) -> str:
        """Return the condition that a dimension of a row `d` has one of the listed values, given as SQL."""
        one = self.dimension(name)
        holds = f"{one.expressions[-1]} IN ({listed})"
        if name in _OF_TURN:
            return holds
        if name in _OF_SEAT and not self.metric.of_games:
            seats = f"SELECT (d.game_id, d.seat) FROM {_SEATS} d{one.joins} WHERE {holds}"
            return f"(d.game_id, d.seat) IN ({seats})"
        return f"d.game_id IN (SELECT d.game_id FROM games d{one.joins} WHERE {holds})"

    def sides(self, versus: str | Filters | None) -> dict[str, str]:
        """Return the conditions of the selected rows (x) and of the others (u). Raises `UnknownName`."""
        selected = {"x": self.condition(self.filters)}
        if versus is None:
            return selected
        if not isinstance(versus, str):
            other = self.condition({name: _listed(values) for name, values in versus.items()})
        elif versus != "others":
            raise UnknownName("comparison", versus, advice="others, or filters such as {'player': ['Bob']}")
        elif "player" in self.filters:
            other = self.condition(self.filters, negated="player")
        else:
            other = f"NOT ({self.condition(self.filters)})"
        return {**selected, "u": other}

    def _bound(self, name: str, listed: Sequence[Any]) -> str:
        """Bind the values of a dimension; return their parameters as SQL, such as `$v0, $v1`."""
        names = []
        for value in listed:
            names.append(f"v{len(self.values)}")
            self.values[names[-1]] = _raw(name, value)
        return ", ".join(f"${name}" for name in names)


def _raw(name: str, value: Any) -> Any:
    """Convert a filter value of a dimension to the value used in queries. Raises `UnknownName`."""
    if name in ("score", "phase"):
        known = SCORES if name == "score" else PHASES
        _check_known(name, str(value), known)
        return SCORES.index(value) if name == "score" else value
    if name in ("turn", "players", "seat", "level"):
        first = str(value).partition("-")[0]
        if not first.isdecimal():
            advice = "a number, or a range such as 10-19" if name == "turn" else "a number"
            raise UnknownName(name, str(value), advice=advice)
        return int(first) // 10 if name == "turn" else int(first)
    return str(value)


def _check_known(name: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise UnknownName(name, value, nearest(value, known), advice="one of: " + ", ".join(known))


def _least(metric: Metric, minimum: int) -> int:
    """Return the minimum number of opportunities; 0 for means and for metrics of games, which need none."""
    return minimum if metric.share and not metric.of_games else 0


def _answers(
    rows: Rows, metric: Metric, name: str, parts: int, minimum: int, confidence: float
) -> list[list[pl.Series]]:
    x, y = _PAIRS[name]
    full = f"r.full_{name}" if metric.full else ""
    fractions = [
        Fraction(f"r.{x}{number}", f"r.{y}{number}", metric.share, metric.fewest, full)
        for number in range(parts)
    ]
    results = rows.ratios(fractions, confidence=confidence, minimum=_least(metric, minimum))
    before = "" if name == "x" else "other_"
    return [
        [
            *(pl.Series(before + n, getattr(one, n)) for n in ("found", "opportunities", "games")),
            *ratio_columns(f"{before}value", one, before),
        ]
        for one in results
    ]


def _differences(
    rows: Rows, metric: Metric, parts: int, minimum: int, confidence: float
) -> list[list[pl.Series]]:
    terms: list[str] = []
    for number in range(parts):
        terms += pair_terms(*(f"r.{name}{number}" for name in "xyuv"))
    columns = rows.columns(terms, len(PairSums._fields))
    least = _least(metric, minimum)
    found = []
    for values in columns:
        result = difference_of_ratios(PairSums(*values), metric.share, metric.fewest, confidence, least)
        names = ("difference", "difference_low", "difference_high", "p_value")
        found.append([pl.Series(n, v, nan_to_null=True) for n, v in zip(names, result, strict=True)])
    return found
