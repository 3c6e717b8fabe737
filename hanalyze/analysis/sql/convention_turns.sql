-- Counts by game and group: actions, and for each key (a convention, or all conventions of a level) the turns that
-- offered it (`o0`, `o1` ...) and those that used it (`u0`, `u1` ...).
WITH used AS (
    {used}
),
d AS (
    SELECT o.game_id, o.seat, {receiver} AS receiver, o.available, o.available_more,
        coalesce(u.used, 0) AS used, coalesce(u.used_more, 0) AS used_more, g.players,
        g.variant, g.edition, g.score, g.full_score
    FROM convention_opportunities o JOIN games g USING (game_id) JOIN _chosen_games USING (game_id)
        ANTI JOIN (SELECT game_id, turn FROM turns WHERE action = 'end_game') e USING (game_id, turn)
        LEFT JOIN used u USING (game_id, turn){receivers}
    WHERE o.{part}
),
sums AS (
    SELECT d.game_id, {by.selected}count(*)::USMALLINT AS actions{counts}
    FROM d{by.joins}{by.where} GROUP BY ALL
)
SELECT r.* EXCLUDE ({by.named}game_id), r.game_id, k._number AS number FROM {joined}
