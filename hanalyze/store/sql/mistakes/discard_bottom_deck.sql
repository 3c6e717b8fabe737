-- Left the last copy of a needed card in the deck
--
-- definition: A discard of a needed card left one copy, which is still in the deck and may be at the bottom. This
--     is judged by the true deal. Knew: the holder knew the card. Otherwise, they could not know.
-- source: what players call bottom deck risk, judged by the true deal.
-- opportunity: discards with cards in the deck
-- where: result = 'discarded' AND deck_before > 0
SELECT
    d.game_id, d.turn, d.seat,
    CASE WHEN d.possibilities = 1 THEN 'knew' ELSE 'could_not_know' END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card} from slot {slot}; the only other copy was card {place} of the {deck} left in the deck'
        AS evidence,
    {'card': d.card, 'slot': d.slot, 'place': c.last - d.drawn + 1, 'deck': d.deck_before} AS evidence_values
FROM decisions d
JOIN LATERAL (
    SELECT count(*) AS copies, max(c."order") AS last, max(coalesce(c.drawn_turn, 32000)) AS drawn_turn
    FROM cards c
    WHERE c.game_id = d.game_id AND c.suit = d.suit AND c.rank = d.rank AND c."order" <> d."order"
        AND (c.fate_turn IS NULL OR c.fate_turn > d.turn)
) c ON c.copies = 1 AND c.drawn_turn > d.turn
WHERE d.result = 'discarded' AND d.status = 'needed' AND d.one_choice IS NULL
