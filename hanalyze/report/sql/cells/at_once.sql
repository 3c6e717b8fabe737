-- Both from one query; of `seated` ones a player's cell has the player's own.
{% set each %}
count(*) AS n, sum(y) AS y, sum(y * y::DOUBLE) AS yy, sum(x) AS x, sum(x * x::DOUBLE) AS xx,
    sum(x * y::DOUBLE) AS xy
{%- endset %}
{% if seated %}
WITH p AS MATERIALIZED (
    SELECT game_id, player, of, sum(y) AS y, sum(x) AS x
    FROM ({{ of }}) JOIN seated USING (game_id, seat) GROUP BY ALL
),
b AS (FROM p UNION ALL SELECT game_id, -1, of, sum(y), sum(x) FROM p GROUP BY ALL)
SELECT c.cell, of, {{ each }}
FROM b JOIN team_of t USING (game_id)
JOIN cells c ON c.size = t.size AND c.variant = t.variant AND c.player = b.player GROUP BY ALL
{% else %}
SELECT cell, of, sum(n) AS n, sum(y) AS y, sum(yy) AS yy, sum(x) AS x, sum(xx) AS xx, sum(xy) AS xy
FROM (SELECT team, of, {{ each }} FROM ({{ of }}) JOIN team_of USING (game_id) GROUP BY ALL)
JOIN team_cells USING (team) GROUP BY ALL
{% endif %}
