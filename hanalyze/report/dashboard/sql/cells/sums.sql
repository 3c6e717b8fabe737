-- Sums of a count for each cell; denominators have no label.
SELECT cell, panel, label, of, n::DOUBLE AS n, y::DOUBLE / {{ unit }} AS y, yy::DOUBLE / {{ unit * unit }} AS yy,
    x::DOUBLE / {{ unit }} AS x, xx::DOUBLE / {{ unit * unit }} AS xx, xy::DOUBLE / {{ unit * unit }} AS xy
FROM (
    SELECT cell, measure, sum(n) AS n, sum(x) AS x, sum(xx) AS xx, sum(xy) AS xy, sum(y) AS y, sum(yy) AS yy
    FROM team_sums JOIN {{ cells }} USING (team) GROUP BY ALL
)
JOIN measures USING (measure)
