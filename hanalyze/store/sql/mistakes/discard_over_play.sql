-- Discarded with a known playable card in hand
--
-- noun: Play passed over
-- label: Instead of a sure play
-- sentence: Discarded instead of a sure play
-- example: A known R1 is in hand; the chop is discarded.
-- definition: A discard while another card in the player's hand was known to be playable (knew). Conventional discards
--     (sarcastic, gentleman's, scream) look the same, so treat this mistake as a question. Could tell: in a game that was
--     read for conventions, messages told of a card to play, as likely to fit as the threshold of plays asks for. A
--     discarded last copy is discard_last_copy, and a card left that a finesse, prompt or bluff had called is call_missed.
-- source: our own; certainty from clues, visible cards and the hand as a whole.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, blaze_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard, plain_discard
-- opportunity: decisions with a card that is playable, as the player knows or was told
-- where: known_playable > 0 OR (game_id, turn) IN (SELECT (game_id, turn) FROM convention_opportunities WHERE known_playable > 0)
SELECT
    game_id, turn, seat, 'knew' AS severity,
    0 AS points, 0.0 AS tokens, 1 AS pace,
    'discarded {card} from slot {slot} while holding {known_playable:card} known to be playable' AS evidence,
    {'card': card, 'slot': slot, 'known_playable': known_playable} AS evidence_values,
    'logic' AS basis
FROM decisions
WHERE result = 'discarded' AND known_playable - (p_playable > 1 - 1e-9)::INTEGER > 0
UNION ALL
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity,
    0 AS points, 0.0 AS tokens, 1 AS pace,
    'discarded {card} from slot {slot} although messages told of a card to play' AS evidence,
    {'card': d.card, 'slot': d.slot, 'known_playable': d.known_playable} AS evidence_values,
    'convention' AS basis
FROM convention_decisions d
JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE d.result = 'discarded' AND d.left_play AND d.known_playable = 0 AND o.due_slot IS NULL AND d.one_choice IS NULL
    AND NOT led_to_strike(d.game_id, d.turn, d.seat)
    AND d.max_score_after = d.max_score_before AND coalesce((o.playable_slots >> (d.slot - 1)::INTEGER) & 1 = 0, true)
