-- The dimensions and the row of each game, or of the games of a sample.
SELECT *, dense_rank() OVER (ORDER BY {{ dimensions }}) - 1 AS row
FROM (
    SELECT d.game_id, ({{ cluster }})::UINTEGER AS cluster, p.party,
        least(v.number, {{ size.variant }})::UTINYINT AS variant, {{ month.expressions[0] }} AS month,
        ({{ score.expressions[0] }})::UTINYINT AS score, if(r.game_id IS NULL, -1, signal_level(l.level)) AS level
    FROM games d{{ month.joins }}
    JOIN (
        SELECT s.game_id,
            sum((least(k.number, {{ size.player }}) + 1) << ({{ player_bits }} * s.seat))::BIGINT AS party
        FROM seats s JOIN _name_player k ON k.name = coalesce(s.player, '{{ unnamed }}')
        GROUP BY s.game_id
    ) p ON p.game_id = d.game_id
    JOIN _name_variant v ON v.name = d.variant
    LEFT JOIN convention_games r ON r.game_id = d.game_id
    LEFT JOIN game_levels l ON l.game_id = d.game_id
    WHERE {{ sampled }}
)
