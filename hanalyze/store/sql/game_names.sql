-- The view `game_names`: one row per game, to show which it is.
--
-- game: its number where it comes from, else its seed, else its key.
-- names: the players by seat, as the log has them.
SELECT g.game_id, coalesce(g.source_id::VARCHAR, g.seed, g.game_id::VARCHAR) AS game, s.names, g.letters
FROM games g
JOIN (SELECT game_id, list(player ORDER BY seat) AS names FROM seats GROUP BY game_id) s USING (game_id)
