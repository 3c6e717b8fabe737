"""Metrics of the research literature; each function names its source.

Definitions without a source are this project's own. A hint is a clue, in the words of these papers.
"""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import Any

from hanalyze.analysis.columns import schema, select_columns
from hanalyze.analysis.queries import sql_text
from hanalyze.lazy import polars as pl
from hanalyze.store import Database


def label(code: int) -> str:
    """Return the label of an action's code (`sql/action_pairs.sql`), as in `action_matrix`.

    >>> [label(code) for code in (1, 1004, 2103, 3205)]
    ['P1', 'D4', 'C3+1', 'R5+2']
    """
    kind, rest = divmod(code, 1000)
    ahead, number = divmod(rest, 100)
    return f"{'PDCR'[kind]}{number}" + (f"+{ahead}" if kind > 1 else "")


def entropy(counts: list[int]) -> float:
    """Return the plug-in entropy of counts in bits; it is biased downwards for few counts (Miller 1955).

    >>> entropy([2, 1, 1]), entropy([])
    (1.5, 0.0)
    """
    total = sum(counts)
    return math.fsum(count / total * math.log2(total / count) for count in counts if count)


def entropy_bias(kinds: int, total: int) -> float:
    """Return the downward bias, in bits, of the entropy of `total` actions of `kinds` kinds (Miller 1955)."""
    return (kinds - 1) / (2 * total * math.log(2)) if total else 0.0


def pair_counts(pairs: pl.DataFrame, *columns: str) -> list[int]:
    """Return the number of pairs for each combination of values of the columns."""
    return [int(count) for count in pairs.group_by(columns).agg(pl.col("pairs").sum())["pairs"]]


def mutual_information(pairs: pl.DataFrame) -> tuple[int, float | None, float | None]:
    """Return the number of pairs and their mutual information in bits, plain and corrected; None if empty."""
    total = int(pairs["pairs"].sum())
    if not total:
        return 0, None, None
    first, second, both = (pair_counts(pairs, *names) for names in (["one"], ["next"], ["one", "next"]))
    bits = max(0.0, entropy(first) + entropy(second) - entropy(both))
    bias = entropy_bias(len(both), total) - entropy_bias(len(first), total) - entropy_bias(len(second), total)
    return total, bits, bits - bias


def research_scores(db: Database) -> pl.DataFrame:
    """Return the scores as papers report them, one row per number of players.

    Some papers count a game lost by strikes as 0 (`strict`, the rule of the learning environment: Bard et al.
    2020) and others by its stacks (`kept`). The bomb-out rate follows Hu & Foerster 2020. `FRAMES` lists the
    columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     research_scores(db)["games"].to_list()
    [6]
    """
    return select_columns(db.sql(sql_text("research_scores")), "research_scores")


def research_players(db: Database) -> pl.DataFrame:
    """Return how much each player communicates, and knows about the cards they play.

    * Communicativeness and information per play: Canaan et al. (2019). Misplays are plays. A colour or rank
      is known if a positive clue gave it; the program of that paper also counts deductions from negative
      clues, which the tables do not record. The columns from `both_known` to `none_known` divide the plays
      into four parts.
    * Risk aversion (same source): `p_playable` of the table `turns`, over all unseen cards that the clues and
      the hand as a whole allow.
    * Critical discards: discards and misplays of last copies of cards that could still score (Bard et al.
      2020).

    All games and seats of a name are combined. `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     research_players(db)["player"].to_list()
    ['Alice', 'Bob', 'Cathy']
    """
    return select_columns(db.sql(sql_text("research_players")), "research_players")


def _pairs(db: Database) -> pl.DataFrame:
    keys = ["players", "one", "next"]
    pairs = db.sql(sql_text("action_pairs")).drop_nulls("next")
    return pairs.group_by(keys).agg(pl.col("pairs").sum()).sort(keys)


