-- Games of the same team size, variant and players are one team: what is counted is summed over teams first,
-- and only then over the cells that a team belongs to. Player -1: the games, whoever played them.
CREATE OR REPLACE TEMP TABLE seated AS
SELECT s.game_id, s.seat, coalesce(k.number, {{ players }})::INTEGER AS player
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

CREATE OR REPLACE TEMP TABLE cells AS
SELECT row_number() OVER (ORDER BY player, size, variant) - 1 AS cell, size, variant, player, games
FROM (
    SELECT size, variant, player, sum(games) AS games
    FROM (
        SELECT size, variant, -1 AS player, games FROM teams
        UNION ALL
        SELECT size, variant, unnest(party), games FROM teams
    ) GROUP BY ALL
);

CREATE OR REPLACE TEMP TABLE team_cells AS
SELECT t.team, c.cell
FROM teams t
JOIN cells c ON c.size = t.size AND c.variant = t.variant AND (c.player = -1 OR list_contains(t.party, c.player))
