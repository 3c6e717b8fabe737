-- Points lost in hindsight, by game and group: the points (`p0` ...) and the moves that lost them (`m0` ...)
-- of each part (all, a cause, kind or phase).
WITH sums AS (
    SELECT l.game_id, l.seat, {sums}
    FROM losses l LEFT JOIN plain_decisions p ON p.game_id = l.game_id AND p.turn = l.turn
    GROUP BY l.game_id, l.seat
),
d AS (
    SELECT g.game_id, t.seat, g.players, g.variant, g.edition, g.score, g.full_score,
        z.best_score_high < g.full_score AS impossible,
        z.best_score_high < g.full_score OR z.best_score_low >= g.full_score AS decided,
        z.open_points > 0 AS open, sums.* EXCLUDE (game_id, seat)
    FROM solved_games z JOIN games g USING (game_id)
    JOIN (SELECT game_id, seat FROM seats UNION SELECT game_id, seat FROM sums) t USING (game_id)
    LEFT JOIN sums ON sums.game_id = g.game_id AND sums.seat IS NOT DISTINCT FROM t.seat
    WHERE z.open_points IS NOT NULL
)
SELECT d.game_id, {by.selected}
    {totals}
    max(d.impossible::INTEGER) AS _impossible, max(d.decided::INTEGER) AS _decided,
    max(d.open::INTEGER) AS _open,
    (coalesce(sum(d.p{strikes}), 0) > 0)::INTEGER AS _struck
FROM d{by.joins}{by.where} GROUP BY ALL
