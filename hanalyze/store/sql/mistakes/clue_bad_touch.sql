-- Clued only trash and duplicates
--
-- noun: Bad touch
-- label: Touched only trash or duplicates
-- sentence: Touched nothing of use
-- example: Red is at 3; R1 and R2 are clued.
-- definition: With cards left in the deck, a clue touched only trash and duplicates of cards that were already clued. A
--     duplicate of a card in the giver's own hand counts only if the giver knew that card. If the clue touched a new
--     card, cards that their holder already knew and later played are ignored. A clue that marks trash on purpose looks
--     the same, so treat this mistake as a question. Not counted are clues to oneself, clues that led to a strike (see
--     strike_caused), and clues after which the tokens sufficed to clue every card still to be played, because nothing
--     was lost. If the game was read for conventions, these clues are not counted either:
--     - clues with at most one token missing and a pace of at most the number of players, because a discard would have
--       cost more than this token;
--     - clues after which the receiver played a card, unless it was an untouched card known or called before;
--     - clues that touched no new card, because they show what a card is;
--     - clues with at most as many cards in the deck as players, because they may serve to pass the turn.
-- source: H-Group's good touch principle, applied to the whole clue.
-- explained: messages
-- opportunity: clues with cards in the deck
-- where: result = 'clued' AND deck_before > 0
-- rows: d.result = 'clued' AND d.deck_before > 0 AND d.one_choice IS NULL AND c.receiver <> c.giver
--     AND c.trash + c.duplicates - c.duplicates_hidden >= greatest(c.newly_touched, 1)
--     AND d.clue_tokens_after < d.max_score_after - d.score_after
--     AND (m.turn IS NULL OR c.newly_touched > 0 AND d.deck_before > d.players
--         AND (d.clue_tokens_before < d.full_tokens - 1 OR d.pace_before > d.players))
WITH known_again AS MATERIALIZED (
    SELECT game_id, last_clue_turn AS turn, count(*)::INTEGER AS cards
    FROM cards
    WHERE first_clue_turn < last_clue_turn AND known_turn <= last_clue_turn AND fate = 'played'
    GROUP BY ALL
),
called AS MATERIALIZED (
    -- Cards whose play settled an earlier message.
    SELECT m.game_id, m.focus AS "order", max(m.turn) AS turn
    FROM conventions m
    JOIN convention_outcomes o ON o.game_id = m.game_id AND o.turn = m.turn AND o.number = m.number
    JOIN cards f ON f.game_id = m.game_id AND f."order" = m.focus AND f.fate = 'played' AND f.fate_turn = o.closed_turn
    WHERE m.legal AND o.closed_turn > m.turn
    GROUP BY ALL
)
SELECT
    d.game_id, d.turn, d.seat, 'knew' AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'touched {touched:card} in {seat}''s hand, ' || CASE
        WHEN c.duplicates = c.duplicates_hidden THEN 'only trash'
        WHEN c.trash = 0 THEN 'only duplicates of clued cards'
        ELSE '{trash} of them trash, {copies:duplicate} of clued cards'
    END || CASE WHEN k.cards > 0 THEN ', not counting cards known before' ELSE '' END AS evidence,
    {
        'touched': c.touched - coalesce(k.cards, 0), 'seat': c.receiver, 'trash': c.trash,
        'copies': c.duplicates - c.duplicates_hidden
    } AS evidence_values
FROM decisions d
JOIN clues c USING (game_id, turn)
LEFT JOIN known_again k ON k.game_id = d.game_id AND k.turn = d.turn AND c.newly_touched > 0
LEFT JOIN cards p ON p.game_id = d.game_id AND p.holder = c.receiver AND p.fate = 'played'
    AND p.fate_turn = d.turn + (c.receiver - c.giver + d.players) % d.players
    AND p.last_clue_turn < d.turn
LEFT JOIN called e ON e.game_id = p.game_id AND e."order" = p."order" AND e.turn < d.turn
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
WHERE $rows
    AND only_bad(c.touched - coalesce(k.cards, 0), c.trash, c.duplicates, c.duplicates_hidden)
    AND NOT led_to_strike(d.game_id, d.turn, d.seat)
    AND (m.turn IS NULL OR c.plays_followed = 0 OR p.known_turn <= d.turn OR e.turn IS NOT NULL)
