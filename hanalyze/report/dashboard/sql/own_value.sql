-- of
SELECT game_id, giver AS seat, 'clues' AS of, count(*) AS y, sum(cards_gotten) AS x FROM clues GROUP BY ALL
