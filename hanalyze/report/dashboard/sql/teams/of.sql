-- Of how much: the denominators of each game (`of_game`).
SELECT team, of, count(*) AS n, sum(y)::BIGINT AS y, sum(y::HUGEINT * y)::DECIMAL(38, 0) AS yy
FROM (SELECT game_id, of, exact(y) AS y FROM of_game) JOIN team_of USING (game_id) GROUP BY ALL
