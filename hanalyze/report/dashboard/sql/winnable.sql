-- found
SELECT game_id, '' AS panel, CASE
        WHEN g.score >= g.full_score THEN 'won'
        WHEN z.best_score_high < g.full_score THEN 'lost'
        WHEN z.best_score_low >= g.full_score THEN 'missed'
        ELSE 'open'
    END AS label, 'solved' AS of, 1 AS x
FROM solved_games z JOIN games g USING (game_id) WHERE z.open_points IS NOT NULL

-- of
SELECT game_id, 'solved' AS of, 1 AS y FROM solved_games WHERE open_points IS NOT NULL
