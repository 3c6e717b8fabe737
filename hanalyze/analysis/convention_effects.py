"""Final scores after clues that used a convention, and after other clues in similar positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from hanalyze.analysis.columns import OUTCOMES, TURNS_AFTER, schema, select_columns
from hanalyze.analysis.filters import check_filled
from hanalyze.analysis.group_sums import temporary_table
from hanalyze.analysis.grouping import DECISIONS, Groups, by_name
from hanalyze.analysis.statistics.doubly_robust import Effect, Rows, effect
from hanalyze.analysis.statistics.intervals import (
    SEED,
    Bools,
    Floats,
    Ints,
    benjamini_hochberg,
    check_confidence,
    student,
    two_sided,
)
from hanalyze.conventions.classes import CLUES, OFFERED, SAVES, conventions_in, is_any
from hanalyze.errors import HanalyzeError
from hanalyze.game.meanings import Convention
from hanalyze.lazy import needed, polars as pl
from hanalyze.store import Database
from hanalyze.words import named_convention

OUTCOME_SQL: Final = {
    "points": f"coalesce(lead(t.score_after, {TURNS_AFTER}) OVER game, g.score) - t.score_before",
    "plays": "sum((t.result = 'played')::INTEGER) OVER (game ROWS BETWEEN CURRENT ROW AND"
    f" {TURNS_AFTER} FOLLOWING)",
    "final_score": "g.score",
}
"""The outcomes of an action, as SQL. `points` are negative after a strikeout that forfeits the score."""

OFFERABLE: Final = conventions_in(CLUES)
"""The conventions with recorded opportunities: those of clues."""

VARIABLES: Final = {
    "score": "t.score_before",
    "turn": "t.turn",
    "clue_tokens": "t.clue_tokens_before",
    "strikes": "t.strikes_before",
    "deck": "t.deck_before",
    "pace": "t.pace_before",
    "no_pace": "t.pace_before IS NULL",
    "max_score": "t.max_score_before",
    "players": "g.players",
    "known_playable": "o.known_playable",
    "known_trash": "o.known_trash",
    "gotten_in_hands": "t.cards_gotten_before - t.score_before",
    "least_p_critical": "t.least_p_critical",
    "best_p_playable": "t.best_p_playable",
    "best_p_trash": "t.best_p_trash",
    "playable_seen": "t.playable_seen",
    "playable_seen_clued": "t.playable_seen_clued",
    "next_chop_critical": "t.next_chop_critical",
    "other_chop_critical": "t.other_chop_critical",
    "after_a_clue": "lag(t.action) OVER game IN ('colour_clue', 'rank_clue')",
    "best_worth": "o.best_worth",
    "clues": "o.clues",
    "stall_severity": "o.stall_severity",
    "clue_saves": "coalesce(o.clue_saves, false)::INTEGER",
}
"""Variables of the position before an action, as SQL; null becomes 0."""

STEPPED: Final = "score", "turn", "clue_tokens", "deck", "pace"
"""Variables that also enter as step functions (`steps`), because the final score is not linear in them."""
STEPS: Final = 12
"""Number of groups, of about equally many turns, into which the steps divide the values of a variable."""
COMMON: Final = 0.05
"""An offered convention becomes a variable only if more than this share of the turns offers it."""
MOST_ROWS: Final = 25_000
"""Maximum number of taken turns, and of declined turns, per convention; larger sets are sampled."""


@dataclass(frozen=True, slots=True)
class OfferedTurns:
    """Turns on which a clue was given, in order of game and turn.

    `covariates` is (turns, variables) float32, and `outcomes` (turns, outcomes) float32. `game` is the key of
    the game, `turn` the number of the turn, and `player` the number of the player to move (int64 each).
    `available` and `used` are (turns, 2) int64, with masks of conventions as in `convention_opportunities`.
    `games` is the number of games in the sample, `all_games` the number before sampling.
    """

    covariates: np.ndarray[tuple[int, int], np.dtype[np.float32]]
    outcomes: np.ndarray[tuple[int, int], np.dtype[np.float32]]
    game: Ints
    turn: Ints
    player: Ints
    available: Ints
    used: Ints
    games: int
    all_games: int

    def of(self, convention: Convention, enough: int) -> tuple[Rows, Bools]:
        """Return the rows of the turns that offered a convention, and whether it was taken.

        Further variables are the other offered conventions, because a player takes the best offer, and the
        steps of the variables in `STEPPED`. A player with at least `enough` taken and `enough` declined turns
        has a number from 1; all other players have the number 0.
        """
        both, sampled = self.sides(convention)
        shares = [len(part) / max(len(whole), 1) for part, whole in zip(sampled, both, strict=True)]
        sample = np.concatenate(sampled)
        whose = self.player[sample]
        was_taken = np.arange(len(sample)) < len(sampled[0])
        players = whose.max(initial=0) + 1
        taken, declined = (np.bincount(whose[rows], minlength=players) for rows in (was_taken, ~was_taken))
        alone = np.minimum(taken, declined) >= enough
        numbers = np.where(alone, np.cumsum(alone), 0)
        covariates = self.covariates[sample]
        more: list[np.ndarray[Any, Any]] = []
        if covariates.shape[1] and len(sample):
            offers = [bits(self.available[sample], other) for other in OFFERABLE if other != convention]
            more += [offer for offer in offers if offer.mean() > COMMON]
            more += [steps(covariates[:, place]) for place, name in enumerate(VARIABLES) if name in STEPPED]
        rows = Rows(
            np.column_stack([covariates, *more]).astype(np.float64),
            self.outcomes[sample].astype(np.float64),
            self.game[sample],
            numbers[whose] if len(sample) else whose,
            shares[1] / shares[0] if shares[0] else 1.0,
        )
        return rows, was_taken

    def sides(self, convention: Convention) -> tuple[list[Ints], list[Ints]]:
        """Return the taken and the declined turns of a convention: all, then at most `MOST_ROWS` of each."""
        offered = np.flatnonzero(bits(self.available, convention))
        is_taken = bits(self.used[offered], convention)
        both = [offered[is_taken], offered[~is_taken]]
        random = np.random.default_rng(SEED)
        return both, [
            np.sort(random.choice(turns, MOST_ROWS, replace=False)) if len(turns) > MOST_ROWS else turns
            for turns in both
        ]


def bits(masks: Ints, convention: Convention) -> Bools:
    """Return which of the mask pairs, (turns, 2), have convention n: bit n, or n - 63 of the second mask.

    >>> bits(np.array([[0b10, 0], [0, 0b10]]), Convention.PLAY_CLUE).tolist()
    [True, False]
    >>> bits(np.array([[0b10, 0], [0, 0b10]]), Convention.SUBOPTIMAL_CLUE).tolist()
    [False, True]
    """
    which, bit = divmod(int(convention), OFFERED)
    found: Bools = (masks[:, which] >> bit & 1).astype(np.bool_)
    return found


def steps(values: np.ndarray[Any, Any]) -> Bools:
    """Return (rows, thresholds): whether each value reaches each threshold between groups of equal size.

    >>> steps(np.repeat([3, 8], [6, 7]))[[0, 12]].tolist()  # the thresholds are 3 and 8
    [[True, False], [True, True]]
    """
    thresholds = np.unique(np.quantile(values, np.arange(1, STEPS) / STEPS))
    reached: Bools = values[:, None] >= thresholds
    return reached


def used_query(among: str) -> str:
    """Return the query for masks of used conventions by turn; `among` is the SQL after `FROM conventions`."""
    code = "enum_code(convention)::INTEGER"
    bit = f"1::BIGINT << {code} % {OFFERED}"
    return f"""SELECT game_id, turn,
        bit_or(CASE WHEN {code} < {OFFERED} THEN {bit} ELSE 0 END) AS used,
        bit_or(CASE WHEN {code} < {OFFERED} THEN 0 ELSE {bit} END) AS used_more
    FROM conventions{among} GROUP BY ALL"""


def chosen_games(db: Database, games: Iterable[int] | None) -> AbstractContextManager[str]:
    """Provide the temporary table `_chosen_games`: those of `games` (None: all) read for conventions."""
    query, values = "SELECT game_id FROM convention_games", None
    if games is not None:
        query += " WHERE game_id IN (SELECT unnest($games::BIGINT[]))"
        values = {"games": [int(game) for game in games]}
    return temporary_table(db, "_chosen_games", query, values)


def offered_turns(db: Database, games: str, most: int, *, tossed: bool = False) -> OfferedTurns:
    """Return the turns with a clue in at most `most` games of a table, a fixed sample if it has more.

    With `tossed`, the turns are those of an experiment, and `used` is the coin's choice. Because the coin is
    independent of the position, there are no covariates, and all players have the number 0.
    """
    all_games = db.sql(f"SELECT count(*) FROM {games}", temporary=True).item()
    sample = f"SELECT game_id FROM {games} ORDER BY hash(game_id + {SEED}), game_id LIMIT {most}"
    with temporary_table(db, "_sampled", sample):
        frame = db.sql(turns_query("_sampled", tossed=tossed), temporary=True)
    names = [] if tossed else list(VARIABLES)
    covariates = frame.select(names).to_numpy().reshape(frame.height, len(names))
    outcomes = frame.select(f"after_{name}" for name in OUTCOME_SQL).to_numpy()
    players = 0 * frame["turn"] if tossed else frame["player"].rank("dense")
    masks = ("available", "available_more", "used", "used_more")
    whole = {name: frame[name].cast(pl.Int64).to_numpy() for name in ("game_id", "turn", *masks)}
    return OfferedTurns(
        covariates,
        outcomes,
        whole["game_id"],
        whole["turn"],
        players.cast(pl.Int64).fill_null(0).to_numpy(),
        np.stack([whole["available"], whole["available_more"]], axis=1),
        np.stack([whole["used"], whole["used_more"]], axis=1),
        min(all_games, most),
        all_games,
    )


def turns_query(games: str, *, tossed: bool = False) -> str:
    """Return the query for the clues of the games in a table, with offers, outcomes and variables.

    With `tossed`, only turns on which a coin chose between two clues count (`hanalyze.agents.simulation`).
    """
    after = (f"({sql})::FLOAT AS after_{name}" for name, sql in OUTCOME_SQL.items())
    before = (f"coalesce(({sql})::FLOAT, 0) AS {name}" for name, sql in VARIABLES.items())
    columns = ",\n    ".join((*after, *before))
    offers = _tosses(games) if tossed else _offers(games)
    return f"""WITH {offers}
