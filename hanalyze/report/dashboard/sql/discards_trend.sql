-- of
-- Sums of products and of squares about the means of the game: x / y is the change every ten turns within games.
SELECT game_id, 'turns' AS of, regr_sxx(mistake, turn / 10) AS y, regr_sxy(mistake, turn / 10) AS x
FROM (
    SELECT d.game_id, d.turn, (m.turn IS NOT NULL)::INTEGER AS mistake
    FROM decisions d LEFT JOIN (
        SELECT DISTINCT game_id, turn FROM mistakes
        WHERE kind IN ({{ discards | quoted }}) AND {{ blamed }}
    ) m USING (game_id, turn)
    WHERE one_choice IS NULL AND result = 'discarded'
) GROUP BY ALL HAVING y > 0

-- own
-- The same sums about the means of the seat.
SELECT game_id, seat, 'turns' AS of, regr_sxx(mistake, turn / 10) AS y, regr_sxy(mistake, turn / 10) AS x
FROM (
    SELECT d.game_id, d.seat, d.turn, (m.turn IS NOT NULL)::INTEGER AS mistake
    FROM decisions d LEFT JOIN (
        SELECT DISTINCT game_id, turn FROM mistakes
        WHERE kind IN ({{ discards | quoted }}) AND {{ blamed }}
    ) m USING (game_id, turn)
    WHERE one_choice IS NULL AND result = 'discarded'
) GROUP BY ALL HAVING y > 0
