"""One player's own decisions: rates compared with peers, form, level, strengths and things to work on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.analysis.columns import schema, select_columns
from hanalyze.analysis.decision_cache import DecisionTables, decision_tables, mark_decisions
from hanalyze.analysis.group_sums import create_table, drop, game_ranges, temporary_table
from hanalyze.analysis.grouping import PLAYED_AT
from hanalyze.analysis.peers import ENOUGH, PAIRS, Trend, compare_with_peers, trend_of
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.statistics.intervals import (
    Floats,
    Ints,
    Sums,
    benjamini_hochberg,
    check_confidence,
    share_of_sums,
)
from hanalyze.lazy import duckdb, polars as pl
from hanalyze.store import Database
from hanalyze.store.definitions import FAMILIES, definitions
from hanalyze.store.errors import duckdb_errors
from hanalyze.store.levels import USUAL_LEVEL, GroupLevel, player_level, show_levels
from hanalyze.store.listings import check_name
from hanalyze.store.materialise import only_games
from hanalyze.store.mistakes import BLAMED_SQL, prepare_decisions, show_mistakes
from hanalyze.store.results import as_frame
from hanalyze.store.rows import registered
from hanalyze.store.wording import worded

GRADES: Final = {"much": 0.4, "": 0.2, "slightly": 0.07}
"""Minimum distance of a grade from 0 for each word; smaller distances are `similar`."""
_GRADE: Final = 0.25
"""Difference of two rates that equals a grade of 1."""
_MOST: Final = 3
"""Maximum number of strengths, of things to work on, and of positions of each."""
_LEAST: Final = 2
"""Minimum number of things to work on; below it, the costliest kinds are added."""
_POINTS: Final = 60
"""Maximum number of points of the curve of form."""
WINDOW: Final = 20
"""Minimum number of games of a point of the curve of form."""

_ROLES: Final = {"call_missed": "receiver", "discard_kept": "receiver", "discard_unsaved": "giver"}

_MOVED: Final = """CASE d.action WHEN 'play' THEN 'played ' WHEN 'discard' THEN 'discarded ' ELSE 'clued ' END
    || CASE WHEN d.receiver IS NULL THEN card_name(g.letters, d.suit, d.rank)
        ELSE coalesce(n.names[d.receiver + 1], 'a teammate')
            || ' ' || CASE d.action WHEN 'rank_clue' THEN d.clue_value::VARCHAR
            ELSE lower(split_part(g.colours, ',', d.clue_value + 1)) END END"""
"""SQL for the move of a turn in words."""


def role_of(kind: str) -> str:
    """Return a player's role in a kind of mistake: giver or receiver of clues, or holder of cards.

    >>> role_of("clue_no_news"), role_of("call_missed"), role_of("misplay")
    ('giver', 'receiver', 'holder')
    """
    family = kind if kind in FAMILIES else definitions()[kind].family
    return _ROLES.get(kind, "giver" if family == "clue" and kind != "tokens_wasted" else "holder")


def verdict(grade: float) -> str:
    """Return a grade in words.

    A grade of 1 is a rate of mistakes 25 percentage points below the rate of the peers.

    >>> [verdict(grade) for grade in (0.5, 0.2, 0.1, 0.06, -0.07)]
    ['much better', 'better', 'slightly better', 'similar', 'slightly worse']
    """
    for word, least in GRADES.items():
        if abs(grade) >= least:
            return f"{word} {'better' if grade > 0 else 'worse'}".strip()
    return "similar"


@dataclass(frozen=True, slots=True)
class Profile:
    """Statistics of one player's own decisions.

    * `rates`, `form` and `positions` are the frames `player_rates`, `player_form` and `player_positions` of
      `hanalyze.analysis.FRAMES`.
    * `games` is the number of games with the player, and `undated` the number of these that the curve of
      form leaves out because they have no date.
    * `peers` is the number of other players in the `peers_games` games of the same team size, variant family
      and level.
    * `trend` has the rates of the first and second half of the games in the order of `form`, and the p- and
      q-value of their difference; None unless each half has `ENOUGH` opportunities in similar games.
    * `level` is the estimated level; None if no signal called a card of the player, or if the level is given.
    """

    player: str
    games: int
    undated: int
    peers: int
    peers_games: int
    rates: pl.DataFrame
    form: pl.DataFrame
    trend: Trend | None
    positions: pl.DataFrame
    level: GroupLevel | None

    def chosen(self, what: str) -> list[dict[str, Any]]:
        """Return the rows of `rates` chosen as `what`: "strength", "work on" or "costly", largest first."""
        rows = self.rates.filter(pl.col("chosen") == what)
        order = "points" if what == "costly" else "importance"
        return rows.sort(order, descending=True, maintain_order=True).to_dicts()


def me(db: Database, player: str, *, confidence: float = 0.95) -> Profile:
    """Return the rates, form, level, strengths and things to work on of one player.

    Only this player's own decisions count: as giver of clues, as receiver of messages, and as holder of
    cards. Peers are all other players in games of the same team size, variant family (the variant without its
    number of suits) and, if games were read for conventions, level of the group (`hanalyze.store.levels`).
    p-values are those of `hanalyze.analysis.statistics.ratios.against_other_groups`, and q-values (Benjamini
    & Hochberg 1995) adjust them for all kinds and the trend.

    Strengths and things to work on are kinds whose q-value is at most 1 - `confidence` and whose grade is not
    similar, at most three of each, ordered by importance. If there are fewer than two things to work on, the
    kinds that lost the most points are added as `costly`, which claims no difference. Each kind has up to
    three positions. Raises `UnknownName` for a player without a game.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     profile = me(db, "Alice")
    >>> profile.games, profile.peers, profile.rates.columns[:4]
    (6, 2, ['kind', 'role', 'found', 'opportunities'])
    """
    check_confidence(confidence)
    check_name(db.connection, "player", player)
    tables = decision_tables(db)
    with duckdb_errors(db.file), closing(db.connection.cursor()) as cursor:
        levels = show_levels(cursor, db.judging.level)
        with _own_games(db, cursor, player):
            counts = _counts(db, tables)
            rates = _rates(db, tables, counts, confidence)
            form, trend, undated = form_of(counts.games, confidence)
            rates, trend = with_verdicts(rates, trend, confidence)
            candidates = _candidates(db, tables, counts, rates)
            peers, peers_games = db.sql(_PEERS, {"player": player}, temporary=True).row(0)
            level = player_level(db.connection, player) if db.judging.level is None else None
        with registered(cursor, {"game_id": np.array(candidates, np.int64)}) as source:
            cursor.execute(f"CREATE OR REPLACE TEMP TABLE _listed AS FROM {source}")
        only_games(cursor, "_listed")
        prepare_decisions(cursor, as_table=True, names=True, judging=db.judging, levels=levels)
        if (mistakes_table := db.kept_mistakes()) is not None:
            rows = f"FROM {mistakes_table} SEMI JOIN _listed USING (game_id)"
            cursor.execute(f"CREATE OR REPLACE TEMP VIEW found_rows AS {rows}")
        show_mistakes(cursor, as_table=True, names=True, found=mistakes_table and "found_rows")
        positions = _positions(cursor, player, tables, rates)
    return Profile(
        player, counts.games.height, undated, peers, peers_games, rates, form, trend, positions, level
    )


def player_rates(db: Database, player: str, *, confidence: float = 0.95) -> pl.DataFrame:
    """Return the rates of one player and of peers, one row per kind; see `me`."""
    return me(db, player, confidence=confidence).rates


def player_form(db: Database, player: str, *, confidence: float = 0.95) -> pl.DataFrame:
    """Return the curve of form of one player: the rate of mistakes in the games up to each point.

    Each point counts the last `WINDOW` games, or a tenth of the games if these are more. A player with fewer
    than `WINDOW` games has no point. The rate is that of all families: decisions with a mistake of a family,
    of the decisions in which one was possible. If at least half of the games have a date, they are in the
    order of their dates, without the undated games; otherwise in the order of their numbers on their site,
    then as they were stored.
    """
    return me(db, player, confidence=confidence).form


def player_positions(db: Database, player: str, *, confidence: float = 0.95) -> pl.DataFrame:
    """Return up to three positions for each strength and thing to work on of one player; see `me`."""
    return me(db, player, confidence=confidence).positions


_PEERS: Final = """
SELECT count(DISTINCT s.player) FILTER (s.player IS DISTINCT FROM $player), count(DISTINCT c.game_id)
FROM _own_cells c JOIN seats s USING (game_id)
"""
_GAMES: Final = "SELECT game_id, rules, played FROM _own_cells WHERE own ORDER BY source_id, stored"
_AT_ONCE: Final = 50_000
"""Number of games whose counts are in memory at a time."""


@contextmanager
def _own_games(db: Database, cursor: duckdb.DuckDBPyConnection, player: str) -> Iterator[None]:
    """Provide tables of the player's seats and of the comparable games; `cursor` can read the levels."""
    query = "SELECT game_id, seat FROM seats WHERE player = $player"
    levels = cursor.execute("SELECT game_id, level FROM game_levels").fetchnumpy()
    arrays = {name: np.asarray(values) for name, values in levels.items()}
    stored = "0" if db.is_folder else "g.rowid"  # a view has no rowid
    with temporary_table(db, "_own_seats", query, {"player": player}):
        with registered(db.connection, arrays) as source:
            cells = sql_text("player_cells").format(
                stored=stored, played=PLAYED_AT.format("g"), usual=USUAL_LEVEL, levels=source
            )
            create_table(db, "_own_cells", cells)
        try:
            yield
        finally:
            drop(db, "_own_cells")


