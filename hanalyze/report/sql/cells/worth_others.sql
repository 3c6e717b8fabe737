SELECT cell, key, sum(n)::DOUBLE AS games, sum(others)::DOUBLE AS others, sum(r)::DOUBLE AS rest, sum(rr)::DOUBLE AS squares
FROM (
    SELECT team, key, count(*) AS n, count_if(others > 0) AS others, sum(rest) AS r, sum(rest * rest) AS rr
    FROM worth_rest GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
