SELECT game_id, turn, seat, kind, severity, points,
    row_number() OVER (ORDER BY points DESC, NOT ({{ blamed }}), game_id, turn, kind) AS place
FROM mistakes WHERE points > 0
