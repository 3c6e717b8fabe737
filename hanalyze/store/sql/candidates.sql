-- Tables for the necessary conditions of definitions and lookups (`rows` in `hanalyze/store/definitions.py`): `d` is a
-- decision, `c` its clue, `m` its main finding, `o` its opportunities, `meant` its legal meaning, `n` the next turn. The
-- other tables have one row each, with lists of turns and cards from all games together:
-- at_fault.turns: turns of moves at fault for a later strike; unfixed: turns on which a mistake could have been fixed;
--     missed: turns on which a call was missed; stomped: whether a call was clued again.
-- meanings.fixed: focuses of fix clues; kept: cards protected by scream, shout or generation discards.
-- unsaved.turns: last turns on which a critical chop could have been saved.
FROM convention_decisions d
LEFT JOIN clues c ON c.game_id = d.game_id AND c.turn = d.turn
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
LEFT JOIN turns n ON n.game_id = d.game_id AND n.turn = d.turn + 1
LEFT JOIN ($meanings) meant ON meant.game_id = d.game_id AND meant.turn = d.turn
CROSS JOIN (
    SELECT
        list(fault_turn) FILTER ($at_fault) AS turns, list(unfixed_turn) AS unfixed,
        list(closed_turn) FILTER (outcome = 'missed') AS missed, bool_or(outcome = 'stomped') AS stomped
    FROM convention_outcomes
) at_fault
CROSS JOIN (
    SELECT
        list(focus) FILTER (number = 0 AND legal AND convention = 'fix_clue') AS fixed,
        flatten(list(cards) FILTER (convention IN ('scream_discard', 'shout_discard', 'generation_discard'))) AS kept
    FROM conventions
) meanings
CROSS JOIN (SELECT list(save_turn) AS turns FROM missed_saves) unsaved
