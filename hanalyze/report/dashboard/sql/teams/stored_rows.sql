-- The stored rows of a count, as in `rows.sql`; the lineups of a part are numbered from 0.
SELECT m.measure, m.first_lineup + c.lineup AS lineup, c.* EXCLUDE (part, number, lineup)
FROM sums.counts c
JOIN stored_measures m ON m.part = c.part AND m.number = c.number AND m.name = '{{ name }}'
