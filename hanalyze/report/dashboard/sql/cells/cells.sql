-- Tables of cells. Counts are summed by team first, then over the teams of each cell.
-- Player -1: games of all players.
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
JOIN cells c ON c.size = t.size AND c.variant = t.variant AND (c.player = -1 OR list_contains(t.party, c.player));

-- For decisions, cells with a player use the sums of members, and cells of all players use the sums of teams.
CREATE OR REPLACE TEMP VIEW game_cells AS
SELECT t.team, c.cell FROM team_cells t JOIN cells c ON c.cell = t.cell AND c.player = -1;

CREATE OR REPLACE TEMP TABLE member_cells AS
SELECT m.member, c.cell FROM members m JOIN cells c ON c.size = m.size AND c.variant = m.variant AND c.player = m.player
