-- Spent the last token while the next player's chop was critical
--
-- noun: Last token spent
-- label: Last token, critical chop left
-- sentence: Spent the last token, and left a chop in danger
-- example: The last G4 is on the next chop; the last token is spent on another clue.
-- definition: With cards left in the deck, a clue spent the last clue token without touching the next player's chop,
--     which was the last copy of a needed card. On their turn, the next player knew of no playable card and no trash.
--     Hit: they discarded the chop. Lucky: they did not. If the game was read for conventions and they successfully
--     played an unclued card, the clue is not counted, because they must have known of that card.
-- source: our own.
-- explained: messages
-- opportunity: clues with the last token while the next player's chop was critical
-- where: result = 'clued' AND deck_before > 0 AND clue_tokens_after < 1 AND next_chop_critical
WITH spent AS MATERIALIZED (
    -- Selected first; otherwise each clue of a game would be joined with each of its turns.
    SELECT d.game_id, d.turn, (d.turn + 1)::SMALLINT AS next_turn, d.seat, d.letters, c.chop_touched, c.receiver
    FROM decisions d
    JOIN clues c ON c.game_id = d.game_id AND c.turn = d.turn
    WHERE d.result = 'clued' AND d.deck_before > 0 AND d.clue_tokens_after < 1 AND d.next_chop_critical
        AND d.one_choice IS NULL
),
answered AS MATERIALIZED (
    SELECT
        d.game_id, d.turn, d.seat, d.letters, n.turn AS next_turn, n.seat AS next_seat, n.chop_suit, n.chop_rank,
        n.result = 'discarded' AND n."order" = n.chop AS lost, n.result = 'played' AND NOT n.clued AS blind
    FROM spent d
    JOIN turns n ON n.game_id = d.game_id AND n.turn = d.next_turn
    WHERE NOT (d.chop_touched AND d.receiver = n.seat) AND n.known_playable = 0 AND n.known_trash = 0
        AND n.action <> 'end_game'
),
-- Only the rows of these turns, because those of all turns would not fit in memory.
o AS NOT MATERIALIZED (
    SELECT c.game_id, c.turn, c.known_playable + c.known_trash AS known
    FROM convention_opportunities c
    SEMI JOIN answered a ON a.game_id = c.game_id AND a.next_turn = c.turn
)
SELECT
    d.game_id, d.turn, d.seat, CASE WHEN d.lost THEN 'hit' ELSE 'lucky' END AS severity,
    0 AS points, 1.0 AS tokens, 0 AS pace,
    'spent the last clue token while {card} was on the chop of {seat}' AS evidence,
    {'card': card_name(d.letters, d.chop_suit, d.chop_rank), 'seat': d.next_seat} AS evidence_values,
    'clue' AS better_kind, NULL AS better_slot, d.next_seat AS better_seat,
    card_name(d.letters, d.chop_suit, d.chop_rank) AS better_value, NULL AS better_chance
FROM answered d
LEFT JOIN o ON o.game_id = d.game_id AND o.turn = d.next_turn
WHERE coalesce(o.known, 0) = 0 AND NOT (o.turn IS NOT NULL AND d.blind)
