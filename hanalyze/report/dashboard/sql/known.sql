-- found
WITH k AS (
    SELECT game_id, turn, seat, kind, CASE
            WHEN severity = 'nothing_to_lose' THEN 'forced'
            WHEN severity IN ('misled', 'uncalled', 'hit', 'lucky') THEN 'gamble'
            ELSE severity
        END AS label
    FROM mistakes
    WHERE kind IN ({{ judged | quoted }})
)
SELECT game_id, seat, kind AS panel, label, kind AS of, count(*) AS x FROM k GROUP BY ALL
UNION ALL
-- A discard of several kinds counts once, with its worst severity.
SELECT game_id, seat, 'all', label, 'all', count(*)
FROM (
    SELECT game_id, turn, seat, arg_min(label, list_position([{{ severities | quoted }}], label)) AS label
    FROM k GROUP BY ALL
) GROUP BY ALL

-- of
SELECT game_id, seat, kind AS of, count(*) AS y FROM mistakes WHERE kind IN ({{ judged | quoted }}) GROUP BY ALL
UNION ALL
SELECT game_id, seat, 'all', count(DISTINCT turn) FROM mistakes WHERE kind IN ({{ judged | quoted }}) GROUP BY ALL
