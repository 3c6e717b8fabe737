-- Told the receiver nothing new
--
-- definition: With cards in the deck, a clue that touched no new card and left every possibility of the receiver's
--     hand as it was. Not where clues mean nothing to their receiver (Cow & Pig, Duck).
-- source: our own; possibilities by clues, cards seen and the hand as a whole.
-- opportunity: clues with cards in the deck
-- where: result = 'clued' AND deck_before > 0
SELECT
    d.game_id, d.turn, d.seat, 'clue_no_news' AS kind, 'knew' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'touched ' || c.touched || CASE c.touched WHEN 1 THEN ' card' ELSE ' cards' END
        || ' of seat ' || c.receiver || ' again, which excluded nothing' AS evidence,
    CASE WHEN d.known_playable > 0 OR d.known_trash > 0 THEN d.better ELSE 'another clue, or a discard' END
        AS alternative
FROM decisions d
JOIN clues c USING (game_id, turn)
WHERE d.result = 'clued' AND d.deck_before > 0 AND c.bits < 1e-9 AND c.newly_touched = 0 AND d.one_choice IS NULL
    AND NOT d.silent_clues
