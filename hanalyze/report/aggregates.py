"""The sums behind the dashboard: for each cell of team size, variant and player what figures are made of.

In: a database. Out: `Board`, whose `table(name)` gives sums that add up over cells, so that a page can filter
without a server. A cell is a team size and a variant; or these and a player, for the games of that player.

Of a number there are, over the games of a cell: n games, sums of x (found), y (of how much), xx, xy, yy. A
rate is x / y; its interval comes from these sums. Rare variants and players share a cell each, `OTHERS`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.report.convention_counts import convention_counts
from hanalyze.report.tables import CURVE, Counted, counted
from hanalyze.store import Database
from hanalyze.store.database import ResultStream as Stream
from hanalyze.store.known_names import check_name
from hanalyze.store.mistakes import COLUMNS, OPTIONAL, prepare
from hanalyze.text import printable, shorten

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BIN", "BINS", "FILTERS", "LISTED", "OTHERS", "Board", "Filters", "Sums", "names"]

Filters = Mapping[str, Any]
"""What is looked at: `players` (team size), `variant`, `player`; what is not given is not filtered."""

Rows = dict[int, list[tuple[float, ...]]]
"""By cell, rows of a number's place and its sums."""

FILTERS: Final = ("players", "variant", "player")
OTHERS: Final = "others"
MOST_VARIANTS: Final = 12
MOST_PLAYERS: Final = 40
LISTED: Final = {"costliest": 8, "best": 3, "worst": 3}
"""Rows of a list. Each cell keeps so many, so that any union of cells has its own first ones."""
BIN: Final = 0.05
"""Width of the steps in which cards per clue are counted."""
BINS: Final = 80
_NAME: Final = 24

_EFFICIENT: Final = """
SELECT game_id, row_number() OVER (ORDER BY efficiency / min_efficiency{order}, game_id) AS place
FROM games WHERE efficiency IS NOT NULL AND min_efficiency > 0 AND clues >= 8"""
_OF_GAMES: Final = """
SELECT ranked.*, g.efficiency, g.min_efficiency, g.score, g.full_score
FROM ranked JOIN games g USING (game_id)"""
_LISTS: Final = {
    "costliest": (
        """
SELECT game_id, turn, kind, severity, points, row_number() OVER (
        ORDER BY points DESC, severity IN ('could_not_know', 'forced', 'nothing_to_lose'), game_id, turn
    ) AS place
FROM mistakes WHERE points > 0""",
        """
SELECT ranked.*, d.seat, d.card, d.suit, d.p_critical, d.p_playable
FROM ranked JOIN decisions d USING (game_id, turn)""",
    ),
    "best": (_EFFICIENT.format(order=" DESC"), _OF_GAMES),
    "worst": (_EFFICIENT.format(order=""), _OF_GAMES),
}
"""Of each list two queries: `ranked`, what is in it and its place; and that with all that is shown."""


@dataclass(frozen=True)
class Sums:
    """The sums of one figure.

    `keys`: panel, label and the number of its denominator; `found`: cell, key, x, xx, xy; `of`: cell, of, n,
    y, yy. A key that a cell lacks has found nothing there.
    """

    keys: list[tuple[str, str, int]]
    found: pl.DataFrame
    of: pl.DataFrame


