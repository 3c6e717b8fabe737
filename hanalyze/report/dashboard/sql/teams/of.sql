-- Sums of denominators and of their squares, over games or over players in games.
SELECT team, of, count(*) AS n, sum(y)::BIGINT AS y, sum(y::HUGEINT * y)::DECIMAL(38, 0) AS yy
FROM of_rows GROUP BY ALL
