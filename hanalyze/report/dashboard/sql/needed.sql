-- of
SELECT game_id, 'finished' AS of, 1 AS y, min_efficiency AS x FROM games WHERE min_efficiency IS NOT NULL