def action_matrix(db: Database) -> pl.DataFrame:
    """Return the conditional action matrix: counts and probabilities of pairs of consecutive actions.

    `probability` is P(next | action) over all seats, with seats relative to the acting player, as in the
    figures of Hu et al. 2020 and 2021. Slot 1 is the newest card (those papers count from the oldest): `P1`
    plays it, `D1` discards it. `C3+1` clues the third colour to the next player, and `R5+2` rank 5 to the
    player after that. The last action of a game starts no pair. `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = action_matrix(db)
    >>> found.columns
    ['players', 'action', 'next_action', 'pairs', 'probability']
    """
    pairs = _pairs(db)
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

    I(A; B) = sum of p(a, b) log2(p(a, b) / (p(a) p(b))) over the shares of pairs (Cover & Thomas 2006). Its
    bias is about (m_ab - m_a - m_b + 1) / (2 N ln 2) bits for N pairs, where m_ab, m_a and m_b are the
    numbers of distinct pairs, first actions and second actions (Miller 1955). The corrected value still
    includes effects of the rules besides messages, because for example nobody can clue without a token.
    `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = action_information(db)
    >>> found["plug_in"].item() > found["corrected"].item()
    True
    """
    rows = []
    for [players], mine in _pairs(db).group_by("players", maintain_order=True):
        total, bits, corrected = mutual_information(mine)
        actions = len({*mine["one"], *mine["next"]})
        rows.append((players, total, actions, bits, (bits or 0.0) - (corrected or 0.0), corrected))
    names = ("players", "pairs", "actions", "plug_in", "bias", "corrected")
    return select_columns(pl.DataFrame(rows, names, orient="row"), "action_information")


def cross_play(db: Database) -> pl.DataFrame:
    """Return the cross-play matrix: mean scores of agents in two-player games, one row per ordered pair.

    The pair (a, a) is self-play (Hu et al. 2020), and (a, b) differs from (b, a). Games whose log has no
    names are left out. `cross_play_means` returns the means of self-play and cross-play. `FRAMES` lists the
    columns.

    >>> import hanalyze
    >>> with hanalyze.connect() as db:
    ...     for pair in (["random", "random"], ["random", "cautious"]):
    ...         _ = db.add(hanalyze.simulate(pair, games=2), jobs=1)
    ...     cross_play(db)["second"].to_list()
    ['cautious', 'random']
    """
    return select_columns(db.sql(sql_text("cross_play")), "cross_play")


def cross_play_means(matrix: pl.DataFrame) -> dict[str, float | None]:
    """Return the means of a `cross_play` matrix: `self_play` over its diagonal, `cross_play` over the rest.

    The standard errors (`_sem`, ddof 1) are over pairs of agents, not over games (Hu et al. 2020); the values
    with the suffix `_pairs` are the numbers of pairs. A mean is None without pairs, and a standard error for
    fewer than two.

    >>> import polars as pl
    >>> names = {"first": ["a", "a", "b"], "second": ["a", "b", "a"]}
    >>> found = cross_play_means(pl.DataFrame({**names, "mean": [20.0, 4.0, 6.0]}))
    >>> found["self_play"], found["self_play_pairs"], found["cross_play"], found["cross_play_sem"]
    (20.0, 1, 5.0, 1.0)
    """
    found: dict[str, float | None] = {}
    same = pl.col("first") == pl.col("second")
    for name, chosen in (("self_play", same), ("cross_play", ~same)):
        means = matrix.filter(chosen)["mean"].to_list()
        pairs = len(means)
        found[name] = fmean(means) if pairs else None
        found[f"{name}_sem"] = stdev(means) / math.sqrt(pairs) if pairs > 1 else None
        found[f"{name}_pairs"] = pairs
    return found


def hint_response(db: Database) -> pl.DataFrame:
    """Return what receivers of hints do on their next turn, one row per player and team size.

    A hint is answered if its receiver, on their next turn, plays or discards a card that this hint was the
    first to touch (this project's definition; the literature has no common one). A hint counts only if its
    receiver had another turn. Some hints, such as saves, call for no such action, so compare players with
    each other, not with 100%. `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     hint_response(db)["player"].to_list()
    ['Alice', 'Bob', 'Cathy']
    """
    return select_columns(db.sql(sql_text("hint_response")), "hint_response")


def action_diversity(db: Database) -> pl.DataFrame:
    """Return the entropy of players' actions, and their mutual information with the next actions, in bits.

    * `diversity`: the entropy of the player's actions (Shannon 1948), with seats relative to the player, as
      in `action_matrix`. It is 0 for a player who always does the same. `diversity_corrected` adds (m - 1) /
      (2 N ln 2) for N actions of m kinds (Miller 1955).
    * `response_diversity`: the entropy of the next player's action, given the player's action. It is 0 if
      each action always gets the same response.
    * `coordination`: the mutual information of the player's action and the next player's action
      (instantaneous coordination: Jaques et al. 2019). `hint_coordination` counts only hints to the next
      player. The corrected values subtract the bias that `action_information` explains.

    Each player has a row for each team size, because the possible actions differ. `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = action_diversity(db)
    >>> found["player"].to_list(), (found["diversity"] > found["response_diversity"]).all()
    (['Alice', 'Bob', 'Cathy'], True)
    """
    rows: list[dict[str, Any]] = []
    pairs_of = db.sql(sql_text("action_pairs")).group_by("player", "players", maintain_order=True)
    for [player, players], mine in pairs_of:
        actions = pair_counts(mine, "one")
        answered = mine.filter(pl.col("next").is_not_null())
        pairs, bits, corrected = mutual_information(answered)
        hints, hint_bits, hint_corrected = mutual_information(answered.filter("to_next"))
        diversity = entropy(actions)
        response = entropy(pair_counts(answered, "one", "next")) - entropy(pair_counts(answered, "one"))
        row = {
            "player": player,
            "players": players,
            "actions": sum(actions),
            "diversity": diversity,
            "diversity_corrected": diversity + entropy_bias(len(actions), sum(actions)),
            "pairs": pairs,
            "response_diversity": max(0.0, response) if pairs else None,
            "coordination": bits,
            "coordination_corrected": corrected,
            "hint_pairs": hints,
            "hint_coordination": hint_bits,
            "hint_coordination_corrected": hint_corrected,
        }
        rows.append(row)
    return pl.DataFrame(rows, schema("action_diversity")).sort("players", "player")


def dominated_moves(db: Database) -> pl.DataFrame:
    """Return how often players make moves that are certainly worse than another move, one row per player.

    Certainty is exact card counting from the player's own view, without conventions:

    * `sure_misplays`: plays of cards that could not be playable, although a discard or a clue was allowed.
      A discard of the same card costs no strike.
    * `playables_discarded`: discards of cards that were certainly playable. A play of the card scores.
    * `needless_risks`: discards of cards that might be needed, with certain trash in the hand. A discard of
      the trash card costs nothing.

    If a card is certainly playable, playing it is the dominant move (dominance: Luce & Raiffa 1957; the
    choice of moves is this project's own). Some conventions use dominated moves, such as a gentleman's
    discard. `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     dominated_moves(db)["player"].to_list()
    ['Alice', 'Bob', 'Cathy']
    """
    return select_columns(db.sql(sql_text("dominated_moves")), "dominated_moves")


def misreadings(db: Database) -> pl.DataFrame:
    """Return how often messages led to wrong inferences about cards, by pair of players and convention.

    A message is the main meaning of an action whose focus is a card of another player. From it, the holder
    infers some identities by H-Group's conventions and their own view (`conventions.readings`). The card is
    misread if these exclude its true identity, whoever is to blame. It counts once, for the first message
    with a wrong inference, even if it was corrected before it did harm.

    Each pair of giver and receiver has a row for all conventions together (`all`), then a row for each
    convention of these messages. `per_100_games` is the desync rate of the pair (this project's definition).
    The frame is empty if no games were read for conventions. `FRAMES` lists the columns.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     _ = db.read_conventions()
    ...     found = misreadings(db)
    >>> found["convention"][0], found["giver"][0], (found["wrong"] <= found["cards"]).all()
    ('all', 'Alice', True)
    """
    return select_columns(db.sql(sql_text("misreadings")), "misreadings")
