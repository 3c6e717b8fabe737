-- The view `judged_losses`: `losses` with what the player could know of the move.
--
-- mistake, severity, basis: kind, severity and evidence (logic, convention, chance) of the row of `mistakes` that
--     blames the player for that move, the costliest if there are several; null where none does.
-- knowable: whether there is such a row.
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
