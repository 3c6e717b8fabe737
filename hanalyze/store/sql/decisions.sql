-- The view `decisions`: one row per turn on which a player acted, with the columns that definitions of mistakes use.
--
-- All columns of `turns`, some of `games`, and:
-- struck_out, phase, one_choice, was_forced, must_discard, card: see `plain_decisions.sql`.
-- place: what the played or discarded card was before the action: chop, unclued (another unclued card), or clued.
--
-- The columns below are null in games that were not read for conventions. Chances come from the state model, which
-- judges cards before the action; moves are compared and blamed only by these chances. `turns` has the corresponding
-- columns by card counting.
-- model, features: name of the shipped model of chances, and the set of features that it used (`convention_games`).
-- p_critical_in_games, p_playable_in_games, p_trash_in_games: chances of the card played or discarded.
-- critical_in_games, playable_in_games: chances by slot, slot 1 first, null for slots without a card.
-- best_p_playable_in_games, best_playable_slot_in_games: the highest chance of being playable in the hand, and the slot
--     of the oldest card with that chance.
-- least_p_critical_in_games, safest_slot_in_games: the lowest chance of being critical in the hand, and the slot of the
--     oldest card with that chance.
-- act_points: points of the maximum score that such a play or discard loses on average, by the act layer of the model.
--     This layer treats the decision itself as evidence about the card, so it is not used to judge players.
SELECT
    d.*,
    CASE
        WHEN d."order" IS NULL OR d.slot = 0 THEN NULL
        WHEN d.clued THEN 'clued'  -- in a locked hand, `chop` is a clued card
        WHEN d."order" = d.chop THEN 'chop'
        ELSE 'unclued'
    END AS place,
    r.chances AS model, r.features,
    h.critical[nullif(d.slot, 0)] AS p_critical_in_games,
    h.playable[nullif(d.slot, 0)] AS p_playable_in_games,
    h.trash[nullif(d.slot, 0)] AS p_trash_in_games,
    h.critical AS critical_in_games,
    h.playable AS playable_in_games,
    list_max(h.playable) AS best_p_playable_in_games,
    oldest_slot(h.playable, list_max(h.playable)) AS best_playable_slot_in_games,
    list_min(h.critical) AS least_p_critical_in_games,
    oldest_slot(h.critical, list_min(h.critical)) AS safest_slot_in_games,
    h.act_points
FROM plain_decisions d
LEFT JOIN chances h ON h.game_id = d.game_id AND h.turn = d.turn
LEFT JOIN convention_games r ON r.game_id = d.game_id