SELECT o.game_id, o.turn, s.player, f.available, f.available_more, f.used, f.used_more,
    {columns}
FROM convention_opportunities o JOIN turns t USING (game_id, turn) JOIN games g USING (game_id)
JOIN {games} USING (game_id) JOIN seats s ON s.game_id = o.game_id AND s.seat = o.seat
LEFT JOIN offers f USING (game_id, turn)
WINDOW game AS (PARTITION BY t.game_id ORDER BY t.turn)
QUALIFY f.available IS NOT NULL
ORDER BY o.game_id, o.turn"""


def _offers(games: str) -> str:
    return f"""given AS (
    {used_query(f" JOIN {games} USING (game_id)")}
),
offers AS (
    SELECT game_id, turn, available, available_more,
        coalesce(used, 0) AS used, coalesce(used_more, 0) AS used_more
    FROM convention_opportunities JOIN {games} USING (game_id) JOIN clues USING (game_id, turn)
    LEFT JOIN given USING (game_id, turn)
)"""


def _tosses(games: str) -> str:
    """Return the common table expression `offers` for the coin tosses between two clues."""
    codes = ", ".join(f"('{convention.label}', {int(convention)})" for convention in OFFERABLE)
    return f"""tosses AS (
    SELECT game_id, string_split(unnest(string_split(tags, ', ')), ':') AS parts
    FROM games JOIN {games} USING (game_id)
),
offers AS (
    SELECT game_id, try_cast(parts[2] AS INTEGER) AS turn, 1::BIGINT << code AS available,
        0 AS available_more, CASE parts[4] WHEN 'taken' THEN available ELSE 0 END AS used, 0 AS used_more
    FROM tosses JOIN (VALUES {codes}) AS codes(label, code) ON label = parts[3]
    WHERE parts[1] = 'toss' AND parts[5] = 'clue' AND code < {OFFERED}
)"""


LEAST_GAMES: Final = 20
"""Minimum number of games in which the convention was used; with fewer, no effect is estimated."""


class Estimate(NamedTuple):
    """The estimated effect of a convention.

    `taken` and `declined` count the turns that offered the convention, by whether the clue used it. `games`
    counts the games with a taken turn. `within` is the share of taken turns whose player has an intercept.
    `unadjusted` is the difference of the mean outcomes (taken less declined), None if either side is empty.
    `effect` is the estimate for each outcome; if it is None, `why` gives the reason.
    """

    convention: Convention
    taken: int
    declined: int
    games: int
    within: float
    unadjusted: Floats | None
    effect: Effect | None
    why: str | None


def estimates(turns: OfferedTurns, conventions: Iterable[Convention], minimum: int) -> Iterator[Estimate]:
    """Yield the estimate of each convention that at least one turn offered."""
    for convention in conventions:
        rows, was_taken = turns.of(convention, minimum)
        if len(was_taken):
            yield _estimate(convention, rows, was_taken, minimum)


def _estimate(convention: Convention, rows: Rows, taken: Bools, minimum: int) -> Estimate:
    counts = int(taken.sum()), int((~taken).sum())
    games = len(np.unique(rows.game[taken]))
    within = float((rows.player[taken] > 0).mean()) if counts[0] else 0.0
    unadjusted = None
    if min(counts):
        unadjusted = rows.outcomes[taken].mean(axis=0) - rows.outcomes[~taken].mean(axis=0)
    head = convention, *counts, games, within, unadjusted
    least = {"few_taken": minimum, "few_declined": minimum, "few_games": LEAST_GAMES}
    for (why, least_count), count in zip(least.items(), (*counts, games), strict=True):
        if count < least_count:
            return Estimate(*head, None, why)
    result = effect(rows, taken)
    if np.isnan(result.value).all():
        return Estimate(*head, None, "no_overlap")
    return Estimate(*head, result, None)


MOST_GAMES: Final = 20_000
"""Maximum number of games; larger databases are sampled."""
_LEVEL: Final = 0.005
"""A verdict other than "undecided" needs a q-value below this level (Benjamin et al. 2018)."""
BALANCED: Final = 0.1
"""Largest balance with which a row gets a verdict, in standard deviations (Austin 2009)."""
BIAS: Final = 0.2
"""Points by which an estimate may be wrong because of unmeasured differences between positions.

