-- Plays and discards with their chance of a loss, and the loss: a failed play, or a discarded critical card that is not
-- charged to an earlier move.
SELECT
    d.game_id, d.turn, d.seat, d.game, d.place, d.game_id % {folds} AS fold,
    CASE d.action WHEN 'play' THEN 'misplay' ELSE 'last_copy' END AS loss,
    (CASE d.action WHEN 'play' THEN 1 - h.act_playable ELSE h.act_critical END)::DOUBLE AS p,
    CASE d.action
        WHEN 'play' THEN d.result = 'misplayed'
        ELSE d.status = 'critical' AND e.turn IS NULL
    END AS lost,
    d.act_points::DOUBLE AS act_points,
    CASE WHEN d.result = 'played' OR e.turn IS NOT NULL THEN 0
        ELSE d.max_score_before - d.max_score_after END AS points
FROM decisions d
JOIN chances h ON h.game_id = d.game_id AND h.turn = d.turn
LEFT JOIN ({charged}) e ON e.game_id = d.game_id AND e.turn = d.turn
WHERE d.act_points IS NOT NULL
