-- of
SELECT game_id, 'games' AS of, 1 AS y, score AS x FROM games
