-- Clued nothing but trash and copies
--
-- definition: With cards in the deck, a clue whose touched cards were all trash, or copies of cards that were clued
--     already. Copies that are only in the giver's own hand, unknown there, do not count; nor does a clue to
--     oneself. A clue that warns of trash on purpose looks the same: read it as a question.
-- source: H-Group's good touch principle, over the whole clue.
-- opportunity: clues with cards in the deck
-- where: result = 'clued' AND deck_before > 0
SELECT
    d.game_id, d.turn, d.seat, 'clue_bad_touch' AS kind, 'knew' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'touched ' || c.touched || CASE c.touched WHEN 1 THEN ' card' ELSE ' cards' END || ' of seat ' || c.receiver
        || ', trash: ' || c.trash || ', copies of clued cards: ' || (c.duplicates - c.duplicates_hidden)
        AS evidence,
    CASE WHEN d.known_playable > 0 OR d.known_trash > 0 THEN d.better ELSE 'another clue, or a discard' END
        AS alternative
FROM decisions d
JOIN clues c USING (game_id, turn)
WHERE d.result = 'clued' AND d.deck_before > 0 AND c.touched > 0 AND c.trash + c.duplicates - c.duplicates_hidden >= c.touched
    AND c.receiver <> c.giver AND d.one_choice IS NULL
