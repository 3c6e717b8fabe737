CREATE OR REPLACE TEMP TABLE worth AS
SELECT game_id, team, list_position([{{ keys | quoted }}], convention::VARCHAR) - 1 AS key,
    need - {{ first_band }} AS band, uses::DOUBLE AS uses, worth::DOUBLE AS worth,
    sum(worth) OVER (PARTITION BY game_id, convention)::DOUBLE AS whole
FROM (
{{ query }}
) JOIN team_of USING (game_id)
