-- Misplayed a card
--
-- definition: A card was played that fitted no stack. Nothing to lose: the deck was empty, no point of the maximum
--     score went with it, and the game was not lost by it. Forced: the decision had one sensible choice. Knew: by
--     the player's view it could not fit. Misled: a clued card for which everything possible that was not trash
--     fitted, so that the clue seemed to say play; the last clue to it is named. Gamble: anything else.
-- source: our own; misled follows H-Group's good touch principle (a clued card is one to be played).
-- opportunity: plays
-- where: action = 'play'
SELECT
    d.game_id, d.turn, d.seat, 'misplay' AS kind,
    CASE
        WHEN d.deck_before = 0 AND d.max_score_after = d.max_score_before AND NOT d.struck_out
            THEN 'nothing_to_lose'
        WHEN d.one_choice IS NOT NULL THEN 'forced'
        WHEN d.p_playable < 1e-9 THEN 'knew'
        WHEN d.clued AND d.p_playable + d.p_trash > 1 - 1e-9 THEN 'misled'
        ELSE 'gamble'
    END AS severity,
    d.max_score_before - d.max_score_after AS points, 0.0 AS tokens, 0 AS pace,
    'played ' || d.card || CASE d.slot
            WHEN 0 THEN ' from the deck'
            ELSE ' from slot ' || d.slot || '; playable with a chance of ' || round(100 * d.p_playable)::INTEGER
                || ' %, the best of the hand ' || round(100 * d.best_p_playable)::INTEGER || ' %'
        END
        || CASE
            WHEN d.clued THEN '; last clue to it by seat ' || c.last_clue_giver || ' at turn ' || c.last_clue_turn
            ELSE ''
        END AS evidence,
    d.better AS alternative
FROM decisions d
LEFT JOIN cards c ON c.game_id = d.game_id AND c."order" = d."order"
WHERE d.result = 'misplayed'
