-- The seats of named players in each lineup, with the first seat of the same player.
CREATE OR REPLACE TEMP TABLE lineup_seats AS
SELECT lineup, seat, min(seat) OVER (PARTITION BY lineup, name) AS first_seat, name
FROM (SELECT lineup, unnest(names) AS name, unnest(range(len(names))) AS seat FROM lineups)
WHERE name IS NOT NULL;

CREATE OR REPLACE TEMP TABLE repeated_seats AS
SELECT lineup, seat, first_seat FROM lineup_seats WHERE seat > first_seat
