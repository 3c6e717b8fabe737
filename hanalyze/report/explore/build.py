"""The page of `hanalyze explore`: an HTML file that loads nothing, except files beside it (see `Full`).

The page adds up the sums of `hanalyze.report.explore.sums` for each question. Its script `answers.js`
computes the same numbers as `hanalyze.analysis.explore`.
"""

from __future__ import annotations

import base64
import gzip
import html
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hanalyze.analysis.decision_cache import READ
from hanalyze.analysis.explore import (
    DECISION_DIMENSIONS,
    GAME_DIMENSIONS,
    SQL,
    SQL_PARTS,
    Question,
    Source,
    selected_in_words,
    source_of,
)
from hanalyze.analysis.filters import check_filled
from hanalyze.analysis.grouping import NAME_IN_TEAM, NO_DATE, PHASES, SCORES, SUITS_IN_NAME
from hanalyze.analysis.metrics import Metric
from hanalyze.lazy import needed
from hanalyze.report.dashboard.picture import plotly_script
from hanalyze.report.dashboard.questions.question import PHASES as PHASE_WORDS
from hanalyze.report.dashboard.scripts import student_quantiles
from hanalyze.report.explore.sums import (
    OTHERS,
    PLAYER_BITS,
    SIZES,
    Sums,
    in_smallest_type,
    prepared,
    sums_of,
    used_terms,
)
from hanalyze.report.page import Page, game_titles, not_apart, policy, render, script_of, source
from hanalyze.report.theme import theme_css
from hanalyze.store import Database
from hanalyze.store.listings import find_sites
from hanalyze.text import apart
from hanalyze.version import __version__

_MOST: Final = 5_100_000
"""Maximum size of the compressed data, in bytes."""
_MOST_CONVENTIONS: Final = 32
_MOST_TEAMS: Final = 40
_NAME_WIDTH: Final = 40
_SCRIPTS: Final = (
    *("elements.js", "dashboard/scripts/rates.js", "theme.js", "plots.js"),
    *(f"explore/page/{name}.js" for name in ("answers", "numbers", "sentence", "menu", "chart", "explore")),
)
_SQL_SCRIPT: Final = "explore/page/sql.js"
_TITLES: Final = {
    "player": "player", "partner": "partner", "before": "player before", "after": "player after",
    "seat": "seat", "team": "team", "players": "team size", "variant": "variant", "family": "variant family",
    "month": "month", "year": "year", "score": "final score", "level": "level of signals", "phase": "phase",
    "turn": "turn",
}  # fmt: skip
_LABELLED: Final = ("kind", "convention")
"""Dimensions of the parts of a metric; the page stores their values with the metric."""
_ORDERED: Final = ("seat", "players", "month", "year", "score", "level", "phase", "turn")
_QUESTIONS: Final = (
    ("Who makes the most discard mistakes?", "discard", ("player",)),
    ("Which discard mistakes are made, and in which phase?", "discard", ("kind", "phase")),
    ("Do misplays become rarer with time?", "misplays", ("month",)),
    ("How many cards does a clue get, turn by turn?", "clue_value", ("turn",)),
    ("Which team scores best?", "score", ("team",)),
    ("Does the team size matter for perfect games?", "perfect", ("players",)),
    ("Which variants are lost by strikes?", "strikeout", ("family",)),
    ("How often do players give a clue in each phase?", "clue_share", ("phase", "player")),
    ("Where do the points go: mistakes by turn and phase", "mistake_points", ("turn", "phase")),
    ("Which conventions are used?", "convention_uses", ("convention",)),
    ("Which conventions work?", "convention_success", ("convention",)),
    ("Do groups that read more signals score better?", "score", ("level",)),
)
"""Example questions: sentence, metric and dimensions."""
_SHOWN_SCORES: Final = ("Perfect", "90% or more", "75 to 90%", "50 to 75%", "Below 50%")


