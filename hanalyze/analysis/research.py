"""Metrics of the research literature; each function names its source. Ratios are of sums over all games."""

from __future__ import annotations

import math
from typing import Final

from hanalyze.analysis.columns import select_columns
from hanalyze.lazy import polars as pl
from hanalyze.store import Database

CODE: Final = """CASE t.action
        WHEN 'play' THEN t.slot WHEN 'discard' THEN 1000 + t.slot
        WHEN 'colour_clue' THEN 2000 + t.clue_value + 1
            + 100 * ((t.receiver - t.seat + g.players) % g.players)::INTEGER
        WHEN 'rank_clue' THEN 3000 + t.clue_value
            + 100 * ((t.receiver - t.seat + g.players) % g.players)::INTEGER
        END"""
"""The number of an action: kind * 1000 + seats further * 100 + slot or value; null for the end of a game."""


def label(code: int) -> str:
    """Return an action's name.

    >>> [label(code) for code in (1, 1004, 2103, 3205)]
    ['P1', 'D4', 'C3+1', 'R5+2']
    """
    kind, rest = divmod(code, 1000)
    ahead, number = divmod(rest, 100)
    return f"{'PDCR'[kind]}{number}" + (f"+{ahead}" if kind > 1 else "")


_STRICT: Final = "CASE WHEN end_condition = 'strikeout' THEN 0 ELSE raw_score END"


def entropy(counts: list[int]) -> float:
    """Return the entropy of shares in bits, a little too low from few (Miller 1955).

    >>> entropy([2, 1, 1]), entropy([])
    (1.5, 0.0)
    """
    total = sum(counts)
    return math.fsum(count / total * math.log2(total / count) for count in counts if count)


def entropy_bias(counts: int, total: int) -> float:
    """Return the bias of the entropy in bits, of `counts` kinds among `total` actions (Miller 1955)."""
    return (counts - 1) / (2 * total * math.log(2)) if total else 0.0


def pair_counts(pairs: pl.DataFrame, *columns: str) -> list[int]:
    """Return how often each value of some columns occurs."""
    return [int(count) for count in pairs.group_by(columns).agg(pl.col("pairs").sum())["pairs"]]


def mutual_information(pairs: pl.DataFrame) -> tuple[int, float | None, float | None]:
    """Return how many pairs there are, their mutual information and the same without its bias."""
    total = int(pairs["pairs"].sum())
    if not total:
        return 0, None, None
    first, second, both = (
        pair_counts(pairs, "one"),
        pair_counts(pairs, "next"),
        pair_counts(pairs, "one", "next"),
    )
    bits = max(0.0, entropy(first) + entropy(second) - entropy(both))
    bias = entropy_bias(len(both), total) - entropy_bias(len(first), total) - entropy_bias(len(second), total)
    return total, bits, bits - bias


def research_scores(db: Database) -> pl.DataFrame:
    """Return the scores as papers report them, one row per number of players.

    Whether a game lost by strikes counts 0 or its cards differs from paper to paper, so both are here: the
    learning environment's rule (Bard et al. 2020) is `strict`. The standard error is the standard deviation
    with n - 1 (ddof 1) over the root of n; papers that divide by n (ddof 0) have slightly smaller ones.
    Bomb-out rate as in Hu & Foerster 2020. Columns: those of `FRAMES`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     research_scores(db)["games"].to_list()
    [6]
    """
    query = f"""
SELECT players, count(*) AS games, avg({_STRICT}) AS strict,
    stddev_samp({_STRICT}) / sqrt(count(*)) AS strict_sem, avg(raw_score) AS kept,
    stddev_samp(raw_score) / sqrt(count(*)) AS kept_sem, median({_STRICT}) AS median,
    avg((raw_score >= full_score)::INTEGER) AS perfect,
    avg((end_condition = 'strikeout')::INTEGER) AS bomb_out
FROM games GROUP BY players ORDER BY players
"""
    return select_columns(db.sql(query), "research_scores")


