-- Share of actions that no convention explains, and share of actions that are explained without certainty.
SELECT
    (SELECT count(*) FROM convention_games) AS games,
    (SELECT max(level) FROM convention_games) AS level,
    count(*) AS actions,
    count_if(convention = 'unexplained') / count(*) AS unexplained,
    count_if(certainty < 100 AND convention <> 'unexplained') / count(*) AS uncertain
FROM conventions WHERE number = 0
