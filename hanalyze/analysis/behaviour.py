"""Behaviour of players: responses to hints, diversity of actions, dominated moves, misreadings.

Siu et al. 2025 relate such numbers to people's opinions of their teammates, but their formulas were not
available. Definitions without a source are this project's own; docs/measures.md lists the sources.
"""

from __future__ import annotations

from typing import Any, Final

from hanalyze.analysis.columns import schema, select_columns
from hanalyze.analysis.research import CODE, entropy, entropy_bias, mutual_information, pair_counts
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
    query = """
WITH answers AS (
    SELECT g.players, s.player, t.action, coalesce(c.first_clue_turn = h.turn, FALSE) AS new
    FROM clues h JOIN games g USING (game_id)
    JOIN seats s ON s.game_id = h.game_id AND s.seat = h.receiver
    JOIN turns t ON t.game_id = h.game_id AND t.seat = h.receiver
        AND t.turn = h.turn + (h.receiver - h.giver + g.players) % g.players
    LEFT JOIN cards c ON c.game_id = t.game_id AND c."order" = t."order"
    WHERE t.action <> 'end_game'
)
SELECT player, players, count(*) AS hints,
    avg((new AND action = 'play')::INTEGER) AS played,
    avg((new AND action = 'discard')::INTEGER) AS discarded,
    avg((new AND action IN ('play', 'discard'))::INTEGER) AS response,
    avg((NOT new AND action = 'play')::INTEGER) AS other_play,
    avg((NOT new AND action = 'discard')::INTEGER) AS other_discard,
    avg((action IN ('colour_clue', 'rank_clue'))::INTEGER) AS hint
FROM answers GROUP BY ALL ORDER BY players, player
"""
    return select_columns(db.sql(query), "hint_response")


_TRIPLES: Final = f"""
WITH coded AS (SELECT t.game_id, t.turn, t.seat, t.receiver, g.players, {CODE} AS code FROM turns t
    JOIN games g USING (game_id))
SELECT s.player, a.players, a.code AS one, b.code AS next,
    coalesce(a.receiver = (a.seat + 1) % a.players, FALSE) AS to_next, count(*) AS pairs
FROM coded a JOIN seats s ON s.game_id = a.game_id AND s.seat = a.seat
LEFT JOIN coded b ON b.game_id = a.game_id AND b.turn = a.turn + 1
WHERE a.code IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""


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
    triples = db.sql(_TRIPLES)
    for [player, players], mine in triples.group_by("player", "players", maintain_order=True):
        actions = pair_counts(mine, "one")
        answered = mine.filter(pl.col("next").is_not_null())
        pairs, bits, corrected = mutual_information(answered)
        hints, hint_bits, hint_corrected = mutual_information(answered.filter("to_next"))
        diversity = entropy(actions)
        response = entropy(pair_counts(answered, "one", "next")) - entropy(pair_counts(answered, "one"))
        rows.append(
            {
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
        )
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
    query = """
WITH acts AS (
    SELECT s.player, t.action = 'play' AND t.p_playable = 0 AND (t.could_discard OR t.could_clue) AS misplay,
        t.action = 'discard' AND t.p_playable = 1 AS playable,
        t.action = 'discard' AND t.p_playable < 1 AND t.p_trash < 1 AND t.best_p_trash = 1 AS risk,
        t.best_p_playable = 1 AS chance, t.action = 'play' AND t.p_playable = 1 AS taken
    FROM turns t JOIN seats s ON s.game_id = t.game_id AND s.seat = t.seat WHERE t.action <> 'end_game'
)
SELECT player, count(*) AS actions, count(*) FILTER (misplay) AS sure_misplays,
    count(*) FILTER (playable) AS playables_discarded, count(*) FILTER (risk) AS needless_risks,
    avg((coalesce(misplay, FALSE) OR coalesce(playable, FALSE) OR coalesce(risk, FALSE))::INTEGER)
        AS dominated,
    count(*) FILTER (chance) AS sure_plays,
    count(*) FILTER (chance AND taken) / nullif(count(*) FILTER (chance), 0) AS dominant
FROM acts GROUP BY player ORDER BY player
"""
    return select_columns(db.sql(query), "dominated_moves")


def misreadings(db: Database) -> pl.DataFrame:
    """Return how often messages led to wrong inferences about cards, by pair of players and convention.

    After a message about a card, its holder infers some identities from H-Group's conventions and their own
    view (`conventions.readings`). The card is misread if these exclude its true identity, whoever is to
    blame. It counts as misread once, for the first message that misled its holder. Later deductions are
    ignored, so a misreading may have been corrected before it did harm.

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
    query = """
WITH messages AS (
    SELECT f.game_id, f.turn, f.seat, c.holder, f.focus, f.convention::VARCHAR AS convention,
        (f.readings >> (f.focus_suit::BIGINT * 8 + f.focus_rank)) & 1 = 0 AS wrong
    FROM conventions f JOIN cards c ON c.game_id = f.game_id AND c."order" = f.focus
    WHERE f.number = 0 AND f.readings <> 0 AND c.holder <> f.seat
),
-- Cards with a message about them; `wrong` marks the first message with a wrong inference.
cards_read AS (
    SELECT game_id, seat, holder, focus, convention,
        bool_or(wrong AND turn = first_wrong) AS wrong
    FROM (
        SELECT *, min(turn) FILTER (wrong) OVER (PARTITION BY game_id, focus) AS first_wrong FROM messages
    ) GROUP BY ALL
),
named AS (
    SELECT g.player AS giver, r.player AS receiver, t.convention, t.game_id, t.focus,
        coalesce(t.wrong, FALSE) AS wrong
    FROM cards_read t JOIN seats g ON g.game_id = t.game_id AND g.seat = t.seat
    JOIN seats r ON r.game_id = t.game_id AND r.seat = t.holder
),
pairs AS (
    SELECT a.player AS giver, b.player AS receiver, count(DISTINCT a.game_id) AS games
    FROM seats a JOIN seats b ON b.game_id = a.game_id AND b.seat <> a.seat
    WHERE a.game_id IN (SELECT game_id FROM convention_games) GROUP BY ALL
),
counted AS (
    SELECT giver, receiver, coalesce(convention, 'all') AS convention,
        count(DISTINCT (game_id, focus)) AS cards, count(DISTINCT (game_id, focus)) FILTER (wrong) AS wrong
    FROM named GROUP BY GROUPING SETS ((giver, receiver), (giver, receiver, convention))
)
SELECT c.giver, c.receiver, c.convention, p.games, c.cards, c.wrong, c.wrong / c.cards AS share,
    100 * c.wrong / p.games AS per_100_games
FROM counted c JOIN pairs p ON p.giver = c.giver AND p.receiver = c.receiver
ORDER BY c.giver, c.receiver, c.convention <> 'all', c.wrong DESC, c.cards DESC, c.convention
"""
    return select_columns(db.sql(query), "misreadings")
