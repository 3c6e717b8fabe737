-- Number of games for each cell, kind of game, series, turn and bin of cards per clue.
WITH d AS MATERIALIZED (
    SELECT team, short, turn, achieved, needed
    FROM ({{ query }} AND (t.turn + 1) % {{ step }} = 0 AND t.turn < 90)
    JOIN lineup_games USING (game_id) JOIN lineup_teams USING (lineup) WHERE NOT own
),
v AS (
    SELECT team, short, 0 AS series, turn, achieved AS value FROM d
    UNION ALL
    SELECT team, short, 1, turn, needed FROM d
)
SELECT cell, short, series, turn, bin, sum(games)::BIGINT AS games
FROM (
    SELECT team, short, series, turn, least(floor(value / {{ bin }} + 1e-9), {{ bins - 1 }})::INTEGER AS bin,
        count(*) AS games
    FROM v WHERE value IS NOT NULL GROUP BY ALL
)
JOIN game_cells USING (team) GROUP BY ALL ORDER BY ALL
