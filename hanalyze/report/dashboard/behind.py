"""The games and turns that each number of the dashboard counts, the worst first.

The query of a count runs again with each turn treated as a game, so that a list contains what its number
counts. Counts of games, such as scores and endings, are listed by game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hanalyze.analysis.columns import OUTCOMES
from hanalyze.analysis.convention_effects import OFFERABLE
from hanalyze.lazy import duckdb, polars as pl
from hanalyze.logs.sources.site import numbered_address
from hanalyze.report.dashboard.cube import NAME_WIDTH, Cube
from hanalyze.report.dashboard.questions import Question
from hanalyze.report.page import game_titles, render
from hanalyze.store.mistakes import SEVERITIES
from hanalyze.store.results import ResultStream
from hanalyze.text import shorten

GAMES: Final = 1000
"""Maximum number of games of a database whose lists use all games."""
FEW: Final = 300
"""Number of games that the lists of a larger database use: those furthest from their full score."""
FEW_OF_PLAYER: Final = 10
"""Number of additional games for each player in these lists, chosen in the same way."""
KEPT: Final = ((200, 200), (200, 40), (100, 10), (50, 5), (20, 2))
"""Maximum entries of a number, overall and for each player: the first pair that fits `_MOST`, or the last."""
_MOST: Final = 60_000
"""Maximum number of entries of all lists."""

WORTH: Final = "convention_worth"
"""Figure whose lists show the clues that used a convention, with the points of the following turns."""
EVERY: Final = ("clues", "odds", "own_value", "points", "efficiency", WORTH)
"""Counts whose lists include entries with the value 0, the lowest values first; others leave these out.

