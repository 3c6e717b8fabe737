-- of
SELECT game_id, 'games' AS of, 1 AS y, (score >= full_score)::INTEGER AS x FROM games