def research_players(db: Database) -> pl.DataFrame:
    """Return how much each player communicates, and knows when playing a card.

    * Communicativeness: of the turns with a clue token the share with a clue (Canaan et al. 2019).
    * Information per play: (colour known + rank known) / 2, mean over plays, misplays included (same source).
      Known is here what a positive clue touched; the tables do not say what negative clues alone leave, which
      that paper's program counts, too. `both_known` and so on are the same plays in four parts.
    * Risk aversion: mean over plays of the chance that the card fits, for its player (same source): the
      tables' `p_playable`, over all unseen cards that the clues and the hand as a whole allow.
    * Critical discards: last copies of cards that could still score, discarded or misplayed (Bard et al.
      2020), and the maximum score that went with discards and misplays.

    Names are pooled over their games and seats. Columns: those of `FRAMES`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     research_players(db)["player"].to_list()
    ['Alice', 'Bob', 'Cathy']
    """
    query = """
WITH acts AS (
    SELECT s.player, t.game_id, t.action IN ('colour_clue', 'rank_clue') AS clue,
        t.clue_tokens_before >= 1 AS may_clue, t.action = 'play' AS play,
        coalesce(c.colour_clues, 0) > 0 AS colour, coalesce(c.rank_clues, 0) > 0 AS rank, t.p_playable,
        t.result IN ('discarded', 'misplayed') AS lost, t.status = 'critical' AS critical,
        t.max_score_before - t.max_score_after AS points
    FROM turns t JOIN seats s ON s.game_id = t.game_id AND s.seat = t.seat
    LEFT JOIN cards c ON c.game_id = t.game_id AND c."order" = t."order"
)
SELECT player, count(DISTINCT game_id) AS games,
    count(*) FILTER (clue AND may_clue) / nullif(count(*) FILTER (may_clue), 0) AS communicativeness,
    count(*) FILTER (play) AS plays,
    avg((colour::INTEGER + rank::INTEGER) / 2) FILTER (play) AS information_per_play,
    avg((colour AND rank)::INTEGER) FILTER (play) AS both_known,
    avg((colour AND NOT rank)::INTEGER) FILTER (play) AS colour_only,
    avg((rank AND NOT colour)::INTEGER) FILTER (play) AS rank_only,
    avg((NOT colour AND NOT rank)::INTEGER) FILTER (play) AS none_known,
    avg(p_playable) FILTER (play) AS risk_aversion,
    count(*) FILTER (lost AND critical) AS critical_discards,
    count(*) FILTER (lost AND critical) / nullif(count(*) FILTER (lost), 0) AS critical_share,
    coalesce(sum(points) FILTER (lost), 0) / count(DISTINCT game_id) AS max_score_lost
FROM acts GROUP BY player ORDER BY player
"""
    return select_columns(db.sql(query), "research_players")


_PAIRS: Final = f"""
WITH coded AS (SELECT t.game_id, t.turn, g.players, {CODE} AS code FROM turns t JOIN games g USING (game_id))
SELECT a.players, a.code AS one, b.code AS next, count(*) AS pairs
FROM coded a JOIN coded b ON b.game_id = a.game_id AND b.turn = a.turn + 1
WHERE a.code IS NOT NULL AND b.code IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""


def action_matrix(db: Database) -> pl.DataFrame:
    """Return the conditional action matrix: how often each action follows each, and with what probability.

    P(next | action) over all seats, actions relative to who acts, as in the figures of Hu et al. 2020 and
    2021. Labels: `P1` and `D1` play and discard slot 1, the newest (those papers count from the oldest);
    `C3+1` clues the third colour to the next player, `R5+2` fives to the one after. One row per pair that
    occurs, per number of players; the last action of a game is followed by none. Columns: those of `FRAMES`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = action_matrix(db)
    >>> found.columns
    ['players', 'action', 'next_action', 'pairs', 'probability']
    """
    pairs = db.sql(_PAIRS)
    codes = sorted({*pairs["one"].to_list(), *pairs["next"].to_list()})
    names = [label(code) for code in codes]
    frame = pairs.with_columns(
        pl.col("one").replace_strict(codes, names, return_dtype=pl.String).alias("action"),
        pl.col("next").replace_strict(codes, names, return_dtype=pl.String).alias("next_action"),
        (pl.col("pairs") / pl.col("pairs").sum().over("players", "one")).alias("probability"),
    )
    return select_columns(frame, "action_matrix")


def action_information(db: Database) -> pl.DataFrame:
    """Return the mutual information of consecutive actions in bits, one row per number of players.

    I(A; B) = sum of p(a, b) log2(p(a, b) / (p(a) p(b))) over the shares of pairs (Cover & Thomas 2006). From
    few pairs this is too high: independent actions have about (m_ab - m_a - m_b + 1) / (2 N ln 2) bits, the m
    being the numbers of different pairs, first and second actions and N the number of pairs (Miller 1955).
    The rest is more than messages: rules bind actions as well (nobody clues without a token). Columns: those
    of `FRAMES`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = action_information(db)
    >>> found["plug_in"].item() > found["corrected"].item()
    True
    """
    rows = []
    for [players], mine in db.sql(_PAIRS).group_by("players", maintain_order=True):
        total, bits, corrected = mutual_information(mine)
        actions = len({*mine["one"], *mine["next"]})
        rows.append((players, total, actions, bits, (bits or 0.0) - (corrected or 0.0), corrected))
    names = ("players", "pairs", "actions", "plug_in", "bias", "corrected")
    return select_columns(pl.DataFrame(rows, names, orient="row"), "action_information")


_AGENTS: Final = r"""
WITH tables_of_two AS (
    SELECT a.player AS first, b.player AS second, g.end_condition, g.raw_score,
        CASE WHEN g.source LIKE 'hanalyze simulate, %' AND (a.player, b.player) = ('Alice', 'Bob')
            THEN regexp_replace(g.source, '^hanalyze simulate, ', '') END AS agent
    FROM games g JOIN seats a ON a.game_id = g.game_id AND a.seat = 0
    JOIN seats b ON b.game_id = g.game_id AND b.seat = 1
    WHERE g.players = 2 AND NOT regexp_full_match(a.player || ' ' || b.player, 'Player \d Player \d')
)
SELECT coalesce(agent, first) AS first,
    coalesce(agent, CASE WHEN second = first || ' 2' THEN first ELSE second END) AS second,
    end_condition, raw_score
