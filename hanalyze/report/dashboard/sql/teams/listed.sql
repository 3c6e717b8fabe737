-- First rows of a list for each team or member; rows of turns include the columns that the list shows.
SELECT w.{{ level }}, w.game_id
    {%- if of_turns %}, w.turn, w.seat, w.kind, w.severity, w.points, d.card, d.suit, d.p_critical, d.p_playable{% endif %}

FROM (
    SELECT * FROM ({{ query }}) JOIN {{ groups }}
    QUALIFY row_number() OVER (PARTITION BY {{ level }} ORDER BY place) <= {{ most }}
) w
{% if of_turns %}
JOIN decisions d USING (game_id, turn)
{% endif %}
