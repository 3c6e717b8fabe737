SELECT cell, key, a, b, sum(uu)::DOUBLE AS products
FROM (
    SELECT one.team, key, one.band AS a, other.band AS b, sum(one.uses * other.uses) AS uu
    FROM worth one JOIN worth other USING (game_id, key) WHERE a <= b GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
