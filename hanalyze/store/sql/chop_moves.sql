-- The view `chop_moves`: one row per message and card that it moved off the chop: turn, sender and name of the message.
SELECT
    game_id, turn, seat, unnest(cards) AS "order",
    replace(replace(replace(convention::VARCHAR, '_', ' '), 'five', '5''s'), 'tempo', 'tempo clue') AS message
FROM conventions
WHERE convention::VARCHAR LIKE '%chop_move' OR convention IN ('scream_discard', 'shout_discard', 'generation_discard')
UNION ALL
-- Before version 2.0, DuckDB lost the rows of an ASOF LEFT JOIN with a view that it knew to be empty.
SELECT NULL, NULL, NULL, NULL, NULL