@dataclass(eq=False)
class Board:
    """The cells of a database, and what is counted in them. Close it, or use it as a context manager.

    `keep` are filters whose values get cells of their own, however rare they are.
    """

    db: Database
    keep: Filters = field(default_factory=dict)
    variants_most: int = MOST_VARIANTS
    players_most: int = MOST_PLAYERS

    def __post_init__(self) -> None:
        """Sort the games into cells."""
        for name in self.keep:
            if name not in FILTERS:
                raise UnknownName("filter", str(name), advice="one of: " + ", ".join(FILTERS))
        self._cursor = self.db.connection.cursor()
        self._made: dict[str, Any] = {}
        self._counted = {**counted(), **convention_counts()}
        self._seen = False
        prepare(self._cursor)
        self._teams()

    def __enter__(self) -> Board:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the sums."""
        self._cursor.close()

    def narrow(self, variants: int, players: int) -> None:
        """Sort the games into fewer cells, and count anew; the mistakes are not looked for again."""
        self.variants_most, self.players_most = variants, players
        self._made.clear()
        self._teams()

    def frame(self, query: str) -> pl.DataFrame:
        """Return the result of a query that may use the cells: `team_of`, `team_cells`, `seated`."""
        import polars as pl
        import polars.selectors as cs

        # DuckDB's sums of integers are wider than anything else knows.
        return pl.DataFrame(Stream(self._cursor.sql(query))).with_columns(
            (cs.decimal() | cs.by_dtype(pl.Int128)).cast(pl.Int64)
        )

    def _named(self, query: str, most: int, filtered: str) -> tuple[list[str], int]:
        """Return the most frequent names, that of the filter among them, and how many there are besides."""
        names = [str(name) for (name,) in self._cursor.execute(query).fetchall()]
        kept = self.keep.get(filtered)
        if kept is not None:
            check_name(self._cursor, filtered, str(kept))
        first = names[:most]
        chosen = [*first[:-1], kept] if kept is not None and kept not in first else first
        return chosen, len(names) - len(chosen)

    def _teams(self) -> None:
        """Make the tables of cells.

        Games of the same team size, variant and players are one team: what is counted is summed over teams
        first, and only then over the cells that a team belongs to.
        """
        run = self._cursor.execute
        [(games,)] = run("SELECT count(*) FROM games").fetchall()
        if not games:
            raise HanalyzeError("there is no game in the database", rule="no_game", file=self.db.file)
        self.games = int(games)
        variants = "SELECT variant FROM games GROUP BY ALL ORDER BY count(*) DESC, variant"
        players = (
            "SELECT player FROM seats WHERE player IS NOT NULL GROUP BY ALL ORDER BY count(*) DESC, player"
        )
        self.variants, self.other_variants = self._named(variants, self.variants_most, "variant")
        self.players, self.other_players = self._named(players, self.players_most, "player")
        for name, names in (("variant", self.variants), ("player", self.players)):
            run(f"CREATE OR REPLACE TEMP TABLE known_{name} (name VARCHAR, number INTEGER)")
            for number, one in enumerate(names):
                run(f"INSERT INTO known_{name} VALUES (?, ?)", [one, number])
        run(f"""
CREATE OR REPLACE TEMP TABLE seated AS
SELECT s.game_id, s.seat, coalesce(k.number, {len(self.players)})::INTEGER AS player
FROM seats s LEFT JOIN known_player k ON k.name = s.player WHERE s.player IS NOT NULL""")
        run(f"""
CREATE OR REPLACE TEMP TABLE team_of AS
SELECT game_id, dense_rank() OVER (ORDER BY size, variant, party) - 1 AS team, size, variant, party
FROM (
    SELECT g.game_id, g.players AS size, coalesce(k.number, {len(self.variants)})::INTEGER AS variant, p.party
    FROM games g LEFT JOIN known_variant k ON k.name = g.variant
    LEFT JOIN (SELECT game_id, list_sort(list_distinct(list(player))) AS party FROM seated GROUP BY ALL) p
    USING (game_id)
)""")
        run("""
CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(size) AS size, any_value(variant) AS variant, any_value(party) AS party,
    count(*) AS games
FROM team_of GROUP BY team""")
        run("""
CREATE OR REPLACE TEMP TABLE cells AS
SELECT row_number() OVER (ORDER BY player, size, variant) - 1 AS cell, size, variant, player, games
FROM (SELECT size, variant, player, sum(games) AS games FROM (
    SELECT size, variant, -1 AS player, games FROM teams
    UNION ALL SELECT size, variant, unnest(party), games FROM teams) GROUP BY ALL)""")
        run("""
