-- The stored rows of a count, as in `rows.sql`.
SELECT m.measure, m.first_game + c.game AS game, c.* EXCLUDE (part, number, game)
FROM sums.counts c
JOIN stored_measures m ON m.part = c.part AND m.number = c.number AND m.name = '{{ name }}'
