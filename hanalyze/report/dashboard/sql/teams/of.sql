-- Of how much: the denominators of each game, or of each player in a game.
SELECT {{ level }}, of, count(*) AS n, sum(y)::BIGINT AS y, sum(y::HUGEINT * y)::DECIMAL(38, 0) AS yy
FROM ({{ of }}) GROUP BY ALL
