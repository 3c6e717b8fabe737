-- How far what the clues of other conventions brought in is from its mean, weighted by how much of that mean counts,
-- by game and convention: `rest`, and `others`, how many they are. The rest is in parts of 4096, whose sums are the
-- same in whatever order they are added up.
CREATE OR REPLACE TEMP TABLE worth_rest AS
WITH p AS (
    SELECT game_id, any_value(team) AS team, sum(uses) AS every
        {%- for band in bands %},
        coalesce(sum(worth) FILTER (band = {{ band }}), 0) AS w{{ band }},
        coalesce(sum(uses) FILTER (band = {{ band }}), 0) AS u{{ band }}{% endfor %}
    FROM worth GROUP BY game_id
),
t AS (
    SELECT game_id, team, every, unnest({{ keys }}::INTEGER[]) AS key, unnest([
        {%- for some in terms %}
        {{ some | join(" + ") }}{{ "" if loop.last else "," }}{% endfor %}
    ]::DOUBLE[]) AS rest
    FROM p
),
own AS (
    SELECT game_id, key, sum(uses) AS uses, sum(share * worth - due * uses) AS rest
    FROM worth JOIN worth_shares USING (key, band) GROUP BY ALL
)
SELECT game_id, t.team, key, round(4096 * (t.rest - coalesce(own.rest, 0))) / 4096 AS rest, every - coalesce(own.uses, 0) AS others
FROM t LEFT JOIN own USING (game_id, key)
