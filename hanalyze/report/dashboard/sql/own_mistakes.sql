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
    SELECT DISTINCT game_id, turn, true AS mistake FROM mistakes
    WHERE (kind LIKE 'discard%' AND kind <> 'discard_unsaved' OR kind = 'misplay' OR kind LIKE 'clue%')
        AND {{ blamed }}
) USING (game_id, turn)
GROUP BY ALL