class _Counts(NamedTuple):
    """Counts of the player and of all others in the comparable games.

    `cells` contains the sums of `compare_with_peers` by cell and measure. `games` contains the player's games
    in their order, with finds (f) and opportunities (o) of all families together. `found` and `possible`
    (both: games of `keys`, measures) contain the player's finds and opportunities.
    """

    cells: Floats
    games: pl.DataFrame
    keys: Ints
    found: Floats
    possible: Floats


def _counts(db: Database, tables: DecisionTables) -> _Counts:
    numbers = range(len(tables.measures))
    selected = ", ".join(f"s.{letter}{number}" for number in numbers for letter in "fo")
    cells = db.sql("SELECT max(cell) + 1 FROM _own_cells", temporary=True).item()
    sums = np.zeros((cells, len(numbers), 8 + len(PAIRS)))
    own: list[tuple[Any, ...]] = []
    for first, last in game_ranges(db, "_own_cells", _AT_ONCE):
        query = f"""SELECT s.game_id, c.cell, p.seat IS NULL AS other, {selected}
FROM _own_cells c JOIN {tables.seats} s USING (game_id) LEFT JOIN _own_seats p USING (game_id, seat)
WHERE s.game_id BETWEEN {first} AND {last}"""
        found_columns = db.connection.execute(query).fetchnumpy()
        columns = {name: np.asarray(values) for name, values in found_columns.items()}
        keys, index, game = np.unique(columns["game_id"], return_index=True, return_inverse=True)
        cell, place = columns["cell"][index].astype(np.int64), 2 * game + columns["other"]
        has_player = np.bincount(game[~columns["other"]], minlength=len(keys)) > 0
        found, possible = [], []
        for number in numbers:
            (f, a), (o, b) = (
                np.bincount(place, columns[f"{letter}{number}"], 2 * len(keys)).reshape(-1, 2).T
                for letter in "fo"
            )
            arrays = {"f": f, "o": o, "a": a, "b": b}
            terms = [f, o, a, b, o > 0, b > 0, (o > 0) & (b > 0), (o > 0) | (b > 0)]
            terms += [arrays[one[0]] * arrays[one[2]] for one in PAIRS]
            for term, values in enumerate(terms):
                sums[:, number, term] += np.bincount(cell, values, cells)
            found.append(f[has_player])
            possible.append(o[has_player])
        own.append((keys[has_player], np.stack(found, axis=1), np.stack(possible, axis=1)))
    keys, found_of, possible_of = (np.concatenate(parts) for parts in zip(*own, strict=True))
    families = [number for name, (number, _) in tables.measures.items() if name in FAMILIES]
    rates = {"f": found_of[:, families].sum(axis=1), "o": possible_of[:, families].sum(axis=1)}
    counted = pl.DataFrame({"game_id": keys, **rates})
    games = db.sql(_GAMES, temporary=True).join(counted, on="game_id", how="left", maintain_order="left")
    return _Counts(sums, games.with_columns(pl.col("f", "o").fill_null(0.0)), keys, found_of, possible_of)