class Full(NamedTuple):
    """DuckDB-WASM, its worker, and a database with the turns: as base64 of gzip, or as addresses of files."""

    wasm: str
    worker: str
    turns: str
    are_files: bool = False


class EmbeddedPage(str):
    """The HTML of a page; notebooks display the page in a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        page = html.escape(self, quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:900px;border:0" title="hanalyze"></iframe>'


def explore(db: Database, *, mistakes: str | os.PathLike[str] | None = None) -> EmbeddedPage:
    """Return the explorer of a database as HTML, which notebooks display; see `explore_page`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     explore(db).splitlines()[0]
    '<!doctype html>'
    """
    return EmbeddedPage(explore_page(db, mistakes=mistakes).text)


def explore_page(
    db: Database, *, mistakes: str | os.PathLike[str] | None = None, full: Full | None = None
) -> Page:
    """Build the page of a database; `mistakes` is a folder with additional definitions of mistakes.

    With `full`, the page also has the turns and answers SQL. Raises `HanalyzeError` if the database has no
    games (rule `no_game`), or if Plotly (`no_plotly`), Jinja2 (`no_jinja2`) or SciPy (`no_scipy`) is not
    installed.
    """
    needed("plotly")
    needed("jinja2")
    check_filled(db, "games")
    turns = source_of(db, mistakes)
    with prepared(db, turns):
        terms = [term for one in turns.metrics.values() if not one.of_games for term in _terms(one)]
        used = used_terms(db, terms)
        metrics = [kept for one in turns.metrics.values() if (kept := _metric_in_use(one, used)) is not None]
        of_games = [one for one in metrics if one.of_games]
        wanted = dict.fromkeys(term for one in metrics if not one.of_games for term in _terms(one))
        # SQL reads stored turns, which know only the built-in definitions.
        sql = None if mistakes is not None else turns._replace(turns=READ)
        sums, packed = _fitting(db, metrics, of_games, list(wanted), sql)
    plotly, code = plotly_script(), script(with_sql=full is not None)
    text = render(
        "explore/page/explore.html",
        policy=policy((plotly, code), wasm=full is not None, files=full is not None and full.are_files),
        full=full,
        style=theme_css() + source("panels.css") + source("explore/page/explore.css"),
        data=base64.b64encode(packed).decode(),
        script=code,
        plotly=plotly,
    )
    return Page(text, db.count("games"), _rest(sums), db.count("convention_games"))


def _fitting(
    db: Database,
    metrics: Sequence[Metric],
    of_games: Sequence[Metric],
    terms: Sequence[str],
    sql: Source | None,
) -> tuple[Sums, bytes]:
    """Return the sums of the largest size that fits into a page, and their compressed file."""
    for size in SIZES:
        # The smallest size is used even if its file is too large.
        is_last = size is SIZES[-1]
        sums = sums_of(db, size, of_games, terms, limited=not is_last)
        if sums is None:
            continue
        packed = _packed(db, sums, metrics, sql)
        if is_last or len(packed) <= _MOST:
            return sums, packed
    raise AssertionError("the last size is always returned")


def script(*, with_sql: bool = False) -> str:
    """Return the script of the page; `with_sql` adds the box for SQL."""
    return script_of((*_SCRIPTS, _SQL_SCRIPT) if with_sql else _SCRIPTS)


def _terms(metric: Metric) -> Iterable[str]:
    return (metric.x, metric.y, *(term for label in metric.labels for term in (label.x, label.y)))


def _metric_in_use(metric: Metric, used: Mapping[str, int]) -> Metric | None:
    """Return a metric with the parts that occur (of conventions, the most used); None if it never occurs."""
    if metric.of_games:
        return metric
    if metric.y not in used:
        return None
    labels = [label for label in metric.labels if label.y in used]
    if metric.labelled == "convention":
        labels = [label for label in labels if label.x in used]
        labels.sort(key=lambda label: -used[label.x])
        labels = labels[:_MOST_CONVENTIONS]
    return replace(metric, labels=tuple(labels))


def _rest(sums: Sums) -> str:
    return not_apart(*((number, name, OTHERS) for name, number in sums.others.items()))


def _notes(sums: Sums, games: int) -> list[str]:
    notes = []
    if rest := _rest(sums):
        notes.append(f"Not shown separately: {rest}.")
    if sums.size.clusters:
        notes.append(
            f"The {games:,} games are counted in {sums.clusters} random groups, from whose variation the"
            " intervals are computed; single games are not listed."
        )
    return notes


def _packed(db: Database, sums: Sums, metrics: Sequence[Metric], sql: Source | None) -> bytes:
    """Return header and columns as the script reads them, compressed."""
    games = db.count("games")
    frame = sums.games
    packed, party = _numbered(frame["party"].to_list())
    parties = [_players(one) for one in packed]
    months, month = _numbered(frame["month"].to_list(), last=NO_DATE)
    levels, level = _numbered(frame["level"].to_list(), last=-1)
    sizes = sorted({len(one) for one in parties})
    teams, team_of = _teams(db, parties, party, frame["games"].to_numpy(), sums.names["player"])
    columns = {
        "games.cluster": frame["cluster"].to_numpy(),
        "games.party": party,
        "games.variant": frame["variant"].to_numpy(),
        "games.month": month,
        "games.score": frame["score"].to_numpy(),
        "games.level": level,
        "games.games": frame["games"].to_numpy(),
        **{f"decisions.{name}": sums.decisions[name] for name in ("seat", "phase", "turn")},
        "decisions.game": sums.decisions["row"],
    }
    names: dict[str, str] = {}
    for one in metrics:
        if one.of_games:
            names_of = [f"{one.name}_{end}" for end in ("x", "y", *(["full"] if one.full else []))]
            columns |= {f"games.{name}": frame[name].fill_null(0).to_numpy() for name in names_of}
        else:
            for term in _terms(one):
                names.setdefault(term, f"t{len(names)}")
    columns |= {f"decisions.{name}": sums.decisions[term] for term, name in names.items()}
    families, family = _numbered([re.sub(SUITS_IN_NAME, "", name) for name in sums.names["variant"]])
    years, year = _numbered([name[:4] if name != NO_DATE else name for name in months], last=NO_DATE)
    turns = range(0, 10 * int(sums.decisions["turn"].max(initial=0)) + 1, 10)
    values: dict[str, tuple[list[str], list[str]]] = {
        name: (apart(sums.names[name], _NAME_WIDTH), _keys(sums.names[name], bool(sums.others[name])))
        for name in ("player", "variant")
    }
    values |= dict.fromkeys(("partner", "before", "after"), values["player"])
    values |= {
        "team": (apart(teams, _NAME_WIDTH), _keys(teams, teams[-1] == OTHERS)),
        "players": ([f"{size} players" for size in sizes], list(map(str, sizes))),
        "family": (apart(families, _NAME_WIDTH), families),
        "month": (months, months),
        "year": (years, years),
        "score": (list(_SHOWN_SCORES), list(SCORES)),
        "level": (
            [f"Level {one}" if one >= 0 else "Not read" for one in levels],
            [str(one) if one >= 0 else "not read" for one in levels],
        ),
        "seat": ([f"Seat {one + 1}" for one in range(sizes[-1])], list(map(str, range(sizes[-1])))),
        "phase": (list(PHASE_WORDS.values()), list(PHASES)),
        "turn": ([f"{one + 1} to {one + 10}" for one in turns], [f"{one}-{one + 9}" for one in turns]),
    }
    if not sums.size.months:
        del values["month"]
    tables = {
        "games": (frame.height, GAME_DIMENSIONS),
        "decisions": (len(sums.decisions["row"]), DECISION_DIMENSIONS),
    }
    header = {
        "version": __version__,
        "games": games,
        "clusters": sums.clusters,
        "exact": not sums.size.clusters,
        "notes": _notes(sums, games),
        "student": student_quantiles(),
        "tables": {
            name: {"rows": rows, "dimensions": [one for one in dimensions if one in values]}
            for name, (rows, dimensions) in tables.items()
        },
        "dimensions": {
            name: {"title": _TITLES[name], "values": shown, "keys": keys, "ordered": name in _ORDERED}
            for name, (shown, keys) in values.items()
        }
        | {name: {"title": name, "values": [], "keys": [], "ordered": False} for name in _LABELLED},
        "parties": parties,
        "teams": team_of,
        "families": family.tolist(),
        "years": year.tolist(),
        "metrics": [_metric(one, names) for one in metrics],
        "sql": sql and _sql(sql, metrics, list(values)),
        "questions": _questions(
            [one.name for one in metrics],
            {"kind", "convention", *(name for name, (shown, _) in values.items() if len(shown) > 1)},
            values["player"][0],
        ),
        "listed": None if sums.size.clusters else _listed(db, frame["game_id"].to_list()),
    }
    return _file(header, columns)


def _questions(
    metrics: Collection[str], dimensions: Collection[str], players: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the example questions that a page can answer, some about the most frequent players."""
    found: list[dict[str, Any]] = [
        {"title": title, "metric": metric, "by": list(by), "where": {}, "versus": None}
        for title, metric, by in _QUESTIONS
        if metric in metrics and all(name in dimensions for name in by)
    ]
    if len(players) > 1:
        first, second = players[:2]
        found += [
            {
                "title": f"Are discard mistakes of {first} rarer when {second} acts before {first}?",
                "metric": "discard", "by": ["before"], "where": {"player": [0]}, "versus": None,
            },
            {
                "title": f"Discard mistakes of {first} compared with everyone else, phase by phase",
                "metric": "discard", "by": ["phase"], "where": {"player": [0]}, "versus": "others",
            },
        ]  # fmt: skip
    return found


