-- The view `findings`: one row per finding, what an action meant beside what became of it. All columns of
-- `conventions`, and those of `convention_outcomes`.
SELECT c.*, o.outcome, o.closed_turn, o.followed, o.deferrals, o.strikes, o.fault, o.fault_seat, o.fault_rule
FROM conventions c
JOIN convention_outcomes o USING (game_id, turn, number)
