-- The view `game_names`: one row per game, with the names to show for the game and its players.
--
-- game: the game's number at its source, else its seed, else its key.
-- names: names of the players by seat, as in the log.
-- letters: letters of the suits, as in `games`.
SELECT g.game_id, coalesce(g.source_id::VARCHAR, g.seed, g.game_id::VARCHAR) AS game, s.names, g.letters
FROM games g
JOIN (SELECT game_id, list(player ORDER BY seat) AS names FROM seats GROUP BY game_id) s USING (game_id)
