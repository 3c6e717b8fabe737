-- First rows of a list for each team; rows of turns include the columns that the list shows.
SELECT w.team, w.game_id
    {%- if of_turns %}, w.turn, w.seat, w.kind, w.severity, w.points, w.lost_turn,
    d.seat AS holder, d.card, d.suit, d.p_critical, d.p_playable,
    d.p_critical_in_games, d.p_playable_in_games, d.place AS card_place, d.model, d.features{% endif %}

FROM (
    SELECT * FROM ({{ query }}) JOIN {{ "seat_teams USING (game_id, seat)" if of_turns else "game_teams USING (game_id)" }}
    WHERE {{ "true" if of_turns else "NOT own" }}
    QUALIFY row_number() OVER (PARTITION BY team ORDER BY place) <= {{ most }}
) w
{% if of_turns %}
JOIN decisions d ON d.game_id = w.game_id AND d.turn = w.lost_turn
{% endif %}