Replays and experiments differ from estimates by up to 0.17 points (docs/statistics.md). A verdict needs a
difference that is clearly larger.
"""


def convention_effects(
    db: Database,
    *conventions: str,
    by: Groups = None,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
    most_games: int = MOST_GAMES,
) -> pl.DataFrame:
    """Return how outcomes after a convention differ from those after other clues; default: all conventions.

    The turns are those on which the player gave a clue and could have used the convention
    (`convention_opportunities.available`). Turns that used it are compared with turns in similar positions on
    which the player gave another clue. The estimate is doubly robust and describes the turns that used it
    (`hanalyze.analysis.statistics.doubly_robust.effect`). Its variables precede the action: `VARIABLES` of
    this function's module, step functions of some of them, and the other conventions offered. There is a row
    for each offered convention and outcome: the final score and, as a description only, the points and plays
    of the turn and the next 6 turns; saves bring fewer of these by design. A convention is estimated by
    itself, without its subtypes.

    A player with at least `minimum` taken and `minimum` declined turns gets an intercept. A row has an
    estimate only with at least `minimum` taken turns, `minimum` declined turns and 20 games with taken turns;
    otherwise `why` names the reason. `by` must be None, because this table has no groupings. `games` are the
    keys of the games to use, by default all. If there are more than `most_games` games, or more than 25,000
    taken or declined turns, a fixed sample is used.

    Only the final score is tested, and only if the weighted turns are balanced (at most 0.1 standard
    deviations apart in any variable). Saves are not tested: without the save, the player would often have
    discarded, and other clues do not show the outcome of a discard. `p_value` tests the hypothesis of a
    difference of at most `BIAS` points (two-sided, least favourable case: Murphy & Myors 1999), and `q_value`
    is adjusted over the tested rows (Benjamini & Hochberg 1995). Differences are associations, not effects.

    `FRAMES` lists the columns. Raises `UnknownName`, and `HanalyzeError` (rules `no_game`, `not_read`,
    `bad_number`).

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     frame = convention_effects(db, "finesse")
    >>> frame["outcome"].to_list(), frame["why"].unique().to_list()
    (['points', 'plays', 'final_score'], ['few_taken'])
    """
    by_name(by, DECISIONS, ())
    return _effects(db, conventions, games, minimum, confidence, most_games)


def experiment_effects(
    db: Database,
    *conventions: str,
    games: Iterable[int] | None = None,
    minimum: int = 30,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return the effects of conventions in games of `simulate(overrides=...)`; default: of all conventions.

    The turns are those on which a coin decided between a clue of the convention and another clue
    (`hanalyze.agents.simulation`); tosses against a play or a discard do not count. The columns are those of
    `convention_effects`. `effect` compares the mean outcomes after the two sides of the coin: it is the
    effect for these agents, with a standard error clustered by game. `balance` is 0, and `p_value` tests the
    hypothesis of no difference. Raises the errors of `convention_effects`.

    >>> from hanalyze.agents import simulate
    >>> from hanalyze.store import connect
    >>> with connect() as db:
    ...     _ = db.add(simulate("conventional", games=4, overrides={"play_clue": 0.5}, fast=False))
    ...     _ = db.read_conventions()
    ...     frame = experiment_effects(db)
    >>> frame["convention"].unique().to_list(), frame["taken"][0] + frame["declined"][0] > 4
    (['play_clue'], True)
    """
    return _effects(db, conventions, games, minimum, confidence, None)


