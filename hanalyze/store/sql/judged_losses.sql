-- The view `judged_losses`: the rows of `losses` with the mistake that the player could have recognised.
--
-- mistake, severity, basis: kind, severity and evidence (logic, convention, chance) of the row of `mistakes` that
--     blames the player for that move, the costliest if several rows do; null if no row does.
-- knowable: whether such a row exists.
SELECT n.game, n.names[l.seat + 1] AS player, l.*, m.mistake, m.severity, m.basis, m.mistake IS NOT NULL AS knowable
FROM losses l
JOIN game_names n USING (game_id)
LEFT JOIN (
    SELECT
        game_id, turn, seat, unnest(arg_min(
            {'mistake': kind, 'severity': severity, 'basis': basis}, (-points, -tokens, kind)
        ))
    FROM $mistakes WHERE $blamed
    GROUP BY game_id, turn, seat
) m ON m.game_id = l.game_id AND m.turn = l.turn AND m.seat = l.seat
