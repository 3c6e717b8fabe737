-- of
-- Sums of products and of squares about the means of the game: x / y is the change every ten turns within games.
SELECT game_id, 'turns' AS of, regr_sxx(cards_gotten, turn / 10) AS y, regr_sxy(cards_gotten, turn / 10) AS x
FROM clues GROUP BY ALL HAVING y > 0

-- own
-- The same sums about the means of the seat.
SELECT game_id, giver AS seat, 'turns' AS of, regr_sxx(cards_gotten, turn / 10) AS y,
    regr_sxy(cards_gotten, turn / 10) AS x
FROM clues GROUP BY ALL HAVING y > 0
