-- found
WITH k AS (
    SELECT game_id, seat, kind::VARCHAR AS kind, CASE WHEN knowable THEN basis::VARCHAR ELSE '{{ only_open }}' END AS label,
        sum(points) AS x
    FROM judged_losses GROUP BY ALL
)
SELECT game_id, seat, kind AS panel, label, kind AS of, x FROM k
UNION ALL
SELECT game_id, seat, 'all', label, 'all', sum(x) FROM k GROUP BY ALL

-- of
SELECT game_id, seat, kind::VARCHAR AS of, sum(points) AS y FROM judged_losses GROUP BY ALL
UNION ALL
SELECT game_id, seat, 'all', sum(points) FROM judged_losses GROUP BY ALL
