-- Teams of the stored sums. Players without separate cells share one number; `named` is the number of a team in
-- the stored sums.
CREATE OR REPLACE TEMP TABLE named_teams AS
WITH parties AS (
    SELECT part, named, list_sort(list_distinct(list(coalesce(k.number, {{ players }})::INTEGER))) AS party
    FROM (SELECT part, team AS named, unnest(party) AS name FROM sums.teams)
    LEFT JOIN known_player k USING (name) GROUP BY ALL
)
SELECT part, named, dense_rank() OVER (ORDER BY own, size, variant, party) - 1 AS team, own, size, variant, party,
    games
FROM (
    SELECT t.part, t.team AS named, t.own, t.size, coalesce(k.number, {{ variants }})::INTEGER AS variant, p.party,
        t.games
    FROM sums.teams t LEFT JOIN known_variant k ON k.name = t.variant
    LEFT JOIN parties p ON p.part = t.part AND p.named = t.team
);

CREATE OR REPLACE TEMP TABLE teams AS
SELECT team, any_value(own) AS own, any_value(size) AS size, any_value(variant) AS variant,
    any_value(party) AS party, sum(games)::BIGINT AS games
FROM named_teams GROUP BY team;

-- Only the stored games and turns, which are the first of their teams, can be listed.
CREATE OR REPLACE TEMP TABLE game_teams AS
SELECT DISTINCT f.game_id, n.own, n.team
FROM (
    SELECT part, team, game_id FROM sums.team_games UNION ALL SELECT part, team, game_id FROM sums.team_turns
) f JOIN named_teams n ON n.part = f.part AND n.named = f.team;

CREATE OR REPLACE TEMP TABLE seat_teams AS
SELECT DISTINCT f.game_id, f.seat, n.team
FROM sums.team_turns f JOIN named_teams n ON n.part = f.part AND n.named = f.team;

CREATE OR REPLACE TEMP VIEW mistakes AS
SELECT DISTINCT game_id, turn, seat, kind, severity, points, turn AS charged_turn FROM sums.team_turns
UNION ALL
SELECT DISTINCT game_id, lost_turn, holder, CASE kind WHEN 'discard_unsaved' THEN 'discard_last_copy' ELSE 'misplay' END,
    severity, 0, turn
FROM sums.team_turns WHERE lost_turn <> turn;

CREATE OR REPLACE TEMP VIEW decisions AS
SELECT DISTINCT game_id, lost_turn AS turn, holder AS seat, card, suit, p_critical, p_playable, p_critical_in_games,
    p_playable_in_games, card_place AS place, model, features
FROM sums.team_turns
