-- Numbers of signals by set of players and level.
WITH signal_teams AS MATERIALIZED ($teams)
SELECT team, players, games, level, given, answered
FROM (SELECT team, any_value(players) AS players, count(*) AS games FROM signal_teams GROUP BY team)
JOIN (
    SELECT team, level, count(*) AS given, count_if(answered) AS answered
    FROM signals JOIN signal_teams USING (game_id) GROUP BY ALL
) USING (team)
