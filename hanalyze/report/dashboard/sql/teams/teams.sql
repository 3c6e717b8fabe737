-- Teams by team size, variant and players: the team of each game (`first_seat` is -1), and each player as a team
-- of its own (`own`), which counts only that player's decisions. Variants and players without separate cells share
-- one number.
CREATE OR REPLACE TEMP TABLE seat_teams AS
SELECT s.game_id, s.seat, min(s.seat) OVER (PARTITION BY s.game_id, s.player) AS first_seat,
    coalesce(p.number, {{ players }})::INTEGER AS player
FROM seats s LEFT JOIN known_player p ON p.name = s.player WHERE s.player IS NOT NULL;

CREATE OR REPLACE TEMP TABLE game_teams AS
SELECT u.game_id, u.first_seat, dense_rank() OVER (ORDER BY u.own, g.players, v.number, u.party) - 1 AS team,
    u.own, g.players AS size, coalesce(v.number, {{ variants }})::INTEGER AS variant, u.party
FROM (
    SELECT game_id, -1 AS first_seat, false AS own, party
    FROM games LEFT JOIN (
        SELECT game_id, list_sort(list_distinct(list(player))) AS party FROM seat_teams GROUP BY ALL
    ) USING (game_id)
    UNION ALL
    SELECT DISTINCT game_id, first_seat, true, [player] FROM seat_teams
) u JOIN games g USING (game_id) LEFT JOIN known_variant v ON v.name = g.variant;

CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(own) AS own, any_value(size) AS size, any_value(variant) AS variant,
    any_value(party) AS party, count(*) AS games
FROM game_teams GROUP BY team;

CREATE OR REPLACE TEMP TABLE seat_teams AS
SELECT game_id, seat, first_seat, team
FROM (SELECT game_id, seat, first_seat FROM seat_teams UNION ALL SELECT game_id, seat, -1 FROM seats)
JOIN game_teams USING (game_id, first_seat);

-- The teams of each game by its number, also of the players whose first seat is 0 to 5.
CREATE OR REPLACE TEMP TABLE numbered_teams AS
SELECT g.game, max(t.team) FILTER (t.first_seat = -1) AS team
    {%- for seat in seats %}, max(t.team) FILTER (t.first_seat = {{ seat }}) AS team{{ seat }}{% endfor %}

FROM game_teams t JOIN numbered_games g ON g.game_id = t.game_id GROUP BY g.game
