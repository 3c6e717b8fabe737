-- The score and the players of each game.
SELECT
    g.variant, g.score, g.full_score, g.raw_score, g.max_score, g.end_condition, n.game, n.names
FROM games g JOIN game_names n USING (game_id)
