-- The mistakes that the list of the costliest turns uses.
SELECT game_id, turn, seat, kind, severity, points, charged_turn FROM mistakes
WHERE points > 0 OR kind IN ('discard_last_copy', 'misplay') AND charged_turn < turn
