-- found
WITH k AS (
    SELECT game_id, seat, kind, CASE
            WHEN severity = 'nothing_to_lose' THEN 'forced'
            WHEN severity IN ('misled', 'uncalled', 'hit', 'lucky') THEN 'gamble'
            ELSE severity
        END AS label, count(*) AS x
    FROM mistakes
    WHERE kind IN ({{ judged | quoted }})
    GROUP BY ALL
)
SELECT game_id, seat, kind AS panel, label, kind AS of, x FROM k
UNION ALL
SELECT game_id, seat, 'all', label, 'all', sum(x) FROM k GROUP BY ALL

-- of
WITH k AS (
    SELECT game_id, seat, kind, count(*) AS y FROM mistakes WHERE kind IN ({{ judged | quoted }}) GROUP BY ALL
)
SELECT game_id, seat, kind AS of, y FROM k
UNION ALL
SELECT game_id, seat, 'all', sum(y) FROM k GROUP BY ALL
