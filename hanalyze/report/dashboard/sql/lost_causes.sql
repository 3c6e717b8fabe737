-- found
SELECT game_id, seat, 'all' AS panel, cause::VARCHAR AS label, 'solved' AS of, sum(points) AS x FROM losses GROUP BY ALL
UNION ALL
SELECT l.game_id, l.seat, d.phase, l.cause::VARCHAR, 'solved', sum(l.points)
FROM losses l JOIN decisions d ON d.game_id = l.game_id AND d.turn = l.turn GROUP BY ALL

-- of
SELECT game_id, 'solved' AS of, 1 AS y FROM solved_games WHERE open_points IS NOT NULL
