-- of
WITH d AS MATERIALIZED (
    SELECT game_id, turn, rank, suit, letters, seat, mistake
    FROM decisions LEFT JOIN (
        SELECT DISTINCT game_id, turn, true AS mistake FROM mistakes
        WHERE kind IN ({{ discards | quoted }}) AND {{ blamed }}
    ) USING (game_id, turn)
    WHERE one_choice IS NULL AND result = 'discarded'
),
s AS (
    SELECT game_id, seat, turn // 10 AS ten, rank, upper(substr(letters, suit + 1, 1)) AS letter,
        grouping(ten) AS no_ten, grouping(rank) AS no_rank, grouping(letter) AS no_letter,
        count(*) AS y, count(mistake) AS x
    FROM d GROUP BY GROUPING SETS ((game_id, seat, ten), (game_id, seat, rank), (game_id, seat, letter), (game_id, seat))
)
SELECT game_id, seat, CASE
        WHEN no_ten = 0 THEN 'Turn|' || (10 * ten + 1) || '-' || (10 * ten + 10)
        WHEN no_rank = 0 THEN 'Rank|' || CASE rank WHEN 7 THEN 'S' ELSE rank::VARCHAR END
        WHEN no_letter = 0 THEN 'Suit|' || letter
        ELSE 'Seat|' || (seat + 1)
    END AS of, y, x
FROM s
