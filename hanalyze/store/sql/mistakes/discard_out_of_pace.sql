-- Discarded although every discard cost a point
--
-- definition: A discard at pace zero or below: after it, not all cards of the maximum score can be played.
-- source: Hanab Live's pace.
-- opportunity: decisions at pace zero or below
-- where: pace_before <= 0
SELECT
    game_id, turn, seat, 'knew' AS severity,
    0 AS points, 0.0 AS tokens, 1 AS pace,
    'discarded at pace {pace} with {deck:card} left in the deck' AS evidence,
    {'pace': pace_before, 'deck': deck_before} AS evidence_values
FROM decisions
WHERE result = 'discarded' AND pace_before <= 0 AND one_choice IS NULL
