-- Teams by team size, variant and players. Variants and players without separate cells share one number.
CREATE OR REPLACE TEMP TABLE seated AS
SELECT s.game_id, s.seat, min(s.seat) OVER (PARTITION BY s.game_id, s.player) AS first_seat,
    coalesce(k.number, {{ players }})::INTEGER AS player
FROM seats s LEFT JOIN known_player k ON k.name = s.player WHERE s.player IS NOT NULL;

CREATE OR REPLACE TEMP TABLE team_of AS
SELECT game_id, dense_rank() OVER (ORDER BY size, variant, party) - 1 AS team, size, variant, party
FROM (
    SELECT g.game_id, g.players AS size, coalesce(k.number, {{ variants }})::INTEGER AS variant, p.party
    FROM games g LEFT JOIN known_variant k ON k.name = g.variant
    LEFT JOIN (SELECT game_id, list_sort(list_distinct(list(player))) AS party FROM seated GROUP BY ALL) p
    USING (game_id)
);

CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(size) AS size, any_value(variant) AS variant, any_value(party) AS party,
    count(*) AS games
FROM team_of GROUP BY team;

CREATE OR REPLACE TEMP TABLE member_of AS
SELECT game_id, seat, first_seat, dense_rank() OVER (ORDER BY size, variant, player) - 1 AS member,
    size, variant, player
FROM seated JOIN team_of USING (game_id);

CREATE OR REPLACE TEMP TABLE members AS SELECT DISTINCT member, size, variant, player FROM member_of
