-- found
WITH ended AS (
    SELECT game_id, full_score - score - coalesce(charged, 0) AS lost,
        if(end_condition = 'strikeout', max_score, raw_score) - score AS forfeited
    FROM games LEFT JOIN (SELECT game_id, sum(points) AS charged FROM mistakes GROUP BY game_id) USING (game_id)
)
SELECT game_id, '' AS panel, kind || if({{ blamed }}, '', ' blameless') AS label, 'games' AS of, sum(points) AS x
FROM mistakes WHERE points <> 0 GROUP BY ALL
UNION ALL
SELECT game_id, '', 'forfeited', 'games', forfeited FROM ended WHERE forfeited > 0
UNION ALL
SELECT game_id, '', 'unplayed', 'games', lost - forfeited FROM ended WHERE lost > forfeited
