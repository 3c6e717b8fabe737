-- Discarded a chop that could be the other copy of the card just lost
--
-- noun: Double discard
-- label: Other copy at risk
-- sentence: Discarded what may have been the other copy
-- example: Alice discards a G4; Bob then discards a chop that could be the other G4.
-- chance: p_double_discard
-- definition: The previous action lost a needed card and left one copy of it, which the player did not see in any hand.
--     The player then discarded the chop, although it could be that copy. If the game was read for conventions, the
--     chance of this must be at least $chance. Hit: the chop was that copy. Lucky: it was another card.
-- source: H-Group's double discard avoidance; possibilities from the player's own view.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, blaze_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard, plain_discard
-- opportunity: decisions in which the chop could be that card
-- where: p_double_discard > 0
-- rows: d.result = 'discarded' AND d."order" = d.chop AND d.one_choice IS NULL AND d.p_double_discard > 0
--     AND (m.turn IS NULL OR d.p_double_discard >= $chance)
-- threshold chance = 0.1: least chance that counts if the game was read for conventions
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN d.status = 'critical' AND d.suit = before.suit AND d.rank = before.rank THEN 'hit'
        ELSE 'lucky'
    END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded the chop, {p_double_discard} likely to be the other copy of the card just lost; it was {card}'
        AS evidence,
    {'p_double_discard': d.p_double_discard, 'card': d.card} AS evidence_values
FROM decisions d
JOIN turns before ON before.game_id = d.game_id AND before.turn = d.turn - 1
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
WHERE $rows
