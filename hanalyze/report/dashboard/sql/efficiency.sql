-- of
SELECT game_id, 'finished' AS of, 1 AS y, efficiency AS x FROM games WHERE efficiency IS NOT NULL
