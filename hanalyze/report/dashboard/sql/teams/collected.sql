-- Teams and members of the stored sums. Players without separate cells share one number; `named` is the number
-- of a team or member in the stored sums.
CREATE OR REPLACE TEMP TABLE named_teams AS
WITH parties AS (
    SELECT part, named, list_sort(list_distinct(list(coalesce(k.number, {{ players }})::INTEGER))) AS party
    FROM (SELECT part, team AS named, unnest(party) AS name FROM sums.teams)
    LEFT JOIN known_player k USING (name) GROUP BY ALL
)
SELECT part, named, dense_rank() OVER (ORDER BY size, variant, party) - 1 AS team, size, variant, party, games
FROM (
    SELECT t.part, t.team AS named, t.size, coalesce(k.number, {{ variants }})::INTEGER AS variant, p.party, t.games
    FROM sums.teams t LEFT JOIN known_variant k ON k.name = t.variant
    LEFT JOIN parties p ON p.part = t.part AND p.named = t.team
);

CREATE OR REPLACE TEMP TABLE named_members AS
SELECT part, named, dense_rank() OVER (ORDER BY size, variant, player) - 1 AS member, size, variant, player
FROM (
    SELECT m.part, m.member AS named, m.size, coalesce(v.number, {{ variants }})::INTEGER AS variant,
        coalesce(p.number, {{ players }})::INTEGER AS player
    FROM sums.members m LEFT JOIN known_variant v ON v.name = m.variant
    LEFT JOIN known_player p ON p.name = m.player
);

CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(size) AS size, any_value(variant) AS variant, any_value(party) AS party,
    sum(games)::BIGINT AS games
FROM named_teams GROUP BY team;

CREATE OR REPLACE TEMP TABLE members AS SELECT DISTINCT member, size, variant, player FROM named_members;

-- Only the stored games and turns, which are the first of their teams or members, can be listed.
CREATE OR REPLACE TEMP TABLE team_of AS
SELECT DISTINCT f.game_id, n.team
FROM (
    SELECT part, team, game_id FROM sums.team_games UNION ALL SELECT part, team, game_id FROM sums.team_turns
) f JOIN named_teams n ON n.part = f.part AND n.named = f.team;

CREATE OR REPLACE TEMP TABLE member_of AS
SELECT DISTINCT f.game_id, f.seat, n.member
FROM sums.member_turns f JOIN named_members n ON n.part = f.part AND n.named = f.member;

CREATE OR REPLACE TEMP VIEW mistakes AS
SELECT * EXCLUDE (part, team) FROM sums.team_turns
UNION
SELECT * EXCLUDE (part, member) FROM sums.member_turns;

CREATE OR REPLACE TEMP VIEW decisions AS
SELECT DISTINCT game_id, turn, card, suit, p_critical, p_playable FROM mistakes
