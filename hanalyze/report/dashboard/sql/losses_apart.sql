-- of
SELECT game_id, 'struck|unplayed' AS of, struck AS y, struck * (max_score - raw_score) AS x
FROM (SELECT game_id, max_score, raw_score, (end_condition = 'strikeout')::INTEGER AS struck FROM games)
UNION ALL
SELECT game_id, 'worst|' || full_score, 1, 0 FROM games
