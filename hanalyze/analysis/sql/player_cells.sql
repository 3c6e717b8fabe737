-- The player's own games and all games comparable with them. `cell` numbers the combinations of team size, variant family
-- (the variant without its number of suits) and level; `rules` numbers those of team size and family.
WITH own_games AS (SELECT DISTINCT game_id FROM _own_seats),
every AS (
    SELECT game_id, source_id, stored, played, dense_rank() OVER (ORDER BY players, family) - 1 AS rules,
        dense_rank() OVER (ORDER BY players, family, level) - 1 AS cell
    FROM (
        SELECT g.game_id, g.source_id, {stored} AS stored, {played} AS played, g.players,
            CASE WHEN regexp_full_match(g.variant, '[0-9] Suits') THEN 'No Variant'
                ELSE regexp_replace(g.variant, ' \([0-9] Suits\)$', '') END AS family,
            CASE WHEN c.game_id IS NOT NULL THEN coalesce(v.level, {usual}) END AS level
        FROM games g
        LEFT JOIN convention_games c ON c.game_id = g.game_id
        LEFT JOIN {levels} v ON v.game_id = g.game_id
    )
)
SELECT e.*, o.game_id IS NOT NULL AS own FROM every e LEFT JOIN own_games o ON o.game_id = e.game_id
WHERE e.cell IN (SELECT cell FROM every SEMI JOIN own_games USING (game_id))
