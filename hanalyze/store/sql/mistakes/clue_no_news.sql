-- Told the receiver nothing new
--
-- noun: No news
-- label: Told nothing new
-- sentence: Told the receiver nothing new
-- example: A known R3 is clued red again.
-- definition: With cards left in the deck, a clue touched no new card and ruled out no possibility for any card in the
--     receiver's hand. Not counted are clues in variants that show the receiver nothing (Cow & Pig, Duck), and clues
--     after which the tokens sufficed to clue every card still to be played, because nothing was lost. If the game was
--     read for conventions, these clues are not counted either:
--     - tempo clues after which the receiver played;
--     - clues with at most as many cards in the deck as players, because they may serve to pass the turn;
--     - clues after which, before the giver's next turn, a teammate other than the receiver successfully played an
--       unclued card that no known message had called.
-- source: our own; possibilities from clues, visible cards and the hand as a whole.
-- explained: messages
-- opportunity: clues with cards in the deck
-- where: result = 'clued' AND deck_before > 0
-- rows: c.bits < 1e-9 AND c.newly_touched = 0 AND d.deck_before > 0 AND d.one_choice IS NULL AND NOT d.silent_clues
--     AND d.clue_tokens_after < d.max_score_after - d.score_after AND (m.turn IS NULL OR d.deck_before > d.players)
WITH repeated AS MATERIALIZED (
    -- A separate query, because otherwise each clue of a game would be joined with each of its turns.
    SELECT
        d.game_id, d.turn, d.seat, d.players, c.touched, c.receiver, m.turn IS NOT NULL AS is_read
    FROM decisions d
    JOIN clues c USING (game_id, turn)
    LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
    WHERE d.result = 'clued' AND d.deck_before > 0 AND c.bits < 1e-9 AND c.newly_touched = 0 AND d.one_choice IS NULL
        AND NOT d.silent_clues AND d.clue_tokens_after < d.max_score_after - d.score_after
        AND (m.turn IS NULL OR (
            d.deck_before > d.players AND NOT (m.convention::VARCHAR LIKE 'tempo%' AND c.plays_followed > 0)
        ))
)
SELECT
    d.game_id, d.turn, d.seat, 'knew' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    CASE d.touched
        WHEN 0 THEN 'touched no card in {seat}''s hand and told nothing new'
        ELSE 'touched {touched:card} in {seat}''s hand again and told nothing new'
    END AS evidence,
    {'touched': d.touched, 'seat': d.receiver} AS evidence_values
FROM repeated d
WHERE NOT (d.is_read AND EXISTS (
    SELECT 1
    FROM turns b
    JOIN conventions m ON m.game_id = b.game_id AND m.turn = b.turn AND m.number = 0 AND NOT m.legal
    WHERE b.game_id = d.game_id AND b.turn > d.turn AND b.turn < d.turn + d.players AND b.seat <> d.receiver
        AND b.result = 'played' AND NOT b.clued
))
