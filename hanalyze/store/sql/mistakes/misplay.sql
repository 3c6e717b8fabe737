-- Misplayed a card
--
-- noun: Misplay
-- label: Misplay
-- example: R3 is played while red is at 1.
-- family: play
-- chance: p_playable
-- definition: A played card was not playable. In a game read for conventions, the conventions decide who is at fault.
--     An earlier move of another player that is at fault is charged with the points (see strike_caused), unless the
--     player shares the fault and had to wait for another card, or could tell that the clue did not call this one. The
--     severity is the first of these that applies:
--     - Nothing to lose: the misplay cost neither a point of the maximum score nor the game, and one of these is true:
--       it was a message; the deck was empty and no card was known to be playable; the result was settled; or, late in
--       a game without a strike, no discard was legal and the player knew that the card was trash or playable.
--     - Forced: there was one sensible choice.
--     - Could not know: only another player is at fault, whose turn has the mistake; or nobody is.
--     - Knew: from the player's view, the card could not be playable.
--     - Could tell: by the order of 1s, another 1 had to come first; or the clue was a bluff, which another player had
--       already answered.
--     - Gamble: a signal that another player had answered called the card trash, but these players do not read signals
--       of its level; the player's own clue had got the other copy, and the card was below the play threshold (else
--       could not know); or the card, below the threshold by card counting, had become trash since it was clued,
--       because a card below it was lost.
--     - Could not know: the chance estimated from recorded games reached the play threshold ($sure if another card in
--       hand reached $sure), and no other player shares the fault.
--     - Misled: the player shares the fault with the giver of a clue, whose turn has a mistake, too.
--     - Uncalled: no message had called or clued the card, so no reliable chance is known for it. The play is a gamble
--       if by card counting the card was at least 50% likely to be playable and no card in hand was more likely; it is
--       could not know if, in addition, the player had no token, no strike and no known trash, the card was the chop
--       and at least 25% likely to be critical, and no card reached the play threshold.
--     - Could tell: another card was called; the player had to wait for another card; messages had called the card
--       trash; or the player took a save for a finesse.
--     - Misled, if the game was not read for conventions: the card was clued, and each possible identity was playable
--       or trash, so the clue seemed to ask for a play.
--     - Gamble: anything else, such as a card that messages left open.
-- source: our own; misled follows H-Group's good touch principle (a clued card is meant to be played).
-- opportunity: plays
-- where: action = 'play'
-- rows: d.result = 'misplayed'
-- threshold sure = 0.95: least chance of another card in hand at which a less likely card is not excused
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN NOT d.struck_out AND d.max_score_after = d.max_score_before AND (
            d.deck_before = 0 AND d.known_playable = 0 OR d.one_choice = 'settled' OR f.fault_rule = 'intended'
            OR (NOT d.could_discard AND d.deck_before <= d.players AND d.strikes_before = 0
                AND d.p_trash + d.p_playable > 1 - 1e-9)
        ) THEN 'nothing_to_lose'
        WHEN d.was_forced THEN 'forced'
        WHEN f.fault IN ('giver', 'third', 'nobody') THEN 'could_not_know'
        WHEN d.p_playable < 1e-9 THEN 'knew'
        WHEN f.fault_rule = 'wrong_card' AND m.convention = 'order_of_ones' THEN 'could_tell'
        WHEN f.fault_rule = 'later_copy' THEN CASE
            WHEN coalesce(d.p_playable_in_games, d.p_playable) >= play_threshold(d.strikes_before) THEN 'could_not_know'
            ELSE 'gamble'
        END
        WHEN b.turn IS NOT NULL THEN 'could_tell'
        WHEN s.level > signal_level(l.level) THEN 'gamble'
        -- Chances in recorded games do not show that a card below was lost after the clue.
        WHEN f.fault_rule = 'gamble' AND d.status = 'trash' AND d.p_playable < play_threshold(d.strikes_before) THEN 'gamble'
        WHEN f.fault = 'player' AND coalesce(d.p_playable_in_games, d.p_playable) >= CASE
            WHEN d.best_p_playable_in_games >= $sure THEN $sure
            ELSE play_threshold(d.strikes_before)
        END THEN 'could_not_know'
        WHEN charges_cause(f.fault, f.fault_rule) THEN 'misled'
        WHEN f.fault_rule IN ('no_message', 'unclear_call') AND d.p_playable >= greatest(d.best_p_playable - 1e-9, 0.5) THEN CASE
            WHEN NOT d.could_clue AND d.known_trash = 0 AND d.strikes_before = 0 AND d."order" = d.chop
                AND d.p_critical >= 0.25
                AND coalesce(d.best_p_playable_in_games < play_threshold(d.strikes_before), true) THEN 'could_not_know'
            ELSE 'gamble'
        END
        WHEN f.fault_rule IN ('no_message', 'unclear_call') THEN 'uncalled'
        WHEN f.fault_rule IN ('wrong_card', 'not_awaited', 'told_trash') THEN 'could_tell'
        WHEN f.fault_rule = 'save_misread' AND NOT d.clued THEN 'could_tell'
        WHEN f.fault IS NULL AND d.clued AND d.p_playable + d.p_trash > 1 - 1e-9 THEN 'misled'
        WHEN d.model IS NOT NULL AND d.place <> 'clued' THEN 'uncalled'
        ELSE 'gamble'
    END AS severity,
    CASE WHEN d.max_score_after < d.max_score_before AND charges_cause(f.fault, f.fault_rule)
        AND f.fault_turn < d.turn THEN f.fault_turn END AS charged_turn,
    CASE WHEN charged_turn IS NOT NULL THEN f.fault_seat END AS charged_seat,
    CASE WHEN charged_turn IS NULL THEN d.max_score_before - d.max_score_after ELSE 0 END AS points,
    0.0 AS tokens, 0 AS pace,
    CASE
        WHEN d.slot = 0 THEN 'played {card} from the deck'
        WHEN f.fault_rule = 'gamble' AND d.status = 'trash' THEN 'played {card} from slot {slot}, {p_playable} likely to be'
            || ' playable by card counting: it might have become trash since it was clued'
        WHEN f.fault_rule = 'wrong_card' AND o.due_slot <> d.slot
            THEN '{seat_due} had called slot {due_slot} on turn {turn_due}; slot {slot} was played, {card}'
        ELSE 'played {card} from slot {slot}, ' || CASE
            WHEN d.place = 'clued' AND d.p_playable_in_games NOT IN (0, 1)
                THEN likely('playable', d.p_playable_in_games) || '; best in hand {p_best_in_games}'
            ELSE '{p_playable} likely to be playable by card counting; best in hand ' || CASE
                WHEN d.best_p_playable_in_games >= play_threshold(d.strikes_before) THEN '{p_best_in_games}' ELSE '{p_best}'
            END
        END || CASE WHEN d.clued AND f.fault IS NULL THEN '; last clued by {seat} on turn {turn}' ELSE '' END
    END || CASE
            WHEN f.fault_rule = 'later_copy' AND f.fault IN ('player', 'shared')
                THEN '; on turn {turn_copy} {seat_own} had clued another copy, which was played first'
            WHEN b.turn IS NOT NULL THEN '; the clue of turn {turn_bluffed} was a bluff, as the blind play of turn {turn_blind} had shown'
            WHEN f.fault_rule = 'wrong_card' AND o.due_slot IS NULL AND m.convention = 'order_of_ones'
                THEN '; by the order of 1s, another 1 had to be played first'
            WHEN f.fault = 'shared' AND f.fault_rule = 'unclear_call'
                THEN '; a clue against convention may have seemed to call a card, but this one could not be the missing card'
            WHEN f.fault IS NOT NULL AND (f.fault_rule <> 'wrong_card' OR o.due_slot IS NULL) THEN '; {rule}'
            ELSE ''
        END
        || CASE
            WHEN f.fault = 'shared' AND f.fault_rule IN ('not_awaited', 'later_copy') AND severity <> 'could_not_know'
                THEN ' (shared with {seat_fault}, on turn {turn_fault})'
            WHEN f.fault = 'shared' AND f.fault_rule <> 'later_copy' THEN ' (shared with {seat_fault}, by the clue of turn {turn_fault})'
            WHEN f.fault_seat = d.seat OR f.fault_seat IS NULL THEN ''
            WHEN f.fault_turn IS NULL THEN ' (the fault is {seat_fault}''s)'
            WHEN f.fault_rule = 'unclear_call' THEN ' (that of {seat_fault} on turn {turn_fault})'
            WHEN f.fault_rule = 'not_fixed' AND c.last_clue_giver <> f.fault_seat
                THEN ' (the fault is {seat_fault}''s, on turn {turn_fault}, and {seat}''s, by the clue of turn {turn})'
            WHEN f.unfixed_seat IS NOT NULL
                THEN ' (the fault is {seat_fault}''s, on turn {turn_fault}; {seat_unfixed} could have fixed it on turn {turn_unfixed})'
            ELSE ' (the fault is {seat_fault}''s, on turn {turn_fault})'
        END
        || CASE
            WHEN f.fault_rule = 'not_awaited' AND d.rank > 1 + d.stacks_before[d.suit + 1]
                AND NOT regexp_matches(d.variant, 'Reversed|Up or Down') THEN '; {card_first} was missing'
            ELSE ''
        END
        || CASE
            WHEN s.turn IS NULL THEN ''
            ELSE ': the {signal} of turn {turn_signal}, which {seat_answer} answered on turn {turn_answer}'
        END
        || CASE
            WHEN v.turn IS NULL THEN ''
            WHEN v.moved_turn IS NULL THEN ' (that of {seat_save} on turn {turn_save}, which saved {card_saved})'
            ELSE ' (that of {seat_save} on turn {turn_save}, which saved {card_saved}, the chop since the {message} of turn {turn_moved})'
        END
        AS evidence,
    {
        'card': d.card, 'slot': d.slot, 'p_playable': d.p_playable, 'p_best': d.best_p_playable,
        'p_playable_in_games': d.p_playable_in_games, 'p_best_in_games': d.best_p_playable_in_games,
        'place': d.place, 'model': d.model, 'features': d.features,
        'seat': c.last_clue_giver, 'turn': c.last_clue_turn,
        -- The cause is not a missing call if the card was known to be unplayable.
        'rule': CASE WHEN d.p_playable < 1e-9 AND f.fault_rule = 'no_message' THEN 'known_unfit' ELSE f.fault_rule END,
        'seat_fault': f.fault_seat, 'turn_fault': f.fault_turn,
        'seat_own': d.seat, 'turn_copy': coalesce(k.first_clue_turn, f.fault_turn),
        'seat_unfixed': f.unfixed_seat, 'turn_unfixed': f.unfixed_turn,
        'seat_due': o.due_seat, 'turn_due': o.due_turn, 'due_slot': o.due_slot,
        'card_first': card_name(d.letters, d.suit, d.stacks_before[d.suit + 1] + 1),
        'turn_bluffed': b.turn, 'turn_blind': b.blind_turn,
        'seat_save': v.seat, 'turn_save': v.turn, 'card_saved': v.saved, 'message': v.message, 'turn_moved': v.moved_turn,
        'signal': s.signal, 'turn_signal': s.turn, 'seat_answer': s.answer_seat, 'turn_answer': s.answer_turn
    } AS evidence_values,
    CASE WHEN b.turn IS NOT NULL OR s.turn IS NOT NULL OR f.fault_rule = 'wrong_card' THEN 'convention' END AS basis,
    f.fault, CASE f.fault WHEN 'shared' THEN d.seat ELSE f.fault_seat END AS fault_seat, f.fault_rule,
    CASE f.fault WHEN 'shared' THEN d.turn ELSE f.fault_turn END AS fault_turn
