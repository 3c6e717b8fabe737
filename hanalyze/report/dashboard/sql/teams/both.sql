-- Both from one query: sums over the values of each game, or of each player in a game.
SELECT {{ level }}, of, count(*) AS n,
    sum(y)::BIGINT AS y, sum(y::HUGEINT * y)::DECIMAL(38, 0) AS yy,
    sum(x)::BIGINT AS x, sum(x::HUGEINT * x)::DECIMAL(38, 0) AS xx, sum(x::HUGEINT * y)::DECIMAL(38, 0) AS xy
FROM ({{ rows }}) GROUP BY ALL
