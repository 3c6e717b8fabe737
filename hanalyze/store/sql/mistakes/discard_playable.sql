-- Discarded a card that could have been played
--
-- definition: A discard of a playable card. Judged by the holder's chance that it was playable: knew (certain),
--     could tell (at least $could_tell), gamble (at least $gamble), could not know.
-- source: our own; the chance is for this card, weighted by unseen copies.
-- opportunity: discards
-- where: result = 'discarded'
-- threshold could_tell = 0.5: least chance at which the holder could tell
-- threshold gamble = 0.25: least chance at which it was a gamble
SELECT
    game_id, turn, seat,
    CASE
        WHEN p_playable > 1 - 1e-9 THEN 'knew'
        WHEN p_playable >= $could_tell THEN 'could_tell'
        WHEN p_playable >= $gamble THEN 'gamble'
        ELSE 'could_not_know'
    END AS severity,
    0 AS points, 0.0 AS tokens, 1 AS pace,
    'discarded {card} from slot {slot}, {p_playable} likely to be playable' AS evidence,
    {'card': card, 'slot': slot, 'p_playable': p_playable} AS evidence_values,
    'play' AS better_kind, slot AS better_slot, NULL AS better_seat, NULL AS better_value, NULL AS better_chance
FROM decisions
WHERE result = 'discarded' AND playable AND one_choice IS NULL
