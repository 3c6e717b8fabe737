-- The view `plain_decisions`: `decisions` without the chances of the state model, whose lookup takes longer.
--
-- All columns of `turns`, some of `games`, and:
-- struck_out: whether the action was the strike that ended the game.
-- phase: early up to the first discard of the game; after it, late if the pace risk is not Low or the deck is empty, else
--     middle.
-- one_choice: reason why the decision had only one sensible choice; null if it had several. Such a decision is not a
--     mistake, and is not in the denominator of any rate.
--     only_play: neither a clue nor a discard was legal.
--     locked_without_token: no clue was legal, every card was clued, and none was known playable or trash.
--     no_token: no clue was legal, no card was known playable or trash, no card reached the play threshold by card
--         counting, the chop was not known to be critical, and no card was safer to discard than the chop by 5
--         percentage points or more.
--     full_tokens: no discard was legal, no card was known playable, and no card reached the play threshold.
--     settled: the action lost no point and was not the last strike, and before it either the score could not rise any
--         more, or every card still needed was clued in some hand and the pace was above 0.
--     Except for `settled`, only the position counts, not the player's action. If the game was read for conventions, a
--     card that messages called counts as known playable, and a card that messages called trash as known trash.
-- was_forced: whether `one_choice` is not null and, for no_token, the chop was discarded or, for full_tokens, a clue was
--     given. If the game was read for conventions, a chop that messages had protected is not the chop.
-- must_discard: whether no clue was legal, and no card was known or called to be playable or reached the play
--     threshold, so that a discard was the only sensible kind of action.
-- card: name of the card played or discarded.
SELECT * EXCLUDE (can_play, may_play) FROM (SELECT
    t.*, g.players, g.variant, g.edition, g.letters, g.colours, g.alternating_clues, g.silent_clues, g.score,
    g.full_score, g.full_tokens, g.end_condition = 'strikeout' AND t.turn = g.turns - 1 AS struck_out,
    CASE
        WHEN t.turn <= coalesce(g.first_discard, t.turn) THEN 'early'
        WHEN t.pace_risk_before <> 'Low' OR t.deck_before = 0 THEN 'late'
        ELSE 'middle'
    END AS phase,
    coalesce(t.known_playable > 0 OR o.known_playable > 0 OR o.due_slot IS NOT NULL, false) AS can_play,
    coalesce(t.best_p_playable >= play_threshold(t.strikes_before), true) AS may_play,
    CASE
        WHEN t.forced THEN 'only_play'
        WHEN t.max_score_after = t.max_score_before AND NOT struck_out AND (
            t.score_before = t.max_score_before
            OR (t.cards_gotten_before >= t.max_score_before AND t.pace_before > 0)
        ) THEN 'settled'
        WHEN can_play THEN NULL
        WHEN t.could_clue AND t.could_discard THEN NULL
        WHEN NOT t.could_clue AND (t.known_trash > 0 OR o.known_trash > 0) THEN NULL
        WHEN NOT t.could_clue AND t.locked THEN 'locked_without_token'
        WHEN may_play THEN NULL
        WHEN t.could_clue THEN 'full_tokens'
        WHEN t.chop_p_critical < least(1 - 1e-9, t.least_p_critical + 0.05 - 1e-9) THEN 'no_token'
    END AS one_choice,
    CASE one_choice
        WHEN 'no_token' THEN t.result = 'discarded' AND t."order" = t.chop AND coalesce(t.slot = o.chop_slot, true)
        WHEN 'full_tokens' THEN t.result = 'clued'
        ELSE one_choice IS NOT NULL
    END AS was_forced,
    NOT (t.could_clue OR can_play OR may_play) AS must_discard,
    card_name(g.letters, t.suit, t.rank) AS card
FROM turns t
JOIN games g USING (game_id)
LEFT JOIN convention_opportunities o ON o.game_id = t.game_id AND o.turn = t.turn
WHERE t.action <> 'end_game')
