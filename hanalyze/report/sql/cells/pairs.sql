-- Of each two players, by team size and variant: games, the sum of scores and that of their squares.
WITH t AS (
    SELECT team, t.size, t.variant, t.party, count(*) AS n, sum(g.score)::DOUBLE AS x,
        sum(g.score * g.score::DOUBLE) AS xx
    FROM team_of t JOIN games g USING (game_id) GROUP BY ALL
),
p AS (SELECT t.*, unnest(party) AS a FROM t),
q AS (SELECT p.*, unnest(party) AS b FROM p)
SELECT size, variant, a, b, sum(n) AS n, sum(x) AS x, sum(xx) AS xx
FROM q WHERE a < b GROUP BY ALL ORDER BY ALL
