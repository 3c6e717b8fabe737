-- First rows of a list for each team; rows of turns include the columns that the list shows.
SELECT w.team, w.game_id
    {%- if of_turns %}, w.turn, w.seat, w.kind, w.severity, w.points, d.card, d.suit, d.p_critical, d.p_playable{% endif %}

FROM (
    SELECT * FROM ({{ query }}) JOIN {{ "seat_teams USING (game_id, seat)" if of_turns else "game_teams USING (game_id)" }}
    WHERE {{ "true" if of_turns else "NOT own" }}
    QUALIFY row_number() OVER (PARTITION BY team ORDER BY place) <= {{ most }}
) w
{% if of_turns %}
JOIN decisions d USING (game_id, turn)
{% endif %}
