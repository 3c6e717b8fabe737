-- Discarded the last copy of a needed card
--
-- noun: Last copy gone
-- label: Last copy
-- sentence: Threw away the last {card}
-- example: The second Y3 is discarded while yellow is at 1.
-- definition: A discard lowered the maximum score. The severity depends on the chance, from the holder's view, that
--     the card was critical: knew (certain), could tell (at least $could_tell), gamble (at least $gamble), could not
--     know. Forced: there was one sensible choice; the points are counted, but nobody is blamed. If the game was read
--     for conventions, the chance is estimated from recorded games, and unless the holder knew, the messages count
--     first. Could tell: messages had told the player of another card to play, which reached the play threshold, or
--     the player shares the fault for the missed save. Could not know: the conventions allow this discard of the chop,
--     or forbid it only for the sake of another card or because of a discard that the player did not answer with a
--     clue; it was for others to save the card. Gamble instead of could not know: messages had told the player to keep
--     the card. If another player should have saved the card, the points are charged to that turn, unless messages had
--     told the player to keep the card. A player who had not answered that message shares the fault for the missed
--     save from a chance of $shared on, if the chop was safer.
-- source: Hanab Live's maximum score and critical cards; the chance is that of this card, from the possible hands or
--     from the state model of chances.
-- opportunity: discards
-- where: result = 'discarded'
-- rows: d.result = 'discarded' AND d.max_score_after < d.max_score_before
-- threshold could_tell = 0.5: least chance at which the holder could tell
-- threshold gamble = 0.25: least chance at which it was a gamble
-- threshold shared = 0.4: least chance at which the holder of a card that messages had moved shares the fault
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
            WHEN s.kept THEN '; a card off the chop stays off it, though {seat} could still have clued it on turn {turn}'
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
