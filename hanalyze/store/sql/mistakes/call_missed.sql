-- Left a card that was called
--
-- definition: A message of the conventions had called a playable card for the player to play: a finesse, a prompt,
--     a bluff. The player let it wait twice without a reason that excuses it, or discarded it.
-- source: H-Group's conventions, as the game was read for them.
-- opportunity: turns on which a called card was to be played
-- where: (game_id, turn) IN (SELECT (game_id, turn) FROM convention_opportunities WHERE due_slot IS NOT NULL)
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'did not play slot {slot}, which the {convention} of {seat} had called on turn {turn}' AS evidence,
    {
        'slot': o.due_slot, 'seat': f.seat, 'turn': f.turn, 'convention': replace(f.convention::VARCHAR, '_', ' ')
    } AS evidence_values,
    'convention' AS basis,
    'play' AS better_kind, o.due_slot AS better_slot
FROM findings f
JOIN convention_opportunities o ON o.game_id = f.game_id AND o.turn = f.closed_turn
JOIN decisions d ON d.game_id = f.game_id AND d.turn = f.closed_turn
WHERE f.outcome = 'missed' AND o.due_slot IS NOT NULL AND d.one_choice IS NULL
    AND d.slot IS DISTINCT FROM o.due_slot
