-- Sums of denominators for each cell.
SELECT cell, of, sum(n)::BIGINT AS n, sum(y)::DOUBLE / {{ unit }} AS y, sum(yy)::DOUBLE / {{ unit * unit }} AS yy
FROM ({{ rows }}) JOIN {{ cells }} USING (team) GROUP BY ALL
