-- Of the games in which a convention is not used all clues are of others.
WITH t AS (
    SELECT team, count(*) AS n, unnest({{ keys }}::INTEGER[]) AS key,
        unnest([{% for key in keys %}sum(totals[{{ loop.index }}]){{ "" if loop.last else ", " }}{% endfor %}]::DOUBLE[]) AS r,
        unnest([{% for key in keys %}sum(totals[{{ loop.index }}] ** 2){{ "" if loop.last else ", " }}{% endfor %}]::DOUBLE[]) AS rr
    FROM worth_every GROUP BY team
),
used AS (
    SELECT team, key, count_if(alone) AS alone, sum(rest - every) AS r, sum(rest * rest - every * every) AS rr
    FROM worth_rest GROUP BY ALL
),
o AS (
    SELECT team, key, n, n - coalesce(alone, 0) AS others, t.r + coalesce(used.r, 0) AS r,
        t.rr + coalesce(used.rr, 0) AS rr
    FROM t LEFT JOIN used USING (team, key)
)
SELECT cell, key, sum(n)::DOUBLE AS games, sum(others)::DOUBLE AS others, sum(r) AS rest, sum(rr) AS squares
FROM o JOIN team_cells USING (team) GROUP BY ALL ORDER BY ALL
