-- The turns of the listed games, each as if it were a game, with the points of its mistakes and their worst severity
-- (0 is the worst).
SELECT d.game_id AS id, (-1 - d.game_id) // {{ largest }} AS place, d.turn::BIGINT AS turn, d.seat::BIGINT AS seat,
    d.action::VARCHAR AS action, d.result::VARCHAR AS result, d.card, d.receiver, d.clue_value, d.colours,
    coalesce(m.points, 0) AS points, coalesce(m.severity, {{ severities | length }}) AS severity
FROM turns_of_decisions d LEFT JOIN (
    SELECT game_id, sum(points)::BIGINT AS points,
        min(list_position([{{ severities | quoted }}], severity))::BIGINT - 1 AS severity
    FROM turns_of_mistakes GROUP BY ALL
) m USING (game_id)
