-- How many games had so many cards per clue, a row for each cell, kind of game, turn and bin.
SELECT cell, short, series, turn, bin, sum(games)::BIGINT AS games
FROM ({{ teams }}) JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