FROM tables_of_two
"""
"""The games of two with their agents: one that `simulate` put at all seats is named by the source alone, and
where it was given seat by seat its second seat has a number. Readers call players without names Player 1 and
so on: nothing is known of who they are."""


def cross_play(db: Database) -> pl.DataFrame:
    """Return the cross-play matrix: mean scores of agents at tables of two, one row per ordered pair.

    A seat's agent is the name of its player, or what the source of a game of `simulate` says; (a, a) is
    self-play (Hu et al. 2020). Games whose log has no names are left out. Seats matter: the pair (a, b) is
    not (b, a). `cross_play_means` has the means of self-play and cross-play. Columns: those of `FRAMES`.

    >>> import hanalyze
    >>> with hanalyze.connect() as db:
    ...     for pair in (["random", "random"], ["random", "cautious"]):
    ...         _ = db.add(hanalyze.simulate(pair, games=2), jobs=1)
    ...     cross_play(db)["second"].to_list()
    ['cautious', 'random']
    """
    query = f"""
SELECT first, second, count(*) AS games, avg({_STRICT}) AS mean,
    stddev_samp({_STRICT}) / sqrt(count(*)) AS sem
FROM ({_AGENTS}) GROUP BY first, second ORDER BY first, second
"""
    return select_columns(db.sql(query), "cross_play")


def cross_play_means(matrix: pl.DataFrame) -> dict[str, float | None]:
    """Return the means of a `cross_play` matrix: `self_play` of its diagonal, `cross_play` of the rest.

    The standard errors (`_sem`, ddof 1) are over pairs of agents (`_pairs`), not over games (Hu et al. 2020).

    >>> import polars as pl
    >>> names = {"first": ["a", "a", "b"], "second": ["a", "b", "a"]}
    >>> found = cross_play_means(pl.DataFrame({**names, "mean": [20.0, 4.0, 6.0]}))
    >>> found["self_play"], found["self_play_pairs"], found["cross_play"], found["cross_play_sem"]
    (20.0, 1, 5.0, 1.0)
    """
    found: dict[str, float | None] = {}
    same = pl.col("first") == pl.col("second")
    for name, kept in (("self_play", same), ("cross_play", ~same)):
        means = matrix.filter(kept)["mean"].to_list()
        pairs = len(means)
        mean = math.fsum(means) / pairs if pairs else None
        found |= {name: mean, f"{name}_sem": None, f"{name}_pairs": pairs}
        if mean is not None and pairs > 1:
            spread = math.fsum((one - mean) ** 2 for one in means) / (pairs - 1)
            found[f"{name}_sem"] = math.sqrt(spread / pairs)
    return found