def _numbered(values: Sequence[Any], last: Any = None) -> tuple[list[Any], NDArray[np.int64]]:
    """Return the sorted distinct values, `last` at the end, and for each of `values` its index among them."""
    distinct = sorted(set(values), key=lambda value: (value == last, value))
    number = {value: n for n, value in enumerate(distinct)}
    return distinct, np.array([number[value] for value in values], np.int64)


def _players(party: int) -> list[int]:
    """Return the numbers of the players of a party (see `PLAYER_BITS`), by seat."""
    seats = range(-(-party.bit_length() // PLAYER_BITS))
    return [(party >> PLAYER_BITS * seat) % (1 << PLAYER_BITS) - 1 for seat in seats]


def _keys(names: Sequence[str], with_others: bool) -> list[str]:
    """Return the names for use in addresses; `with_others`, the last one becomes `~others`."""
    return [*names[:-1], "~others"] if with_others else list(names)


def _teams(
    db: Database,
    parties: Sequence[Sequence[int]],
    party: NDArray[np.int64],
    games: NDArray[Any],
    players: Sequence[str],
) -> tuple[list[str], list[int]]:
    """Return the names of the most frequent teams, then `OTHERS`, and the number of each party's team."""
    members = [tuple(sorted(one, key=lambda player: players[player])) for one in parties]
    total: Counter[tuple[int, ...]] = Counter()
    for team, number in zip(members, np.bincount(party, games, len(parties)).tolist(), strict=True):
        total[team] += int(number)
    first = [team for team, _ in total.most_common(_MOST_TEAMS)]
    place = {team: number for number, team in enumerate(first)}
    query = f"SELECT {NAME_IN_TEAM} AS name FROM (SELECT unnest($players) AS player)"
    written = db.sql(query, {"players": list(players)})["name"]
    names = [", ".join(written[player] for player in team) for team in first]
    if len(total) > len(first):
        names.append(OTHERS)
    return names, [place.get(team, len(first)) for team in members]


def _metric(metric: Metric, names: Mapping[str, str]) -> dict[str, Any]:
    def column(term: str) -> str:
        return term.removeprefix("d.") if metric.of_games else names[term]

    values: dict[str, Any] = {
        "name": metric.name,
        "title": metric.title,
        "noun": metric.title[0].lower() + metric.title[1:],
        "section": metric.section,
        "table": "games" if metric.of_games else "decisions",
        "x": column(metric.x),
        "y": column(metric.y),
        "full": f"{metric.name}_full" if metric.full else None,
        "share": metric.share,
        "scale": metric.scale,
        "decimals": metric.decimals,
        "unit": metric.unit,
        "of": metric.counted,
        "better": metric.better,
        "fewest": metric.fewest,
        "minimum": 30 if metric.share and not metric.of_games else 0,
        "definition": metric.definition,
    }
    if metric.labels:
        values["kinds"] = {
            "dimension": metric.labelled,
            "values": [label.title for label in metric.labels],
            "keys": [label.name for label in metric.labels],
            "columns": [[column(label.x), column(label.y)] for label in metric.labels],
        }
    return values


def _sql(source: Source, metrics: Sequence[Metric], known: Collection[str]) -> dict[str, Any]:
    """Return the parts of the SQL of `hanalyze.analysis.explore.explore_sql`, for each table of the page."""
    found: dict[str, Any] = {"whole": SQL, **SQL_PARTS, "metrics": {}}
    for metric in metrics:
        table = "games" if metric.of_games else "decisions"
        found["metrics"][metric.name] = {
            "rows": source.rows(metric),
            "whole": [metric.x, metric.y],
            "labels": [[label.x, label.y] for label in metric.labels],
        }
        if table in found:
            continue
        names = [one for one in (GAME_DIMENSIONS if metric.of_games else DECISION_DIMENSIONS) if one in known]
        whole = Question(metric, [], {})
        # Only the grouping of games by partner depends on the filters.
        partners = [
            Question(metric, ["partner"], some).grouping()[0].joins for some in ({}, {"player": [""]})
        ]
        found[table] = {
            "partners": [one.replace("$v0", "{listed}") for one in partners],
            "terms": {name: whole.term(name, "{listed}") for name in names},
            "expressions": {name: whole.dimension(name).expressions[-1] for name in names},
            "groupings": {
                ",".join(by): [selected_in_words(grouping), grouping.joins]
                for number in range(3)
                for by in itertools.permutations(names, number)
                for grouping, _ in [Question(metric, by, {}).grouping()]
            },
        }
    return found


def _listed(db: Database, keys: Sequence[int]) -> dict[str, list[Any]]:
    """Return names and addresses (or None) of games, in the order of `keys`."""
    query = "SELECT game_id, source_id, seed FROM games WHERE game_id IN (SELECT unnest($keys))"
    names = game_titles(db.sql(query, {"keys": list(keys)}))
    sites = find_sites(db, keys)
    return {"names": [names[key] for key in keys], "addresses": [sites.get(key) for key in keys]}


def _file(header: dict[str, Any], columns: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the compressed file: length of the header, header, columns; equal columns are stored once."""
    places: dict[bytes, int] = {}
    described: dict[str, dict[str, Any]] = {}
    body = bytearray()
    for name, values in columns.items():
        delta = name == "decisions.game"
        stored = in_smallest_type(np.diff(values.astype(np.int64), prepend=0) if delta else values)
        data = stored.astype(stored.dtype.newbyteorder("<")).tobytes()
        if data not in places:
            body += bytes(-len(body) % 8)
            places[data] = len(body)
            body += data
        kind = f"{stored.dtype.kind}{stored.dtype.itemsize}"
        described[name] = {"type": kind, "at": places[data], "length": len(stored), "delta": delta}
    text = json.dumps({**header, "columns": described}, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "backslashreplace"
    )
    start = len(text).to_bytes(4, "little") + text
    return gzip.compress(start + bytes(-len(start) % 8) + body, 6, mtime=0)
