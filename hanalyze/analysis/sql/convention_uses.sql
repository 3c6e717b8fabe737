-- Uses of conventions by game, group and key (a convention, or all conventions of a level). The cards gained by a clue are
-- those that were played onto a stack within {rounds} rounds, before another clue touched them: `touched_played` counts
-- cards that the clue touched, `called_played` cards that the message called but its clue did not touch.
WITH touched_played AS (
    SELECT game_id, last_clue_turn AS turn, count(*) AS played FROM cards JOIN games USING (game_id)
    WHERE fate = 'played' AND fate_turn - last_clue_turn <= {rounds} * players AND {part} GROUP BY ALL
),
calls AS (
    SELECT game_id, turn, number, unnest(cards) AS "order" FROM conventions
    WHERE enum_code(convention) IN ({clues}) AND {part}
),
called_played AS (
    SELECT game_id, turn, number, count(*) AS played
    FROM calls JOIN cards USING (game_id, "order") JOIN games USING (game_id)
    WHERE fate = 'played' AND fate_turn BETWEEN turn + 1 AND turn + {rounds} * players
        AND coalesce(last_clue_turn, -1) < turn
    GROUP BY ALL
),
d AS (
    SELECT c.game_id, c.seat, c.convention, c.worth, o.outcome, o.strikes,
        coalesce(y.played, 0) + coalesce(b.played, 0) AS played,
        coalesce(k.holder, c.receiver) AS receiver,
        code.key, enum_code(c.convention) IN ({clues}) AS clue,
        g.players, g.variant, g.edition, g.score, g.full_score
    FROM conventions c JOIN convention_outcomes o USING (game_id, turn, number)
    JOIN games g USING (game_id) JOIN _chosen_games USING (game_id)
    JOIN (VALUES {codes}) code (code, key) ON code.code = enum_code(c.convention)
    LEFT JOIN touched_played y USING (game_id, turn) LEFT JOIN called_played b USING (game_id, turn, number)
    LEFT JOIN cards k ON k.game_id = c.game_id AND k."order" = c.cards[1]
    WHERE c.{part}
),
sums AS (
    SELECT d.game_id, {by.selected}d.key, count(*)::USMALLINT AS uses,
        count_if(d.outcome IN ({settled}))::USMALLINT AS settled,
        count_if(d.outcome IN ({followed}) OR d.outcome = 'failed' AND d.strikes > 0)::USMALLINT AS read,
        count_if(d.outcome = 'success')::USMALLINT AS success,
        count_if(d.outcome IN ('censored', 'open'))::USMALLINT AS cut_off,
        count_if(d.outcome = 'superseded')::USMALLINT AS superseded,
        sum(d.strikes)::INTEGER AS strikes, count_if(d.clue)::USMALLINT AS clue_uses,
        sum(d.worth) FILTER (d.clue)::INTEGER AS clue_worth, sum(d.played) FILTER (d.clue)::INTEGER AS clue_played
    FROM d{by.joins}{by.where} GROUP BY ALL
)
SELECT r.* EXCLUDE ({by.named}game_id), r.game_id, k._number AS number FROM {joined}
