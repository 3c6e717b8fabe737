-- Discarded a 5 that a stack still needed
--
-- veiled: Discarded a critical card
-- noun: A 5 gone
-- label: Needed 5
-- sentence: Threw away a 5 that was still needed
-- example: R5 is discarded while red is at 2.
-- chance: p_critical
-- definition: A discard of a critical 5; a 5 is not critical if its stack can no longer reach it, or if other copies
--     are left. The chance that the card was critical, from the holder's view, is estimated from recorded games if the
--     game was read for conventions. The severity is the first of these that applies:
--     - Knew: the card was certain to be critical.
--     - Could tell: messages had called another card, which reached the play threshold.
--     - Could not know: it was for others to save the card, because the conventions allow this discard of the chop, or
--       forbid it only because of other cards, or because of a discard that the holder did not answer with a clue.
--     - Could tell: the chance was at least $could_tell.
--     - Gamble: the chance was at least $gamble, or messages had moved the card off the chop.
--     - Could not know: anything else.
-- source: H-Group's save principle: 5s must not be discarded.
-- opportunity: discards
-- where: result = 'discarded'
-- rows: d.result = 'discarded' AND d.rank = 5 AND d.status = 'critical' AND d.one_choice IS NULL
-- threshold could_tell = 0.5: least chance at which the holder could tell
-- threshold gamble = 0.25: least chance at which it was a gamble
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN p_critical > 1 - 1e-9 THEN 'knew'
        WHEN d.left_play THEN 'could_tell'
        WHEN left_to_savers(d.game_id, d.turn, d."order", d.chop) THEN 'could_not_know'
        WHEN coalesce(p_critical_in_games, p_critical) >= $could_tell THEN 'could_tell'
        WHEN d.kept OR coalesce(p_critical_in_games, p_critical) >= $gamble THEN 'gamble'
        ELSE 'could_not_know'
    END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card} from slot {slot}, ' || likely('critical', p_critical_in_games)
        || CASE WHEN d.left_play THEN '; a message had called another card' ELSE '' END AS evidence,
    {
        'card': card, 'slot': slot, 'p_critical': p_critical,
        'p_critical_in_games': p_critical_in_games, 'place': place, 'model': model, 'features': features
    } AS evidence_values,
    CASE WHEN d.left_play AND d.p_critical <= 1 - 1e-9 THEN 'convention' END AS basis
FROM convention_decisions d
WHERE $rows