def _rates(db: Database, tables: DecisionTables, counts: _Counts, confidence: float) -> pl.DataFrame:
    """Return the rates without the columns that depend on other rows, such as `q_value`."""
    own = f"{tables.lost} JOIN _own_seats USING (game_id, seat)"
    lost = f"SELECT number, sum(points)::BIGINT FROM {own} WHERE blamed GROUP BY number"
    points: Counter[str] = Counter()
    for number, lost_points in db.sql(lost, temporary=True).iter_rows():
        kind = tables.kinds[number]
        points.update({kind: lost_points, definitions()[kind].family: lost_points})
    rows = []
    for name, (number, _) in tables.measures.items():
        cells = counts.cells[:, number]
        f, o, a, b, games, *_ = sums = cells.sum(axis=0)
        if not o:
            continue
        low, high = share_of_sums(Sums(f, o, *sums[8:11]), games, confidence)
        other = compare_with_peers(cells, confidence)
        enough = min(o, b) >= ENOUGH and not math.isnan(other.p_value)
        row = {
            "kind": name,
            "role": role_of(name),
            "found": int(f),
            "opportunities": int(o),
            "games": int(games),
            "rate": f / o,
            "low": low,
            "high": high,
            "peers_found": int(a),
            "peers_opportunities": int(b),
            "peers": other.peers,
            "peers_low": other.ends.low,
            "peers_high": other.ends.high,
            "p_value": other.p_value if enough else math.nan,
            "grade": (other.peers - other.own) / _GRADE,
            "points": points[name],
        }
        rows.append(row)
    return pl.DataFrame(rows, schema("player_rates")).fill_nan(None)


