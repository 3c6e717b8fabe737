-- found
SELECT game_id, seat, '' AS panel, unnest(['all', if(knowable, 'known', 'open')]) AS label, label AS of, points AS x
FROM judged_losses

-- of
SELECT s.game_id, s.seat, unnest(['all', 'known', 'open']) AS of, 1 AS y
FROM seats s JOIN solved_games z ON z.game_id = s.game_id AND z.open_points IS NOT NULL
