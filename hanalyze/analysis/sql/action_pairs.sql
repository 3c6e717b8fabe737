-- Counts of pairs of consecutive actions, by team size and the player of the first action. `to_next`: the first action is a
-- clue to the next player. `next` is null after the last action of a game. The code of an action is kind (0 play, 1 discard,
-- 2 colour clue, 3 rank clue) * 1000 + seats to the receiver * 100 + slot, rank, or clue colour (from 1).
WITH coded AS (
    SELECT t.game_id, t.turn, t.seat, t.receiver, g.players, CASE t.action
            WHEN 'play' THEN t.slot
            WHEN 'discard' THEN 1000 + t.slot
            WHEN 'colour_clue' THEN 2000 + t.clue_value + 1 + 100 * ((t.receiver - t.seat + g.players) % g.players)::INTEGER
            WHEN 'rank_clue' THEN 3000 + t.clue_value + 100 * ((t.receiver - t.seat + g.players) % g.players)::INTEGER
        END AS code
    FROM turns t JOIN games g USING (game_id)
)
SELECT s.player, a.players, a.code AS one, b.code AS next,
    coalesce(a.receiver = (a.seat + 1) % a.players, FALSE) AS to_next, count(*) AS pairs
FROM coded a LEFT JOIN seats s ON s.game_id = a.game_id AND s.seat = a.seat
LEFT JOIN coded b ON b.game_id = a.game_id AND b.turn = a.turn + 1
WHERE a.code IS NOT NULL
GROUP BY ALL ORDER BY ALL
