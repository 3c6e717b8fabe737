-- Sums of numerators and denominators from a single query, over games or over players in games.
SELECT {{ level }}, of, count(*) AS n,
    sum(y)::BIGINT AS y, sum(y::HUGEINT * y)::DECIMAL(38, 0) AS yy,
    sum(x)::BIGINT AS x, sum(x::HUGEINT * x)::DECIMAL(38, 0) AS xx, sum(x::HUGEINT * y)::DECIMAL(38, 0) AS xy
FROM ({{ rows }}) GROUP BY ALL
