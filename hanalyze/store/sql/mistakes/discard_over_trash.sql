-- Discarded another card than known trash
--
-- definition: A discard of a card that might still be needed, while another card of the own hand was certain to
--     be trash. Hit if the card was needed, lucky if it was trash.
-- source: our own; certainty by clues, cards seen and the hand as a whole.
-- opportunity: discards with known trash in hand
-- where: result = 'discarded' AND known_trash > 0
SELECT
    game_id, turn, seat, 'discard_over_trash' AS kind,
    CASE WHEN status = 'trash' THEN 'lucky' ELSE 'hit' END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded ' || card || ' from slot ' || slot || ' (trash with a chance of '
        || round(100 * p_trash)::INTEGER || ' %) with ' || known_trash
        || CASE known_trash WHEN 1 THEN ' card' ELSE ' cards' END || ' known to be trash' AS evidence,
    'discard slot ' || best_trash_slot || ', known trash' AS alternative
FROM decisions
WHERE result = 'discarded' AND p_trash < 1 - 1e-9 AND known_trash > 0
