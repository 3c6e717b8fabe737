-- Tables that `rows.sql` uses: the numbers of values (filled later); the numbers of games, with that of the first
-- game of the same players at the same seats; and the further seats of players with several.
CREATE OR REPLACE TEMP TABLE measures (measure INTEGER, name VARCHAR, panel VARCHAR, label VARCHAR, of VARCHAR);

CREATE OR REPLACE TEMP TABLE numbered_games AS
SELECT game_id, game, min(game) OVER (PARTITION BY players, variant, names) AS first_game
FROM (SELECT game_id, players, variant, (row_number() OVER (ORDER BY game_id) - 1)::UINTEGER AS game FROM games)
LEFT JOIN (SELECT game_id, list(player ORDER BY seat) AS names FROM seats GROUP BY game_id) USING (game_id);

CREATE OR REPLACE TEMP TABLE repeated_seats AS
FROM (
    SELECT game_id, seat, min(seat) OVER (PARTITION BY game_id, player) AS first_seat
    FROM seats WHERE player IS NOT NULL
) WHERE seat > first_seat