The lists of `WORTH` have the highest values first for conventions that go with higher scores.
"""

_TURN_OF: Final = {
    **dict.fromkeys(("mistakes", "decisions", "plain_decisions", "clues"), "turn"),
    **dict.fromkeys(("findings", "losses", "judged_losses"), "turn"),
    "cards": "fate_turn",
}
"""Column with the turn of a row, by table."""
_LARGEST: Final = 1 << 16
"""More than the turns of any game. The id of a turn is -1 - `_LARGEST` * (its game's place) - turn."""


_OF_WORDS: Final = {one.words: one for one in OFFERABLE}
_COLUMNS: Final = "name VARCHAR, panel VARCHAR, label VARCHAR, of VARCHAR, id BIGINT, place BIGINT, x DOUBLE"


def counts_of(questions: Iterable[Question], more: Iterable[str]) -> list[str]:
    """Return the names `more`, and those of the counts behind the rows of some figures.

    These are all counts of a figure with rows `field`, the first count of one with rows `rates`, `usage` or
    `pairs`, and `WORTH` for the figure of that name.
    """
    names: dict[str, None] = dict.fromkeys(more)
    for one in questions:
        if one.rows in ("rates", "usage", "field", "pairs"):
            names |= dict.fromkeys(one.counts if one.rows == "field" else one.counts[:1])
        elif one.name == WORTH:
            names[WORTH] = None
    return list(names)


class Behind:
    """The games and turns that some counts of a cube include."""

    def __init__(self, cube: Cube, names: Sequence[str]) -> None:
        """Run the queries of the counts over single games and turns."""
        self.cube, self.names = cube, names
        with cube.few_games(*((FEW, FEW_OF_PLAYER) if cube.games > GAMES else (None, 0))) as connection:

            def ask(name: str) -> pl.DataFrame:
                values = {"largest": _LARGEST, "severities": [*SEVERITIES]}
                query = render(f"dashboard/sql/behind/{name}.sql", **values)
                return pl.DataFrame(ResultStream(connection.sql(query)))

            _show_turns(connection)
            connection.execute(f"CREATE OR REPLACE TEMP TABLE behind ({_COLUMNS})")
            for name in dict.fromkeys("perfect" if name == "perfect_by" else name for name in names):
                if name != WORTH:
                    _count(connection, cube, name)
            self.rows = pl.DataFrame(ResultStream(connection.sql("FROM behind")))
            self.games, self.seats, self.turns = map(ask, ("games", "seats", "turns"))
            # An action that ends a game may lose points with all cards open, but is not in `decisions`.
            is_shown = (pl.col("id") >= 0) | pl.col("id").is_in(self.turns["id"].implode())
            self.rows = self.rows.filter(is_shown)
            connection.execute("DROP TABLE behind")
        self.worth = cube.worth if WORTH in names else []

    def data(self, pages: Mapping[int, str], sites: Mapping[int, str]) -> dict[str, Any]:
        """Return the lists for the scripts of the page.

        `pages` and `sites` map `game_id` to addresses of review pages and of games on hanab.live. `lists`
        has, for each number of a count, its entries, the worst first, and their values, or 0 if all values
        are 1. An entry is the index of a turn, or -1 minus the index of a game.
        """
        ranked = self._ranked()
        for most, own in KEPT:
            kept = ranked.filter((pl.col("rank") < most) | (pl.col("own_rank") < own))
            if kept.height <= _MOST:
                break
        is_kept = pl.col("id").is_in(kept["id"].unique().implode())
        turns = self.turns.filter(is_kept).sort("id", descending=True)
        places = [*kept["place"].unique().sort()]
        of_place = {place: number for number, place in enumerate(places)}
        at = {turn: number for number, turn in enumerate(turns["id"])}
        at |= {place: -1 - number for place, number in of_place.items()}
        lists: dict[str, list[list[Any]]] = {
            name: [[[], 0] for _ in (self.worth if name == WORTH else self.cube.sums(name).keys)]
            for name in self.names
        }
        for (name, key), rows in kept.sort("rank").group_by("name", "key", maintain_order=True):
            values = rows["x"].round(4).to_list()
            entries = [at[one] for one in rows["id"]]
            lists[str(name)][int(str(key))] = [entries, 0 if set(values) == {1.0} else values]
        return {
            "most": most,
            "whole": self.cube.games <= GAMES,
            "every": [name for name in self.names if name in EVERY],
            "own": [name for name in self.names if _is_own(self.cube, name)],
            "games": self._shown_games(places, pages, sites),
            "sample": self._sample(),
            "turns": [
                [of_place[place] for place in turns["place"]],
                [turn + 1 for turn in turns["turn"]],
                turns["seat"].to_list(),
                [_what(row) for row in turns.iter_rows(named=True)],
                turns["points"].to_list(),
            ],
            "lists": lists,
        }

    def _ranked(self) -> pl.DataFrame:
        """Return the entries of each number with two ranks, from 0.

        `rank` is the rank among all entries, `own_rank` the best rank in the lists of single players.
        """
        seats = self._seated().filter(pl.col("player").is_not_null())
        by_seat = seats.select("place", "seat", "player")
        party = seats.select("place", "player").unique()
        turns = self.turns.select("id", "seat", "points", "severity")
        frames = []
        for name in self.names:
            frame = self._keyed(name).with_columns(name=pl.lit(name)).join(turns, on="id", how="left")
            severity = pl.col("severity").fill_null(len(SEVERITIES))
            frame = frame.with_columns(pl.col("points").fill_null(0), severity)
            value = pl.col("x") if name in EVERY else -pl.col("x")
            if name == WORTH:
                gains = [key for key, row in enumerate(self.worth) if row.value > 0]
                value = pl.when(pl.col("key").is_in(gains)).then(-value).otherwise(value)
            costs = -pl.col("points"), pl.col("severity")
            order = (value, *costs) if name in EVERY else (*costs, value)
            frame = frame.sort("key", *order, "place", -pl.col("id"))
            frame = frame.with_columns(rank=pl.int_range(pl.len()).over("key"))
            own = _is_own(self.cube, name)
            people = frame.join(by_seat, on=["place", "seat"]) if own else frame.join(party, on="place")
            if name == WORTH:  # the figure covers all games, whichever player is chosen
                people = people.clear()
            own_rank = pl.int_range(pl.len()).over("key", "player", order_by="rank")
            ranks = people.with_columns(own_rank=own_rank)
            ranks = ranks.group_by("key", "id").agg(pl.col("own_rank").min())
            frames.append(frame.join(ranks, on=["key", "id"], how="left"))
        return pl.concat(frames)

    def _keyed(self, name: str) -> pl.DataFrame:
        """Return the games or turns that a count includes.

        Columns: `key`, the index of the number in `Sums.keys` (in `Cube.worth` for `WORTH`); `place`, the
        index of the game in `few_games`; `id`, the id of the turn (see `_LARGEST`), or `place` for a game;
        and `x`, the value.
        """
        if name == "perfect_by":
            sizes = sorted(self.cube.cells["size"].unique().to_list())
            games = self._sorted_games()
            keys = pl.concat_list(
                pl.col("size").replace_strict(sizes, range(len(sizes)), return_dtype=pl.Int64),
                pl.col("variant") + len(sizes),
            )
            rows = self.rows.filter(pl.col("name") == "perfect").join(games, on="place")
            return rows.select(keys.alias("key"), "id", "place", "x").explode("key")
        if name == WORTH:
            return self._worth_clues()
        rows = self.rows.filter(pl.col("name") == name)
        texts = dict.fromkeys(("panel", "label", "of"), pl.String)
        on = ["panel", "label"] if self.cube.counts[name].found else ["of"]
        keys_of = pl.DataFrame(self.cube.sums(name).raw, texts, orient="row").select(on).with_row_index("key")
        keyed = rows.join(keys_of.with_columns(pl.col("key").cast(pl.Int64)), on=on)
        return keyed.select("key", "id", "place", "x")

    def _worth_clues(self) -> pl.DataFrame:
        """Return the clues that used a convention, as `_keyed` does, with the points of the next turns."""
        offered = self.cube.offered
        points = offered.outcomes[:, OUTCOMES.index("points")].astype("float64")
        frames = []
        for key, row in enumerate(self.worth):
            clues = offered.sides(_OF_WORDS[row.label])[1][0]
            values = {"game_id": offered.game[clues], "turn": offered.turn[clues], "x": points[clues]}
            frames.append(pl.DataFrame(values).with_columns(key=pl.lit(key, pl.Int64)))
        types = {"game_id": pl.Int64, "turn": pl.Int64, "x": pl.Float64, "key": pl.Int64}
        clues_of = pl.concat(frames or [pl.DataFrame(schema=types)])
        placed = clues_of.join(self.games.select("game_id", "place"), on="game_id")
        turn = -1 - _LARGEST * pl.col("place") - pl.col("turn")
        return placed.select("key", turn.alias("id"), "place", "x")

    def _sample(self) -> list[Any]:
        """Return the numbers of games behind `WORTH`, of games before sampling, and of uses by convention."""
        if not self.worth:
            return []
        offered = self.cube.offered
        used = [len(offered.sides(_OF_WORDS[row.label])[0][0]) for row in self.worth]
        return [offered.games, offered.all_games, used]

    def _seated(self) -> pl.DataFrame:
        """Return the seats with the number of their player in the cells, null without a name."""
        number = _number_of("name", self.cube.players, self.cube.other_players)
        return self.seats.with_columns(player=pl.when(pl.col("name").is_not_null()).then(number))

    def _sorted_games(self) -> pl.DataFrame:
        """Return the games with the number of their variant in the cells."""
        return self.games.with_columns(_number_of("variant", self.cube.variants, self.cube.other_variants))

    def _shown_games(
        self, places: Sequence[int], pages: Mapping[int, str], sites: Mapping[int, str]
    ) -> list[list[Any]]:
        """Return size, variant, players in the cells, names, title, score and two addresses of some games."""
        seats = self._seated().sort("place", "seat").group_by("place").agg("player", "name")
        rows = self._sorted_games().join(seats, on="place").sort("place").to_dicts()
        titles = game_titles(self.games)
        wanted = set(places)
        return [
            [
                row["size"],
                row["variant"],
                row["player"],
                [shorten(name or f"seat {seat + 1}", NAME_WIDTH) for seat, name in enumerate(row["name"])],
                f"Game {titles[row['game_id']]}",
                f"{row['score']} of {row['full_score']}",
                pages.get(row["game_id"], ""),
                sites.get(row["game_id"]) or numbered_address(row["source_id"], row["source"]) or "",
            ]
            for row in rows
            if row["place"] in wanted
        ]


def _number_of(column: str, names: Sequence[str], others: int) -> pl.Expr:
    """Return the numbers of a column's names in the cells; with `others`, other names get the last one."""
    own = names[:-1] if others else names
    last = len(own) if others else None
    return pl.col(column).replace_strict(own, range(len(own)), default=last, return_dtype=pl.Int64)


def _is_own(cube: Cube, name: str) -> bool:
    return name not in ("perfect_by", WORTH) and cube.counts[name].of_decisions


def _show_turns(connection: duckdb.DuckDBPyConnection) -> None:
    """Create views (for `decisions` a table) whose `game_id` differs for each turn of `few_games`."""
    for table, turn in _TURN_OF.items():
        kind = "TABLE" if table == "decisions" else "VIEW"
        connection.execute(
            f"CREATE OR REPLACE TEMP {kind} turns_of_{table} AS"
            f" SELECT t.* REPLACE (-1 - {_LARGEST} * f.place - t.{turn} AS game_id)"
            f" FROM {table} t JOIN few_games f ON f.game_id = t.game_id"
        )


def _count(connection: duckdb.DuckDBPyConnection, cube: Cube, name: str) -> None:
    """Add the games or turns that a count includes to the table `behind`."""
    one = cube.counts[name]
    query = one.found or one.of
    key = "panel, label, of" if one.found else "NULL AS panel, NULL AS label, of"
    views = ", ".join(f"{table} AS NOT MATERIALIZED (FROM turns_of_{table})" for table in _TURN_OF)
    turns = f"WITH {views} SELECT * FROM (\n{query}\n) WHERE game_id < 0"
    games = f"SELECT q.* REPLACE (f.place AS game_id) FROM (\n{query}\n) q JOIN few_games f USING (game_id)"
    if one.by_seat:
        rows = turns
    elif one.by_turn:  # points that a turn lost are listed by turn, other lost points by game
        rows = f"SELECT * FROM ({turns}) UNION ALL BY NAME"
        rows += f" SELECT * FROM ({games}) WHERE label NOT IN (SELECT label FROM ({turns}))"
    else:
        rows = games
    found = "" if name in EVERY else "WHERE x <> 0"
    connection.execute(
        f"INSERT INTO behind SELECT '{name}', {key}, game_id,"
        f" if(game_id < 0, (-1 - game_id) // {_LARGEST}, game_id), sum(x)"
        f" FROM ({rows}) {found} GROUP BY ALL"
    )


def _what(row: Mapping[str, Any]) -> str:
    """Return a turn in words; `{1}` is the player in the second seat."""
    if row["action"] == "colour_clue":
        return f"clues {{{row['receiver']}}} {row['colours'].split(',')[row['clue_value']].lower()}"
    if row["action"] == "rank_clue":
        return f"clues {{{row['receiver']}}} {row['clue_value']}"
    verb = "misplays" if row["result"] == "misplayed" else "plays" if row["action"] == "play" else "discards"
    return f"{verb} {(row['card'] or '?').upper()}"
