-- of
SELECT s.game_id, s.seat, unnest(['all', 'known', 'open']) AS of, 1 AS y,
    unnest([coalesce(l.lost, 0), coalesce(l.known, 0), coalesce(l.lost - l.known, 0)]) AS x
FROM (SELECT game_id, seat FROM seats) s
JOIN solved_games z ON z.game_id = s.game_id AND z.open_points IS NOT NULL
LEFT JOIN (
    SELECT game_id, seat, sum(points)::BIGINT AS lost, sum(if(knowable, points, 0))::BIGINT AS known
    FROM judged_losses GROUP BY ALL
) l ON l.game_id = s.game_id AND l.seat = s.seat
