-- How far what the clues of other conventions brought in is from its mean, weighted by how much of that mean counts, of
-- each game and convention used there: `rest`; `every`: of all clues, its own among them; `alone`: there are no others.
-- They are in parts of 4096, whose sums are the same in whatever order they are added up.
CREATE OR REPLACE TEMP TABLE worth_every AS
SELECT game_id, team, uses, [
    {%- for some in terms %}
    round(4096 * ({{ some | join(" + ") }})) / 4096{{ "" if loop.last else "," }}{% endfor %}
]::DOUBLE[] AS totals
FROM (
    SELECT game_id, any_value(team) AS team, sum(uses) AS uses
        {%- for band in bands %},
        coalesce(sum(worth) FILTER (band = {{ band }}), 0) AS w{{ band }},
        coalesce(sum(uses) FILTER (band = {{ band }}), 0) AS u{{ band }}{% endfor %}
    FROM (SELECT game_id, band, any_value(team) AS team, sum(worth) AS worth, sum(uses) AS uses FROM worth GROUP BY ALL)
    GROUP BY game_id
);

CREATE OR REPLACE TEMP TABLE worth_rest AS
WITH own AS (
    SELECT game_id, key, sum(uses) AS uses, round(4096 * sum(share * worth - due * uses)) / 4096 AS own
    FROM worth JOIN worth_shares USING (key, band) GROUP BY ALL
)
SELECT game_id, team, key, e.totals[list_position({{ keys }}, key)] AS every, every - own AS rest,
    own.uses = e.uses AS alone
FROM own JOIN worth_every e USING (game_id)
