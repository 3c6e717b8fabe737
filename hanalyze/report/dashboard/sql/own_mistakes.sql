-- of
SELECT game_id, seat, of, count(*) AS y, count(mistake) AS x
FROM (
    SELECT game_id, turn, seat,
        CASE WHEN action = 'play' THEN 'play' WHEN result = 'discarded' THEN 'discard' ELSE 'clue' END AS of
    FROM decisions
    WHERE one_choice IS NULL AND action <> 'end_game' AND (game_id, turn) NOT IN (
        SELECT (game_id, turn) FROM mistakes WHERE severity = 'nothing_to_lose'
    )
) LEFT JOIN (
    SELECT DISTINCT game_id, turn, true AS mistake, CASE WHEN kind = 'misplay' THEN 'play'
        WHEN kind IN ({{ discards | quoted }}) THEN 'discard' ELSE 'clue' END AS of
    FROM mistakes WHERE kind IN ('misplay', {{ discards | quoted }}, {{ clues | quoted }}) AND {{ blamed }}
) USING (game_id, turn, of)
GROUP BY ALL
