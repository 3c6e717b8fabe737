-- Discarded a chop that could be the other copy of the card just lost
--
-- definition: The action before lost a needed card with one copy left, and the player discarded their chop although
--     it could be that copy, which no other hand showed. Hit: it was that card. Lucky: it was not.
-- source: H-Group's double discard avoidance; possibilities from the player's own view.
-- opportunity: decisions in which the chop could be that card
-- where: p_double_discard > 0
SELECT
    game_id, turn, seat,
    CASE WHEN status = 'critical' AND suit = lost_suit AND rank = lost_rank THEN 'hit' ELSE 'lucky' END
        AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded the chop, {p_double_discard} likely to be the other copy of the card just lost; it was {card}' AS evidence,
    {'p_double_discard': p_double_discard, 'card': card} AS evidence_values,
    better_kind, better_slot, better_seat, better_value, better_chance
FROM (
    SELECT d.*, before.suit AS lost_suit, before.rank AS lost_rank
    FROM decisions d
    JOIN turns before ON before.game_id = d.game_id AND before.turn = d.turn - 1
    WHERE d.result = 'discarded' AND d."order" = d.chop AND d.p_double_discard > 0 AND d.one_choice IS NULL
)
