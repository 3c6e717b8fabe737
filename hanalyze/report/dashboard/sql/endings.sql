-- found
SELECT game_id, '' AS panel, CASE
        WHEN end_condition::VARCHAR LIKE '%softlock' THEN 'softlock'
        ELSE end_condition::VARCHAR
    END AS label, 'games' AS of, 1 AS x
FROM games
