-- The teams of sums that were kept, as far as their players have cells of their own; `named` is what a team is there.
CREATE OR REPLACE TEMP TABLE members AS
SELECT part, named, place, coalesce(k.number, {{ players }})::INTEGER AS player
FROM (
    SELECT part, named, unnest(names) AS name, unnest(range(len(names))) AS place
    FROM (SELECT part, team AS named, list_sort(list_distinct(party)) AS names FROM sums.teams)
) m LEFT JOIN known_player k ON k.name = m.name;

CREATE OR REPLACE TEMP TABLE named_teams AS
SELECT part, named, dense_rank() OVER (ORDER BY size, variant, party) - 1 AS team, size, variant, party, games
FROM (
    SELECT t.part, t.team AS named, t.size, coalesce(k.number, {{ variants }})::INTEGER AS variant, p.party, t.games
    FROM sums.teams t LEFT JOIN known_variant k ON k.name = t.variant
    LEFT JOIN (SELECT part, named, list_sort(list_distinct(list(player))) AS party FROM members GROUP BY ALL) p
    ON p.part = t.part AND p.named = t.team
);

CREATE OR REPLACE TEMP TABLE named_shares AS
SELECT part, named, sum(1 << place)::INTEGER AS share, player FROM members GROUP BY ALL
UNION ALL
SELECT part, named, sum(1 << place)::INTEGER, -1 FROM members GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(size) AS size, any_value(variant) AS variant, any_value(party) AS party,
    sum(games)::BIGINT AS games
FROM named_teams GROUP BY team;

-- Of the lists there are the games and turns that are the first of their teams; no other can be listed.
CREATE OR REPLACE TEMP TABLE team_of AS
SELECT DISTINCT f.game_id, n.team
FROM (
    SELECT part, team, game_id FROM sums.team_games UNION ALL SELECT part, team, game_id FROM sums.team_turns
) f JOIN named_teams n ON n.part = f.part AND n.named = f.team;

CREATE OR REPLACE TEMP VIEW mistakes AS FROM sums.team_turns;

CREATE OR REPLACE TEMP VIEW decisions AS
SELECT DISTINCT game_id, turn, seat, card, suit, p_critical, p_playable FROM sums.team_turns
