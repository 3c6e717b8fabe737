-- found
SELECT game_id, seat, '' AS panel, label, label AS of, sum(points) AS x
FROM (SELECT *, unnest(['all', if(knowable, 'known', 'open')]) AS label FROM judged_losses) GROUP BY ALL

-- of
SELECT s.game_id, s.seat, unnest(['all', 'known', 'open']) AS of, 1 AS y
FROM seats s JOIN solved_games z ON z.game_id = s.game_id AND z.open_points IS NOT NULL
