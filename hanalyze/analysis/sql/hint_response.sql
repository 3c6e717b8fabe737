-- By receiver and team size, shares of the actions on the receiver's next turn after a clue; `new`: with a card that this
-- clue was the first to touch.
WITH answers AS (
    SELECT g.players, s.player, t.action, coalesce(c.first_clue_turn = h.turn, FALSE) AS new
    FROM clues h JOIN games g USING (game_id)
    JOIN seats s ON s.game_id = h.game_id AND s.seat = h.receiver
    JOIN turns t ON t.game_id = h.game_id AND t.seat = h.receiver
        AND t.turn = h.turn + (h.receiver - h.giver + g.players) % g.players
    LEFT JOIN cards c ON c.game_id = t.game_id AND c."order" = t."order"
    WHERE t.action <> 'end_game'
)
SELECT player, players, count(*) AS hints,
    avg((new AND action = 'play')::INTEGER) AS played,
    avg((new AND action = 'discard')::INTEGER) AS discarded,
    avg((new AND action IN ('play', 'discard'))::INTEGER) AS response,
    avg((NOT new AND action = 'play')::INTEGER) AS other_play,
    avg((NOT new AND action = 'discard')::INTEGER) AS other_discard,
    avg((action IN ('colour_clue', 'rank_clue'))::INTEGER) AS hint
FROM answers GROUP BY ALL ORDER BY players, player
