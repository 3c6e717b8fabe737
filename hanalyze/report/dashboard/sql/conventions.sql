-- found
SELECT game_id, seat, 'uses' AS panel, convention::VARCHAR AS label, 'actions' AS of, count(*) AS x
FROM findings WHERE convention IN ({{ messages | quoted }}) GROUP BY ALL
UNION ALL
SELECT game_id, seat, 'worked', convention::VARCHAR AS label, label || '|settled', count(*)
FROM findings WHERE convention IN ({{ messages | quoted }}) AND outcome = 'success' GROUP BY ALL
UNION ALL
SELECT game_id, seat, 'unexplained', 'unexplained', 'actions', count(*)
FROM findings WHERE convention = 'unexplained' AND number = 0 GROUP BY ALL

-- of
SELECT game_id, seat, 'actions' AS of, count(*) AS y FROM findings WHERE number = 0 GROUP BY ALL
UNION ALL
SELECT game_id, seat, convention || '|settled', count(*)
FROM findings WHERE convention IN ({{ messages | quoted }}) AND outcome IN ({{ settled | quoted }}) GROUP BY ALL