CREATE OR REPLACE TEMP TABLE team_cells AS
SELECT t.team, c.cell FROM teams t JOIN cells c ON c.size = t.size AND c.variant = t.variant
    AND (c.player = -1 OR list_contains(t.party, c.player))""")
        self.cells = self.frame("SELECT size, variant, player, games FROM cells ORDER BY cell")
        for names, others in ((self.variants, self.other_variants), (self.players, self.other_players)):
            if others:
                names.append(OTHERS)

    def _mistakes(self) -> None:
        """Look for mistakes once."""
        if self._seen:
            return
        self._seen = True
        columns = ", ".join(name for name in COLUMNS if name not in {"evidence", *OPTIONAL})
        self._cursor.execute(f"CREATE OR REPLACE TEMP TABLE seen AS SELECT {columns} FROM mistakes")
        self._cursor.execute("CREATE OR REPLACE TEMP VIEW mistakes AS FROM seen")

    def question(self, name: str) -> Counted:
        """Return what a table counts. Raises `UnknownName`."""
        if name not in self._counted:
            raise UnknownName("table", name)
        return self._counted[name]

    def table(self, name: str) -> Sums:
        """Return the sums of a table of `hanalyze.report.tables.counted`."""
        if name not in self._made:
            self._made[name] = self._sums(self.question(name))
        made: Sums = self._made[name]
        return made

    def rows(self, name: str) -> tuple[Rows, Rows]:
        """Return the sums of a table as numbers by cell: what was found, and of how much."""
        if (key := f"rows of {name}") not in self._made:
            table = self.table(name)
            both: tuple[Rows, Rows] = ({}, {})
            for rows, frame in zip(both, (table.found, table.of), strict=True):
                for cell, number, *sums in frame.iter_rows():
                    rows.setdefault(cell, []).append((number, *sums))
            self._made[key] = both
        found: tuple[Rows, Rows] = self._made[key]
        return found

    @property
    def shown_variants(self) -> list[str]:
        """What the variants are called."""
        shown = [printable(name) for name in self.variants]
        return [*shown[:-1], "Other variants"] if self.other_variants else shown

    @property
    def shown_players(self) -> list[str]:
        """What the players are called."""
        shown = names(self.players)
        return [*shown[:-1], "Other players"] if self.other_players else shown

    @property
    def variant_keys(self) -> list[str | None]:
        """What the variants are called in addresses."""
        return _keys(self.variants, bool(self.other_variants))

    @property
    def player_keys(self) -> list[str | None]:
        """What the players are called in addresses."""
        return _keys(self.players, bool(self.other_players))

    def _sums(self, one: Counted) -> Sums:
        import polars as pl

        if "mistakes" in one.found + one.of:
            self._mistakes()
        if not one.of:
            found, sums = self._per_game(one)
        elif one.found:
            found, sums = self._per_team(one)
        else:
            sums = self._at_once(one)
            found = sums.filter(pl.col("x") > 0)
        there = sums["of"].unique().to_list()
        if one.keys is None:
            keys = [(*name.split("|", 1), name) for name in sorted(there, key=_natural)]
        else:
            keys = [key for key in one.keys if key[2] in there]
        denominators = list(dict.fromkeys(key[2] for key in keys))
        panels, labels, names = ([key[i] for key in keys] for i in range(3))
        of_frame = pl.DataFrame(
            {"of": denominators, "number": range(len(denominators))}, {"of": pl.String, "number": pl.Int64}
        )
        key_frame = pl.DataFrame(
            {"panel": panels, "label": labels, "of": names, "key": range(len(keys))},
            {"panel": pl.String, "label": pl.String, "of": pl.String, "key": pl.Int64},
        )
        found = found.join(key_frame, on=["panel", "label"] if one.found else "of")
        sums = sums.join(of_frame, on="of").select("cell", pl.col("number").alias("of"), "n", "y", "yy")
        return Sums(
            [(panel, label, denominators.index(name)) for panel, label, name in keys],
            found.select("cell", "key", pl.col("x", "xx", "xy").cast(pl.Float64)).sort("cell", "key"),
            sums.select("cell", "of", pl.col("n", "y", "yy").cast(pl.Float64)).sort("cell", "of"),
        )

    def _per_game(self, one: Counted) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return the sums where each game is one of the denominator."""
        found = self.frame(f"""
SELECT cell, panel, label, sum(x)::DOUBLE AS x, sum(xx)::DOUBLE AS xx, sum(x)::DOUBLE AS xy
FROM (SELECT team, panel, label, sum(x) AS x, sum(x * x::DOUBLE) AS xx
    FROM ({one.found}) JOIN team_of USING (game_id) GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL""")
        of = self.frame("SELECT cell, 'games' AS of, games AS n, games AS y, games AS yy FROM cells")
        return found, of

    def _per_team(self, one: Counted) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return the sums where one query is for what was found, and one for of how much."""
        self._cursor.execute(f"CREATE OR REPLACE TEMP TABLE of_game AS {one.of}")
        found = self.frame(f"""
