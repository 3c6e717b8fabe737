-- Misplayed a card
--
-- definition: A played card was not playable. Nothing to lose: the misplay was a message, or it lost neither a point
--     of the maximum score nor the game, with the deck empty or the result settled. Forced: there was one sensible
--     choice. Knew: as the player saw it, the card could not be playable. Where the game was read for conventions,
--     they say whose fault it is. Could not know: another player's, or nobody's, or the card was at least $play
--     likely to be playable. Misled: giver and player share it, or the card may have been an answer to a clue
--     that nothing explains. Uncalled: no message had called or clued the card.
--     Could tell: another card was called, or the player was to wait. Gamble: the messages left open whether the
--     card was playable. Without conventions, misled: the card was clued, and every possible identity that was not
--     trash was playable, so that the clue seemed to say play; the last clue to the card is named. Gamble: anything
--     else.
-- source: our own; misled follows H-Group's good touch principle (a clued card is meant to be played).
-- opportunity: plays
-- where: action = 'play'
-- threshold play = 0.6: least chance at which a play is no mistake
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN NOT d.struck_out AND d.max_score_after = d.max_score_before
            AND (d.deck_before = 0 OR d.one_choice = 'settled' OR f.fault_rule = 'intended') THEN 'nothing_to_lose'
        WHEN d.was_forced THEN 'forced'
        WHEN d.p_playable < 1e-9 THEN 'knew'
        WHEN f.fault IN ('giver', 'third', 'nobody') THEN 'could_not_know'
        WHEN f.fault = 'player' AND d.p_playable >= $play THEN 'could_not_know'
        WHEN f.fault = 'shared' THEN 'misled'
        WHEN f.fault_rule = 'no_message' AND u.turn IS NOT NULL THEN 'misled'
        WHEN f.fault_rule = 'no_message' THEN 'uncalled'
        WHEN f.fault_rule IN ('wrong_card', 'not_awaited') THEN 'could_tell'
        WHEN f.fault IS NULL AND d.clued AND d.p_playable + d.p_trash > 1 - 1e-9 THEN 'misled'
        ELSE 'gamble'
    END AS severity,
    d.max_score_before - d.max_score_after AS points, 0.0 AS tokens, 0 AS pace,
    CASE
        WHEN d.slot = 0 THEN 'played {card} from the deck'
        WHEN f.fault_rule = 'wrong_card' AND o.due_slot <> d.slot
            THEN '{seat_due} had called slot {due_slot} on turn {turn_due}; slot {slot} was played, {card}'
        ELSE 'played {card} from slot {slot}, {p_playable} likely to be playable by the cards alone (best in hand:'
            || ' {p_best})' || CASE WHEN d.clued AND f.fault IS NULL THEN '; last clued by {seat} on turn {turn}' ELSE '' END
    END || CASE WHEN f.fault IS NOT NULL AND f.fault_rule <> 'wrong_card' THEN '; {rule}' ELSE '' END
        || CASE WHEN f.fault_seat <> d.seat THEN ' (the fault is {seat_fault}''s)' ELSE '' END
        || CASE WHEN f.fault_rule = 'no_message' AND u.turn IS NOT NULL
            THEN '; perhaps an answer to the unexplained clue of {seat_odd} on turn {turn_odd}' ELSE '' END
        AS evidence,
    {
        'card': d.card, 'slot': d.slot, 'p_playable': d.p_playable, 'p_best': d.best_p_playable,
        'seat': c.last_clue_giver, 'turn': c.last_clue_turn, 'rule': f.fault_rule, 'seat_fault': f.fault_seat,
        'seat_due': o.due_seat, 'turn_due': o.due_turn, 'due_slot': o.due_slot,
        'seat_odd': u.seat, 'turn_odd': u.turn
    } AS evidence_values,
    f.fault, f.fault_seat, f.fault_rule, f.fault_turn
FROM decisions d
LEFT JOIN cards c ON c.game_id = d.game_id AND c."order" = d."order"
LEFT JOIN convention_outcomes f
    ON f.game_id = d.game_id AND f.turn = d.turn AND f.number = 0 AND f.fault <> 'none'
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
LEFT JOIN (
    SELECT m.game_id, m.turn AS misplay, max(u.turn) AS turn, arg_max(u.seat, u.turn) AS seat
    FROM decisions m
    JOIN conventions u ON u.game_id = m.game_id AND u.turn < m.turn AND u.turn > m.turn - m.players
    WHERE m.result = 'misplayed' AND NOT m.clued AND u.number = 0 AND u.convention = 'unexplained' AND NOT u.legal
        AND u.seat <> m.seat
    GROUP BY ALL
) u ON u.game_id = d.game_id AND u.misplay = d.turn
WHERE d.result = 'misplayed'
