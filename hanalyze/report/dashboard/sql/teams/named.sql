-- Teams by team size, variant and players, with the names of all players, for stored sums.
CREATE OR REPLACE TEMP TABLE team_of AS
SELECT game_id, dense_rank() OVER (ORDER BY size, variant, party) - 1 AS team, size, variant, party
FROM (
    SELECT g.game_id, g.players AS size, g.variant, p.party
    FROM games g LEFT JOIN (
        SELECT game_id, list_sort(list(player)) AS party FROM seats WHERE player IS NOT NULL GROUP BY ALL
    ) p USING (game_id)
);

CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(size) AS size, any_value(variant) AS variant, any_value(party) AS party,
    count(*) AS games
FROM team_of GROUP BY team;

CREATE OR REPLACE TEMP TABLE member_of AS
SELECT s.game_id, s.seat, min(s.seat) OVER (PARTITION BY s.game_id, s.player) AS first_seat,
    dense_rank() OVER (ORDER BY t.size, t.variant, s.player) - 1 AS member, t.size, t.variant, s.player
FROM seats s JOIN team_of t USING (game_id) WHERE s.player IS NOT NULL;

CREATE OR REPLACE TEMP TABLE members AS SELECT DISTINCT member, size, variant, player FROM member_of
