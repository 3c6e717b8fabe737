-- lost_turn: the turn on which the card was lost; later than `turn` if an earlier move is charged.
SELECT game_id, turn, seat, kind, severity, points, coalesce(lost_turn, turn) AS lost_turn,
    row_number() OVER (ORDER BY {{ costliest }}) AS place
FROM mistakes
LEFT JOIN (
    SELECT game_id, charged_turn AS turn, min(turn) AS lost_turn,
        CASE kind WHEN 'discard_last_copy' THEN 'discard_unsaved' ELSE 'strike_caused' END AS kind
    FROM mistakes WHERE kind IN ('discard_last_copy', 'misplay') AND charged_turn < turn GROUP BY ALL
) USING (game_id, turn, kind)
WHERE points > 0
