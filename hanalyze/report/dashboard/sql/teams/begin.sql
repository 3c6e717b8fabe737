-- The lineups of the games (players by seat, at a team size and in a variant), and the numbers of values (filled later).
CREATE OR REPLACE TEMP TABLE numbered_games AS
SELECT game_id, (dense_rank() OVER (ORDER BY size, variant, names) - 1)::UINTEGER AS lineup, size, variant, names
FROM (SELECT game_id, players AS size, variant FROM games)
LEFT JOIN (SELECT game_id, list(player ORDER BY seat) AS names FROM seats GROUP BY game_id) USING (game_id);

CREATE OR REPLACE TEMP TABLE lineups AS
SELECT lineup, any_value(size) AS size, any_value(variant) AS variant, any_value(names) AS names, count(*) AS games
FROM numbered_games GROUP BY lineup;

CREATE OR REPLACE TEMP TABLE lineup_games AS SELECT game_id, lineup FROM numbered_games;

DROP TABLE numbered_games;

CREATE OR REPLACE TEMP TABLE measures (measure INTEGER, name VARCHAR, panel VARCHAR, label VARCHAR, of VARCHAR)
