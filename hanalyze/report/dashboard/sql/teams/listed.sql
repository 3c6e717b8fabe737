-- The first rows of a list for every team; of turns with what a list says of them.
SELECT w.team, w.game_id
    {%- if of_turns %}, w.turn, w.kind, w.severity, w.points, d.seat, d.card, d.suit, d.p_critical, d.p_playable{% endif %}

FROM (
    SELECT * FROM ({{ query }}) JOIN team_of USING (game_id)
    QUALIFY row_number() OVER (PARTITION BY team ORDER BY place) <= {{ most }}
) w
{% if of_turns %}
JOIN decisions d USING (game_id, turn)
{% endif %}
