-- The main meaning of each move, with its outcome.
SELECT m.turn, m.seat, m.convention::VARCHAR, m.legal, o.outcome::VARCHAR
FROM conventions m JOIN convention_outcomes o USING (game_id, turn, number)
WHERE m.number = 0 ORDER BY m.turn