SELECT cell, panel, label, sum(x)::DOUBLE AS x, sum(xx)::DOUBLE AS xx, sum(xy)::DOUBLE AS xy
FROM (SELECT team, panel, label, sum(x) AS x, sum(x * x::DOUBLE) AS xx, sum(x * coalesce(y, 0)::DOUBLE) AS xy
    FROM ({one.found}) LEFT JOIN of_game USING (game_id, of) JOIN team_of USING (game_id) GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL""")
        sums = self.frame("""
SELECT cell, of, sum(n) AS n, sum(y)::DOUBLE AS y, sum(yy)::DOUBLE AS yy
FROM (SELECT team, of, count(*) AS n, sum(y) AS y, sum(y * y::DOUBLE) AS yy
    FROM of_game JOIN team_of USING (game_id) GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL""")
        self._cursor.execute("DROP TABLE of_game")
        return found, sums

    def _at_once(self, one: Counted) -> pl.DataFrame:
        """Return the sums where one query gives both; of `seated` ones a player's cell has its own."""
        each = """count(*) AS n, sum(y) AS y, sum(y * y::DOUBLE) AS yy,
    sum(x) AS x, sum(x * x::DOUBLE) AS xx, sum(x * y::DOUBLE) AS xy"""
        if one.seated:
            return self.frame(f"""
WITH p AS MATERIALIZED (
    SELECT game_id, player, of, sum(y) AS y, sum(x) AS x
    FROM ({one.of}) JOIN seated USING (game_id, seat) GROUP BY ALL),
b AS (FROM p UNION ALL SELECT game_id, -1, of, sum(y), sum(x) FROM p GROUP BY ALL)
SELECT c.cell, of, {each}
FROM b JOIN team_of t USING (game_id)
JOIN cells c ON c.size = t.size AND c.variant = t.variant AND c.player = b.player GROUP BY ALL""")
        return self.frame(f"""
SELECT cell, of, sum(n) AS n, sum(y) AS y, sum(yy) AS yy, sum(x) AS x, sum(xx) AS xx, sum(xy) AS xy
FROM (SELECT team, of, {each} FROM ({one.of}) JOIN team_of USING (game_id) GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL""")

    @property
    def read(self) -> int:
        """How many of the games were read for conventions."""
        [(games,)] = self._cursor.execute("SELECT count(*) FROM convention_games").fetchall()
        return int(games)

    def once(self, name: str, first: str, *queries: str) -> list[pl.DataFrame]:
        """Return the results of queries after a first statement, made once for the cells that there are."""
        if name not in self._made:
            self._cursor.execute(first)
            self._made[name] = [self.frame(query) for query in queries]
        made: list[pl.DataFrame] = self._made[name]
        return made

    def pairs(self) -> pl.DataFrame:
        """Return of each two players, by team size and variant: games, sum of scores, of their squares."""
        if "pairs" not in self._made:
            self._made["pairs"] = self.frame("""
WITH t AS (
    SELECT team, t.size, t.variant, t.party, count(*) AS n, sum(g.score)::DOUBLE AS x,
        sum(g.score * g.score::DOUBLE) AS xx
    FROM team_of t JOIN games g USING (game_id) GROUP BY ALL),
p AS (SELECT t.*, unnest(party) AS a FROM t),
q AS (SELECT p.*, unnest(party) AS b FROM p)
SELECT size, variant, a, b, sum(n) AS n, sum(x) AS x, sum(xx) AS xx
FROM q WHERE a < b GROUP BY ALL ORDER BY ALL""")
        frame: pl.DataFrame = self._made["pairs"]
        return frame

    @property
    def step(self) -> int:
        """How many turns lie between two points of the curves: more cells, fewer points."""
        return 2 if self.cells.height <= 300 else 5 if self.cells.height <= 1000 else 10

    def curve(self) -> pl.DataFrame:
        """Return how many games had so many cards per clue, a row for each cell, kind of game, turn and bin.

        Columns: cell, short (0 perfect, 1 one or two points short, 2 more), series (0 achieved, 1 needed),
        turn, bin (of width `BIN`, the last one open), games.
        """
        if "curve" not in self._made:
            bins = f"least(floor(value / {BIN} + 1e-9), {BINS - 1})::INTEGER"
            self._made["curve"] = self.frame(f"""
WITH d AS MATERIALIZED (
    SELECT team, short, turn, achieved, needed
    FROM ({CURVE} AND (t.turn + 1) % {self.step} = 0 AND t.turn < 90)
    JOIN team_of USING (game_id)),
v AS (SELECT team, short, 0 AS series, turn, achieved AS value FROM d
    UNION ALL SELECT team, short, 1, turn, needed FROM d),
h AS (SELECT team, short, series, turn, {bins} AS bin, count(*) AS games
    FROM v WHERE value IS NOT NULL GROUP BY ALL)
SELECT cell, short, series, turn, bin, sum(games)::BIGINT AS games
FROM h JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL""")
        frame: pl.DataFrame = self._made["curve"]
        return frame

    def listed(self, name: str) -> pl.DataFrame:
        """Return the first rows of `costliest`, `best` or `worst` for every cell; `cells` says which."""
        if name not in self._made:
            self._mistakes()
            ranked, shown = _LISTS[name]
            self._made[name] = self.frame(f"""
WITH whole AS MATERIALIZED ({ranked}),
first AS (
    SELECT place, team FROM whole JOIN team_of USING (game_id)
    QUALIFY row_number() OVER (PARTITION BY team ORDER BY place) <= {LISTED[name]}),
kept AS (
    SELECT place, cell FROM first JOIN team_cells USING (team)
    QUALIFY row_number() OVER (PARTITION BY cell ORDER BY place) <= {LISTED[name]}),
ranked AS (
    SELECT whole.*, cells FROM whole
    JOIN (SELECT place, list(cell ORDER BY cell) AS cells FROM kept GROUP BY place) USING (place))
SELECT r.*, g.variant, g.source, g.source_id, g.seed, g.defects, n.names,
    {"n.names[r.seat + 1]" if name == "costliest" else "NULL"} AS name
FROM ({shown}) r
JOIN games g ON g.game_id = r.game_id
LEFT JOIN (
    SELECT game_id, list(left(player, 100) ORDER BY seat) AS names
    FROM seats WHERE game_id IN (SELECT game_id FROM ranked) GROUP BY ALL
) n ON n.game_id = r.game_id
ORDER BY place""")
        frame: pl.DataFrame = self._made[name]
        return frame

    def list_query(self, name: str) -> str:
        """Return the query of a list."""
        ranked, shown = _LISTS[name]
        return f"WITH ranked AS ({ranked}\n){shown}"

    def chosen(self, filters: Filters | None = None) -> list[int]:
        """Return the cells that filters leave."""
        filters = filters or {}
        player = -1 if filters.get("player") is None else self.players.index(filters["player"])
        size, variant = filters.get("players"), filters.get("variant")
        number = None if variant is None else self.variants.index(variant)
        return [
            cell
            for cell, row in enumerate(self.cells.iter_rows())
            if row[2] == player and size in (None, row[0]) and number in (None, row[1])
        ]


def _natural(name: str) -> tuple[Any, ...]:
    """Return what sorts `Turn|10-19` before `Turn|100-109`."""
    panel, label = name.split("|", 1)
    order = ("Kind", "Turn", "Rank", "Suit", "Seat")
    first = label.split("-")[0]
    try:
        number = float(first)
    except ValueError:
        number = 1e9
    return (order.index(panel) if panel in order else 9, number, label)


def _keys(values: list[str], others: bool) -> list[str | None]:
    """Return names as they stand in addresses, where each means the same in every page; None for the others.

    A name that is not shown as it is has a digest behind it, so that it is not mistaken for another.
    """
    keys: list[str | None] = []
    for name in values:
        shown = shorten(name, _NAME)
        digest = hashlib.blake2b(name.encode("utf-8", "backslashreplace"), digest_size=6).hexdigest()
        keys.append(name if name and shown == name else f"{shown}~{digest}")
    return [*keys[:-1], None] if others else keys


def names(values: Iterable[str]) -> list[str]:
    """Return names as they are shown: strangers' words, made plain and short, and still different."""
    shown: dict[str, int] = {}
    result = []
    for value in values:
        name = shorten(value, _NAME) or "(no name)"
        shown[name] = shown.get(name, 0) + 1
        result.append(name if shown[name] == 1 else f"{name} ({shown[name]})")
    return result
