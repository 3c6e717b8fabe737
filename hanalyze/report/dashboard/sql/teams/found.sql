-- Sums of numerators and of their products with the denominators, over games or over players in games.
SELECT {{ level }}, panel, label, sum(x)::BIGINT AS x, sum(x::HUGEINT * x)::DECIMAL(38, 0) AS xx,
    sum(x::HUGEINT * coalesce(y, 0))::DECIMAL(38, 0) AS xy
FROM ({{ found }}) LEFT JOIN ({{ of }}) USING ({{ level }}, {{ key }}, of) GROUP BY ALL
