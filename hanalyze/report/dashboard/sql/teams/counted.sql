-- The values of a count by game and seat (null: the whole game, or nobody). Denominators have no panel and no label.
-- Numerators have the values of their denominator, too.
{% if found %}
WITH found AS MATERIALIZED (
{{ found }}
),
of AS MATERIALIZED (
{{ of }}
)
SELECT game_id, panel, label, of, {{ found_seat }} AS seat, x, NULL AS y FROM found
UNION ALL
SELECT game_id, panel, label, of, {{ of_seat }}, NULL, y
FROM (SELECT DISTINCT game_id, panel, label, of FROM found) JOIN of USING (game_id, of)
UNION ALL
SELECT game_id, NULL, NULL, of, {{ of_seat }}, NULL, y FROM of
{% else %}
SELECT game_id, NULL::VARCHAR AS panel, NULL::VARCHAR AS label, of, {{ of_seat }} AS seat, x, y FROM (
{{ of }}
)
{% endif %}
