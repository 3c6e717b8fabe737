-- Number of games for each team, kind of game, series, turn and bin of cards per clue.
WITH d AS MATERIALIZED (
    SELECT team, short, turn, achieved, needed
    FROM ({{ query }} AND ({{ turns }}) AND t.turn < 90)
    JOIN game_teams USING (game_id) WHERE NOT own
),
v AS (
    SELECT team, short, 0 AS series, turn, achieved AS value FROM d
    UNION ALL
    SELECT team, short, 1, turn, needed FROM d
)
SELECT team, short, series, turn, least(floor(value / {{ bin }} + 1e-9), {{ bins - 1 }})::INTEGER AS bin,
    count(*) AS games
FROM v WHERE value IS NOT NULL GROUP BY ALL
