-- Discarded a card other than known trash
--
-- noun: Trash passed over
-- label: Known trash kept
-- sentence: Discarded something other than known trash
-- example: Slot 2 is a known R1; slot 5 is discarded.
-- chance: p_trash
-- definition: A discard of a card that might still be needed, while another card in the player's hand was known to be
--     trash. A card that messages called trash, or a known copy of a clued card in another hand, counts as known trash,
--     so its discard is not a mistake. Lucky: the card was trash, or another copy of it was clued in some hand. Hit: it
--     was needed. Conventions ask players to discard known trash first, so in games read for conventions the severity
--     is could tell instead of hit, and the discard of a needed clued card is only discard_clued.
-- source: our own; certainty from clues, visible cards and the hand as a whole, and from conventions for the
--     discarded card.
-- explained: sarcastic_discard, gentlemans_discard, baton_discard, blaze_discard, scream_discard, shout_discard,
--     generation_discard, positional_discard
-- opportunity: discards with known trash in hand
-- where: result = 'discarded' AND known_trash > 0
-- rows: d.result = 'discarded' AND d.p_trash < 1 - 1e-9 AND d.known_trash > 0
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN d.status = 'trash' OR EXISTS (
            FROM cards c
            WHERE c.game_id = d.game_id AND c.suit = d.suit AND c.rank = d.rank AND c."order" <> d."order"
                AND c.first_clue_turn < d.turn AND coalesce(c.fate_turn, 32000) > d.turn
        ) THEN 'lucky'
        WHEN o.turn IS NOT NULL THEN 'could_tell'
        ELSE 'hit'
    END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card} from slot {slot} (' || likely('trash', d.p_trash_in_games)
        || ') although ' || CASE d.known_trash WHEN 1 THEN 'slot {slot_trash} was' ELSE '{known_trash:card} were' END
        || ' known to be trash'
        || CASE WHEN o.due_slot <> d.slot THEN '; slot {due_slot} had been called on turn {turn_due}' ELSE '' END AS evidence,
    {
        'card': d.card, 'slot': d.slot, 'p_trash': d.p_trash, 'known_trash': d.known_trash,
        'slot_trash': d.best_trash_slot, 'due_slot': o.due_slot, 'turn_due': o.due_turn,
        'p_trash_in_games': d.p_trash_in_games, 'place': d.place, 'model': d.model, 'features': d.features
    } AS evidence_values
FROM decisions d
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
WHERE $rows
    AND NOT (d.possibilities = 1 AND EXISTS (
        -- By good touch, a known copy of a clued card in another hand is trash.
        FROM cards c
        WHERE c.game_id = d.game_id AND c.suit = d.suit AND c.rank = d.rank AND c.holder <> d.seat
            AND c.first_clue_turn < d.turn AND coalesce(c.fate_turn, 32000) > d.turn
    ))
    AND NOT (o.turn IS NOT NULL AND d.clued AND d.status <> 'trash'
        AND left_no_copy(d.game_id, d.turn, d.seat, d."order", d.suit, d.rank, d.players))
    AND coalesce((o.trash_slots >> (d.slot - 1)::INTEGER) & 1 = 0, true)
