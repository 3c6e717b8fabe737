-- Number of games for each cell, kind of game, series, turn and bin of cards per clue.
SELECT cell, short, series, turn, bin, sum(games)::BIGINT AS games
FROM ({{ teams }}) JOIN game_cells USING (team) GROUP BY ALL ORDER BY ALL
