-- of
SELECT game_id, 'finished' AS of, 1 AS y, full_score - score AS x FROM games WHERE end_condition = 'normal'
