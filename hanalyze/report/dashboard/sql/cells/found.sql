-- Sums of numerators, of their squares and of their products with the denominators, for each cell.
SELECT cell, panel, label, sum(x)::DOUBLE / {{ unit }} AS x, sum(xx)::DOUBLE / {{ unit * unit }} AS xx,
    sum(xy)::DOUBLE / {{ unit * unit }} AS xy
FROM ({{ rows }}) JOIN {{ cells }} USING (team) GROUP BY ALL
