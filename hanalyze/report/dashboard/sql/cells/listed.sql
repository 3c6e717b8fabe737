-- Rows of `ranked`, with what the list shows about their games{{ " and turns" if of_turns else "" }}.
WITH names AS (
    SELECT game_id, list(left(player, 100) ORDER BY seat) AS names
    FROM seats WHERE game_id IN ({{ games }}) GROUP BY ALL
)
SELECT r.*, n.names, g.variant, g.edition, g.source, g.source_id, g.seed, g.defects, g.efficiency,
    g.min_efficiency, g.score, g.full_score
    {%- if of_turns %}, d.seat AS holder, d.card, d.suit, d.p_critical, d.p_playable,
    d.p_critical_in_games, d.p_playable_in_games, d.place AS card_place, d.model, d.features{% endif %}

FROM ranked r
JOIN games g USING (game_id)
LEFT JOIN names n USING (game_id)
{% if of_turns %}
JOIN (FROM decisions WHERE game_id IN ({{ games }})) d ON d.game_id = r.game_id AND d.turn = r.lost_turn
{% endif %}
ORDER BY r.place