def _effects(
    db: Database,
    conventions: Sequence[str],
    games: Iterable[int] | None,
    minimum: int,
    confidence: float,
    most_games: int | None,
) -> pl.DataFrame:
    """Return the effects, from tosses of an experiment if `most_games` is None. Raises `HanalyzeError`."""
    check_filled(db, "convention_games")
    check_confidence(confidence)
    needed("scipy.special")
    tossed, most = most_games is None, 2**31 if most_games is None else most_games
    if minimum < 2 or most < 1:
        problem = f"a minimum of {minimum}" if minimum < 2 else f"a sample of {most} games"
        advice = "effects need at least 2 turns (--min 2) and 1 game"
        raise HanalyzeError(problem, rule="bad_number", advice=advice)
    selected = [named_convention(name) for name in conventions] or list(OFFERABLE)
    offerable = [convention for convention in selected if convention in OFFERABLE]
    with chosen_games(db, games) as table:
        turns = offered_turns(db, table, most, tossed=tossed)
    return effects_of(turns, offerable, minimum, confidence)


def effects_of(
    turns: OfferedTurns,
    conventions: Sequence[Convention] = OFFERABLE,
    minimum: int = 30,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return the frame of `convention_effects` for these turns."""
    sampled = turns.games / max(turns.all_games, 1)
    tossed = not turns.covariates.shape[1]
    rows = [
        {**_row(one, number, confidence, tossed), "sampled": sampled}
        for one in estimates(turns, conventions, minimum)
        for number in range(len(OUTCOMES))
    ]
    frame = pl.DataFrame(rows, schema("convention_effects")).fill_nan(None)
    q_values = pl.Series("q_value", benjamini_hochberg(frame["p_value"]), pl.Float64)
    frame = frame.with_columns(q_values.fill_nan(None))
    clear = pl.col("q_value") < _LEVEL
    side = pl.when(pl.col("effect") > 0).then(pl.lit("more")).otherwise(pl.lit("less"))
    found = pl.when(clear & (pl.col("effect") != 0)).then(side).otherwise(pl.lit("undecided"))
    verdict = pl.when(pl.col("p_value").is_not_null()).then(found)
    return select_columns(frame.with_columns(verdict.alias("verdict")), "convention_effects")


def _row(one: Estimate, outcome: int, confidence: float, tossed: bool) -> dict[str, Any]:
    names = ("taken", "declined", "games", "within", "why")
    row: dict[str, Any] = {
        "convention": one.convention.label,
        "outcome": OUTCOMES[outcome],
        "unadjusted": None if one.unadjusted is None else float(one.unadjusted[outcome]),
        **{name: getattr(one, name) for name in names},
    }
    if one.effect is None:
        return row
    if not one.effect.error[outcome] > 0:
        return row | {"why": "no_variation"}
    value, error = float(one.effect.value[outcome]), float(one.effect.error[outcome])
    half = student((1 + confidence) / 2, one.games - 1) * error
    row |= {"effect": value, "effect_low": value - half, "effect_high": value + half}
    row |= {name: getattr(one.effect, name) for name in ("overlap", "effective", "balance")}
    if OUTCOMES[outcome] == "final_score":
        if one.effect.balance > BALANCED:
            return row | {"why": "unbalanced"}
        if not tossed and is_any(one.convention, SAVES):
            return row | {"why": "replaces_discards"}
        row["p_value"] = two_sided(value / error, one.games - 1, 0.0 if tossed else BIAS / error)
    return row
