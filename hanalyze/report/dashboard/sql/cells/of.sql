-- Numbers of games, and sums of denominators and of their squares, for each cell.
SELECT cell, of, sum(n)::BIGINT AS n, sum(y)::DOUBLE / {{ unit }} AS y, sum(yy)::DOUBLE / {{ unit * unit }} AS yy
FROM ({{ rows }}) JOIN {{ cells }} USING (team) GROUP BY ALL
