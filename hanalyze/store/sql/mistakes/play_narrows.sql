-- Played a card that shortened its stack
--
-- noun: Stack shortened
-- label: Play that shortened a stack
-- sentence: Shortened a stack
-- example: Up or Down: both R2 are lost and red is empty; R1 is played, although R4 and R3 could have followed R5.
-- definition: A card played onto a stack lowered the maximum score, because it set the direction of the stack (Up or
--     Down) or its first rank (Sudoku). Forced: there was one sensible choice. Knew: the card was known. Uncalled, if
--     the game was read for conventions: no clue had touched the card. Gamble: anything else.
-- source: Hanab Live's maximum score.
-- opportunity: plays
-- where: result = 'played'
-- rows: d.result = 'played' AND d.max_score_after < d.max_score_before
SELECT
    game_id, turn, seat,
    CASE
        WHEN was_forced THEN 'forced'
        WHEN possibilities = 1 THEN 'knew'
        WHEN model IS NOT NULL AND place <> 'clued' THEN 'uncalled'
        ELSE 'gamble'
    END AS severity,
    max_score_before - max_score_after AS points, 0.0 AS tokens, 0 AS pace,
    'played {card}, which lowered the maximum score from {before} to {after}' AS evidence,
    {'card': card, 'before': max_score_before, 'after': max_score_after} AS evidence_values
FROM decisions d
WHERE $rows
