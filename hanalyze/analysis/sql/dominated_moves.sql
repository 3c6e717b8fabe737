-- By player, numbers and shares of the moves that are certainly worse than another move, by exact card counting from the
-- player's own view.
WITH acts AS (
    SELECT s.player, t.action = 'play' AND t.p_playable = 0 AND (t.could_discard OR t.could_clue) AS misplay,
        t.action = 'discard' AND t.p_playable = 1 AS playable,
        t.action = 'discard' AND t.p_playable < 1 AND t.p_trash < 1 AND t.best_p_trash = 1 AS risk,
        t.best_p_playable = 1 AS chance, t.action = 'play' AND t.p_playable = 1 AS taken
    FROM turns t JOIN seats s ON s.game_id = t.game_id AND s.seat = t.seat WHERE t.action <> 'end_game'
)
SELECT player, count(*) AS actions, count(*) FILTER (misplay) AS sure_misplays,
    count(*) FILTER (playable) AS playables_discarded, count(*) FILTER (risk) AS needless_risks,
    avg((coalesce(misplay, FALSE) OR coalesce(playable, FALSE) OR coalesce(risk, FALSE))::INTEGER)
        AS dominated,
    count(*) FILTER (chance) AS sure_plays,
    count(*) FILTER (chance AND taken) / nullif(count(*) FILTER (chance), 0) AS dominant
FROM acts GROUP BY player ORDER BY player
