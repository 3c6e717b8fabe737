-- Tables for the stored rows: the numbers of values and games in all parts, and in each part.
CREATE OR REPLACE TEMP TABLE measures AS
SELECT row_number() OVER () AS measure, * FROM (SELECT DISTINCT name, panel, label, of FROM sums.measures);

CREATE OR REPLACE TEMP TABLE numbered_games AS
SELECT part, game_id, (row_number() OVER (ORDER BY part, game_id) - 1)::UINTEGER AS game FROM sums.games;

CREATE OR REPLACE TEMP TABLE stored_measures AS
SELECT s.part, s.number, m.measure, m.name, p.first_game
FROM sums.measures s
JOIN measures m ON m.name = s.name AND m.of = s.of
    AND m.panel IS NOT DISTINCT FROM s.panel AND m.label IS NOT DISTINCT FROM s.label
JOIN (SELECT part, min(game) AS first_game FROM numbered_games GROUP BY part) p ON p.part = s.part;

CREATE OR REPLACE TEMP VIEW mistakes AS SELECT * EXCLUDE (part) FROM sums.costly
