-- Did not fix a wrong clue
--
-- noun: Missed fix
-- label: Wrong clue not fixed
-- sentence: Let a teammate misplay {card}
-- example: Bob's clued B4 has just been played from another hand; Alice, who acts before Bob, plays a card instead
--     of cluing B4.
-- family: clue
-- definition: A teammate misplayed a card because of another player's wrong clue. In the round before the misplay, this
--     player was the last who could have fixed the clue, with a clue token and nothing urgent to do. Not counted if the
--     teammate knew of a playable card to play first, so that the fix could wait. The points are charged to the wrong
--     clue (see strike_caused). If the wrong clue stood for more than two rounds, the last player who could have fixed
--     it has the mistake strike_caused instead.
-- source: H-Group's conventions: a fix clue comes before a play that can wait.
-- opportunity: turns with a clue token in games that were read for conventions
-- where: could_clue AND game_id IN (SELECT game_id FROM convention_games)
-- rows: list_contains(at_fault.unfixed, d.turn)
SELECT
    d.game_id, d.turn, d.seat, 'could_tell' AS severity, 0 AS points, 0 AS tokens, 0 AS pace,
    '{seat} misplayed {card} on turn {turn}: {rule} (the fault is {seat_fault}''s, on turn {turn_fault});'
        || ' this turn was the last good chance to fix it' AS evidence,
    {
        'seat': m.seat, 'card': m.card, 'turn': m.turn, 'rule': f.fault_rule,
        'seat_fault': f.fault_seat, 'turn_fault': f.fault_turn
    } AS evidence_values,
    'convention' AS basis,
    -- If the best clue of the turn is the fix, `better_moves` gives it.
    CASE WHEN NOT coalesce(o.clue_fixes, false) THEN 'clue' END AS better_kind, NULL AS better_slot,
    CASE WHEN better_kind IS NOT NULL THEN m.seat END AS better_seat,
    CASE WHEN better_kind IS NOT NULL THEN m.card END AS better_value,
    -- The fault shown is this player's, not that of the giver of the wrong clue.
    'third' AS fault, d.seat AS fault_seat, 'not_fixed' AS fault_rule, d.turn AS fault_turn
FROM convention_outcomes f
JOIN decisions m ON m.game_id = f.game_id AND m.turn = f.turn
JOIN decisions d ON d.game_id = f.game_id AND d.turn = f.unfixed_turn
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE f.number = 0 AND m.known_playable = 0 AND f.unfixed_seat <> f.fault_seat AND f.unfixed_turn > f.turn - d.players
