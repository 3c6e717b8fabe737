-- Rows for storage: equal rows of a lineup are one row, with their number in `games`.
SELECT measure::USMALLINT AS number, lineup, count(*)::UINTEGER AS games, * EXCLUDE (measure, lineup, games)
FROM {{ rows }} GROUP BY ALL ORDER BY number, lineup
