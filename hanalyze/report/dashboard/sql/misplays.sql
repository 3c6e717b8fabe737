-- found
SELECT game_id, seat, 'misplays' AS panel, severity AS label, 'plays' AS of, count(*) AS x
FROM mistakes WHERE kind = 'misplay' GROUP BY ALL
UNION ALL
SELECT game_id, seat, 'points', severity, 'plays', sum(points)
FROM mistakes WHERE kind = 'misplay' AND points > 0 GROUP BY ALL

-- of
SELECT game_id, seat, 'plays' AS of, count(*) AS y FROM decisions WHERE action = 'play' GROUP BY ALL
