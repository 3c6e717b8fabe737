"""What players do, and what the next player makes of it: hints answered, diversity, dominated moves.

In: a database. Out: frames, one row per name and team size. Sums run over all games of a name, as in
`hanalyze.analysis.research`.

Siu, Peña, Zhou & Allen 2025, In pursuit of predictive models of human preferences toward AI teammates
(arXiv 2503.15516), relate such numbers to what people thought of their teammates: the entropy of actions and
of the responses to them, instantaneous coordination, dominated and dominant moves. Only their abstract and
names were at hand when this was written, not their formulas: the definitions here are ours wherever no other
source is named.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from hanalyze.analysis.actions import CODE
from hanalyze.analysis.columns import schema, select_columns
from hanalyze.lazy import polars as pl

if TYPE_CHECKING:
    from hanalyze.store import Database


def hint_response(db: Database) -> pl.DataFrame:
    """Return what players do on their next turn after a hint, one row per name and team size.

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
    coalesce(a.receiver = (a.seat + 1) % a.players, FALSE) AS told, count(*) AS pairs
FROM coded a JOIN seats s ON s.game_id = a.game_id AND s.seat = a.seat
LEFT JOIN coded b ON b.game_id = a.game_id AND b.turn = a.turn + 1
WHERE a.code IS NOT NULL
GROUP BY ALL ORDER BY ALL
"""


def _entropy(counts: list[int]) -> float:
    """Return the entropy of shares in bits, a little too low from few (Miller 1955).

    >>> _entropy([2, 1, 1]), _entropy([])
    (1.5, 0.0)
    """
    total = sum(counts)
    return math.fsum(count / total * math.log2(total / count) for count in counts if count)


def _few(counts: int, total: int) -> float:
    """Return by how many bits the entropy of so many kinds, seen so often, is too low on average."""
    return (counts - 1) / (2 * total * math.log(2)) if total else 0.0


def _sums(pairs: pl.DataFrame, *columns: str) -> list[int]:

    return [int(count) for count in pairs.group_by(columns).agg(pl.col("pairs").sum())["pairs"]]


def _coordination(pairs: pl.DataFrame) -> tuple[int, float | None, float | None]:
    """Return how many pairs there are, their mutual information and the same without its bias."""
    total = int(pairs["pairs"].sum())
    if not total:
        return 0, None, None
    first, second, both = _sums(pairs, "one"), _sums(pairs, "next"), _sums(pairs, "one", "next")
    bits = max(0.0, _entropy(first) + _entropy(second) - _entropy(both))
    bias = _few(len(both), total) - _few(len(first), total) - _few(len(second), total)
    return total, bits, bits - bias


def action_diversity(db: Database) -> pl.DataFrame:
    """Return how varied a player's actions are and what they say about the next player's, in bits.

    * `diversity`: entropy of the player's actions, numbered relative to who acts as in `action_matrix`
      (Shannon 1948, A mathematical theory of communication; plug-in estimate, and corrected by (m - 1) /
      (2 N ln 2) for m kinds in N actions: Miller 1955). 0 for who always does the same.
    * `response_diversity`: entropy of the next player's action given the player's, H(next | action). 0 where
      each action of the player has one answer.
    * `coordination`: instantaneous coordination, the mutual information of a player's action and the next
      player's next one (Jaques et al. 2019, Social influence as intrinsic motivation for multi-agent deep
      reinforcement learning, ICML). `hint_coordination`: the same for hints to the next player alone. Both
      as counted and without the bias of `action_information`.

    The names are those of Siu et al. 2025, whose formulas were not at hand. A name has a row for each team
    size, as the actions differ. Columns: those of `FRAMES`.

    >>> from hanalyze.analysis import example
    >>> with example() as db:
    ...     found = action_diversity(db)
    >>> found["player"].to_list(), (found["diversity"] > found["response_diversity"]).all()
    (['Alice', 'Bob', 'Cathy'], True)
    """
    rows: list[dict[str, Any]] = []
    triples = db.sql(_TRIPLES)
    for [player, players], mine in triples.group_by("player", "players", maintain_order=True):
        actions = _sums(mine, "one")
        answered = mine.filter(pl.col("next").is_not_null())
        pairs, bits, corrected = _coordination(answered)
        hints, told, told_corrected = _coordination(answered.filter("told"))
        diversity = _entropy(actions)
        response = _entropy(_sums(answered, "one", "next")) - _entropy(_sums(answered, "one"))
        rows.append(
            {
                "player": player,
                "players": players,
                "actions": sum(actions),
                "diversity": diversity,
                "diversity_corrected": diversity + _few(len(actions), sum(actions)),
                "pairs": pairs,
                "response_diversity": max(0.0, response) if pairs else None,
                "coordination": bits,
                "coordination_corrected": corrected,
                "hint_pairs": hints,
                "hint_coordination": told,
                "hint_coordination_corrected": told_corrected,
            }
        )
    frame = pl.DataFrame(rows, infer_schema_length=None) if rows else _nothing("action_diversity")
    return select_columns(frame.sort("players", "player") if rows else frame, "action_diversity")


def _nothing(name: str) -> pl.DataFrame:
    """Return the frame of that name without rows."""
    return pl.DataFrame(schema=schema(name))


def dominated_moves(db: Database) -> pl.DataFrame:
    """Return how often players do what another move of theirs is sure to beat, one row per name.

    By the cards alone (the player's own view, exact; conventions are not asked):

    * `sure_misplays`: plays of a card that could not fit, where a discard or a clue was allowed. To discard
      the same card costs no strike.
    * `playables_discarded`: discards of a card that was sure to fit. To play it scores.
    * `needless_risks`: discards of a card that might be needed with a card in hand that was sure to be trash.
      To discard that one costs nothing.

    `dominated` is the share of the actions that are one of the three. A sure play is what dominates where
    there is one: `dominant` is the share of the turns with a card that was sure to fit on which such a card
    was played. Dominance is that of decision theory (Luce & Raiffa 1957, Games and decisions); which moves
    count is ours, see above. A convention may have a use for a dominated move, as for a gentleman's discard.
    Columns: those of `FRAMES`.

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
