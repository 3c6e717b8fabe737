-- of
SELECT game_id, giver AS seat, 'Kind|' || kind AS of, count(*) AS y, sum(cards_gotten) AS x
FROM clues GROUP BY ALL
UNION ALL
SELECT game_id, seat, 'Turn|' || (10 * ten + 1) || '-' || (10 * ten + 10), y, x
FROM (
    SELECT game_id, giver AS seat, turn // 10 AS ten, count(*) AS y, sum(cards_gotten) AS x
    FROM clues GROUP BY ALL
)
