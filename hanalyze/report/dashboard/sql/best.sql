SELECT game_id, row_number() OVER (ORDER BY efficiency / min_efficiency DESC, game_id) AS place
FROM games WHERE efficiency IS NOT NULL AND min_efficiency > 0 AND clues >= 8
