-- Told the receiver nothing new
--
-- definition: With cards in the deck, a clue that touched no new card and left every possibility of the receiver's
--     hand as it was. Not where clues mean nothing to their receiver (Cow & Pig, Duck).
-- source: our own; possibilities by clues, cards seen and the hand as a whole.
-- opportunity: clues with cards in the deck
-- where: result = 'clued' AND deck_before > 0
SELECT
    d.game_id, d.turn, d.seat, 'knew' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'touched {touched:card} of {seat} again, and told nothing new' AS evidence,
    {'touched': c.touched, 'seat': c.receiver} AS evidence_values,
    d.better_kind, d.better_slot, d.better_seat, d.better_value, d.better_chance
FROM decisions d
JOIN clues c USING (game_id, turn)
WHERE d.result = 'clued' AND d.deck_before > 0 AND c.bits < 1e-9 AND c.newly_touched = 0 AND d.one_choice IS NULL
    AND NOT d.silent_clues
