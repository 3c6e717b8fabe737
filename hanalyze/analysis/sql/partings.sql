-- Pairs of games of one deal, with the first turn on which their actions differ or only one of them has an action.
WITH shared AS (SELECT unnest($games::BIGINT[]) AS game_id, unnest($deals::BIGINT[]) AS deal),
played AS (
    SELECT game_id, deal, list(
        enum_code(action)::INTEGER * 10000 + coalesce("order", receiver, 99)::INTEGER * 10
        + coalesce(clue_value, 0)::INTEGER ORDER BY turn
    ) FILTER (turn IS NOT NULL) AS actions
    FROM shared LEFT JOIN turns USING (game_id) GROUP BY ALL
)
SELECT a.deal, a.game_id AS game_a, b.game_id AS game_b, list_position(
        list_transform(list_zip(a.actions, b.actions), lambda pair: pair[1] IS DISTINCT FROM pair[2]), true
    ) - 1 AS turn
FROM played a JOIN played b ON b.deal = a.deal AND b.game_id > a.game_id
ORDER BY ALL
