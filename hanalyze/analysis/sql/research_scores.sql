-- Scores by team size; a game lost by strikes counts as 0 (`strict`) or as the number of cards on its stacks (`kept`).
SELECT players, count(*) AS games, avg(strict_score) AS strict,
    stddev_samp(strict_score) / sqrt(count(*)) AS strict_sem, avg(raw_score) AS kept,
    stddev_samp(raw_score) / sqrt(count(*)) AS kept_sem, median(strict_score) AS median,
    avg((score >= full_score)::INTEGER) AS perfect,
    avg((end_condition = 'strikeout')::INTEGER) AS bomb_out
FROM (SELECT *, CASE WHEN end_condition = 'strikeout' THEN 0 ELSE score END AS strict_score FROM games)
GROUP BY players ORDER BY players
