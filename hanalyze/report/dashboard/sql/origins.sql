-- found
WITH o AS (
    SELECT game_id, holder AS seat, rank, CASE
            WHEN colour_clues + rank_clues > 1 THEN 'several clues'
            WHEN colour_clues + rank_clues = 1 THEN 'one clue'
            WHEN known_turn <= fate_turn THEN 'deduced'
            ELSE 'unknown'
        END AS label, count(*) AS x
    FROM cards WHERE fate = 'played' GROUP BY ALL
)
SELECT game_id, seat, 'All cards' AS panel, label, panel AS of, sum(x) AS x FROM o GROUP BY ALL
UNION ALL
SELECT game_id, seat, rank::VARCHAR, label, rank::VARCHAR, x FROM o

-- of
SELECT game_id, holder AS seat, 'All cards' AS of, count(*) AS y FROM cards WHERE fate = 'played' GROUP BY ALL
UNION ALL
SELECT game_id, holder, rank::VARCHAR, count(*) FROM cards WHERE fate = 'played' GROUP BY ALL
