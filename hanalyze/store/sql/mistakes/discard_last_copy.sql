-- Discarded the last copy of a needed card
--
-- noun: Last copy gone
-- label: Last copy
-- sentence: Threw away the last {card}
-- example: The second Y3 is discarded while yellow is at 1.
-- chance: p_critical
-- definition: A discard lowered the maximum score. If another player should have saved the card, the points are charged
--     to that turn, unless messages had moved the card off the chop; a message that is a discard counts only if the
--     holder answered it with a clue. The chance that the card was critical, from the holder's view, is estimated from
--     recorded games if the game was read for conventions. The severity is the first of these that applies:
--     - Forced: there was one sensible choice; the points are counted, but nobody is blamed.
--     - Knew: the card was certain to be critical.
--     - Could tell: messages had called another card, which reached the play threshold.
--     - Could not know: it was for others to save the card, because the conventions allow this discard of the chop, or
--       forbid it only because of other cards, or because of a discard that the holder did not answer with a clue.
--     - Could tell: the chance was at least $could_tell.
--     - Could tell: another player should have saved the card, but a message that the holder had not answered had moved
--       it off the chop, the chance was at least $shared, and the chop was no riskier. Both players are at fault.
--     - Gamble: the chance was at least $gamble, or messages had moved the card off the chop.
--     - Could not know: anything else.
-- source: Hanab Live's maximum score and critical cards; the chance is that of this card, from the possible hands or
--     from the state model of chances.
-- opportunity: discards
-- where: result = 'discarded'
-- rows: d.result = 'discarded' AND d.max_score_after < d.max_score_before
-- threshold could_tell = 0.5: least chance at which the holder could tell
-- threshold gamble = 0.25: least chance at which it was a gamble
-- threshold shared = 0.4: least chance at which the holder of a card moved off the chop shares the fault
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN was_forced THEN 'forced'
        WHEN p_critical > 1 - 1e-9 THEN 'knew'
        WHEN d.left_play THEN 'could_tell'
        WHEN left_to_savers(d.game_id, d.turn, d."order", d.chop) THEN 'could_not_know'
        WHEN coalesce(p_critical_in_games, p_critical) >= $could_tell THEN 'could_tell'
        WHEN d.kept AND NOT s.kept AND p_critical_in_games >= greatest($shared, critical_in_games[o.chop_slot]) THEN 'could_tell'
        WHEN d.kept OR coalesce(p_critical_in_games, p_critical) >= $gamble THEN 'gamble'
        ELSE 'could_not_know'
    END AS severity,
    CASE WHEN s.turn IS NULL OR s.kept THEN max_score_before - max_score_after ELSE 0 END AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card} from slot {slot}, the last copy; ' || likely('critical', p_critical_in_games)
        || '; {possibilities:possibility/possibilities}'
        || CASE WHEN d.left_play THEN '; a message had called another card' ELSE '' END
        || CASE
            WHEN NOT d.kept THEN ''
            WHEN k.turn IS NULL THEN '; messages had moved it off the chop'
            WHEN s.turn IS NULL OR s.kept THEN '; a {message} by {seat_moved} had moved it off the chop on turn {turn_moved}'
            ELSE '; only a {message} by {seat_moved} on turn {turn_moved} had moved it off the chop'
        END
        || CASE
            WHEN s.turn IS NULL THEN ''
            WHEN s.kept THEN '; {seat} could still have clued it on turn {turn}, but a card off the chop stays off it'
            WHEN d.kept AND NOT was_forced AND (
                d.left_play OR NOT left_to_savers(d.game_id, d.turn, d."order", d.chop)
                AND coalesce(p_critical_in_games, p_critical) >= least($could_tell, greatest($shared, critical_in_games[o.chop_slot]))
            ) THEN '; {seat}, who left it unsaved on turn {turn}, is to blame, too'
            ELSE '; {seat} left it unsaved on turn {turn}'
        END AS evidence,
    {
        'card': d.card, 'slot': slot, 'p_critical': p_critical, 'possibilities': possibilities,
        'p_critical_in_games': p_critical_in_games, 'place': place, 'model': model, 'features': features,
        'seat': s.saver, 'turn': s.save_turn,
        'message': k.message, 'seat_moved': k.seat, 'turn_moved': k.turn
    } AS evidence_values,
    CASE WHEN NOT s.kept THEN s.save_turn END AS charged_turn, CASE WHEN NOT s.kept THEN s.saver END AS charged_seat,
    CASE WHEN d.p_critical <= 1 - 1e-9 AND (
        d.left_play OR (d.kept AND NOT was_forced AND NOT left_to_savers(d.game_id, d.turn, d."order", d.chop))
    ) THEN 'convention' END AS basis
FROM convention_decisions d
LEFT JOIN missed_saves s ON s.game_id = d.game_id AND s.turn = d.turn AND NOT s.lucky
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
ASOF LEFT JOIN chop_moves k ON k.game_id = d.game_id AND k."order" = d."order" AND d.turn > k.turn
WHERE $rows
