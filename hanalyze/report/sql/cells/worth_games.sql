SELECT cell, key, sum(n)::DOUBLE AS games, sum(ww)::DOUBLE AS squares
FROM (
    SELECT team, key, count(*) AS n, sum(whole * whole) AS ww
    FROM (SELECT DISTINCT game_id, team, key, whole FROM worth) GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