def with_verdicts(
    rates: pl.DataFrame, trend: Trend | None, confidence: float
) -> tuple[pl.DataFrame, Trend | None]:
    """Return the rates with q-values, verdicts and chosen kinds, and the trend (or None) with its q-value."""
    if rates.is_empty():
        return rates, trend
    p_values = [math.nan if value is None else value for value in rates["p_value"]]
    *q_values, last = benjamini_hochberg([*p_values, trend.p_value if trend else math.nan])
    verdicts = [
        None if math.isnan(q_value) else verdict(grade) if q_value <= 1 - confidence else "unclear"
        for grade, q_value in zip(rates["grade"], q_values, strict=True)
    ]
    importance = pl.col("grade").abs() * pl.col("opportunities").sqrt()
    rates = rates.with_columns(
        pl.Series("q_value", q_values, pl.Float64).fill_nan(None),
        pl.Series("verdict", verdicts, pl.String),
        importance.alias("importance"),
    )
    chosen: dict[str, str] = {}
    kinds = rates.filter(~pl.col("kind").is_in(FAMILIES)).sort("importance", descending=True)
    for word, what in (("better", "strength"), ("worse", "work on")):
        names = kinds.filter(pl.col("verdict").str.ends_with(word))["kind"]
        chosen |= dict.fromkeys(names[:_MOST], what)
    missing = _MOST - sum(what == "work on" for what in chosen.values())
    if missing > _MOST - _LEAST:
        costly = kinds.filter(pl.col("points") > 0, ~pl.col("kind").is_in(list(chosen)))
        costly = costly.sort("points", "found", "kind", descending=[True, True, False])
        chosen |= dict.fromkeys(costly["kind"][:missing], "costly")
    rates = rates.with_columns(pl.Series("chosen", [chosen.get(kind) for kind in rates["kind"]], pl.String))
    return select_columns(rates, "player_rates"), trend and trend._replace(q_value=last)