FROM decisions d
LEFT JOIN cards c ON c.game_id = d.game_id AND c."order" = d."order"
LEFT JOIN convention_outcomes f
    ON f.game_id = d.game_id AND f.turn = d.turn AND f.number = 0 AND f.fault <> 'none'
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
LEFT JOIN cards k ON f.fault = 'shared' AND f.fault_rule = 'later_copy' AND k.game_id = d.game_id
    AND k.fate_turn = f.fault_turn AND k.suit = d.suit AND k.rank = d.rank
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
LEFT JOIN game_levels l ON l.game_id = d.game_id
LEFT JOIN (
    -- The save clue that the play of an unclued card seems to have answered, and the last message that had moved cards
    -- older than the saved one off the chop.
    SELECT o.game_id, o.turn AS misplay, max(c.turn) AS turn, arg_max(c.seat, c.turn) AS seat,
        arg_max(card_name(m.letters, c.focus_suit, c.focus_rank), c.turn) AS saved,
        max(k.turn) AS moved_turn, arg_max(k.message, k.turn) AS message
    FROM convention_outcomes o
    JOIN plain_decisions m ON m.game_id = o.game_id AND m.turn = o.turn AND NOT m.clued
    JOIN conventions c ON c.game_id = m.game_id AND c.turn < m.turn AND c.turn > m.turn - m.players
        AND c.number = 0 AND c.legal AND c.seat <> m.seat AND c.receiver <> m.seat
        AND c.convention IN ('five_save', 'two_save', 'critical_save')
    LEFT JOIN cards x ON x.game_id = c.game_id AND x.holder = c.receiver AND x."order" < c.focus
        AND coalesce(x.fate_turn, 32000) > c.turn AND coalesce(x.first_clue_turn, 32000) >= c.turn
    LEFT JOIN chop_moves k ON k.game_id = x.game_id AND k."order" = x."order" AND k.turn < c.turn
    WHERE o.fault_rule = 'save_misread'
    GROUP BY ALL
) v ON v.game_id = d.game_id AND v.misplay = d.turn
LEFT JOIN (
    -- Clues whose focus is trash, as another player's blind play showed.
    SELECT c.game_id, c.focus, c.turn, c.level, replace(c.convention::VARCHAR, '_', ' ') AS signal, a.seat AS answer_seat,
        a.turn AS answer_turn
    FROM conventions c
    JOIN convention_outcomes o ON o.game_id = c.game_id AND o.turn = c.turn AND o.number = 0 AND o.outcome = 'success'
    JOIN turns a ON a.game_id = c.game_id AND a.turn = o.closed_turn
    WHERE c.number = 0 AND c.convention IN ('trash_finesse', 'trash_bluff', 'unknown_trash_discharge')
) s ON f.fault_rule = 'told_trash' AND s.game_id = d.game_id AND s.focus = d."order" AND s.turn < d.turn
LEFT JOIN (
    -- The bluff whose focus the receiver played as if no blind play had answered it.
    SELECT m.game_id, m.closed_turn, m.turn, any_value(x.fate_turn) AS blind_turn
    FROM findings m
    JOIN cards x ON x.game_id = m.game_id AND x."order" = m.cards[1] AND x.fate = 'played' AND x.fate_turn < m.closed_turn
    JOIN turns p ON p.game_id = m.game_id AND p.turn = m.closed_turn AND p."order" = m.focus AND p.result = 'misplayed'
    WHERE m.convention = 'bluff' AND m.outcome = 'failed'
    GROUP BY ALL
) b ON b.game_id = d.game_id AND b.closed_turn = d.turn AND f.fault_rule = 'gamble'
WHERE $rows
