-- of
SELECT game_id, seat, 'Plays that worked|' || CASE
        WHEN ten = 10 THEN '100'
        ELSE (10 * ten) || '-' || (10 * ten + 9)
    END AS of, count(*) AS y, count_if(result = 'played') AS x
FROM (
    SELECT game_id, seat, result, if(p_playable > 1 - 1e-9, 10, floor(10 * p_playable + 1e-9))::INTEGER AS ten
    FROM decisions WHERE action = 'play' AND p_playable IS NOT NULL
) GROUP BY ALL
