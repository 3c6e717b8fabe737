-- Games of the same team size, variant and players are one team, whoever these are: for sums to be kept.
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

-- What a seat has counts for every set of players that its own is in, for others may share a cell: bit i is the
-- player i of the names in their order. Squares of what several have together cannot be told from those of each.
CREATE OR REPLACE TEMP TABLE shares AS
WITH members AS (SELECT team, list_sort(list_distinct(party)) AS names FROM teams),
sets AS (SELECT team, names, unnest(range(1, 1 << len(names)))::INTEGER AS share FROM members),
places AS (SELECT team, names, share, unnest(range(len(names))) AS place FROM sets),
belongs AS (SELECT team, share, names[place + 1] AS player FROM places WHERE share >> place & 1 = 1)
SELECT s.game_id, s.seat, b.share
FROM seats s JOIN team_of t USING (game_id) JOIN belongs b ON b.team = t.team AND b.player = s.player
