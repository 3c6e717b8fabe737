-- Turns that were left at the end, by game. With cards in the deck, the site's maximum number of remaining turns: pace +
-- clues left + points still possible, which equals deck + players + clues left, because pace is score + deck - maximum
-- score + players. With an empty deck, the unused turns of the last round.
SELECT g.game_id, CASE
    WHEN l.deck > 0 THEN l.deck + g.players + l.clues
    ELSE greatest(g.players - (l.turn - l.emptied), 0) END AS turns_left
FROM games g JOIN (
    SELECT game_id, max(turn) AS turn, arg_max(deck_after, turn) AS deck,
        arg_max(clues_left_after, turn) AS clues, min(turn) FILTER (deck_after = 0) AS emptied
    FROM turns WHERE action <> 'end_game' GROUP BY game_id
) l USING (game_id)
