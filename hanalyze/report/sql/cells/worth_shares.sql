-- By convention and band of need: its uses over those of all others there, and what these brought in by that. Where
-- the others have none in a band, all their bands stand for it.
CREATE OR REPLACE TEMP TABLE worth_shares AS
WITH k AS (SELECT key, band, sum(uses) AS uses, sum(worth) AS worth FROM worth GROUP BY ALL),
b AS (SELECT band, sum(uses) AS uses, sum(worth) AS worth FROM k GROUP BY ALL),
o AS (
    SELECT keys.key, b.band, coalesce(k.uses, 0) AS own, b.uses - own AS uses, b.worth - coalesce(k.worth, 0) AS worth
    FROM (SELECT DISTINCT key FROM k) keys CROSS JOIN b LEFT JOIN k USING (key, band)
),
e AS (
    SELECT key, coalesce(sum(own) FILTER (uses = 0), 0) / sum(uses) AS share, sum(worth) / sum(uses) AS mean
    FROM o GROUP BY key HAVING sum(uses) > 0
)
SELECT key, band, if(o.uses > 0, own / o.uses, 0) + e.share AS share,
    if(o.uses > 0, own / o.uses * o.worth / o.uses, 0) + e.share * e.mean AS due
FROM o JOIN e USING (key)
