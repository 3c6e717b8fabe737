-- What was found, beside the denominators of each game (`of_game`).
SELECT team, panel, label, sum(x)::BIGINT AS x, sum(x::HUGEINT * x)::DECIMAL(38, 0) AS xx,
    sum(x::HUGEINT * coalesce(y, 0))::DECIMAL(38, 0) AS xy
FROM (SELECT game_id, of, panel, label, exact(x) AS x FROM ({{ found }}))
LEFT JOIN (SELECT game_id, of, exact(y) AS y FROM of_game) USING (game_id, of)
JOIN team_of USING (game_id) GROUP BY ALL
