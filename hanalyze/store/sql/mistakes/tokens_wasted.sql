-- Wasted a clue token
--
-- noun: Token wasted
-- label: Token wasted
-- sentence: Wasted a clue token
-- example: A 5 is played at full clue tokens.
-- family: clue
-- definition: Knew: the player completed a stack at full clue tokens, which gained no token, while points were still to
--     come. Could tell: the player's discard brought the clue tokens to their maximum, and the next player, who could
--     not discard and knew of no card to play, gave a clue that neither got nor saved a card (see play_missed). Not
--     counted are discards before which the tokens already sufficed to clue every card still to be played; turns with
--     at most $deck cards in the deck or a pace of at most 1, when turns are scarcer than tokens; and plays that drew a
--     card that was played in the last round.
-- source: Hanab Live counts the first case as a clue lost; the second case is our own.
-- opportunity: plays and discards that gained a token, or would have gained one below full clue tokens
-- where: result IN ('played', 'discarded') AND (clue_tokens_after > clue_tokens_before OR clues_lost_after > clues_lost_before)
-- rows: d.deck_before > $deck AND d.result = 'played' AND d.clues_lost_after > d.clues_lost_before
--     AND d.score_after < d.max_score_after AND NOT d.was_forced
--     OR d.one_choice = 'full_tokens' AND d.result = 'clued' AND d.clue_tokens_before >= d.full_tokens
--     AND d.best_trash_slot IS NOT NULL AND d.cards_gotten_after <= d.cards_gotten_before AND c.plays_followed = 0 AND NOT c.saved
-- threshold deck = 2: most cards in the deck at which a wasted token does not count
SELECT
    game_id, turn, seat, 'knew' AS severity,
    0 AS points, clues_lost_after - clues_lost_before AS tokens, 0 AS pace,
    'completed a stack at full clue tokens ({tokens}), which gained no token' AS evidence,
    {'tokens': clue_tokens_before}::JSON AS evidence_values
FROM decisions d
WHERE result = 'played' AND clues_lost_after > clues_lost_before AND score_after < max_score_after
    AND NOT was_forced AND deck_before > $deck AND coalesce(pace_before > 1, true) AND NOT EXISTS (
        FROM cards c JOIN turns t ON t.game_id = c.game_id AND t.turn = c.fate_turn
        WHERE c.game_id = d.game_id AND c."order" = d.drawn AND c.fate = 'played' AND t.deck_before = 0
    )
UNION ALL
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'filled up the clue tokens by a discard, but the next player''s clue got and saved nothing' AS evidence,
    NULL AS evidence_values
FROM decisions d
JOIN decisions n ON n.game_id = d.game_id AND n.turn = d.turn + 1
JOIN clues c ON c.game_id = n.game_id AND c.turn = n.turn
WHERE d.result = 'discarded' AND d.one_choice IS NULL AND n.result = 'clued' AND n.one_choice = 'full_tokens'
    AND n.clue_tokens_before >= n.full_tokens AND n.best_trash_slot IS NOT NULL
    AND d.clue_tokens_before < d.max_score_after - d.score_after AND d.deck_before > $deck AND coalesce(d.pace_before > 1, true)
    AND n.cards_gotten_after <= n.cards_gotten_before AND c.plays_followed = 0
    AND NOT c.saved
