-- Left the last copy of a needed card in the deck
--
-- noun: Last copy in the deck
-- label: Last copy left in the deck
-- sentence: Left the last {card} in the deck
-- example: One P3 is discarded; the other P3 is the last card of the deck.
-- definition: A discard of a needed card left one copy, which was still in the deck and might have been at the
--     bottom. The true deal decides the outcome. The risk paid off if that copy was played, or if it was misplayed
--     or discarded with cards left in the deck, because it came in time and a later move lost it. Otherwise, the
--     risk came true; in an unfinished game, this is open. Knew: the holder knew the card. Could not know: anything
--     else.
-- source: what players call bottom deck risk, judged by the true deal.
-- opportunity: discards with cards in the deck
-- where: result = 'discarded' AND deck_before > 0
-- rows: d.result = 'discarded' AND d.status = 'needed' AND d.one_choice IS NULL
WITH copies AS MATERIALIZED (
    -- The only other copy that is left, if it is still in the deck.
    SELECT d.game_id, d.turn, d.seat, d.possibilities, d.card, d.slot, d.drawn, d.deck_before, max(c."order") AS last,
        any_value(c.fate::VARCHAR) AS fate, any_value(c.fate_turn) AS fate_turn
    FROM decisions d
    JOIN cards c ON c.game_id = d.game_id AND c.suit = d.suit AND c.rank = d.rank AND c."order" <> d."order"
        AND (c.fate_turn IS NULL OR c.fate_turn > d.turn)
    WHERE $rows
    GROUP BY d.game_id, d.turn, d.seat, d.possibilities, d.card, d.slot, d.drawn, d.deck_before
    HAVING count(*) = 1 AND max(coalesce(c.drawn_turn, 32000)) > d.turn
),
in_time AS (
    -- Copies that were drawn and lost while there were cards in the deck. Selected first to avoid a join of all turns.
    SELECT c.game_id, c.turn
    FROM copies c
    JOIN turns l ON l.game_id = c.game_id AND l.turn = c.fate_turn
    WHERE c.fate IN ('misplayed', 'discarded') AND l.deck_before > 0
)
SELECT
    c.game_id, c.turn, c.seat,
    CASE WHEN c.possibilities = 1 THEN 'knew' ELSE 'could_not_know' END AS severity,
    0 AS points, 0.0 AS tokens, 0 AS pace,
    'discarded {card} from slot {slot}; the only other copy was card {place} of the {deck} left in the deck' || CASE
        WHEN c.fate = 'played' THEN ', and was played on turn {turn_played}'
        WHEN g.end_condition = 'unfinished' THEN ''
        WHEN c.fate = 'in_deck' THEN ', and was not drawn'
        WHEN c.fate IN ('misplayed', 'discarded') THEN ', and was ' || c.fate || ' on turn {turn_lost}'
        ELSE ', and was not played'
    END AS evidence,
    {
        'card': c.card, 'slot': c.slot, 'place': c.last - c.drawn + 1, 'deck': c.deck_before,
        'turn_played': CASE WHEN c.fate = 'played' THEN c.fate_turn END,
        'turn_lost': CASE WHEN c.fate IN ('misplayed', 'discarded') THEN c.fate_turn END
    } AS evidence_values,
    CASE
        WHEN c.fate = 'played' OR l.turn IS NOT NULL THEN false
        WHEN g.end_condition <> 'unfinished' THEN true
    END AS came_true,
    'logic' AS basis
FROM copies c
JOIN games g ON g.game_id = c.game_id
LEFT JOIN in_time l ON l.game_id = c.game_id AND l.turn = c.turn
