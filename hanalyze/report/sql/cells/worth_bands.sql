SELECT cell, key, band, sum(u)::DOUBLE AS uses, sum(w)::DOUBLE AS worth, sum(uw)::DOUBLE AS products
FROM (SELECT team, key, band, sum(uses) AS u, sum(worth) AS w, sum(uses * whole) AS uw FROM worth GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
