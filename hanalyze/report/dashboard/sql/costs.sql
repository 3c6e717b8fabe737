-- found
SELECT game_id, seat, 'points' AS panel, severity AS label, 'games' AS of, sum(points) AS x
FROM mistakes WHERE kind IN ('discard_last_copy', 'discard_unsaved') AND points > 0 GROUP BY ALL
UNION ALL
SELECT game_id, seat, 'pace', kind, 'games', sum(pace)
FROM mistakes WHERE kind IN ('discard_unsaved', {{ discards | quoted }}) AND pace > 0 AND {{ blamed }} GROUP BY ALL
