-- Turns that were left at the end, by game. With an empty deck, these are the unused turns of the last round. Otherwise,
-- they are the site's maximum number of remaining turns, pace + clues left + points still possible. This equals deck +
-- players + clues left, because pace is score + deck - maximum score + players.
SELECT g.game_id, CASE
    WHEN l.deck > 0 THEN l.deck + g.players + l.clues
    ELSE greatest(g.players - (l.turn - l.emptied), 0) END AS turns_left
FROM games g JOIN (
    SELECT game_id, max(turn) AS turn, arg_max(deck_after, turn) AS deck,
        arg_max(clues_left_after, turn) AS clues, min(turn) FILTER (deck_after = 0) AS emptied
    FROM turns WHERE action <> 'end_game' GROUP BY game_id
) l USING (game_id)
