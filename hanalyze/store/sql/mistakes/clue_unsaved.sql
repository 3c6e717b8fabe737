-- Spent the last token while the next player's chop was critical
--
-- definition: With cards in the deck, a clue took the last clue token, did not touch the next player's chop, which was the last copy of a
--     needed card, and on their turn the next player knew no playable card and no trash. Hit if they discarded the
--     chop, else lucky.
-- source: our own.
-- opportunity: clues with the last token while the next player's chop was critical
-- where: result = 'clued' AND deck_before > 0 AND clue_tokens_after < 1 AND next_chop_critical
SELECT
    d.game_id, d.turn, d.seat, 'clue_unsaved' AS kind,
    CASE WHEN n.result = 'discarded' AND n."order" = n.chop THEN 'hit' ELSE 'lucky' END AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'the last token, while '
        || substr(d.letters, n.chop_suit + 1, 1) || CASE n.chop_rank WHEN 7 THEN 'S' ELSE n.chop_rank::VARCHAR END
        || ' was on the chop of seat ' || n.seat AS evidence,
    'clue seat ' || n.seat || ': '
        || substr(d.letters, n.chop_suit + 1, 1) || CASE n.chop_rank WHEN 7 THEN 'S' ELSE n.chop_rank::VARCHAR END
        AS alternative
FROM decisions d
JOIN clues c USING (game_id, turn)
JOIN turns n ON n.game_id = d.game_id AND n.turn = d.turn + 1
WHERE d.result = 'clued' AND d.deck_before > 0 AND d.clue_tokens_after < 1 AND d.next_chop_critical AND d.one_choice IS NULL
    AND NOT (c.chop_touched AND c.receiver = n.seat) AND n.known_playable = 0 AND n.known_trash = 0
    AND n.action <> 'end_game'
