-- Led a teammate to misplay
--
-- noun: Strike caused
-- label: Led a teammate to misplay
-- sentence: Led a teammate to misplay {card}
-- example: R3 is clued as if Cathy's newest card were R2; it is B4.
-- family: clue
-- definition: A teammate misplayed a card, and by the conventions this player is at fault, or shares the fault: their
--     message called or promised a different card, may have seemed to call the card, or got another copy that was
--     played first; they broke a call that other players relied on, or let it pass; they were the last who could have
--     fixed a wrong clue that had stood for more than two rounds; or they played a card of which the teammate had
--     another copy, as they knew, although a discard would have named that copy. The points that the strike cost are
--     charged to this turn, unless the teammate shares the fault and could tell that another card had to come first, or
--     that the clue did not call this one. The severities are:
--     - Knew: this player's clue touched only trash and duplicates (see clue_bad_touch).
--     - Gamble: this player's clue was not allowed, and the misplay may have been an answer to it.
--     - Could tell: the teammate was not at fault, had to wait for a card that this player did not play, or had the
--       other copy.
--     - Misled: anything else; this player and the teammate share the fault.
-- source: H-Group's conventions; the rules of fault are our own.
-- opportunity: clues in games that were read for conventions
-- where: result = 'clued' AND game_id IN (SELECT game_id FROM convention_games)
-- rows: led_to_strike(d.game_id, d.turn, d.seat)
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN c.turn IS NOT NULL THEN 'knew'
        WHEN f.fault_rule = 'unclear_call' THEN 'gamble'
        WHEN f.fault = 'shared' AND f.fault_rule NOT IN ('not_awaited', 'later_copy') THEN 'misled'
        ELSE 'could_tell'
    END AS severity,
    CASE WHEN charges_cause(f.fault, f.fault_rule) THEN m.max_score_before - m.max_score_after ELSE 0 END AS points,
    (c.turn IS NOT NULL)::INTEGER AS tokens, 0 AS pace,
    '{seat} misplayed {card} on turn {turn}: ' || CASE
        WHEN p.turn IS NOT NULL THEN 'this clue made the wrongly clued card look playable'
        WHEN f.fault = 'shared' AND f.fault_rule = 'not_awaited' THEN 'it had to wait for a card ' || CASE
            WHEN (x.reasons >> 9) & 1 = 1 THEN 'whose call this clue had overridden'  -- `Reason.STOMP`
            ELSE 'that {seat_own} had not played'
        END
        ELSE '{rule}'
    END || CASE
        WHEN f.fault_rule = 'bad_card' THEN ''
        WHEN f.fault = 'shared' AND f.fault_rule = 'unclear_call' THEN ', though this card could not be the missing one; {seat} shares the fault'
        WHEN f.fault_rule = 'not_fixed' AND t.last_clue_giver <> f.fault_seat
            THEN '; {seat_clue}, who clued the card on turn {turn_clue}, shares the fault'
        WHEN f.fault_rule = 'not_fixed' THEN '; {seat_clue} had clued the card on turn {turn_clue}'
        WHEN c.turn IS NOT NULL THEN '; the clue touched only trash and duplicates'
        WHEN o.due_slot IS NOT NULL AND f.fault_rule IN ('broken_chain', 'broken_call', 'not_awaited')
            THEN '; slot {due_slot} had been called on turn {turn_due}'
        WHEN f.fault_rule = 'later_copy' AND f.fault = 'shared'
            THEN '; {seat} had clued that copy beside this card, and shares the fault, but a discard of slot {slot}, known to be'
                || ' {card}, would have named this card'
        WHEN x.focus IS NOT NULL AND f.fault_rule IN ('false_call', 'unclear_call')
            THEN '; the clue was about {card_focus}'
        ELSE ''
    END || CASE
        WHEN f.unfixed_seat = d.seat THEN '; it could still have been fixed on turn {turn_unfixed}'
        WHEN f.unfixed_seat IS NOT NULL THEN '; {seat_unfixed} could have fixed it on turn {turn_unfixed}'
        WHEN f.fault_rule = 'not_fixed' AND d.turn = m.turn - 1 AND o.clue_fixes AND o.clue_receiver <> m.seat
            THEN '; a clue to {card_fix} would have shown that the card was another'
        ELSE ''
    END AS evidence,
    {
        'seat': m.seat, 'seat_own': d.seat, 'card': m.card, 'turn': m.turn, 'rule': f.fault_rule,
        'due_slot': o.due_slot, 'turn_due': o.due_turn, 'slot': d.slot,
        'card_focus': card_name(d.letters, x.focus_suit, x.focus_rank), 'seat_clue': t.last_clue_giver, 'turn_clue': t.last_clue_turn,
        'card_fix': card_name(d.letters, o.clue_suit, o.clue_rank),
        'seat_unfixed': f.unfixed_seat, 'turn_unfixed': f.unfixed_turn
    } AS evidence_values,
    'convention' AS basis,
    -- If the best clue of the turn stops the misplay, `better_moves` gives it. If this clue made the card look playable,
    -- no clue is named, because not giving this one was enough.
    CASE
        WHEN f.fault_rule = 'not_fixed' AND p.turn IS NULL AND NOT (d.turn = m.turn - 1 AND coalesce(o.clue_fixes, false)) THEN 'clue'
        WHEN f.fault_rule = 'later_copy' AND f.fault = 'shared' THEN 'discard'
    END AS better_kind,
    CASE better_kind WHEN 'discard' THEN d.slot END AS better_slot, CASE better_kind WHEN 'clue' THEN m.seat END AS better_seat,
    CASE WHEN better_kind IS NOT NULL THEN m.card END AS better_value, NULL AS better_chance,
    f.fault, f.fault_seat, CASE WHEN p.turn IS NULL THEN f.fault_rule ELSE 'false_clue' END AS fault_rule, f.fault_turn
FROM convention_outcomes f
JOIN decisions m ON m.game_id = f.game_id AND m.turn = f.turn
JOIN decisions d ON d.game_id = f.game_id AND d.turn = f.fault_turn AND d.seat = f.fault_seat
LEFT JOIN clues c ON c.game_id = d.game_id AND c.turn = d.turn AND c.newly_touched > 0 AND d.deck_before > d.players
    AND only_bad(c.touched, c.trash, c.duplicates, c.duplicates_hidden)
LEFT JOIN clues k ON k.game_id = d.game_id AND k.turn = d.turn
LEFT JOIN turns b ON b.game_id = m.game_id AND b.turn = m.turn - m.players
LEFT JOIN convention_opportunities p ON p.game_id = b.game_id AND p.turn = b.turn
    -- A round before the misplay, no message had called the card yet.
    AND f.fault_rule = 'not_fixed' AND k.receiver = m.seat AND (p.playable_slots >> greatest(0, m.slot - 1 - (
        b.result <> 'clued' AND b.deck_before > 0 AND b.slot >= m.slot
    )::INTEGER)) & 1 = 0
LEFT JOIN conventions x ON x.game_id = d.game_id AND x.turn = d.turn AND x.number = 0 AND d.result = 'clued'
LEFT JOIN cards t ON t.game_id = m.game_id AND t."order" = m."order"
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE f.number = 0 AND of_others(f.fault) AND f.fault_turn < f.turn
