-- Discarded a clued card that was still needed
--
-- noun: Clued card gone
-- label: Clued card
-- sentence: Discarded a clued card that was needed
-- example: A clued Y3 is discarded.
-- chance: p_trash
-- definition: A discard of a clued card that was not trash, while no other copy was clued in any hand, and no teammate
--     played a copy within a round; otherwise, the discard may have passed the card on deliberately. The severity
--     depends on the chance, from the holder's view, that the card was needed: knew (certain), could tell (at least
--     $could_tell), gamble (at least $gamble), could not know (below). If the card was likely to be playable (see
--     discard_playable), the evidence gives that chance, too, and a pace is lost if the card was playable. If the game
--     was read for conventions, the chance is estimated from recorded games, and the severity is could not know if
--     messages had called the card trash and it could not be a last copy. If a teammate had another, unclued copy, the
--     evidence explains why the discard did not pass the card on.
-- source: our own; the exception is H-Group's sarcastic discard.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, blaze_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard
-- opportunity: discards of clued cards
-- where: result = 'discarded' AND clued
-- rows: d.result = 'discarded' AND d.clued AND d.status <> 'trash' AND d.one_choice IS NULL
-- threshold could_tell = 0.5: least chance at which the holder could tell
-- threshold gamble = 0.25: least chance at which it was a gamble
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN d.p_trash < 1e-9 THEN 'knew'
        WHEN (o.trash_slots >> (d.slot - 1)::INTEGER) & 1 = 1 AND coalesce(d.p_critical_in_games, d.p_critical) < 1e-6
            THEN 'could_not_know'
        WHEN 1 - coalesce(d.p_trash_in_games, d.p_trash) >= $could_tell THEN 'could_tell'
        WHEN 1 - coalesce(d.p_trash_in_games, d.p_trash) >= $gamble THEN 'gamble'
        ELSE 'could_not_know'
    END AS severity,
    0 AS points, 0.0 AS tokens,
    CASE WHEN least(d.p_playable, d.p_playable_in_games) >= play_threshold(d.strikes_before)
        THEN d.playable::INTEGER END AS pace,
    'discarded {card} from slot {slot}: clued, and '
        || CASE WHEN d.p_trash < 1e-9 THEN 'known not to be trash' ELSE likely('needed', d.p_trash_in_games) END
        || CASE WHEN pace IS NULL THEN '' ELSE '; ' || likely('playable', d.p_playable_in_games) END
        || CASE
            WHEN k.in_front = 0 AND t.convention = 'plain_discard'
                THEN '; {seat_copy} held {card} on finesse position, but only a known card can be passed on'
            WHEN k.in_front > 0 THEN '; {seat_copy} held {card}, too, but not on finesse position, so it was not passed on'
            ELSE ''
        END || CASE WHEN m.turn IS NULL THEN '' ELSE '; no convention explains {seat}''s clue of turn {turn} to it' END AS evidence,
    {
        'card': d.card, 'slot': d.slot, 'p_needed': 1 - d.p_trash,
        'p_needed_in_games': 1 - d.p_trash_in_games, 'p_playable': d.p_playable,
        'p_playable_in_games': d.p_playable_in_games, 'place': d.place, 'model': d.model, 'features': d.features, 'seat': m.seat, 'turn': m.turn,
        'seat_copy': k.seat
    } AS evidence_values
FROM decisions d
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
LEFT JOIN cards c ON c.game_id = d.game_id AND c."order" = d."order"
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = c.last_clue_turn AND m.number = 0
    AND m.convention = 'unexplained'
LEFT JOIN conventions t ON t.game_id = d.game_id AND t.turn = d.turn AND t.number = 0
LEFT JOIN (
    -- An unclued copy in a teammate's hand, and the number of unclued cards in front of it.
    SELECT x.game_id, x.turn, k.holder AS seat, (
        SELECT count(*)
        FROM cards n
        WHERE n.game_id = k.game_id AND n.holder = k.holder AND n."order" > k."order" AND n.drawn_turn <= x.turn
            AND coalesce(n.first_clue_turn, 32000) > x.turn AND coalesce(n.fate_turn, 32000) > x.turn
    ) AS in_front
    FROM plain_decisions x
    JOIN cards k ON k.game_id = x.game_id AND k.suit = x.suit AND k.rank = x.rank AND k.holder <> x.seat
        AND k.drawn_turn <= x.turn AND coalesce(k.first_clue_turn, 32000) > x.turn AND coalesce(k.fate_turn, 32000) > x.turn
    WHERE x.result = 'discarded' AND x.clued
    QUALIFY row_number() OVER (PARTITION BY x.game_id, x.turn ORDER BY in_front) = 1
) k ON k.game_id = d.game_id AND k.turn = d.turn
WHERE $rows
    AND left_no_copy(d.game_id, d.turn, d.seat, d."order", d.suit, d.rank, d.players)
