-- Clues and their results, by game and group.
WITH d AS (
    SELECT c.*, c.giver AS seat, t.* EXCLUDE (game_id)
    FROM clues c JOIN {source}
)
SELECT d.game_id, {by.selected}count(*)::INTEGER AS clues, sum(d.cards_gotten)::INTEGER AS gotten,
    sum(d.plays_followed)::INTEGER AS followed,
    (count(*) FILTER (d.chop_touched AND d.critical > 0))::INTEGER AS saves, sum(d.bits) AS bits,
    sum(d.trash + d.duplicates)::INTEGER AS bad, sum(d.touched)::INTEGER AS touched
FROM d{by.joins}{by.where}
GROUP BY ALL
