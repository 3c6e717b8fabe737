-- First rows of a list for each cell.
CREATE OR REPLACE TEMP TABLE ranked AS
WITH whole AS MATERIALIZED (
{{ query }}
),
first AS (
    SELECT place, team FROM whole
    JOIN lineup_games USING (game_id) JOIN {{ "seat_teams USING (lineup, seat)" if of_turns else "lineup_teams USING (lineup)" }}
    QUALIFY row_number() OVER (PARTITION BY team ORDER BY place) <= {{ most }}
),
kept AS (
    SELECT place, cell FROM first JOIN {{ "decision_cells" if of_turns else "game_cells" }} USING (team)
    QUALIFY row_number() OVER (PARTITION BY cell ORDER BY place) <= {{ most }}
)
SELECT whole.*, cells
FROM whole JOIN (SELECT place, list(cell ORDER BY cell) AS cells FROM kept GROUP BY place) USING (place)
