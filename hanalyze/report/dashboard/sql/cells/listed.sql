-- First rows of a list for each cell.
WITH whole AS MATERIALIZED (
{{ query }}
),
first AS (
    SELECT place, team FROM whole
    JOIN lineup_games USING (game_id) JOIN {{ "seat_teams USING (lineup, seat)" if of_turns else "lineup_teams USING (lineup)" }}
    QUALIFY row_number() OVER (PARTITION BY team ORDER BY place) <= {{ most }}
),
kept AS (
    SELECT place, cell FROM first JOIN {{ "decision_cells" if of_turns else "game_cells" }} USING (team)
    QUALIFY row_number() OVER (PARTITION BY cell ORDER BY place) <= {{ most }}
),
ranked AS (
    SELECT whole.*, cells
    FROM whole JOIN (SELECT place, list(cell ORDER BY cell) AS cells FROM kept GROUP BY place) USING (place)
),
names AS (
    SELECT game_id, list(left(player, 100) ORDER BY seat) AS names
    FROM seats WHERE game_id IN (SELECT game_id FROM ranked) GROUP BY ALL
)
SELECT r.*, n.names, g.variant, g.edition, g.source, g.source_id, g.seed, g.defects, g.efficiency,
    g.min_efficiency, g.score, g.full_score
    {%- if of_turns %}, d.seat AS holder, d.card, d.suit, d.p_critical, d.p_playable,
    d.p_critical_in_games, d.p_playable_in_games, d.place AS card_place, d.model, d.features{% endif %}

FROM ranked r
JOIN games g USING (game_id)
LEFT JOIN names n USING (game_id)
{% if of_turns %}
JOIN decisions d ON d.game_id = r.game_id AND d.turn = r.lost_turn
{% endif %}
ORDER BY r.place
