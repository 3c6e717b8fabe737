-- Tables of cells. Counts are summed by team first, then over the teams of each cell.
-- Player -1: games of all players.
CREATE OR REPLACE TEMP TABLE cells AS
SELECT row_number() OVER (ORDER BY player, size, variant) - 1 AS cell, size, variant, player, games
FROM (
    SELECT size, variant, player, sum(games) AS games
    FROM (
        SELECT size, variant, -1 AS player, games FROM teams WHERE NOT own
        UNION ALL
        SELECT size, variant, unnest(party), games FROM teams WHERE NOT own
    ) GROUP BY ALL
);

-- For decisions, cells with a player use only that player's own teams.
CREATE OR REPLACE TEMP TABLE decision_cells AS
SELECT t.team, c.cell
FROM teams t
JOIN cells c ON c.size = t.size AND c.variant = t.variant AND c.player = CASE WHEN t.own THEN t.party[1] ELSE -1 END;

CREATE OR REPLACE TEMP TABLE game_cells AS
SELECT t.team, c.cell
FROM teams t
JOIN cells c ON c.size = t.size AND c.variant = t.variant AND (c.player = -1 OR list_contains(t.party, c.player))
WHERE NOT t.own
