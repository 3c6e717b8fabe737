-- Discarded a card that was likely to be playable
--
-- noun: Playable card gone
-- label: Playable card
-- sentence: Discarded a card that would have played
-- averted: Discarded a card that was likely to be playable
-- example: Blue is at 3; B4 is discarded.
-- chance: p_playable
-- definition: A discard of a card that, from the holder's view, was certain to be playable (knew) or reached the play
--     threshold (could tell), even if it was not playable; a pace is lost only if it was. If the game was read for
--     conventions, both the chance by card counting and the chance estimated from recorded games must reach the
--     threshold, because players who discard a card that only messages call playable often know better. Not counted are
--     discards that are discard_clued; cards of which a teammate had a clued copy and played it within a round; and
--     cards not certain to be playable whose last clue was more than $rounds rounds ago.
-- source: our own; the chance is that of this card, from the possible hands or from the state model of chances.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, blaze_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard, plain_discard
-- opportunity: discards
-- where: result = 'discarded'
-- rows: d.result = 'discarded' AND d.one_choice IS NULL
--     AND least(d.p_playable, d.p_playable_in_games) >= play_threshold(d.strikes_before)
-- threshold rounds = 4: rounds after which teammates no longer expect a clued card to be played
SELECT
    d.game_id, d.turn, d.seat,
    CASE WHEN d.p_playable > 1 - 1e-9 THEN 'knew' ELSE 'could_tell' END AS severity,
    0 AS points, 0.0 AS tokens, d.playable::INTEGER AS pace,
    'discarded {card} from slot {slot}, ' || likely('playable', d.p_playable_in_games) AS evidence,
    {
        'card': d.card, 'slot': d.slot, 'p_playable': d.p_playable,
        'p_playable_in_games': d.p_playable_in_games, 'place': d.place, 'model': d.model, 'features': d.features
    } AS evidence_values,
    d.playable AS came_true
FROM decisions d
WHERE $rows
    AND NOT (d.p_playable <= 1 - 1e-9 AND EXISTS (
        FROM cards c
        WHERE c.game_id = d.game_id AND c."order" = d."order" AND c.last_clue_turn < d.turn - $rounds * d.players
    ))
    AND NOT (
        d.clued AND d.status <> 'trash'
        AND left_no_copy(d.game_id, d.turn, d.seat, d."order", d.suit, d.rank, d.players)
    )
    AND NOT EXISTS (
        FROM cards c
        WHERE c.game_id = d.game_id AND c.suit = d.suit AND c.rank = d.rank AND c."order" <> d."order"
            AND c.first_clue_turn < d.turn AND c.holder <> d.seat AND c.fate = 'played'
            AND c.fate_turn > d.turn AND c.fate_turn <= d.turn + d.players
    )
