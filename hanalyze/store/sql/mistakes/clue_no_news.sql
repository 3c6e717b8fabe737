-- Told the receiver nothing new
--
-- definition: With more cards left in the deck than there are players (later, players clue to wait), a clue touched
--     no new card and ruled out no possibility for any card in the receiver's hand. Not counted: tempo clues after
--     which the receiver played, and variants whose clues mean nothing to the receiver (Cow & Pig, Duck).
-- source: our own; possibilities from clues, visible cards and the hand as a whole.
-- explained: messages
-- opportunity: clues with more cards in the deck than players
-- where: result = 'clued' AND deck_before > players
SELECT
    d.game_id, d.turn, d.seat, 'knew' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'touched {touched:card} in {seat}''s hand again and told nothing new' AS evidence,
    {'touched': c.touched, 'seat': c.receiver} AS evidence_values
FROM decisions d
JOIN clues c USING (game_id, turn)
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
WHERE d.result = 'clued' AND d.deck_before > d.players AND c.bits < 1e-9 AND c.newly_touched = 0 AND d.one_choice IS NULL
    AND NOT d.silent_clues
    AND NOT coalesce(m.convention::VARCHAR LIKE 'tempo%' AND c.plays_followed > 0, false)
