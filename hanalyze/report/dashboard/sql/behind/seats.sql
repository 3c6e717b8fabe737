-- The players of the listed games, by seat.
SELECT f.place, s.seat::BIGINT AS seat, s.player AS name
FROM few_games f JOIN seats s USING (game_id)
