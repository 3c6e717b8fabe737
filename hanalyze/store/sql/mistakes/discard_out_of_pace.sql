-- Discarded although every discard cost a point
--
-- definition: A discard at pace zero or below: after it, not all cards of the maximum score can be played. Not counted
--     where conventions count out that no other move would have kept more points within reach.
-- source: Hanab Live's pace.
-- opportunity: decisions at pace zero or below
-- where: pace_before <= 0
SELECT
    d.game_id, d.turn, d.seat, 'knew' AS severity,
    0 AS points, 0.0 AS tokens, 1 AS pace,
    'discarded at pace {pace} with {deck:card} left in the deck' AS evidence,
    {'pace': pace_before, 'deck': deck_before} AS evidence_values
FROM decisions d
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE result = 'discarded' AND pace_before <= 0 AND one_choice IS NULL
    AND NOT coalesce(o.last_discard, false)
