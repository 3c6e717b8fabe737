-- found
SELECT game_id, seat, '' AS panel, kind AS label, 'games' AS of, sum(tokens) AS x
FROM mistakes WHERE tokens > 0 AND {{ blamed }} GROUP BY ALL
