-- Discarded the chop that may have been the card just lost
--
-- definition: The action before lost a needed card with one copy left, and the player discarded their chop although
--     it was at least $chance likely to be that copy, which no other hand showed. Hit: it was that card. Lucky: it
--     was not.
-- source: H-Group's double discard avoidance; what is possible is by the player's own view.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard, plain_discard
-- opportunity: decisions in which the chop might have been that card
-- where: p_double_discard >= $chance
-- threshold chance = 0.1: least chance that counts
SELECT
    game_id, turn, seat,
    CASE WHEN status = 'critical' AND suit = lost_suit AND rank = lost_rank THEN 'hit' ELSE 'lucky' END
        AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded the chop, {p_double_discard} likely to be the other copy of the card just lost; it was {card}' AS evidence,
    {'p_double_discard': p_double_discard, 'card': card} AS evidence_values
FROM (
    SELECT d.*, before.suit AS lost_suit, before.rank AS lost_rank
    FROM decisions d
    JOIN turns before ON before.game_id = d.game_id AND before.turn = d.turn - 1
    WHERE d.result = 'discarded' AND d."order" = d.chop AND d.p_double_discard >= $chance AND d.one_choice IS NULL
)
