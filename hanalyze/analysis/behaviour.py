"""Behaviour of players: answers to hints, diversity of actions, dominated moves, misreadings.

Siu et al. 2025 relate such numbers to what people thought of their teammates. Their formulas were not at
hand: the definitions here are ours wherever no other source is named (docs/measures.md lists them).
"""

from __future__ import annotations

from typing import Any, Final

from hanalyze.analysis.columns import schema, select_columns
from hanalyze.analysis.research import CODE, entropy, entropy_bias, mutual_information, pair_counts
from hanalyze.lazy import polars as pl
from hanalyze.store import Database


def hint_response(db: Database) -> pl.DataFrame:
    """Return the actions of players on their next turn after a hint, one row per name and team size.

    A hint is answered if the player who got it plays or discards, on their next turn, a card that no hint had
    touched before this one (definition ours; the literature has no single one for responsiveness). Hints
    after which the game ended before that turn are left out. A hint may well ask for something else, a save
    for nothing: compare players, not with 100%. Columns: those of `FRAMES`.

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
    """Return the entropy of players' actions and their information about the next player's, in bits.

    * `diversity`: entropy of the player's actions, numbered relative to who acts as in `action_matrix`
      (Shannon 1948; plug-in estimate, and corrected by (m - 1) / (2 N ln 2) for m kinds in N actions: Miller
      1955). 0 for a player who always does the same.
    * `response_diversity`: entropy of the next player's action given the player's, H(next | action). 0 where
      each action of the player has one answer.
    * `coordination`: instantaneous coordination, the mutual information of a player's action and the next
      player's next one (Jaques et al. 2019). `hint_coordination`: the same for hints to the next player
      alone. Both as counted and without the bias of `action_information`.

    A name has a row for each team size, as the actions differ. Columns: those of `FRAMES`.

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
    """Return how often players make a move that another one is sure to beat, one row per name.

    By card counting (the player's own view, exact, without conventions):

    * `sure_misplays`: plays of a card that could not fit, where a discard or a clue was allowed. To discard
      the same card costs no strike.
    * `playables_discarded`: discards of a card that was sure to fit. To play it scores.
    * `needless_risks`: discards of a card that might be needed with a card in hand that was sure to be trash.
      To discard that one costs nothing.

    `dominated` is the share of the actions that are one of the three. A sure play is what dominates where
    there is one: `dominant` is the share of the turns with a card that was sure to fit on which such a card
    was played (dominance: Luce & Raiffa 1957; which moves count is ours). A convention may have a use for a
    dominated move, as for a gentleman's discard. Columns: those of `FRAMES`.

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
    """Return how often a message gave a false idea of another player's card, by pair and convention.

    A message about a card of another hand leaves its holder some identities (`conventions.inferences`, by the
    H-Group's conventions and the holder's view). A card is read wrongly once its true identity is not among
    them: holder and table are out of step, whether or not anybody was to blame. Each such card counts once,
    for the first message after which it was so; `per_100_games` is over the games in which the two sat at one
    table: the desync rate of the pair (definition ours). Rows: for each pair all conventions together
    (`all`), then each by which a card was read. What a player works out later from other moves is not here,
    so a card may have been put right before it did harm. Without games that were read there are no rows.
    Columns: those of `FRAMES`.

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
-- Every card that a message was about, and whether this was the first wrong one.
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
