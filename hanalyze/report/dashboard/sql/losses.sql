-- found
SELECT game_id, '' AS panel, kind || if({{ blamed }}, '', ' blameless') AS label, 'games' AS of, sum(points) AS x
FROM mistakes WHERE points <> 0 GROUP BY ALL
UNION ALL
SELECT game_id, '', 'forfeited', 'games', raw_score - score FROM games WHERE raw_score <> score
UNION ALL
SELECT game_id, '', 'unplayed', 'games', full_score - raw_score - coalesce(lost, 0) AS unplayed
FROM games LEFT JOIN (SELECT game_id, sum(points) AS lost FROM mistakes GROUP BY game_id) USING (game_id)
WHERE unplayed <> 0
