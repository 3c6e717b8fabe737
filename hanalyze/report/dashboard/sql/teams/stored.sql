-- The stored lineups and the numbers of values, those of all parts numbered together.
CREATE OR REPLACE TEMP TABLE stored_lineups AS
SELECT *, (row_number() OVER (ORDER BY part, lineup) - 1)::UINTEGER AS number FROM sums.lineups;

CREATE OR REPLACE TEMP TABLE lineups AS
SELECT number AS lineup, size, variant, names, games FROM stored_lineups;

CREATE OR REPLACE TEMP VIEW lineup_games AS
SELECT g.game_id, s.number AS lineup
FROM sums.lineup_games g JOIN stored_lineups s ON s.part = g.part AND s.lineup = g.lineup;

CREATE OR REPLACE TEMP TABLE measures AS
SELECT row_number() OVER () AS measure, * FROM (SELECT DISTINCT name, panel, label, of FROM sums.measures);

CREATE OR REPLACE TEMP TABLE stored_measures AS
SELECT s.part, s.number, m.measure, m.name, p.first_lineup
FROM sums.measures s
JOIN measures m ON m.name = s.name AND m.of = s.of
    AND m.panel IS NOT DISTINCT FROM s.panel AND m.label IS NOT DISTINCT FROM s.label
JOIN (SELECT part, min(number) AS first_lineup FROM stored_lineups GROUP BY part) p ON p.part = s.part
