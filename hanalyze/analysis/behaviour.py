"""Behaviour of players: responses to hints, diversity of actions, dominated moves, misreadings.

Definitions without a source are this project's own.
"""

from __future__ import annotations

from typing import Any

from hanalyze.analysis.columns import schema, select_columns
from hanalyze.analysis.queries import sql_text
from hanalyze.analysis.research import entropy, entropy_bias, mutual_information, pair_counts
from hanalyze.lazy import polars as pl
from hanalyze.store import Database


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
