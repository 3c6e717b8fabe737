-- The listed games.
SELECT f.place, g.game_id, g.players::BIGINT AS size, g.variant, g.score, g.full_score, g.source, g.source_id, g.seed
FROM few_games f JOIN games g USING (game_id)
