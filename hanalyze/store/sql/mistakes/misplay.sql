-- Misplayed a card
--
-- definition: A played card was not playable. Nothing to lose: the deck was empty, and the misplay lost neither a
--     point of the maximum score nor the game. Forced: there was one sensible choice. Knew: as the player saw it,
--     the card could not be playable. Misled: the card was clued, and every possible identity that was not trash
--     was playable, so that the clue seemed to say play; the last clue to the card is named. Gamble: anything else.
-- source: our own; misled follows H-Group's good touch principle (a clued card is meant to be played).
-- opportunity: plays
-- where: action = 'play'
SELECT
    d.game_id, d.turn, d.seat,
    CASE
        WHEN d.deck_before = 0 AND d.max_score_after = d.max_score_before AND NOT d.struck_out
            THEN 'nothing_to_lose'
        WHEN d.one_choice IS NOT NULL THEN 'forced'
        WHEN d.p_playable < 1e-9 THEN 'knew'
        WHEN d.clued AND d.p_playable + d.p_trash > 1 - 1e-9 THEN 'misled'
        ELSE 'gamble'
    END AS severity,
    d.max_score_before - d.max_score_after AS points, 0.0 AS tokens, 0 AS pace,
    CASE d.slot
        WHEN 0 THEN 'played {card} from the deck'
        ELSE 'played {card} from slot {slot}, {p_playable} likely to be playable (best in hand: {p_best})'
    END || CASE WHEN d.clued THEN '; last clued by {seat} on turn {turn}' ELSE '' END AS evidence,
    {
        'card': d.card, 'slot': d.slot, 'p_playable': d.p_playable, 'p_best': d.best_p_playable,
        'seat': c.last_clue_giver, 'turn': c.last_clue_turn
    } AS evidence_values,
    d.better_kind, d.better_slot, d.better_seat, d.better_value, d.better_chance
FROM decisions d
LEFT JOIN cards c ON c.game_id = d.game_id AND c."order" = d."order"
WHERE d.result = 'misplayed'
