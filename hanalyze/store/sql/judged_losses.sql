-- The view `judged_losses`: the rows of `losses`, each with the mistake of the player to whom it is charged.
--
-- seat, player: the player to whom the loss is charged: the player of an earlier move at fault, such as a missed save;
--     else the player who moved; null for the end of a game.
-- mistake, severity, basis: kind, severity and basis (logic, convention, chance) of the costliest row of `mistakes`
--     that blames that player for that move; null if no row does.
-- knowable: whether such a row exists.
WITH charged AS (
    SELECT game_id, turn, any_value(charged_turn) AS charged_turn, any_value(charged_seat) AS charged_seat
    FROM $mistakes WHERE charged_turn < turn GROUP BY game_id, turn
),
blamed AS (
    SELECT game_id, turn, seat, unnest(arg_min(
        {'mistake': kind, 'severity': severity, 'basis': basis}, (-points, -tokens, kind)
    ))
    FROM $mistakes WHERE $blamed
    GROUP BY game_id, turn, seat
)
SELECT n.game, n.names[l.seat + 1] AS player, l.* EXCLUDE (judged_turn), m.mistake, m.severity, m.basis, m.mistake IS NOT NULL AS knowable
FROM (
    SELECT l.* REPLACE (coalesce(c.charged_seat, l.seat) AS seat), coalesce(c.charged_turn, l.turn) AS judged_turn
    FROM losses l LEFT JOIN charged c ON c.game_id = l.game_id AND c.turn = l.turn
) l
JOIN game_names n USING (game_id)
LEFT JOIN blamed m ON m.game_id = l.game_id AND m.turn = l.judged_turn AND m.seat = l.seat
