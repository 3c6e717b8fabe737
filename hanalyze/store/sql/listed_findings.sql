-- Findings with their turns, and the cards of their games.
SELECT
    f.*, t.action, t.receiver AS clued, t.clue_value, t."order", t.slot, t.result,
    n.game, n.letters, g.colours, g.variant, n.names AS players, c.deck
FROM findings f
JOIN turns t USING (game_id, turn)
JOIN games g USING (game_id)
JOIN game_names n USING (game_id)
JOIN (
    SELECT game_id, list({'suit': suit, 'rank': rank, 'holder': holder} ORDER BY "order") AS deck
    FROM cards GROUP BY game_id
) c USING (game_id)
