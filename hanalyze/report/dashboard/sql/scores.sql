-- found
SELECT game_id, '' AS panel, CASE
        WHEN score >= full_score THEN '0'
        WHEN end_condition = 'strikeout' THEN 'struck out'
        WHEN end_condition <> 'normal' THEN 'broken off'
        WHEN full_score - score >= 10 THEN '10+'
        ELSE (full_score - score)::VARCHAR
    END AS label, 'games' AS of, 1 AS x
FROM games
