-- What was found, where each game is one of the denominator.
SELECT cell, panel, label, sum(x)::DOUBLE AS x, sum(xx)::DOUBLE AS xx, sum(x)::DOUBLE AS xy
FROM (
    SELECT team, panel, label, sum(x) AS x, sum(x * x::DOUBLE) AS xx
    FROM ({{ found }}) JOIN team_of USING (game_id) GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL
