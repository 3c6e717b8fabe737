-- Rows for storage: equal rows of the same players in different games are one row, with their number in `games`.
SELECT r.measure::USMALLINT AS number, g.first_game AS game, count(*)::UINTEGER AS games,
    r.* EXCLUDE (measure, game, games)
FROM {{ rows }} r JOIN numbered_games g ON g.game = r.game
GROUP BY ALL ORDER BY number, game
