-- of
SELECT game_id, 'Kind|' || kind AS of, y, x
FROM (SELECT game_id, kind, count(*) AS y, sum(cards_gotten) AS x FROM clues GROUP BY ALL)
UNION ALL
SELECT game_id, 'Turn|' || (10 * ten + 1) || '-' || (10 * ten + 10), y, x
FROM (SELECT game_id, turn // 10 AS ten, count(*) AS y, sum(cards_gotten) AS x FROM clues GROUP BY ALL)
