-- Games with their rules, a hash of the deal (`deck`), and the lateness of the deal (`late`): the mean, over the cards of
-- the full stacks, of the deck position by which a copy of the card and of each lower rank of its suit was dealt.
WITH chosen AS (SELECT g.* FROM games g WHERE {condition}),
suits AS (
    SELECT game_id, suit, bit_xor(hash("order"::BIGINT * 100 + suit * 10 + rank)) AS deck,
        min("order") FILTER (rank = 1)::INTEGER AS r1,
        min("order") FILTER (rank = 2)::INTEGER AS r2,
        min("order") FILTER (rank = 3)::INTEGER AS r3,
        min("order") FILTER (rank = 4)::INTEGER AS r4,
        min("order") FILTER (rank = 5)::INTEGER AS r5
    FROM cards WHERE game_id IN (SELECT game_id FROM chosen) GROUP BY game_id, suit
),
deals AS (
    SELECT game_id, bit_xor(deck) AS deck,
        sum(
            coalesce(greatest(r1), 0) + coalesce(greatest(r1, r2), 0) + coalesce(greatest(r1, r2, r3), 0)
            + coalesce(greatest(r1, r2, r3, r4), 0) + coalesce(greatest(r1, r2, r3, r4, r5), 0)
        ) / nullif(sum(
            (r1 IS NOT NULL)::INTEGER + (r2 IS NOT NULL)::INTEGER + (r3 IS NOT NULL)::INTEGER
            + (r4 IS NOT NULL)::INTEGER + (r5 IS NOT NULL)::INTEGER
        ), 0) AS late
    FROM suits GROUP BY game_id
)
SELECT g.game_id, g.players, {rules}, CASE WHEN coalesce(g.deck_known, -1) < 0 THEN d.late END AS late,
    CASE WHEN coalesce(g.deck_known, -1) < 0
        THEN xor(d.deck, hash(coalesce(g.starting_player, 0)::BIGINT * 10 + g.players))
        ELSE hash(g.game_id) END AS deck
FROM chosen g LEFT JOIN deals d USING (game_id)
ORDER BY g.game_id
