-- The stored rows of a count, as in `rows.sql`.
SELECT m.measure, s.number AS lineup, c.* EXCLUDE (part, number, lineup)
FROM sums.counts c
JOIN stored_measures m ON m.part = c.part AND m.number = c.number AND m.name = '{{ name }}'
JOIN stored_lineups s ON s.part = c.part AND s.lineup = c.lineup
