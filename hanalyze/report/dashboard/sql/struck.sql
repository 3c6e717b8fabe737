-- of
SELECT game_id, 'games' AS of, 1 AS y, (end_condition = 'strikeout')::INTEGER AS x FROM games
