-- found
SELECT game_id, kind AS panel, CASE
        WHEN severity = 'nothing_to_lose' THEN 'forced'
        WHEN severity IN ('misled', 'uncalled', 'hit', 'lucky') THEN 'gamble'
        ELSE severity
    END AS label, kind AS of, count(*) AS x
FROM mistakes
WHERE kind IN ('discard_last_copy', 'discard_five', 'discard_playable', 'discard_clued')
GROUP BY ALL

-- of
SELECT game_id, kind AS of, count(*) AS y
FROM mistakes
WHERE kind IN ('discard_last_copy', 'discard_five', 'discard_playable', 'discard_clued')
GROUP BY ALL
