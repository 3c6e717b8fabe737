-- Discarded with a known playable card in hand
--
-- noun: Play passed over
-- label: Instead of a sure play
-- sentence: Discarded instead of a sure play
-- example: A known R1 is in hand; the chop is discarded.
-- definition: A discard while another card in the player's hand was known to be playable. Conventional discards
--     (sarcastic, gentleman's, scream) look the same, so treat this mistake as a question. Not counted if the result is
--     settled (`one_choice`). In a game read for conventions, a discard that also left a last copy at risk is
--     discard_unsaved, and a discard that the conventions allow counts only with a clue token and at a pace above 0.
-- source: our own; certainty from clues, visible cards and the hand as a whole.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, blaze_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard
-- opportunity: decisions with a card known to be playable
-- where: known_playable > 0
-- rows: d.result = 'discarded' AND d.one_choice IS NULL AND d.known_playable - (d.p_playable > 1 - 1e-9)::INTEGER > 0
SELECT
    game_id, turn, seat, 'knew' AS severity,
    0 AS points, 0.0 AS tokens, 1 AS pace,
    'discarded {card} from slot {slot} although ' || CASE
        WHEN known_playable - (p_playable > 1 - 1e-9)::INTEGER > 1 THEN '{others:card} were'
        WHEN best_playable_slot = slot THEN 'another card was'
        ELSE 'slot {slot_sure} was'
    END || ' known to be playable' AS evidence,
    {
        'card': card, 'slot': slot, 'slot_sure': best_playable_slot,
        'others': known_playable - (p_playable > 1 - 1e-9)::INTEGER
    } AS evidence_values
FROM convention_decisions d
WHERE $rows AND NOT risked_next_chop(d.game_id, d.turn)
    AND NOT (coalesce(d.legal AND d.convention = 'plain_discard', false)
        AND (NOT d.could_clue OR coalesce(d.pace_before <= 0, true)))
