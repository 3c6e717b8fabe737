SELECT cell, of, sum(n) AS n, sum(y)::DOUBLE AS y, sum(yy)::DOUBLE AS yy
FROM (
    SELECT team, of, count(*) AS n, sum(y) AS y, sum(y * y::DOUBLE) AS yy
    FROM of_game JOIN team_of USING (game_id) GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL
