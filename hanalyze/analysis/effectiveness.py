"""Statistics of conventions: frequency of use, response and success, and cards gained.

The convention of an action depends only on earlier turns, its success only on later turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.columns import select_columns
from hanalyze.analysis.convention_offers import chosen_games, used_query
from hanalyze.analysis.filters import check_filled
from hanalyze.analysis.group_sums import Fraction, Rows, drop, grouped_rows, ratio_columns, sum_up
from hanalyze.analysis.grouping import BY_GAME, DECISIONS, By, by_name
from hanalyze.analysis.null_sample import with_null_rates
from hanalyze.analysis.statistics.ratios import Ratios
from hanalyze.conventions.classes import CLUES, MESSAGES, OFFERED, conventions_in
from hanalyze.game.meanings import FOLLOWED, SETTLED, Convention
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.words import named_convention

CONVENTIONS_BY: Final = ("level", "player", "receiver", "partner", *BY_GAME, "score")

_CLUES: Final = ", ".join(str(int(convention)) for convention in conventions_in(CLUES))

ROUNDS: Final = 2
"""Maximum number of rounds between a clue and a play that is credited to it."""

_RECEIVER: Final = By(
    "receiver",
    ("receiver",),
    ("s.player",),
    " JOIN seats s ON s.game_id = d.game_id AND s.seat = d.receiver",
    by_seat=True,
)
_LABELS: Final = By("label", ("detector", "version", "label"), ("d.detector", "d.version", "d.label"))
_GROUPINGS: Final = {**DECISIONS, "receiver": _RECEIVER}


class _Key(NamedTuple):
    """The subject of a row: a convention, or all conventions of a level."""

    name: str | int
    conventions: tuple[Convention, ...]

    def among(self, *masks: str) -> str:
        """Return the SQL condition that one of these masks, or its `_more`, has a convention of the key."""
        low = sum(1 << int(convention) for convention in self.conventions if convention < OFFERED)
        more = sum(1 << int(convention) - OFFERED for convention in self.conventions if convention >= OFFERED)
        parts = [
            f"({' | '.join(f'd.{name}{further}' for name in masks)}) & {mask} <> 0"
            for further, mask in (("", low), ("_more", more))
            if mask
        ]
        return f"({' OR '.join(parts)})"

    @property
    def clues(self) -> bool:
        """Whether any of the conventions is a kind of clue, which costs a token."""
        return any(convention in conventions_in(CLUES) for convention in self.conventions)


def convention_coverage(db: Database) -> pl.DataFrame:
    """Return the shares of unexplained actions and of actions with several possible readings, in one row.

    `FRAMES` lists the columns. Raises `HanalyzeError` (rules `no_game`, `not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     convention_coverage(db)["games"].item()
    6
    """
    check_filled(db, "convention_games")
    frame = db.sql("""
        SELECT
            (SELECT count(*) FROM convention_games) AS games,
            (SELECT max(level) FROM convention_games) AS level,
            count(*) AS actions,
            count_if(convention = 'unexplained') / count(*) AS unexplained,
            count_if(certainty < 100 AND convention <> 'unexplained') / count(*) AS uncertain
        FROM conventions WHERE number = 0
    """)
    return select_columns(frame, "convention_coverage")


def convention_stats(
    db: Database,
    *conventions: str,
    by: str | None = None,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return statistics of conventions, one row per group and convention; by default all conventions in use.

    `by` is None for all games together, or one of `CONVENTIONS_BY`. By level, all messages of a level count
    together; silent moves, answers to calls and unexplained actions do not count. By player and partner, the
    player is the giver of the clue or the player who made the move. By receiver, it is the holder of the
    first called card, such as a prompted card, otherwise the player whom the message is for; rates are then
    per 100 actions of the receiver's teammates, and opportunities are null. `games` are the keys of the games
    to count, by default all.

    The columns are that of the group, `convention` or `level`, and those of `FRAMES`. The columns `null_*`
    are rates in games of agents that know no conventions (`hanalyze.analysis.null_sample`), without
    intervals. The rates with intervals are null for fewer than `minimum` uses (settled uses for `read` and
    `success`), except `taken`, which needs `minimum` opportunities. Intervals are those of
    `hanalyze.analysis.statistics.intervals`. For the points after a convention use `convention_effects`.
    Raises `UnknownName`, and `HanalyzeError` (rules `no_game`, `not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     frame = convention_stats(db, "play_clue", minimum=10)
    >>> frame["uses"].item() >= frame["settled"].item() > 0
    True
    """
    check_filled(db, "convention_games")
    level = by == "level"
    grouping = by_name(None if level else by, _GROUPINGS, CONVENTIONS_BY)
    selected = [named_convention(name) for name in conventions] or list(Convention)
    if level:
        messages = [convention for convention in selected if convention in conventions_in(MESSAGES)]
        levels = sorted({message.level for message in messages})
        keys = [_Key(number, tuple(one for one in messages if one.level == number)) for number in levels]
    else:
        keys = [_Key(convention.label, (convention,)) for convention in selected]
    with chosen_games(db, games), grouped_rows(db, _games(grouping), grouping, "_played") as played:
        try:
            sum_up(db, "_uses", "_chosen_games", lambda part: _findings(grouping, keys, played, part))
            sum_up(db, "_offered", "_chosen_games", lambda part: _turns(grouping, keys, played, part))
            frame = _rows_of_keys(db, keys, played, minimum, confidence)
        finally:
            drop(db, "_uses", "_offered")
    frame = frame.filter(pl.col("uses") > 0).sort("_group", "_key")
    key_name = "level" if level else "convention"
    names = pl.Series(
        key_name, [keys[number].name for number in frame["_key"]], pl.Int64 if level else pl.String
    )
    frame = with_null_rates(frame.with_columns(names))
    return select_columns(frame, "convention_stats", [*grouping.columns, key_name])


def detector_stats(db: Database, *, minimum: int = 30, confidence: float = 0.95) -> pl.DataFrame:
    """Return how often users' detectors found each label, one row per detector, version and label.

    `FRAMES` lists the columns; intervals and `minimum` are those of `convention_stats`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     detector_stats(db).height
    0
    """
    settled = ", ".join(f"'{outcome}'" for outcome in SETTLED)
    query = f"""
WITH d AS (
    SELECT game_id, detector, version, label, turn, bool_or(NOT opportunity) AS used,
        bool_or(opportunity) AS named, count_if(NOT opportunity AND outcome IN ({settled})) AS settled,
        count_if(NOT opportunity AND outcome = 'success') AS success
    FROM detector_findings GROUP BY ALL
)
SELECT game_id, {_LABELS.selected}count_if(used) AS uses, count(*) AS chances, bool_or(named) AS named,
    sum(settled) AS settled, sum(success) AS success
FROM d GROUP BY ALL
"""
    with grouped_rows(db, query, _LABELS) as rows:
        taken, success = rows.ratios(
            [Fraction("r.uses", "r.chances"), Fraction("r.success", "r.settled")],
            confidence=confidence,
            minimum=minimum,
        )
        sums = rows.frame(
            "sum(r.uses)::BIGINT AS uses, count(*) FILTER (r.uses > 0) AS games,"
            " sum(r.settled)::BIGINT AS settled, bool_or(r.named) AS named"
        )
        frame = rows.groups.join(sums, on="_group").sort("_group")
    none = pl.Series(~frame["named"])
    frame = frame.with_columns(
        pl.Series("opportunities", taken.opportunities).cast(pl.Int64).set(none, None),
        *(column.set(none, None) for column in ratio_columns("taken", taken)),
        *ratio_columns("success", success),
    )
    return select_columns(frame, "detector_stats")


def delivered(part: str) -> str:
    """Return common table expressions of the cards gained by clues; `part` is an SQL condition on games.

    They count cards that were played onto a stack within `ROUNDS` rounds, before another clue touched them.
    `touched_played` (game_id, turn) counts cards that the clue of the turn touched. `called_played` (game_id,
    turn, number) counts cards that the message called but its clue did not touch.
    """
    return f"""touched_played AS (
    SELECT game_id, last_clue_turn AS turn, count(*) AS played FROM cards JOIN games USING (game_id)
    WHERE fate = 'played' AND fate_turn - last_clue_turn <= {ROUNDS} * players AND {part} GROUP BY ALL
),
calls AS (
    SELECT game_id, turn, number, unnest(cards) AS "order" FROM conventions
    WHERE enum_code(convention) IN ({_CLUES}) AND {part}
),
called_played AS (
    SELECT game_id, turn, number, count(*) AS played
    FROM calls JOIN cards USING (game_id, "order") JOIN games USING (game_id)
    WHERE fate = 'played' AND fate_turn BETWEEN turn + 1 AND turn + {ROUNDS} * players
        AND coalesce(last_clue_turn, -1) < turn
    GROUP BY ALL
)"""


def _findings(by: By, keys: Sequence[_Key], played: Rows, part: str) -> str:
    """Return the query for sums by game, group and key, over the games of a part."""
    read = ", ".join(f"'{outcome}'" for outcome in FOLLOWED)
    settled = ", ".join(f"'{outcome}'" for outcome in SETTLED)
    codes = ", ".join(f"({int(one)}, {key})" for key, of in enumerate(keys) for one in of.conventions)
    return f"""
WITH {delivered(part)},
d AS (
    SELECT c.game_id, c.seat, c.convention, c.worth, o.outcome, o.strikes,
        coalesce(y.played, 0) + coalesce(b.played, 0) AS played,
        coalesce(k.holder, c.receiver) AS receiver,
        code.key, enum_code(c.convention) IN ({_CLUES}) AS clue,
        g.players, g.variant, g.edition, g.score, g.full_score
    FROM conventions c JOIN convention_outcomes o USING (game_id, turn, number)
    JOIN games g USING (game_id) JOIN _chosen_games USING (game_id)
    JOIN (VALUES {codes}) code (code, key) ON code.code = enum_code(c.convention)
    LEFT JOIN touched_played y USING (game_id, turn) LEFT JOIN called_played b USING (game_id, turn, number)
    LEFT JOIN cards k ON k.game_id = c.game_id AND k."order" = c.cards[1]
    WHERE {part.replace("game_id", "c.game_id")}
),
sums AS (
SELECT d.game_id, {by.selected}d.key, count(*)::USMALLINT AS uses,
    count_if(d.outcome IN ({settled}))::USMALLINT AS settled,
    count_if(d.outcome IN ({read}) OR d.outcome = 'failed' AND d.strikes > 0)::USMALLINT AS read,
    count_if(d.outcome = 'success')::USMALLINT AS success,
    count_if(d.outcome IN ('censored', 'open'))::USMALLINT AS cut_off,
    count_if(d.outcome = 'superseded')::USMALLINT AS superseded,
    sum(d.strikes)::INTEGER AS strikes, count_if(d.clue)::USMALLINT AS clue_uses,
    sum(d.worth) FILTER (d.clue)::INTEGER AS clue_worth, sum(d.played) FILTER (d.clue)::INTEGER AS clue_played
FROM d{by.joins}{by.where} GROUP BY ALL
)
SELECT r.* EXCLUDE ({by.named}game_id), r.game_id, k._number AS number FROM {played.joined("sums")}
"""


def _turns(by: By, keys: Sequence[_Key], played: Rows, part: str) -> str:
    """Return the query for counts by game and group: actions, and turns that offered and took each key."""
    # Opportunities have no receiver, so the group of a receiver counts only actions of teammates.
    of_others = by.name == "receiver"
    counts = ", ".join(
        f"count_if({key.among('available', 'used')})::USMALLINT AS o{number},"
        f" count_if({key.among('used')})::USMALLINT AS u{number}"
        for number, key in enumerate(keys)
        if key.clues and not of_others
    )
    receivers = " JOIN seats r ON r.game_id = o.game_id AND r.seat <> o.seat" if of_others else ""
    receiver = "r.seat" if of_others else "NULL"
    return f"""
WITH used AS (
    {used_query(f" WHERE {part}")}
),
d AS (
    SELECT o.game_id, o.seat, {receiver} AS receiver, o.available, o.available_more,
        coalesce(u.used, 0) AS used, coalesce(u.used_more, 0) AS used_more, g.players,
        g.variant, g.edition, g.score, g.full_score
    FROM convention_opportunities o JOIN games g USING (game_id) JOIN _chosen_games USING (game_id)
        LEFT JOIN used u USING (game_id, turn){receivers}
    WHERE {part.replace("game_id", "o.game_id")}
),
sums AS (
SELECT d.game_id, {by.selected}count(*)::USMALLINT AS actions{", " if counts else ""}{counts}
FROM d{by.joins}{by.where} GROUP BY ALL
)
SELECT r.* EXCLUDE ({by.named}game_id), r.game_id, k._number AS number FROM {played.joined("sums")}
"""


def _games(by: By) -> str:
    return f"""
WITH d AS (
    SELECT g.*, s.seat, s.seat AS receiver
    FROM games g JOIN _chosen_games USING (game_id) JOIN seats s USING (game_id)
)
SELECT DISTINCT {by.selected}d.game_id FROM d{by.joins}{by.where}
"""


_SUMS: Final = ("uses", "settled", "cut_off", "superseded")
_RATIOS: Final = {
    "read": Fraction("r.read", "r.settled"),
    "success": Fraction("r.success", "r.settled"),
    "strikes": Fraction("r.strikes", "r.uses", share=False),
    "cards": Fraction("r.clue_worth", "r.clue_uses", share=False),
    "played": Fraction("r.clue_played", "r.clue_uses", share=False),
}


def _rows_of_keys(
    db: Database, keys: Sequence[_Key], played: Rows, minimum: int, confidence: float
) -> pl.DataFrame:
    """Return a row for each key (its number in `keys` is `_key`) and group, also without uses."""
    height = played.groups.height
    key_of = np.repeat(np.arange(len(keys)), height)
    uses = played.among("_uses", f"r.key * {played.size} + r.number", len(keys))
    totals = ", ".join(f"sum(r.{name})::BIGINT AS {name}" for name in _SUMS)
    sums = uses.frame(f"{totals}, count(*) AS games").drop("_group").fill_null(0)
    results = uses.ratios(list(_RATIOS.values()), confidence=confidence, minimum=minimum)
    offered = played.among("_offered")
    actions = offered.frame("sum(r.actions)::BIGINT AS actions")["actions"]
    there = set(db.sql("SELECT DISTINCT key FROM _uses", temporary=True)["key"])
    of_clues = [number for number in there if keys[number].clues and played.by.name != "receiver"]
    shares = [Fraction(f"r.u{number}", f"r.o{number}") for number in of_clues]
    taken = Ratios(*np.full((len(Ratios._fields), len(key_of)), np.nan))
    rates = offered.ratios(shares, confidence=confidence, minimum=minimum)
    for number, one in zip(of_clues, rates, strict=True):
        if one.opportunities.sum() > one.found.sum():
            for whole, part in zip(taken, one, strict=True):
                whole[key_of == number] = part
    few = pl.Series(sums["uses"] < minimum)
    no_clue = pl.Series(np.repeat([not key.clues for key in keys], height))
    columns = [
        column.set(few | no_clue if name in ("cards", "played") else few, None)
        for name, result in zip(_RATIOS, results, strict=True)
        for column in ratio_columns(name, result)
    ]
    return pl.concat([played.groups] * len(keys)).with_columns(
        *sums.get_columns(),
        pl.Series("_key", key_of),
        (100 * sums["uses"] / pl.concat([actions] * len(keys))).alias("per_100"),
        pl.Series("opportunities", taken.opportunities, nan_to_null=True),
        *ratio_columns("taken", taken),
        *columns,
    )
