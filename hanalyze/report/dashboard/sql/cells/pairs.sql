-- Games, sum of scores and sum of squared scores for each pair of players, team size and variant.
WITH t AS (SELECT team, size, variant, party, n, x, xx FROM team_sums JOIN teams USING (team)),
p AS (SELECT t.*, unnest(party) AS a FROM t),
q AS (SELECT p.*, unnest(party) AS b FROM p)
SELECT size, variant, a, b, sum(n)::BIGINT AS n, sum(x)::DOUBLE / {{ unit }} AS x,
    sum(xx)::DOUBLE / {{ unit * unit }} AS xx
FROM q WHERE a < b GROUP BY ALL ORDER BY ALL
