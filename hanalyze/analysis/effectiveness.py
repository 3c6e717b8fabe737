"""Statistics of conventions: frequency of use, response and success, and cards gained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from hanalyze.analysis.columns import select_columns
from hanalyze.analysis.convention_effects import chosen_games, used_query
from hanalyze.analysis.filters import check_filled
from hanalyze.analysis.group_sums import Fraction, Rows, drop, grouped_rows, ratio_columns, sum_up
from hanalyze.analysis.grouping import BY_GAME, DECISIONS, By, Groups, by_name, joined_names, one_column
from hanalyze.analysis.null_sample import with_null_rates
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.statistics.ratios import Ratios
from hanalyze.conventions.classes import CLUES, MESSAGES, OFFERED, conventions_in
from hanalyze.game.meanings import FOLLOWED, SETTLED, Convention
from hanalyze.lazy import polars as pl
from hanalyze.store import Database
from hanalyze.store.schema import quoted
from hanalyze.words import named_convention

CONVENTIONS_BY: Final = ("level", "player", "receiver", "partner", *BY_GAME, "score")

_CLUES: Final = ", ".join(str(int(convention)) for convention in conventions_in(CLUES))

ROUNDS: Final = 2
"""Maximum number of rounds between a clue and a play that is credited to it."""

_RECEIVER: Final = one_column(
    "receiver", "s.player", " JOIN seats s ON s.game_id = d.game_id AND s.seat = d.receiver", by_seat=True
)
_LABELS: Final = By("label", ("detector", "version", "label"), ("d.detector", "d.version", "d.label"))
_GROUPINGS: Final = {**DECISIONS, "receiver": _RECEIVER}


class _Key(NamedTuple):
    """The subject of a row: a convention, or all conventions of a level."""

    name: str | int
    conventions: tuple[Convention, ...]

    def among(self, *masks: str) -> str:
        """Return the SQL condition that one of these masks (or their `_more`) has a convention of the key."""
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
        """Whether any of the conventions is a kind of clue."""
        return any(convention in conventions_in(CLUES) for convention in self.conventions)


def convention_coverage(db: Database) -> pl.DataFrame:
    """Return the shares of unexplained actions and of actions explained without certainty, in one row.

    `FRAMES` lists the columns. Raises `HanalyzeError` (rules `no_game`, `not_read`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     convention_coverage(db)["games"].item()
    6
    """
    check_filled(db, "convention_games")
    return select_columns(db.sql(sql_text("convention_coverage")), "convention_coverage")


def convention_stats(
    db: Database,
    *conventions: str,
    by: Groups = None,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return statistics of conventions, one row per group and convention; by default all conventions in use.

    `by` is None for all games together, or one of `CONVENTIONS_BY`. By level, all messages of a level count
    together; silent moves, answers to calls and unexplained actions do not count. By player and partner, the
    player is the giver of the clue or the player who made the move. By receiver, rows are for the holder of
    the first called card, such as a prompted card, otherwise for the player whom the message is for; in such
    rows, `per_100` is per 100 actions of the receiver's teammates, and opportunities are null. `games` are
    the keys of the games to count, by default all.

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
    level = joined_names(by) == "level"
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
    findings = f"""
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
    with grouped_rows(db, findings, _LABELS) as rows:
        fractions = [Fraction("r.uses", "r.chances"), Fraction("r.success", "r.settled")]
        taken, success = rows.ratios(fractions, confidence=confidence, minimum=minimum)
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


def _findings(by: By, keys: Sequence[_Key], played: Rows, part: str) -> str:
    """Return the query that sums uses and outcomes by game, group and key, over the games of a part."""
    return sql_text("convention_uses").format(
        by=by,
        part=part,
        rounds=ROUNDS,
        clues=_CLUES,
        codes=", ".join(f"({int(one)}, {key})" for key, of in enumerate(keys) for one in of.conventions),
        settled=", ".join(map(quoted, SETTLED)),
        followed=", ".join(map(quoted, FOLLOWED)),
        joined=played.joined("sums"),
    )


def _turns(by: By, keys: Sequence[_Key], played: Rows, part: str) -> str:
    """Return the query for counts by game and group: actions, and turns that offered and took each key."""
    # Opportunities have no receiver, so a group by receiver counts only the actions of teammates.
    of_others = by.name == "receiver"
    counts = "".join(
        f", count_if({key.among('available', 'used')})::USMALLINT AS o{number},"
        f" count_if({key.among('used')})::USMALLINT AS u{number}"
        for number, key in enumerate(keys)
        if key.clues and not of_others
    )
    return sql_text("convention_turns").format(
        by=by,
        part=part,
        used=used_query(f" WHERE {part}"),
        receiver="r.seat" if of_others else "NULL",
        receivers=" JOIN seats r ON r.game_id = o.game_id AND r.seat <> o.seat" if of_others else "",
        counts=counts,
        joined=played.joined("sums"),
    )


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
    """Return a row for each key and group, even without uses; `_key` is the index of the key in `keys`."""
    height = played.groups.height
    key_of = np.repeat(np.arange(len(keys)), height)
    uses = played.among("_uses", f"r.key * {played.size} + r.number", len(keys))
    totals = ", ".join(f"sum(r.{name})::BIGINT AS {name}" for name in _SUMS)
    sums = uses.frame(f"{totals}, count(*) AS games").drop("_group").fill_null(0)
    results = uses.ratios(list(_RATIOS.values()), confidence=confidence, minimum=minimum)
    offered = played.among("_offered")
    actions = offered.frame("sum(r.actions)::BIGINT AS actions")["actions"]
    used_keys = set(db.sql("SELECT DISTINCT key FROM _uses", temporary=True)["key"])
    of_clues = [number for number in used_keys if keys[number].clues and played.by.name != "receiver"]
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
