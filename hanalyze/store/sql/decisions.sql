-- The view `decisions`: one row per turn on which a player acted, with what the definitions of mistakes ask for.
--
-- All columns of `turns`, some of `games`, and:
-- struck_out: whether the action was the strike that ended the game.
-- phase: early until the first discard of the game has been made; late once the pace risk is not Low or the
--     deck is empty; else middle.
-- one_choice: why the decision had one sensible choice, null if it had several. Such a decision is no mistake,
--     and leaves the denominator of every rate.
--     only_play: neither a clue nor a discard was legal.
--     locked_without_token: no clue was legal, every card was clued, and none was known playable or trash.
--     no_token: no clue was legal, no card was known playable or trash, and the chop was discarded, which was not
--         known to be critical.
--     full_tokens: no discard was legal, no card was known playable, and a clue was given.
-- card: name of the card played or discarded.
-- better_kind, better_slot, better_seat, better_value, better_chance: the best move that the player knew of, other
--     than the one they made: a sure play, known trash (better_value says so), a clue, the card least likely to be
--     critical (better_chance says how likely); after a clue without either of the first two, another clue or a
--     discard. Null where there was one sensible choice. What the columns hold: `hanalyze/store/mistakes.py`.
SELECT
    * EXCLUDE (better), better.kind AS better_kind, better.slot AS better_slot, NULL::TINYINT AS better_seat,
    better.value AS better_value, better.chance AS better_chance
FROM (
    SELECT
        t.*, g.players, g.variant, g.edition, g.letters, g.alternating_clues, g.silent_clues, g.score, g.full_score,
        g.full_tokens, g.end_condition = 'strikeout' AND t.turn = g.turns - 1 AS struck_out,
        CASE
            WHEN t.turn <= coalesce(g.first_discard, t.turn) THEN 'early'
            WHEN t.pace_risk_before <> 'Low' OR t.deck_before = 0 THEN 'late'
            ELSE 'middle'
        END AS phase,
        CASE
            WHEN t.forced THEN 'only_play'
            WHEN t.could_clue AND NOT t.could_discard AND t.known_playable = 0 AND t.result = 'clued'
                THEN 'full_tokens'
            WHEN t.could_clue OR t.known_playable > 0 OR t.known_trash > 0 THEN NULL
            WHEN t.locked THEN 'locked_without_token'
            WHEN t.result = 'discarded' AND t."order" = t.chop AND t.p_critical < 1 - 1e-9 THEN 'no_token'
        END AS one_choice,
        card_name(g.letters, t.suit, t.rank) AS card,
        CASE
            WHEN one_choice IS NOT NULL THEN NULL
            WHEN t.best_p_playable > 1 - 1e-9 AND t.best_playable_slot IS DISTINCT FROM t.slot
                THEN {'kind': 'play', 'slot': t.best_playable_slot, 'value': NULL, 'chance': NULL}
            WHEN t.could_discard AND t.best_p_trash > 1 - 1e-9 AND t.best_trash_slot IS DISTINCT FROM t.slot
                THEN {'kind': 'discard', 'slot': t.best_trash_slot, 'value': 'trash', 'chance': NULL}
            WHEN t.result = 'clued' AND t.known_playable = 0 AND t.known_trash = 0
                THEN {'kind': 'clue_or_discard', 'slot': NULL, 'value': NULL, 'chance': NULL}
            WHEN t.could_clue AND t.result <> 'clued'
                THEN {'kind': 'clue', 'slot': NULL, 'value': NULL, 'chance': NULL}
            WHEN t.could_discard AND t.safest_slot IS DISTINCT FROM t.slot
                THEN {'kind': 'discard', 'slot': t.safest_slot, 'value': NULL, 'chance': t.least_p_critical}
        END AS better
    FROM turns t
    JOIN games g USING (game_id)
    WHERE t.action <> 'end_game'
)
