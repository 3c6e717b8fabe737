-- What was found, beside the denominators of each game (`of_game`).
SELECT cell, panel, label, sum(x)::DOUBLE AS x, sum(xx)::DOUBLE AS xx, sum(xy)::DOUBLE AS xy
FROM (
    SELECT team, panel, label, sum(x) AS x, sum(x * x::DOUBLE) AS xx, sum(x * coalesce(y, 0)::DOUBLE) AS xy
    FROM ({{ found }}) LEFT JOIN of_game USING (game_id, of) JOIN team_of USING (game_id) GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL
