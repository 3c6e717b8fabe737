-- By player: use of clue tokens, knowledge of the cards played, critical cards lost, and maximum score lost.
WITH acts AS (
    SELECT s.player, s.game_id, t.action IN ('colour_clue', 'rank_clue') AS clue,
        t.clue_tokens_before >= 1 AS may_clue, t.action = 'play' AS play,
        coalesce(c.colour_clues, 0) > 0 AS colour, coalesce(c.rank_clues, 0) > 0 AS rank, t.p_playable,
        t.result IN ('discarded', 'misplayed') AS lost, t.status = 'critical' AS critical,
        t.max_score_before - t.max_score_after AS points
    FROM seats s LEFT JOIN turns t ON t.game_id = s.game_id AND t.seat = s.seat AND t.action <> 'end_game'
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
