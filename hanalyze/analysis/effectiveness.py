"""Whether conventions pay: how often each is used, read and successful, and what it brings in.

In: a database whose games were read for conventions (`Database.read_conventions`). Out: a frame with a row
for each group and convention. Meaning is of the turns before an action alone, success of those after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hanalyze.analysis.grouping import DECISIONS, By, by_name, number_groups
from hanalyze.analysis.intervals import Ints
from hanalyze.analysis.ratios import Ratios, ratio_columns, ratios
from hanalyze.conventions.names import Convention
from hanalyze.errors import HanalyzeError, UnknownName
from hanalyze.store import Database

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "CLUES",
    "CONVENTIONS_BY",
    "NEED",
    "NO_MESSAGES",
    "READ",
    "SETTLED",
    "check_read",
    "convention_coverage",
    "convention_stats",
    "detector_stats",
    "named_convention",
]

CONVENTIONS_BY: Final = ("level", "player", "partner", "players", "variant", "edition", "score")
"""The names of the groupings of conventions."""

SETTLED: Final = ("success", "failed", "missed", "stomped", "broken", "passed_back")
"""What became of a finding where that says whether the convention worked. Left out: what expected nothing,
what the end of the game cut off (censored), and cards that another copy made needless (superseded)."""

READ: Final = ("success", "broken", "passed_back")
"""Of them, those in which the called players did what they were called to do; a focus that was misplayed as
well (failed with a strike)."""

Games = dict[str, list[int]] | None
"""The parameter of a query with the keys of the games that count, None for all."""

NEED: Final = (
    "CASE WHEN t.future_efficiency_before IS NULL THEN -1"
    " ELSE least(floor(4 * t.future_efficiency_before), 8) END::TINYINT"
)
"""Bands of the cards per clue that are needed before the action: quarters up to 2; -1 where there is none."""

CLUES: Final = range(int(Convention.PLAY_CLUE), int(Convention.DISTRIBUTION_CLUE) + 1)
"""The conventions that are given by clues."""

NO_MESSAGES: Final = frozenset(
    {
        Convention.UNEXPLAINED,
        Convention.BLIND_PLAY,
        Convention.PROMPTED_PLAY,
        Convention.DEFERRAL,
        Convention.PLAIN_PLAY,
        Convention.PLAIN_DISCARD,
    }
)
"""What is no message: it does not count for a level."""


class _Key(NamedTuple):
    """What a row is about: a convention, or all of a level."""

    name: str | int
    conventions: tuple[Convention, ...]

    @property
    def mask(self) -> int:
        return sum(1 << int(one) for one in self.conventions)

    @property
    def clues(self) -> bool:
        """Whether it is given by clues, of which each costs a token."""
        return any(one in CLUES for one in self.conventions)


def named_convention(name: str) -> Convention:
    """Return a convention by its word. Raises `UnknownName`.

    >>> named_convention("layered-finesse").label
    'layered_finesse'
    """
    word = name.lower().replace("-", "_").replace(" ", "_")
    words = {one.label: one for one in Convention}
    if word not in words:
        near = tuple(get_close_matches(word[:100], words, n=2))
        raise UnknownName("convention", name, near, advice="`hanalyze conventions --explain all` lists them")
    return words[word]


def check_read(db: Database) -> None:
    """Raise `HanalyzeError` (rules `no_game`, `not_read`) unless games were read for conventions."""
    if not db.sql("SELECT count(*) FROM convention_games").item():
        if not db.sql("SELECT count(*) FROM games").item():
            raise HanalyzeError("there is no game in the database", rule="no_game", file=db.file)
        raise HanalyzeError(
            "its games were not read for conventions",
            rule="not_read",
            file=db.file,
            advice="run `hanalyze ingest --conventions`, or call read_conventions()",
        )


def convention_coverage(db: Database) -> pl.DataFrame:
    """Return how much of the games is explained, one row.

    Columns: `games` that were read; `level`; `actions`; `unexplained`, the share of the actions that no
    convention explains; `uncertain`, the share with more than one reading open; both null where there is no
    action. Raises `HanalyzeError` (rule
    `not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     convention_coverage(db)["games"].item()
    6
    """
    check_read(db)
    return db.sql("""
        SELECT
            (SELECT count(*) FROM convention_games) AS games,
            (SELECT max(level) FROM convention_games) AS level,
            count(*) AS actions,
            count_if(convention = 'unexplained') / count(*) AS unexplained,
            count_if(certainty < 100 AND convention <> 'unexplained') / count(*) AS uncertain
        FROM conventions WHERE number = 0
    """)


def convention_stats(
    db: Database,
    *conventions: str,
    by: str | None = None,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return how conventions fare, a row for each group and convention; without `conventions` for all used.

    `by` is one of `CONVENTIONS_BY`: level (all conventions of a level together), player and partner (of who
    gave the clue or made the move), players, variant, edition, score; or None for all games together.
    `games` are the keys of the games that count, by default all.

    Columns: that of the group; `convention` (not by level); `uses`; `games` with a use; `per_100`, uses in
    100 actions of the group; and, each with `_low` and `_high`:

    - `taken`: share of the turns on which some legal clue would have been that convention, or which were used
      for it (`opportunities`); null for what is not a clue, and for stalls, which depend on the other clues;
    - `read`: share of the `settled` uses in which the called players did what they were called to;
    - `success`: share of them in which all that was called came about. Uses that the end of the game cut off,
      or that another copy of the card made needless, are in neither (`cut_off`, `superseded`);
    - `cards`: cards that a clue newly got (touched and useful, called, or kept from the chop), per token;
    - `cards_more`: how much more than other clues where as many cards per clue were needed (bands of a
      quarter of a card), those of all groups;
    - `strikes`: misplays of called cards per use;
    - `points`: mean final score of the games with a use; `points_without` of the others of the group.

    Last, without intervals, what is found in games of agents that know no conventions: `null_random` and
    `null_cautious`, uses in 100 actions, and `null_success` (`hanalyze.analysis.null_sample`).

    Below `minimum` uses (of `taken` opportunities) a row has counts only. Intervals are bootstraps over games
    (Field & Welsh 2007; shares Wilson's where these say nothing). Points of games with and without a use
    are of different games: `compare` matches them. Raises `UnknownName`, and `HanalyzeError` (rule
    `not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     frame = convention_stats(db, "play_clue", minimum=10)
    >>> frame["uses"].item() >= frame["settled"].item() > 0
    True
    """
    import polars as pl

    from hanalyze.analysis.null_sample import beside_null

    check_read(db)
    level = by == "level"
    grouping = by_name(None if level else by, DECISIONS, CONVENTIONS_BY)
    chosen = [named_convention(name) for name in conventions] or list(Convention)
    if level:
        messages = [one for one in chosen if one not in NO_MESSAGES]
        levels = sorted({one.level for one in messages})
        keys = [_Key(number, tuple(one for one in messages if one.level == number)) for number in levels]
    else:
        keys = [_Key(one.label, (one,)) for one in chosen]
    meant = None if games is None else {"games": [int(game) for game in games]}
    rows = _findings(db, grouping, meant)
    turns = _turns(db, grouping, keys, meant)
    scores = _games(db, grouping, meant)
    groups, group = number_groups(scores, grouping)
    rows, turns, scores = (_with_groups(one, scores, group, grouping) for one in (rows, turns, scores))
    parts = [
        _key_rows(key, number, rows, turns, scores, groups, minimum, confidence)
        for number, key in enumerate(keys)
    ]
    frame = pl.concat(parts).filter(pl.col("uses") > 0).sort("_group", "_key")
    named = frame.drop("_group", "_key").rename({"_name": "level"} if level else {"_name": "convention"})
    return beside_null(named)


def detector_stats(db: Database, *, minimum: int = 30, confidence: float = 0.95) -> pl.DataFrame:
    """Return how often detectors of one's own found something, a row for each detector and label.

    Columns: `detector`, `version`, `label`; `uses`, actions that had it; `games` with one; `opportunities`,
    actions that could have had it or had it (null from a detector that names none); `taken`, the share of
    them, and `success`, the share of the `settled` uses, each with `_low` and `_high`, as in
    `convention_stats`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     detector_stats(db).height
    0
    """
    import polars as pl

    settled = ", ".join(f"'{status}'" for status in SETTLED)
    rows = db.sql(f"""
WITH d AS (
    SELECT game_id, detector, version, label, turn, bool_or(NOT opportunity) AS used,
        bool_or(opportunity) AS named, count_if(NOT opportunity AND status IN ({settled})) AS settled,
        count_if(NOT opportunity AND status = 'success') AS success
    FROM detector_findings GROUP BY ALL
)
SELECT game_id, detector, version, label, count_if(used)::INTEGER AS uses, count(*)::INTEGER AS chances,
    bool_or(named) AS named, sum(settled)::INTEGER AS settled, sum(success)::INTEGER AS success
FROM d GROUP BY ALL
""")
    names = ["detector", "version", "label"]
    groups = rows.select(names).unique().sort(names).with_row_index("_group")
    rows = rows.join(groups, on=names)
    values = {
        name: rows[name].cast(pl.Float64).to_numpy() for name in ("uses", "chances", "settled", "success")
    }
    taken, success = ratios(
        rows["_group"].cast(pl.Int64).to_numpy(),
        groups.height,
        rows["game_id"].to_numpy(),
        [values["uses"], values["success"]],
        [values["chances"], values["settled"]],
        confidence=confidence,
        minimum=minimum,
    )
    sums = rows.group_by("_group").agg(
        pl.col("uses", "settled").sum(), (pl.col("uses") > 0).sum().alias("games"), pl.col("named").any()
    )
    frame = groups.join(sums, on="_group", how="left").sort("_group")
    none = pl.Series(~frame["named"])
    return frame.with_columns(
        pl.Series("opportunities", taken.opportunities).cast(pl.Int64).set(none, None),
        *(one.set(none, None) for one in ratio_columns("taken", taken)),
        *ratio_columns("success", success),
    ).select(
        *names,
        "uses",
        "games",
        "opportunities",
        *(f"taken{end}" for end in ("", "_low", "_high")),
        "settled",
        *(f"success{end}" for end in ("", "_low", "_high")),
    )


def _among(meant: Games, table: str) -> str:
    """Return the condition that a game is one that counts."""
    return "" if meant is None else f" WHERE {table}.game_id IN (SELECT unnest($games::BIGINT[]))"


def _findings(db: Database, by: By, meant: Games) -> pl.DataFrame:
    """Return sums by game, group, convention and need."""
    read = ", ".join(f"'{status}'" for status in READ)
    settled = ", ".join(f"'{status}'" for status in SETTLED)
    return db.sql(
        f"""
WITH d AS (
    SELECT f.*, enum_code(f.convention)::UTINYINT AS code, g.players, g.variant, g.edition, g.score,
        g.full_score, {NEED} AS need
    FROM findings f JOIN games g USING (game_id) JOIN turns t USING (game_id, turn){_among(meant, "f")}
)
SELECT d.game_id, {by.selected}d.code, d.need, count(*)::INTEGER AS uses,
    count_if(d.status IN ({settled}))::INTEGER AS settled,
    count_if(d.status IN ({read}) OR d.status = 'failed' AND d.strikes > 0)::INTEGER AS read,
    count_if(d.status = 'success')::INTEGER AS success,
    count_if(d.status IN ('censored', 'open'))::INTEGER AS cut_off,
    count_if(d.status = 'superseded')::INTEGER AS superseded,
    sum(d.worth)::INTEGER AS worth, sum(d.strikes)::INTEGER AS strikes
FROM d{by.joins}{by.where} GROUP BY ALL
""",
        meant,
    )


def _turns(db: Database, by: By, keys: Sequence[_Key], meant: Games) -> pl.DataFrame:
    """Return by game and group the actions, and for each key the turns that offered it and that took it."""
    counts = ", ".join(
        f"count_if((d.available | d.used) & {key.mask} <> 0)::INTEGER AS o{number},"
        f" count_if(d.used & {key.mask} <> 0)::INTEGER AS u{number}"
        for number, key in enumerate(keys)
        if key.clues
    )
    return db.sql(
        f"""
WITH used AS (
    SELECT game_id, turn, bit_or(1::BIGINT << enum_code(convention)::INTEGER) AS used
    FROM conventions GROUP BY ALL
),
d AS (
    SELECT o.game_id, o.seat, o.available, coalesce(u.used, 0) AS used, g.players, g.variant, g.edition,
        g.score, g.full_score
    FROM convention_opportunities o JOIN games g USING (game_id)
        LEFT JOIN used u USING (game_id, turn){_among(meant, "o")}
)
SELECT d.game_id, {by.selected}count(*)::INTEGER AS actions{", " if counts else ""}{counts}
FROM d{by.joins}{by.where} GROUP BY ALL
""",
        meant,
    )


def _games(db: Database, by: By, meant: Games) -> pl.DataFrame:
    """Return the games of each group that were read, with their scores."""
    return db.sql(
        f"""
WITH d AS (
    SELECT g.*, s.seat
    FROM games g JOIN convention_games USING (game_id) JOIN seats s USING (game_id){_among(meant, "g")}
)
SELECT DISTINCT d.game_id, {by.selected}d.score AS _points FROM d{by.joins}{by.where}
""",
        meant,
    )


def _with_groups(frame: pl.DataFrame, games: pl.DataFrame, group: Ints, by: By) -> pl.DataFrame:
    """Return a frame with the number of each row's group."""
    import polars as pl

    if not by.columns:
        return frame.with_columns(pl.lit(0, pl.Int64).alias("_group"))
    on = list(by.columns)
    keys = games.select(*on, pl.Series("_group", group)).unique()
    return frame.join(keys, on=on)


def _key_rows(
    key: _Key,
    number: int,
    rows: pl.DataFrame,
    turns: pl.DataFrame,
    games: pl.DataFrame,
    groups: pl.DataFrame,
    minimum: int,
    confidence: float,
) -> pl.DataFrame:
    """Return the rows of one convention, or level, for all groups."""
    import polars as pl

    codes = [int(one) for one in key.conventions]
    mine = rows.filter(pl.col("code").is_in(codes))
    sums = ["uses", "settled", "read", "success", "cut_off", "superseded", "worth", "strikes"]
    by_game = mine.group_by("_group", "game_id").agg(pl.col(sums).sum())

    def measured(
        frame: pl.DataFrame, found: Sequence[str], of: Sequence[str], shares: Sequence[bool], least: int
    ) -> list[Ratios]:
        return ratios(
            frame["_group"].to_numpy(),
            groups.height,
            frame["game_id"].to_numpy(),
            [frame[name].cast(pl.Float64).to_numpy() for name in found],
            [frame[name].cast(pl.Float64).to_numpy() for name in of],
            confidence=confidence,
            minimum=least,
            shares=shares,
        )

    read, success, strikes = measured(
        by_game,
        ("read", "success", "strikes"),
        ("settled", "settled", "uses"),
        (True, True, False),
        minimum,
    )
    total = by_game.group_by("_group").agg(pl.col(sums).sum(), pl.len().alias("games"))
    actions = turns.group_by("_group").agg(pl.col("actions").sum())
    frame = groups.join(total, on="_group", how="left").join(actions, on="_group", how="left").sort("_group")
    few = pl.Series(frame["uses"].fill_null(0) < minimum)
    none = pl.lit(None, pl.Float64)
    columns: list[Any] = []
    if key.clues and turns[f"o{number}"].sum() > turns[f"u{number}"].sum():
        [taken] = measured(turns, [f"u{number}"], [f"o{number}"], [True], minimum)
        columns += [
            pl.Series("opportunities", taken.opportunities).cast(pl.Int64),
            *ratio_columns("taken", taken),
        ]
    else:
        columns += [pl.lit(None, pl.Int64).alias("opportunities")]
        columns += [none.alias(f"taken{end}") for end in ("", "_low", "_high")]
    for name, result in (("read", read), ("success", success)):
        columns += [one.set(few, None) for one in ratio_columns(name, result)]
    if key.clues:
        clues = rows.filter(pl.col("code").is_in(list(CLUES)))
        tokens = _with_expected(clues.filter(pl.col("code").is_in(codes)), clues, codes)
        tokens = tokens.group_by("_group", "game_id").agg(pl.col("uses", "worth", "more").sum())
        brought = measured(tokens, ("worth", "more"), ("uses", "uses"), (False, False), minimum)
        for name, result in zip(("cards", "cards_more"), brought, strict=True):
            columns += [one.set(few, None) for one in ratio_columns(name, result)]
    else:
        columns += [
            none.alias(f"{name}{end}") for name in ("cards", "cards_more") for end in ("", "_low", "_high")
        ]
    columns += [one.set(few, None) for one in ratio_columns("strikes", strikes)]
    columns += _points(games, by_game, groups, few, confidence)
    return (
        frame.drop("read", "success", "worth", "strikes")
        .with_columns(
            pl.col("uses", "settled", "cut_off", "superseded", "games").fill_null(0).cast(pl.Int64),
            (100 * pl.col("uses") / pl.col("actions")).alias("per_100"),
            *columns,
            pl.lit(key.name).alias("_name"),
            pl.lit(number).alias("_key"),
        )
        .select(
            "_group",
            "_key",
            *(name for name in groups.columns if name != "_group"),
            "_name",
            "uses",
            "games",
            "per_100",
            "opportunities",
            *(f"taken{end}" for end in ("", "_low", "_high")),
            "settled",
            "cut_off",
            "superseded",
            *(
                f"{name}{end}"
                for name in ("read", "success", "cards", "cards_more", "strikes", "points", "points_without")
                for end in ("", "_low", "_high")
            ),
        )
    )


def _with_expected(mine: pl.DataFrame, clues: pl.DataFrame, codes: Sequence[int]) -> pl.DataFrame:
    """Add how much more they got than as many other clues where as much was needed."""
    import polars as pl

    others = clues.filter(~pl.col("code").is_in(codes))
    mean = others.group_by("need").agg((pl.col("worth").sum() / pl.col("uses").sum()).alias("_mean"))
    every = float(others["worth"].sum()) / max(int(others["uses"].sum()), 1)
    return mine.join(mean, on="need", how="left").with_columns(
        (pl.col("worth") - pl.col("uses") * pl.col("_mean").fill_null(every)).alias("more")
    )


def _points(
    games: pl.DataFrame, by_game: pl.DataFrame, groups: pl.DataFrame, few: pl.Series, confidence: float
) -> list[pl.Series]:
    """Return the mean final scores of games with a use and without."""
    used = by_game.select("_group", "game_id")
    columns = []
    for name, some in (
        ("points", games.join(used, on=["_group", "game_id"], how="semi")),
        ("points_without", games.join(used, on=["_group", "game_id"], how="anti")),
    ):
        [result] = ratios(
            some["_group"].to_numpy(),
            groups.height,
            some["game_id"].to_numpy(),
            [some["_points"].to_numpy().astype(np.float64)],
            [np.ones(some.height)],
            confidence=confidence,
            shares=False,
        )
        columns += [one.set(few, None) for one in ratio_columns(name, result)]
    return columns