def form_of(games: pl.DataFrame, confidence: float) -> tuple[pl.DataFrame, Trend | None, int]:
    """Return the curve of form, the trend, and the number of games left out because they have no date."""
    dated = games.filter(pl.col("played").is_not_null())
    has_dates = 2 * dated.height >= games.height > 0
    undated = games.height - dated.height if has_dates else 0
    games = dated.sort("played", maintain_order=True) if has_dates else games
    f, o = games["f"].to_numpy(), games["o"].to_numpy()
    window = max(WINDOW, math.ceil(games.height / 10))
    last = np.unique(np.linspace(window, games.height, _POINTS).astype(np.int64))
    rows = []
    for end in last.tolist() if games.height >= window else ():
        part = slice(end - window, end)
        sums = Sums.of(f[part], o[part])
        low, high = share_of_sums(sums, int((o[part] > 0).sum()), confidence)
        played = games["played"][end - 1] if has_dates else None
        row = {
            "number": end,
            "date": played and played.date().isoformat(),
            "games": window,
            "found": int(sums.f),
            "opportunities": int(sums.o),
            "rate": sums.f / sums.o if sums.o else math.nan,
            "low": low,
            "high": high,
        }
        rows.append(row)
    frame = pl.DataFrame(rows, schema("player_form")).fill_nan(None)
    return frame, trend_of(games["rules"].to_numpy(), f, o), undated


def _candidates(db: Database, tables: DecisionTables, counts: _Counts, rates: pl.DataFrame) -> list[int]:
    """Return the sorted keys of games to search for positions of the chosen kinds, a few games per kind."""
    places = counts.games.select("game_id", pl.int_range(pl.len()).alias("place"))
    frame = pl.DataFrame({"game_id": counts.keys})
    frame = frame.join(places, on="game_id", how="left", maintain_order="left")
    latest = frame["place"].fill_null(0).to_numpy()
    wanted: set[int] = set()
    for kind, what in rates.select("kind", "chosen").drop_nulls().iter_rows():
        number, _ = tables.measures[kind]
        value, most = counts.found[:, number], _MOST
        if what == "strength":
            # A turn may be an opportunity of several strengths, so more games are searched.
            value, most = counts.possible[:, number] * (value == 0), _MOST**2
        best = np.lexsort((-latest, -value))[:most]
        wanted.update(counts.keys[best[value[best] > 0]].tolist())
        if what != "strength":
            query = (
                f"SELECT game_id FROM {tables.lost} JOIN _own_seats USING (game_id, seat)"
                f" WHERE blamed AND number = {number} GROUP BY game_id"
                f" ORDER BY max(points) DESC, sum(points) DESC, game_id LIMIT {_MOST}"
            )
            wanted.update(db.sql(query, temporary=True)["game_id"].to_list())
    return sorted(wanted)


def _positions(
    cursor: duckdb.DuckDBPyConnection, player: str, tables: DecisionTables, rates: pl.DataFrame
) -> pl.DataFrame:
    """Return positions of the chosen kinds: the worst mistakes; for a strength, opportunities without one."""
    rows: list[dict[str, Any]] = []
    seen_turns: set[tuple[int, int]] = set()
    with mark_decisions(cursor, "found_rows") as marked:
        for kind, what in rates.select("kind", "chosen").drop_nulls().iter_rows():
            values = {"player": player, "kind": kind}
            _, mask = tables.measures[kind]
            if what == "strength":
                query = f"""SELECT d.game_id, n.game, d.turn, d.seat, 0 AS points, {_MOVED} AS said
FROM {marked} m JOIN turns d USING (game_id, turn) JOIN games g USING (game_id)
JOIN game_names n USING (game_id) JOIN seats p ON p.game_id = d.game_id AND p.seat = d.seat
WHERE p.player = $player AND m.chances & {mask} <> 0 AND m.found & {mask} = 0
ORDER BY row_number() OVER (PARTITION BY d.game_id ORDER BY d.turn), d.game_id DESC"""
                del values["kind"]
            else:
                query = f"""FROM mistakes WHERE player = $player AND kind = $kind AND {BLAMED_SQL}
ORDER BY row_number() OVER (PARTITION BY game_id ORDER BY points DESC, tokens DESC, turn),
    points DESC, tokens DESC, game_id DESC"""
            matches = as_frame(cursor, query, values).to_dicts()
            new = [row for row in matches if (row["game_id"], row["turn"]) not in seen_turns][:_MOST]
            seen_turns |= {(row["game_id"], row["turn"]) for row in new}
            for row in new:
                text, better = (row["said"], "") if what == "strength" else worded(row)
                rows.append({**row, "kind": kind, "text": text, "better": better})
    kinds = schema("player_positions")
    return pl.DataFrame([{name: row[name] for name in kinds} for row in rows], kinds)
