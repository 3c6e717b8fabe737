-- Of each game and convention that clues give, by the cards per clue needed before: tokens, and cards newly got.
SELECT f.game_id, f.convention, {{ need }} AS need, count(*)::INTEGER AS uses, sum(f.worth)::INTEGER AS worth
FROM conventions f JOIN turns t USING (game_id, turn)
WHERE f.convention IN ({{ clues | quoted }})
GROUP BY ALL
