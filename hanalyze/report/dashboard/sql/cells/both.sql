-- Sums of numerators and denominators for each cell.
SELECT cell, of, sum(n)::BIGINT AS n, sum(y)::DOUBLE / {{ unit }} AS y, sum(yy)::DOUBLE / {{ unit * unit }} AS yy,
    sum(x)::DOUBLE / {{ unit }} AS x, sum(xx)::DOUBLE / {{ unit * unit }} AS xx,
    sum(xy)::DOUBLE / {{ unit * unit }} AS xy
FROM ({{ rows }}) GROUP BY ALL
