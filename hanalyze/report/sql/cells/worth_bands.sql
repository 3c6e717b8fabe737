SELECT cell, key, band, sum(u)::DOUBLE AS uses, sum(w)::DOUBLE AS worth, sum(uw)::DOUBLE AS products,
    sum(ur)::DOUBLE AS shared
FROM (
    SELECT worth.team, key, band, sum(uses) AS u, sum(worth) AS w, sum(uses * whole) AS uw,
        coalesce(sum(uses * rest), 0) AS ur
    FROM worth LEFT JOIN worth_rest USING (game_id, key) GROUP BY ALL
)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
