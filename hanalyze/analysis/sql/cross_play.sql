-- Mean scores of pairs of agents; games lost by strikes count as 0. `simulate("random")` calls the players Alice and Bob,
-- so the agent is taken from the source; `simulate(["random", "random"])` calls them "random" and "random 2", so the number
-- is removed. Games with the names Player 1 and so on are left out, because these names stand for unnamed players.
WITH tables_of_two AS (
    SELECT a.player AS first, b.player AS second,
        CASE WHEN g.end_condition = 'strikeout' THEN 0 ELSE g.score END AS score,
        CASE WHEN g.source LIKE 'hanalyze simulate, %' AND (a.player, b.player) = ('Alice', 'Bob')
            THEN regexp_replace(g.source, '^hanalyze simulate, ', '') END AS agent
    FROM games g JOIN seats a ON a.game_id = g.game_id AND a.seat = 0
    JOIN seats b ON b.game_id = g.game_id AND b.seat = 1
    WHERE g.players = 2 AND NOT regexp_full_match(a.player || ' ' || b.player, 'Player \d Player \d')
),
named AS (
    SELECT coalesce(agent, first) AS first,
        coalesce(agent, CASE WHEN second = first || ' 2' THEN first ELSE second END) AS second, score
    FROM tables_of_two
)
SELECT first, second, count(*) AS games, avg(score) AS mean, stddev_samp(score) / sqrt(count(*)) AS sem
FROM named GROUP BY first, second ORDER BY first, second
