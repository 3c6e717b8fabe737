-- of
SELECT game_id, 'Points short|' || format('{:.1f}', floor(min_efficiency * 10) / 10) AS of, 1 AS y,
    full_score - score AS x
FROM games WHERE min_efficiency IS NOT NULL
