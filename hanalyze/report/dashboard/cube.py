"""Sums behind the dashboard, by cells of team size, variant and player.

Sums add up over cells, so that a page can filter without a server. A cell has all games of a team size and a
variant, or only those with a given player; a player's cell counts only that player's decisions. Each number
has the sums of x, y, xx, xy and yy over the n games of a cell; a rate is x / y. Rare variants are combined
into one (`OTHERS`), and so are rare players.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from hanalyze.analysis.convention_effects import OfferedTurns, chosen_games, effects_of, offered_turns
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.game.editions import edition as named_edition
from hanalyze.game.meanings import Convention
from hanalyze.game.names import suit_names
from hanalyze.game.variants import variant as named_variant
from hanalyze.lazy import duckdb, needed, polars as pl
from hanalyze.report.dashboard.counts import LISTED, counts, query
from hanalyze.report.dashboard.questions import Question
from hanalyze.report.dashboard.questions.conventions import EFFECT_GAMES
from hanalyze.report.dashboard.questions.question import Key
from hanalyze.report.dashboard.teams import GameCounts, Teams
from hanalyze.report.page import render
from hanalyze.store import Database
from hanalyze.store.definitions import definitions
from hanalyze.store.listings import check_name
from hanalyze.store.materialise import copy_games
from hanalyze.store.mistakes import materialise_mistakes, prepare_decisions
from hanalyze.store.results import ResultStream as Stream
from hanalyze.store.sums import sums_hold
from hanalyze.store.views import judge_losses
from hanalyze.text import apart, printable, shorten

Filters = Mapping[str, Any]
"""Values of `players` (team size), `variant` and `player`; missing keys do not filter."""

FILTERS: Final = ("players", "variant", "player")
OTHERS: Final = "others"
MOST_VARIANTS: Final = 12
MOST_PLAYERS: Final = 40
NAME_WIDTH: Final = 24
BIN: Final = 0.05
"""Width of a bin, in cards per clue."""
BINS: Final = 80
"""Number of bins; the last has all higher values."""


@dataclass(frozen=True)
class Sums:
    """Sums of one count.

    `keys` has panel, label and index of the denominator. The columns of `found` are cell, key, x, xx and xy;
    the columns of `of` are cell, of, n, y and yy. Missing keys of a cell have the value 0. `raw` has panel,
    label and denominator of each key as the query names them.
    """

    keys: list[tuple[str, str, int]]
    found: pl.DataFrame
    of: pl.DataFrame
    raw: list[Key] = field(default_factory=list)


class Worth(NamedTuple):
    """The difference in the final score that goes with a convention (points), a row of its figure.

    `x` is the number of other clues, `y` of clues that used the convention, `n` of games; `clear` says
    whether the difference is significant.
    """

    label: str
    value: float
    low: float | None
    high: float | None
    x: int
    y: int
    n: int
    clear: bool


@dataclass(eq=False)
class Cube:
    """Cells of a database and their sums. Close the cube, or use it as a context manager.

    The variant and player in `keep` get separate cells even if they are rare. `mistakes` is a folder with
    additional definitions. Valid stored sums (`hanalyze.store.sums`) are used instead of the turns, unless
    `from_sums` is False or `mistakes` is given. Raises `UnknownName` for an unknown filter or value in
    `keep`, and `HanalyzeError` without games (rule `no_game`).
    """

    db: Database
    keep: Filters = field(default_factory=dict)
    mistakes: str | os.PathLike[str] | None = None
    variants_most: int = MOST_VARIANTS
    players_most: int = MOST_PLAYERS
    from_sums: bool = True

    def __post_init__(self) -> None:
        """Sort the games into cells. Raises the errors of the class."""
        for name in self.keep:
            if name not in FILTERS:
                raise UnknownName("filter", str(name), advice="one of: " + ", ".join(FILTERS))
        self._cursor = self.db.connection.cursor()
        self._sums_by_name: dict[str, Sums] = {}
        self._frames: dict[str, pl.DataFrame] = {}
        self.definitions = definitions(self.mistakes)
        self.counts = counts(self.definitions)
        prepare_decisions(self._cursor, self.mistakes, judging=self.db.judging)
        stored = self.from_sums and self.mistakes is None and sums_hold(self.db, GameCounts())
        self._source = Teams(self._cursor, stored=stored)
        self._seen = stored
        self._teams()

    def __enter__(self) -> Cube:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the cursor, and with it the temporary tables."""
        self._cursor.close()

    def narrow(self, variants: int, players: int) -> None:
        """Sort the games into fewer cells and discard the computed sums; the mistakes are reused."""
        self.variants_most, self.players_most = variants, players
        for results in (self._sums_by_name, self._frames):
            results.clear()
        self._teams()

    def frame(self, query: str) -> pl.DataFrame:
        """Return the result of a query; it may use the tables `cells`, `teams` and `game_cells`."""
        import polars.selectors as cs

        # DuckDB returns sums of integers as 128-bit integers.
        return pl.DataFrame(Stream(self._cursor.sql(query))).with_columns(
            (cs.decimal() | cs.by_dtype(pl.Int128)).cast(pl.Int64)
        )

    def _named(self, kind: str, most: int) -> tuple[list[str], int]:
        """Return at most `most` names, the most frequent and that in `keep`, and the number of other names.

        The table `known_variant` or `known_player` numbers these names.
        """
        names = self._source.names(kind)
        wanted = self.keep.get(kind)
        if wanted is not None:
            check_name(self._cursor, kind, str(wanted))
        first = names[:most]
        chosen = [*first[:-1], wanted] if wanted is not None and wanted not in first else first
        numbered = "SELECT unnest($1::VARCHAR[]) AS name, unnest(range(len($1)))::INTEGER AS number"
        self._cursor.execute(f"CREATE OR REPLACE TEMP TABLE known_{kind} AS {numbered}", [chosen])
        return chosen, len(names) - len(chosen)

    def _teams(self) -> None:
        """Create the tables of teams and cells. Raises `HanalyzeError` without games (rule `no_game`)."""
        self.games = self.db.count("games")
        if not self.games:
            raise HanalyzeError("the database has no games", rule="no_game", file=self.db.file)
        self.variants, self.other_variants = self._named("variant", self.variants_most)
        self.players, self.other_players = self._named("player", self.players_most)
        self._source.make(variants=len(self.variants), players=len(self.players))
        self._cursor.execute(_cells("cells"))
        self.cells = self.frame("SELECT size, variant, player, games FROM cells ORDER BY cell")
        for names, others in ((self.variants, self.other_variants), (self.players, self.other_players)):
            if others:
                names.append(OTHERS)
        # Displayed names, and names in addresses.
        self.shown_variants = [printable(name) for name in self.variants]
        self.shown_players = apart(self.players, NAME_WIDTH)
        if self.other_variants:
            self.shown_variants[-1] = "Other variants"
        if self.other_players:
            self.shown_players[-1] = "Other players"
        self.variant_keys = _keys(self.variants, bool(self.other_variants))
        self.player_keys = _keys(self.players, bool(self.other_players))

    def _find_mistakes(self) -> None:
        """Create the tables of mistakes, if they do not exist yet."""
        if self._seen:
            return
        self._seen = True
        materialise_mistakes(self._cursor, self.mistakes, self._kept_mistakes())
        judge_losses(self._cursor, "seen")

    def _kept_mistakes(self) -> str | None:
        return self.db.kept_mistakes() if self.mistakes is None else None

    @contextmanager
    def few_games(self, most: int | None, of_player: int) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a connection with the views of `prepare_decisions`, and the mistakes, of some games.

        The table `few_games` has their game_id and place: the `most` games furthest from their full score
        (None: all games) and, in addition, `of_player` games of each shown player.
        """
        self._cursor.execute(_cells("few_games", most=most, of_player=of_player))
        if most is None and not self._source.stored:
            self._find_mistakes()
            yield self._cursor
            return
        [(games,)] = self._cursor.execute("SELECT list(game_id ORDER BY place) FROM few_games").fetchall()
        with self.db.connection.cursor() as cursor:
            prepare_decisions(cursor, self.mistakes, judging=self.db.judging)
            copy_games(cursor, games)
            # As a table, because each kind of mistake would evaluate the view.
            cursor.execute("CREATE TEMP TABLE _decisions AS FROM decisions; DROP VIEW decisions")
            cursor.execute("ALTER TABLE _decisions RENAME TO decisions")
            cursor.execute("CREATE OR REPLACE TEMP VIEW plain_decisions AS FROM decisions")
            places = "SELECT unnest($1) AS game_id, unnest(range(len($1))) AS place"
            cursor.execute(f"CREATE TEMP TABLE few_games AS {places}", [games])
            kept = self._kept_mistakes()
            found = kept and f"(FROM {kept} SEMI JOIN few_games USING (game_id))"
            materialise_mistakes(cursor, self.mistakes, found)
            judge_losses(cursor, "seen")
            yield cursor

    def sums(self, name: str) -> Sums:
        """Return the sums of a count in `counts`, or of `perfect_by`."""
        if name not in self._sums_by_name:
            self._sums_by_name[name] = self._perfect_by() if name == "perfect_by" else self._sums(name)
        return self._sums_by_name[name]

    def labels(self, question: Question) -> set[str]:
        """Return the labels of the kinds of mistakes that a question shows; empty if it shows all."""
        words = self.counts["kinds"].words
        family = {kind for kind, one in self.definitions.items() if one.family == question.family}
        own = family - definitions().keys()
        return {words[kind] for kind in ({*question.kinds} | own if question.kinds else family)}

    def _sums(self, name: str) -> Sums:
        one = self.counts[name]
        if re.search("mistakes|judged_losses", one.found + one.of):
            self._find_mistakes()
        with self._source.sums(one) as unit:
            cells = "decision_cells" if one.of_decisions else "game_cells"
            rows = self.frame(_cells("sums", cells=cells, unit=unit))
        sums = rows.filter(pl.col("label").is_null())
        found = rows.filter(pl.col("label").is_not_null() if one.found else pl.lit(True), pl.col("xx") > 0)
        present = sums["of"].unique().to_list()
        if one.keys is None:
            keys = [(*name.split("|", 1), name) for name in sorted(present, key=_natural)]
        else:
            keys = [key for key in one.keys if key[2] in present]
        denominators = list(dict.fromkeys(key[2] for key in keys))
        texts = dict.fromkeys(("panel", "label", "of"), pl.String)
        key_frame = pl.DataFrame(keys, texts, orient="row").with_row_index("key")
        of_frame = pl.DataFrame({"of": denominators}, {"of": pl.String}).with_row_index("number")
        on = ["panel", "label"] if one.found else ["of"]
        found = found.join(key_frame, on=on)
        sums = sums.join(of_frame, on="of").select("cell", pl.col("number").alias("of"), "n", "y", "yy")
        return Sums(
            [
                (
                    one.words.get(panel, panel),
                    self._suit(label) if panel == "Suit" else one.words.get(label, label),
                    denominators.index(name),
                )
                for panel, label, name in keys
            ],
            found.select("cell", "key", pl.col("x", "xx", "xy").cast(pl.Float64)).sort("cell", "key"),
            sums.select("cell", "of", pl.col("n", "y", "yy").cast(pl.Float64)).sort("cell", "of"),
            keys,
        )

    @cached_property
    def _suits(self) -> dict[str, dict[str, None]]:
        """Names of suits by their letter; variants and editions may differ in them."""
        suits: dict[str, dict[str, None]] = {}
        query = """
            SELECT variant, edition, any_value(letters) FROM games GROUP BY ALL
            ORDER BY count(*) DESC, variant, edition
        """
        for variant, edition, letters in self._cursor.execute(query).fetchall():
            with suppress(HanalyzeError):  # a variant that this version does not know
                for suit, letter in zip(stored_suit_names(variant, edition), letters.upper(), strict=False):
                    suits.setdefault(letter, {})[suit.lower()] = None
        return suits

    def _suit(self, letter: str) -> str:
        """Return the letter of a suit with its names, if these are at most two."""
        names = self._suits.get(letter, {})
        return f"{letter} {'/'.join(names)}" if 0 < len(names) < 3 else letter

    def _perfect_by(self) -> Sums:
        sizes = sorted(self.cells["size"].unique().to_list())
        labels = [("Team size", f"{size} players") for size in sizes]
        labels += [("Variant", name) for name in self.shown_variants]
        place = pl.DataFrame({"cell": range(self.cells.height)}).with_columns(
            pl.concat_list(
                self.cells["size"].replace_strict(sizes, range(len(sizes)), return_dtype=pl.Int64),
                self.cells["variant"].cast(pl.Int64) + len(sizes),
            ).alias("place")
        )
        found, of = (
            frame.join(place.explode("place").cast({"cell": frame["cell"].dtype}), on="cell")
            .with_columns(pl.col("place").alias(name))
            .drop("place")
            .sort("cell", name)
            for frame, name in ((self.sums("perfect").found, "key"), (self.sums("perfect").of, "of"))
        )
        return Sums([(*label, number) for number, label in enumerate(labels)], found, of)

    @property
    def read(self) -> int:
        """Number of games read for conventions."""
        return self.db.count("convention_games")

    @property
    def solved(self) -> int:
        """Number of solved games; those that the solver does not cover have no `open_points`."""
        return int(self.db.sql("SELECT count(open_points) FROM solved_games").item())

    def scope(self, question: Question) -> str:
        """Return the scope of a figure for a chosen player: that player's `decisions` or `games`.

        The scope is "" for figures that compare players and for figures that ignore the filters.
        """
        if question.rows in ("field", "pairs", "worth"):
            return ""
        counted = [self.counts[name].of_decisions for name in question.counts if name in self.counts]
        return "decisions" if any(counted) or question.chart == "turns" else "games"

    def answers(self, question: Question) -> bool:
        """Return whether the database has the read or solved games that the question needs."""
        return (not question.read or self.read > 0) and (not question.solved or self.solved > 0)

    def worded(self, question: Question) -> Question:
        """Return the question; if the same players always play together, its text says so."""
        whole = {tuple(row[:2]): row[3] for row in self.cells.iter_rows() if row[2] == -1}
        together = all(row[3] == whole[tuple(row[:2])] for row in self.cells.iter_rows())
        if not together or "together" not in question.say:
            return question
        return replace(question, say={**question.say, "none": question.say["together"]})

    @cached_property
    def worth(self) -> list[Worth]:
        """The differences in the final score by convention, the largest first, over all cells."""
        if not self.read:
            return []
        needed("scipy.special")
        effects = effects_of(self.offered).filter(pl.col("effect").is_not_null(), outcome="final_score")
        numbers = ("effect", "effect_low", "effect_high", "declined", "taken", "games")
        rows = [
            Worth._make([Convention[name.upper()].words, *row, verdict in ("more", "less")])
            for name, verdict, *row in effects.select("convention", "verdict", *numbers).iter_rows()
        ]
        return sorted(rows, key=lambda row: -row.value)

    @cached_property
    def offered(self) -> OfferedTurns:
        """Clues that `worth` compares, of at most `EFFECT_GAMES` games."""
        with chosen_games(self.db, None) as table:
            return offered_turns(self.db, table, EFFECT_GAMES)

    def pairs(self) -> pl.DataFrame:
        """Return games, sum of scores and sum of squared scores for each team size, variant and pair.

        Columns: size, variant, a and b (the players), n, x, xx.
        """
        if "pairs" not in self._frames:
            with self._source.sums(self.counts["points"]) as unit:
                self._frames["pairs"] = self.frame(_cells("pairs", unit=unit))
        return self._frames["pairs"]

    @property
    def step(self) -> int:
        """Number of turns between two points of a curve; larger if there are more cells."""
        return 2 if self.cells.height <= 300 else 5 if self.cells.height <= 1000 else 10

    def curve(self) -> pl.DataFrame:
        """Return the distribution of cards per clue by cell, kind of game, series and turn.

        Columns: cell, short (0 perfect, 1 one or two points short, 2 more), series (0 achieved, 1 needed),
        turn (from 1), bin (of width `BIN`; the last bin is open), games.
        """
        if "curve" not in self._frames:
            values = {"query": query("curve"), "step": self.step, "bin": BIN, "bins": BINS}
            self._frames["curve"] = self.frame(_cells("curve", **values))
        return self._frames["curve"]

    def listed(self, name: str) -> pl.DataFrame:
        """Return the rows of `costliest`, `best` or `worst` that are among the first `LISTED` of any cell.

        `cells` lists the numbers of these cells.
        """
        self._find_mistakes()
        of_turns = name == "costliest"
        if name not in self._frames:
            rows = self._source.costliest if of_turns else query(name)
            self._cursor.execute(_cells("ranked", query=rows, most=LISTED[name], of_turns=of_turns))
            keys = "SELECT string_agg(DISTINCT game_id, ', ') FROM ranked"
            [(games,)] = self._cursor.execute(keys).fetchall()
            # The games are constants, so that a scan skips all others.
            self._frames[name] = self.frame(_cells("listed", games=games or "NULL", of_turns=of_turns))
        return self._frames[name]

    def chosen(self, filters: Filters | None = None) -> list[int]:
        """Return the numbers of the cells that match the filters."""
        filters = filters or {}
        player = -1 if filters.get("player") is None else self.players.index(filters["player"])
        size, variant = filters.get("players"), filters.get("variant")
        number = None if variant is None else self.variants.index(variant)
        return [
            cell
            for cell, row in enumerate(self.cells.iter_rows())
            if row[2] == player and size in (None, row[0]) and number in (None, row[1])
        ]


def stored_suit_names(variant: str, edition: str) -> tuple[str, ...]:
    """Return the names of the suits of a stored game. Raises `UnknownName`."""
    return suit_names(named_variant(variant), named_edition(edition))


def _cells(name: str, **values: Any) -> str:
    return render(f"dashboard/sql/cells/{name}.sql", **values)


def _natural(name: str) -> tuple[Any, ...]:
    """Return a sort key that puts `Turn|11-20` before `Turn|101-110`, and the usual suits in their order."""
    panel, label = name.split("|", 1)
    order = ("Kind", "Turn", "Rank", "Suit", "Seat")
    first = label.split("-")[0]
    number = int(first) if first.isdecimal() else "RYGBPT".find(label) % 1e9
    return (order.index(panel) if panel in order else 9, number, label)


def _keys(values: list[str], others: bool) -> list[str | None]:
    """Return names for addresses (None: shared cell); shortened or escaped names get a digest."""
    keys: list[str | None] = []
    for name in values:
        shown = shorten(name, NAME_WIDTH)
        digest = hashlib.blake2b(name.encode("utf-8", "backslashreplace"), digest_size=6).hexdigest()
        keys.append(name if name and shown == name else f"{shown}~{digest}")
    return [*keys[:-1], None] if others else keys
