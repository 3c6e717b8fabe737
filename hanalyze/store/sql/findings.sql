-- The view `findings`: one row per finding, with the meaning of an action and its outcome. All columns of
-- `conventions`, and those of `convention_outcomes`.
SELECT c.*, o.outcome, o.closed_turn, o.followed, o.deferrals, o.strikes, o.fault, o.fault_seat, o.fault_rule,
    o.fault_turn, o.unfixed_seat, o.unfixed_turn, o.late_points
FROM conventions c
JOIN convention_outcomes o USING (game_id, turn, number)
