-- The view `convention_decisions`: the rows of `decisions` with the meaning of the action, and with plays and discards
-- that contradict the messages to the player.
--
-- All columns of `decisions`, and:
-- legal, convention: those of the action's first finding in `conventions`; null in games that were not read for
--     conventions.
-- left_play: whether the player did something else, although messages called a card that was likely to be playable (see
--     the macro `left_play`); never null.
-- kept: whether the player discarded an unclued card that was older than the chop by conventions (any unclued card if
--     there is no such chop), and that was not called to be played now; never null.
SELECT
    d.*, m.legal, m.convention,
    left_play(m.reasons, o.playable_slots, o.last_plays, d.playable_in_games, d.strikes_before) AS left_play,
    coalesce(d.result = 'discarded' AND NOT d.clued AND o.turn IS NOT NULL AND d.slot > coalesce(o.chop_slot, 0)
        AND d.slot IS DISTINCT FROM o.due_slot, false) AS kept
FROM $decisions d
LEFT JOIN conventions m ON m.game_id = d.game_id AND m.turn = d.turn AND m.number = 0
LEFT JOIN convention_opportunities o ON o.game_id = d.game_id AND o.turn = d.turn
