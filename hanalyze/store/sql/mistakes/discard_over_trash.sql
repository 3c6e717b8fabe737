-- Discarded a card other than known trash
--
-- definition: A discard of a card that might still be needed, while another card in the player's hand was known to
--     be trash. Hit: the card was needed. Lucky: it was trash.
-- source: our own; certainty from clues, visible cards and the hand as a whole.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard
-- opportunity: discards with known trash in hand
-- where: result = 'discarded' AND known_trash > 0
SELECT
    game_id, turn, seat,
    CASE WHEN status = 'trash' THEN 'lucky' ELSE 'hit' END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card} from slot {slot} (' || likely('trash', p_trash_in_games)
        || ') while holding {known_trash:card} known to be trash' AS evidence,
    {
        'card': card, 'slot': slot, 'p_trash': p_trash, 'known_trash': known_trash,
        'p_trash_in_games': p_trash_in_games, 'place': place, 'model': model, 'features': features
    } AS evidence_values
FROM decisions
WHERE result = 'discarded' AND p_trash < 1 - 1e-9 AND known_trash > 0
