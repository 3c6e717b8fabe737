-- Teams by team size, variant and players: the team of each lineup (`first_seat` is -1), and each player as a team of
-- its own (`own`), which counts only that player's decisions. Variants and players without separate cells share one
-- number.
CREATE OR REPLACE TEMP TABLE lineup_teams AS
SELECT u.lineup, u.first_seat, dense_rank() OVER (ORDER BY u.own, l.size, v.number, u.party) - 1 AS team, u.own,
    l.size, coalesce(v.number, {{ variants }})::INTEGER AS variant, u.party, l.games
FROM (
    WITH numbered AS (
        SELECT lineup, first_seat, coalesce(p.number, {{ players }})::INTEGER AS player
        FROM lineup_seats LEFT JOIN known_player p USING (name)
    )
    SELECT lineup, -1 AS first_seat, false AS own, party
    FROM lineups LEFT JOIN (
        SELECT lineup, list_sort(list_distinct(list(player))) AS party FROM numbered GROUP BY lineup
    ) USING (lineup)
    UNION ALL
    SELECT DISTINCT lineup, first_seat, true, [player] FROM numbered
) u JOIN lineups l ON l.lineup = u.lineup LEFT JOIN known_variant v ON v.name = l.variant;

CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(own) AS own, any_value(size) AS size, any_value(variant) AS variant,
    any_value(party) AS party, sum(games)::BIGINT AS games
FROM lineup_teams GROUP BY team;

CREATE OR REPLACE TEMP TABLE seat_teams AS
SELECT lineup, seat, team
FROM (
    SELECT lineup, seat, first_seat FROM lineup_seats
    UNION ALL
    SELECT lineup, unnest(range(size)), -1 FROM lineups
) JOIN lineup_teams USING (lineup, first_seat);

-- The same by lineup: its team, and the teams of the players whose first seat is 0 to 5.
CREATE OR REPLACE TEMP TABLE teams_by_seat AS
SELECT lineup, max(team) FILTER (first_seat = -1) AS team
    {%- for seat in seats %}, max(team) FILTER (first_seat = {{ seat }}) AS team{{ seat }}{% endfor %}

FROM lineup_teams GROUP BY lineup
