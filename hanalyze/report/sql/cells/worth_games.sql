SELECT cell, key, sum(n)::DOUBLE AS games, sum(ww)::DOUBLE AS squares, sum(wr)::DOUBLE AS shared
FROM (
    SELECT w.team, key, count(*) AS n, sum(whole * whole) AS ww, coalesce(sum(whole * rest), 0) AS wr
    FROM (SELECT DISTINCT game_id, team, key, whole FROM worth) w LEFT JOIN worth_rest USING (game_id, key)
    GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
